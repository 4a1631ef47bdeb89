"""How tensors lie in memory."""

from collections.abc import Sequence
from typing import Any, TypeAlias

#: The dimensions of a tensor, from the outermost one to the innermost.
Order: TypeAlias = tuple[int, ...]


def is_dense(shape: Sequence[Any], strides: Sequence[Any], order: Order) -> bool:
    """Whether the elements of a tensor follow each other in `order`. A size that is
    not known is that of the outermost dimension, else the answer is no."""
    expected: Any = 1
    for axis in reversed(order):
        size, stride = shape[axis], strides[axis]
        if not isinstance(expected, int) or not isinstance(stride, int):
            return False
        is_one = isinstance(size, int) and size == 1
        if not is_one and stride != expected:
            return False
        expected = expected * size
    return True


def find_order(shape: Sequence[Any], strides: Sequence[Any]) -> Order | None:
    """The order in which the elements of a tensor follow each other, if they do."""
    rank = len(shape)
    first = tuple(range(rank))
    last = (0, *range(2, rank), 1) if rank > 2 else first
    candidates = [first, last]
    if all(isinstance(stride, int) for stride in strides):
        candidates.append(tuple(sorted(first, key=lambda axis: -strides[axis])))
    return next((one for one in candidates if is_dense(shape, strides, one)), None)


def get_order(tensor: Any) -> Order:
    """The order in which a kernel reads or writes a tensor: that in which it lies."""
    return find_order(tensor.shape, tensor.stride()) or tuple(range(tensor.dim()))


def get_strides(shape: Sequence[int], order: Order) -> tuple[int, ...]:
    """The strides of a tensor whose elements follow each other in `order`."""
    strides, stride = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = stride
        stride *= shape[axis]
    return tuple(strides)
