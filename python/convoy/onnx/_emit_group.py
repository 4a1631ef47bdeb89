"""Writes any group of nodes as a function of MLIR."""

from collections.abc import Callable, Mapping

import numpy as np

from convoy.onnx._anchor import Anchor
from convoy.onnx._between import (
    Concatenation,
    Elementwise,
    Normalization,
    Pooling,
    Shuffle,
)
from convoy.onnx._emit import ConvolutionEmitter, Emitter
from convoy.onnx._emit_between import (
    ConcatenationEmitter,
    ElementwiseEmitter,
    NormalizationEmitter,
    PoolingEmitter,
    ShuffleEmitter,
)
from convoy.onnx._emit_deforms import DeformEmitter
from convoy.onnx._emit_folds import FoldEmitter
from convoy.onnx._emit_integers import FloatEmitter, IntegerEmitter
from convoy.onnx._emit_samples import SampleEmitter
from convoy.onnx._folding import Folding
from convoy.onnx._fuse import ConvolutionGroup, Group
from convoy.onnx._graph import Graph
from convoy.onnx._integers import get_largest_sum
from convoy.onnx._sampling import Sampling


_EMITTERS: dict[type[Anchor], Callable[[Graph, Group, Mapping[str, str]], Emitter]] = {
    Concatenation: ConcatenationEmitter,
    Elementwise: ElementwiseEmitter,
    Folding: FoldEmitter,
    Normalization: NormalizationEmitter,
    Pooling: PoolingEmitter,
    Sampling: SampleEmitter,
    Shuffle: ShuffleEmitter,
}


def _fit_floats(graph: Graph, group: ConvolutionGroup) -> bool:
    """Whether f32 has all sums of a group, and all of their parts, exactly. Not
    looked at where a result is the sum of one channel: there is less to multiply
    than to convert."""
    convolution, filter, bias = group.convolution, group.filter, group.bias
    integers = convolution.integers
    assert integers
    zeros = integers.filter_zero
    if isinstance(filter, str) or isinstance(bias, str) or isinstance(zeros, str):
        return False
    if convolution.input_shape[1] == convolution.groups:
        return False
    limits = np.iinfo(graph.types[convolution.sources.input].dtype)
    zero = integers.input_zero
    ends = [-255, 255] if isinstance(zero, str) else [limits.min - zero, limits.max - zero]
    return get_largest_sum(filter, zeros, convolution.is_transposed, ends, bias) <= 2**24


def make_emitter(
    graph: Graph, group: Group, orders: Mapping[str, str], floats: bool
) -> Emitter:
    """What writes the function of a group; values of the graph lie as `orders` says.
    `floats`: integers are summed as floats where these are exact."""
    if not isinstance(group, ConvolutionGroup):
        return _EMITTERS[type(group.anchor)](graph, group, orders)
    make = DeformEmitter if group.convolution.offsets else ConvolutionEmitter
    if group.convolution.integers:
        make = FloatEmitter if floats and _fit_floats(graph, group) else IntegerEmitter
    return make(graph, group, orders)
