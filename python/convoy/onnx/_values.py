"""What values of a model are like, and files of them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from convoy import _native
from convoy._arrays import Array
from convoy._checks import get_reason, show
from convoy._native import Error

#: Stands for all values that steps hand to others.
ALL = "all"

_PARTS = 10

# As MLIR has the types of elements.
_KINDS = {"f": "f", "i": "i", "u": "ui"}


def _get_type(array: Array) -> str:
    kind = _KINDS.get(array.dtype.kind)
    element = f"{kind}{array.dtype.itemsize * 8}" if kind else array.dtype.name
    return "x".join([*map(str, array.shape), element])


def _count_parts(finite: Array) -> list[int]:
    """How many numbers lie in each of equal parts from the least to the largest."""
    least, width = finite.min() / 2, finite.max() / 2 - finite.min() / 2
    if not width > 0:
        return [finite.size, *[0] * (_PARTS - 1)]
    places = ((finite / 2 - least) / width * _PARTS).astype(np.int64)
    counts: list[int] = np.bincount(np.minimum(places, _PARTS - 1), minlength=_PARTS).tolist()
    return counts


def summarize(value: Any) -> str:
    """What a value is like, in one line as convoy-run --trace has it."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        return show(value)
    wide = value.astype(np.float64).reshape(-1)
    finite = wide[np.isfinite(wide)]
    numbers: Sequence[float] = [float("nan")] * 3
    parts = [0] * _PARTS
    if finite.size:
        numbers = [finite.min(), finite.max(), (finite / finite.size).sum()]
        parts = _count_parts(finite)
    least, largest, mean = (f"{number:.6g}" for number in numbers)
    return (
        f"{_get_type(value)}  min {least}, max {largest}, mean {mean}, "
        f"{np.isnan(wide).sum()} nan, {np.isinf(wide).sum()} inf, "
        f"histogram {' '.join(map(str, parts))}"
    )


def show_values(values: Mapping[str, Any]) -> list[str]:
    """A line for each value."""
    width = max(map(len, values), default=0)
    return [f"    {name.ljust(width)}  {summarize(value)}" for name, value in values.items()]


def write_values(values: Mapping[str, Any], folder: str) -> None:
    """Writes each value as a file of NumPy, which is called after it as C could be.

    Raises `convoy.Error` for what is no array of numbers, and where that cannot be
    written.
    """
    names: set[str] = set()
    for name, value in values.items():
        if not isinstance(value, np.ndarray) or value.dtype.hasobject:
            raise Error(f"expected numbers to write, but '{name}' is {show(value)}")
        title = stem = _native.get_layer_symbol(name)
        number = 1
        while title in names:
            number += 1
            title = f"{stem}_{number}"
        names.add(title)
        path = os.path.join(folder, f"{title}.npy")
        try:
            os.makedirs(folder, exist_ok=True)
            np.save(path, value, allow_pickle=False)
        except OSError as error:
            raise Error(f"cannot write '{path}': {get_reason(error)}") from None
