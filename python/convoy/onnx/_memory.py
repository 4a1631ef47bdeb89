"""Memory that the results of kernels share, of which not all are there at once."""

import math
from collections.abc import Sequence

from convoy import _native
from convoy._arrays import LINE, Array, make_memory
from convoy._native import Error
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Kernel
from convoy.onnx._plan import Plan

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


def make_results(plan: Plan, graph: Graph) -> dict[str, Array]:
    """Memory for the results of a plan's kernels, by the names of these: a result takes
    the place of others that no step reads any more, so that a cache holds what it reads.

    Raises `convoy.Error` where memory has no room.
    """
    kernels = plan.kernels
    dtypes = [graph.types[kernel.result.value].dtype for kernel in kernels]
    shapes = [kernel.lying_shape for kernel in kernels]
    sizes = [math.prod(shape) * dtype.itemsize for shape, dtype in zip(shapes, dtypes)]
    lives = [(size, *life) for size, life in zip(sizes, _find_lives(plan, graph.outputs))]
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
