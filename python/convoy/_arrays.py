"""Arrays of NumPy, and of whatever has `__dlpack__`, as operands of kernels."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from convoy import _native
from convoy._checks import check_number, get_line
from convoy._native import Error

#: An array of NumPy, of any type of elements.
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


@dataclasses.dataclass(frozen=True)
class Argument:
    """One operand of a kernel.

    `layout` has a letter for each dimension of `shape`, outermost first: n batch,
    g group, c input channel, f output channel, d h w spatial (in a filter, taps).
    A size that a call gives is -1.
    """

    name: str
    dtype: np.dtype[Any]
    layout: str
    shape: tuple[int, ...]


# By the names that problems give to types.
_DTYPES: dict[str, np.dtype[Any]] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "i8": np.dtype(np.int8),
    "u8": np.dtype(np.uint8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
}


def get_dtype(type_name: str) -> np.dtype[Any]:
    """NumPy's type of elements for one of Convoy's, as in `f32`."""
    if type_name != "bf16":
        return _DTYPES[type_name]
    try:
        import ml_dtypes
    except ImportError:
        raise Error(
            "expected the package ml_dtypes for arrays of bf16, but it is not "
            "installed (pip install ml_dtypes)"
        ) from None
    dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return dtype


def describe_arguments(arguments: list[_native.Argument]) -> list[Argument]:
    """What the arguments of a kernel are to NumPy."""
    return [
        Argument(argument.name, get_dtype(argument.type), argument.layout, argument.shape)
        for argument in arguments
    ]


#: Bytes of a cache line: a vector that begins at a multiple of it lies in one.
LINE = 64


def make_memory(count: int) -> Array:
    """Bytes that begin with a cache line, not filled. NumPy's own begin 16 bytes behind
    the start of a page if they are many, so that each vector of 64 bytes, and each
    second one of 32, would lie in two lines."""
    memory = np.empty(count + LINE - 1, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + count]


def make_array(argument: Argument, dtype: np.dtype[Any] | None = None) -> Array:
    """An array for `argument`, not filled."""
    element = dtype or argument.dtype
    memory = make_memory(math.prod(argument.shape) * element.itemsize)
    return memory.view(element).reshape(argument.shape)


def import_array(value: object, name: str) -> Array:
    """`value` as an array of NumPy that shares its memory."""
    if isinstance(value, np.ma.MaskedArray):
        raise Error(f"expected an array without a mask for '{name}', but got one with it")
    if isinstance(value, np.ndarray):
        return value
    if not hasattr(value, "__dlpack__"):
        raise Error(
            f"expected an array with __dlpack__ for '{name}', but got {type(value).__name__}"
        )
    try:
        return np.from_dlpack(value)
    except Exception as error:  # of whatever library the array is
        raise Error(
            f"expected an array that NumPy can read for '{name}', but got "
            f"{type(value).__name__} ({get_line(error)})"
        ) from None


#: In the place of a size that a call gives, and the largest one.
_DYNAMIC, _MAX_SIZE = -1, 2**31 - 1


def is_dynamic(argument: Argument) -> bool:
    """Whether a call gives a size of `argument`."""
    return _DYNAMIC in argument.shape


def get_sizes(arrays: Iterable[Array | Argument], arguments: Iterable[Argument]) -> list[int]:
    """The sizes of `arrays` that are dynamic in `arguments`, in order."""
    return [
        size
        for array, argument in zip(arrays, arguments)
        for size, wanted in zip(array.shape, argument.shape)
        if wanted == _DYNAMIC
    ]


def fill_sizes(arguments: Iterable[Argument], sizes: Sequence[int]) -> list[Argument]:
    """`arguments` with `sizes` in the place of dynamic ones, in order."""
    given = [check_number(size, "sizes", 0, _MAX_SIZE) for size in sizes]
    left, filled, expected = iter(given), [], 0
    for argument in arguments:
        expected += argument.shape.count(_DYNAMIC)
        shape = tuple(next(left, 0) if size == _DYNAMIC else size for size in argument.shape)
        filled.append(dataclasses.replace(argument, shape=shape))
    if len(given) != expected:
        raise Error(f"expected {expected} dynamic sizes, but got {len(given)}")
    return filled


def check_array(array: Array, argument: Argument) -> None:
    """Raises an error unless `array` has the type and the shape of `argument`."""
    if array.dtype != argument.dtype:
        raise Error(
            f"expected {argument.dtype} for '{argument.name}', but got {array.dtype}"
        )
    layout = f" ({argument.layout})" if argument.layout else ""
    if array.ndim != len(argument.shape):
        raise Error(
            f"expected {len(argument.shape)} dimensions{layout} for "
            f"'{argument.name}', but got {array.ndim}"
        )
    if any(want not in (_DYNAMIC, got) for want, got in zip(argument.shape, array.shape)):
        raise Error(
            f"expected shape {argument.shape}{layout} for "
            f"'{argument.name}', but got {array.shape}"
        )


def prepare_input(value: object, argument: Argument) -> Array:
    """`value` where it is dense and aligned, else a copy that is."""
    array = import_array(value, argument.name)
    check_array(array, argument)
    return np.require(array, requirements=["C", "A"])


def prepare_inputs(values: tuple[object, ...], inputs: list[Argument]) -> list[Array]:
    """`values` as operands of a kernel, all of them."""
    if len(values) != len(inputs):
        names = ", ".join(argument.name for argument in inputs)
        raise Error(f"expected {len(inputs)} operands ({names}), but got {len(values)}")
    return [
        prepare_input(value, argument) for value, argument in zip(values, inputs)
    ]


def prepare_output(value: object, argument: Argument, inputs: list[Array]) -> Array:
    """`value` as what a kernel writes: there is no copy."""
    array = import_array(value, "out")
    check_array(array, argument)
    if not array.flags.c_contiguous:
        raise Error(f"expected dense rows for 'out', but got strides {array.strides}")
    if not array.flags.aligned:
        raise Error(
            f"expected an address aligned to {array.dtype.alignment} for 'out', "
            f"but got {array.ctypes.data:#x}"
        )
    if not array.flags.writeable:
        raise Error("expected an array to write to for 'out', but got one to read only")
    if any(np.may_share_memory(array, other) for other in inputs):
        raise Error("expected memory of its own for 'out', but got that of an operand")
    return array


def prepare_outputs(value: object, results: list[Argument], inputs: list[Array]) -> list[Array]:
    """What a kernel with `results` writes: new arrays, or those of `value`, which
    are several in a tuple."""
    if value is None:
        return [make_array(argument) for argument in results]
    values = value if isinstance(value, tuple) else (value,)
    if len(values) != len(results):
        raise Error(f"expected {len(results)} arrays for 'out', but got {len(values)}")
    outputs: list[Array] = []
    for one, argument in zip(values, results):
        outputs.append(prepare_output(one, argument, [*inputs, *outputs]))
    return outputs


def get_addresses(arrays: list[Array]) -> list[int]:
    """Where the elements of `arrays` begin."""
    return [array.ctypes.data for array in arrays]
