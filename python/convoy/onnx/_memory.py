"""Memory that the results of kernels share, of which not all are there at once."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from convoy._arrays import LINE, Array, make_memory
from convoy._native import Error
from convoy.onnx._emit import LAST
from convoy.onnx._plan import Kernel, Plan


@dataclasses.dataclass(frozen=True)
class Life:
    """A number of bytes, and the steps of a plan from the one that writes them to the
    last one that reads them."""

    size: int
    first: int
    last: int

    def overlaps(self, other: "Life") -> bool:
        """Whether there is a step for which both are needed."""
        return self.first <= other.last and other.first <= self.last


def _find_lives(plan: Plan, outputs: Sequence[str], sizes: Sequence[int]) -> list[Life]:
    """The lives of the results of a plan's kernels, which have `sizes`, in order. The
    model's `outputs` are read behind the last step."""
    last: dict[str, int] = {}
    for number, step in enumerate(plan.steps):
        if isinstance(step, Kernel):
            last |= dict.fromkeys((one.value for one in step.operands[:-1]), number)
        else:
            last |= dict.fromkeys(step.inputs, number)
    last |= dict.fromkeys(outputs, len(plan.steps))
    written = [
        (number, step.result.value)
        for number, step in enumerate(plan.steps)
        if isinstance(step, Kernel)
    ]
    return [
        Life(size, number, last.get(name, number))
        for size, (number, name) in zip(sizes, written, strict=True)
    ]


def place(lives: Sequence[Life], alignment: int) -> tuple[list[int], int]:
    """Where each of `lives` begins, at multiples of `alignment`, so that those that
    overlap have no byte in common; and how many bytes there are in all.

    The largest are placed first, each as low as it can be: "greedy by size" in Y.
    Pisarchyk and J. Lee, Efficient Memory Management for Deep Neural Net Inference,
    2020.
    """
    starts = [0] * len(lives)
    placed: list[int] = []
    for number in sorted(range(len(lives)), key=lambda one: -lives[one].size):
        size = lives[number].size
        start = 0
        beside = [one for one in placed if lives[one].overlaps(lives[number])]
        for other in sorted(beside, key=lambda one: starts[one]):
            if start + size <= starts[other]:
                break
            end = starts[other] + lives[other].size
            start = max(start, -(-end // alignment) * alignment)
        starts[number] = start
        placed.append(number)
    ends = [start + life.size for start, life in zip(starts, lives)]
    return starts, max(ends, default=0)


def _get_shape(kernel: Kernel) -> tuple[int, ...]:
    """The shape of a kernel's result, as it lies."""
    shape = kernel.shape
    return (shape[0], *shape[2:], shape[1]) if kernel.result.order == LAST else shape


def make_results(
    plan: Plan, outputs: Sequence[str], types: Mapping[str, np.dtype[Any]]
) -> dict[str, Array]:
    """Memory for the results of a plan's kernels, by the names of these: a result takes
    the place of others that no step reads any more, so that a cache holds what it reads.

    `outputs` are the model's; `types` are those of elements by the names of values.
    Raises `convoy.Error` where memory has no room.
    """
    kernels = plan.kernels
    dtypes = [types[kernel.result.value] for kernel in kernels]
    shapes = [_get_shape(kernel) for kernel in kernels]
    sizes = [math.prod(shape) * dtype.itemsize for shape, dtype in zip(shapes, dtypes)]
    starts, count = place(_find_lives(plan, outputs, sizes), LINE)
    try:
        memory = make_memory(count)
    except (MemoryError, ValueError):  # the latter where the bytes are no number
        largest = kernels[sizes.index(max(sizes))]
        raise Error(
            f"expected results that memory has room for, but '{largest.name}' has one of "
            f"shape {largest.shape}"
        ) from None
    return {
        kernel.name: memory[start : start + size].view(dtype).reshape(shape)
        for kernel, start, size, dtype, shape in zip(kernels, starts, sizes, dtypes, shapes)
    }
