"""Checks of what users pass: what is wrong is told by name."""

import os
import reprlib
from collections.abc import Callable

from convoy._native import Error


#: What names of objects, archives and shared objects end in.
LIBRARY_ENDS = (".o", ".a", ".so")


def refuse_missing(packages: str, extra: str, missing: str | None) -> Callable[[str], object]:
    """The `__getattr__` of a module that needs `packages`, of which there is no
    `missing`: says so to who uses any of the module. The program has to start."""

    def get(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name) from None
        raise Error(f"expected {packages}, but there is no {missing} (pip install 'convoy[{extra}]')")

    return get


def check_text(value: object, name: str) -> str:
    """`value`, which is to be a text."""
    if isinstance(value, str):
        return value
    raise Error(f"expected a text for '{name}', but got {show(value)}")


def check_number(value: object, name: str, least: int, most: int) -> int:
    """`value`, which is to be a whole number from `least` to `most`."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise Error(f"expected a number from {least} to {most} for '{name}', but got {show(value)}")


def check_flag(value: object, name: str) -> bool:
    """`value`, which is to be True or False."""
    if isinstance(value, bool):
        return value
    raise Error(f"expected True or False for '{name}', but got {show(value)}")


def show(value: object) -> str:
    """`value` as Python writes it, in one line and cut short."""
    return " ".join(reprlib.repr(value).split())


def check_path(value: object, name: str) -> str:
    """`value`, which is to be the name of a file or a folder."""
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if isinstance(path, str):
        return path
    raise Error(f"expected a path for '{name}', but got {type(value).__name__}")


def check_seed(seed: object) -> int:
    """`seed`, which is to be a seed of generated data."""
    return check_number(seed, "seed", 0, 2**64 - 1)


def split_target(label: str) -> tuple[str, str]:
    """A target as tools are told it, as in `cpu:haswell`: target and CPU."""
    kind, _, cpu = label.partition(":")
    return (kind, cpu or "host") if kind == "cpu" else (label, "host")


def get_line(error: Exception) -> str:
    """The first line of what an error of another library says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def get_reason(error: Exception) -> str:
    """Why a file cannot be read: what the system says, without the file's name."""
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or get_line(error)
