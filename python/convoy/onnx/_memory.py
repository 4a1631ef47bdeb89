"""Memory that the results of kernels share, of which not all are there at once."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from convoy import _native
from convoy._arrays import LINE, Array, make_memory
from convoy._native import Error
from convoy.onnx._emit import LAST
from convoy.onnx._plan import Kernel, Plan


#: More than any machine has; sums of a few such numbers are integers of 64 bits.
_MAX_BYTES = 2**60


def _find_lives(plan: Plan, outputs: Sequence[str]) -> list[tuple[int, int]]:
    """For the result of each of a plan's kernels the steps from the one that writes it
    to the last one that reads it. The model's `outputs` are read behind all steps."""
    last: dict[str, int] = {}
    for number, step in enumerate(plan.steps):
        if isinstance(step, Kernel):
            last |= dict.fromkeys((one.value for one in step.operands[:-1]), number)
        else:
            last |= dict.fromkeys(step.inputs, number)
    last |= dict.fromkeys(outputs, len(plan.steps))
    return [
        (number, last.get(step.result.value, number))
        for number, step in enumerate(plan.steps)
        if isinstance(step, Kernel)
    ]


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
    lives = [(size, *life) for size, life in zip(sizes, _find_lives(plan, outputs))]
    try:
        if sum(sizes) > _MAX_BYTES:
            raise MemoryError
        starts, count = _native.plan_memory(lives, LINE)
        memory = make_memory(count)
    except MemoryError:
        largest = kernels[sizes.index(max(sizes))]
        raise Error(
            f"expected results that memory has room for, but '{largest.name}' has one of "
            f"shape {largest.shape}"
        ) from None
    return {
        kernel.name: memory[start : start + size].view(dtype).reshape(shape)
        for kernel, start, size, dtype, shape in zip(kernels, starts, sizes, dtypes, shapes)
    }
