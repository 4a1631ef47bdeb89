"""Checks of what users pass: what is wrong is told by name."""

from convoy._native import Error


def check_text(value: object, name: str) -> str:
    """`value`, which is to be a text."""
    if isinstance(value, str):
        return value
    raise Error(f"expected a text for '{name}', but got {value!r}")


def check_number(value: object, name: str, least: int, most: int) -> int:
    """`value`, which is to be a whole number from `least` to `most`."""
    if isinstance(value, int) and least <= value <= most:
        return value
    raise Error(f"expected a number from {least} to {most} for '{name}', but got {value!r}")
