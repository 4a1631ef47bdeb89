"""Which nodes that stand between kernels are kernels, too: pools, concatenations,
shuffles and normalizations of channels, and what computes each element by itself. ONNX
Runtime would compute them as well, but takes channels first, so that nothing beside them
could have channels last."""

import dataclasses
import math
from collections.abc import Collection
from typing import Any

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._window import SPATIAL, Window
from convoy.onnx import _elementwise
from convoy.onnx._anchor import ELEMENTS, Anchor
from convoy.onnx._graph import DOMAINS, Graph, get_attributes, get_inputs
from convoy.onnx._window import make_window


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pooling(Anchor):
    """The largest, or the mean, of what each window has of a channel."""

    is_mean: bool
    taps: tuple[int, ...]
    #: It may end before the last elements of the input, or, at most by a stride, behind
    #: its pads.
    window: Window
    #: Whether means are taken over pads, too.
    counts_pads: bool

    @property
    def is_convolution(self) -> bool:
        """Whether it is one of each channel by itself, with ones: not if these would be
        as many as an image has elements."""
        return self.is_mean and math.prod(self.result_shape[2:]) > 1

    @property
    def work(self) -> int:
        return super().work + math.prod(self.result_shape) * math.prod(self.taps)

    def count(self) -> Array:
        """How many elements each mean is of, by position: one number if all are of as
        many."""
        counts = np.ones((), np.int64)
        spatial = zip(self.input_shape[2:], self.result_shape[2:], self.taps)
        for axis, (size, results, taps) in enumerate(spatial):
            first = np.arange(results) * self.window.strides[axis] - self.window.pads[axis][0]
            places = first[:, None] + np.arange(taps) * self.window.dilations[axis]
            inside = (places >= 0) & (places < size)
            counted = np.full(results, taps) if self.counts_pads else inside.sum(axis=1)
            counts = np.multiply.outer(counts, counted)
        return counts.reshape(-1)[0] if (counts == counts.reshape(-1)[0]).all() else counts


@dataclasses.dataclass(frozen=True, kw_only=True)
class Concatenation(Anchor):
    """Activations one behind the other along a dimension, which `axis` numbers."""

    axis: int

    @property
    def images(self) -> Collection[str]:
        return list(self.node.input)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Normalization(Anchor):
    """An LRN: each element divided by (bias + alpha / size * s) ** beta, with s the sum
    of squares of up to `size` channels around its own."""

    size: int
    alpha: float
    beta: float
    bias: float

    @property
    def work(self) -> int:
        # A logarithm and an exponential.
        return 8 * super().work


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shuffle(Anchor):
    """Channels that lie in `rows`, and are brought into columns: a Reshape, a Transpose
    and another Reshape, which makes `last` (X. Zhang and others, ShuffleNet, 2017)."""

    rows: int
    last: str

    @property
    def output(self) -> str:
        return self.last


@dataclasses.dataclass(frozen=True, kw_only=True)
class Elementwise(Anchor):
    """A node whose elements are each computed of one element of each operand."""

    @property
    def images(self) -> Collection[str]:
        return list(self.node.input)


def _describe(node: onnx.NodeProto, graph: Graph) -> dict[str, Any] | None:
    """What anchors have in common, of a node whose result is an activation of floats;
    nothing for others."""
    known = [graph.types.get(name) for name in (node.input[0], node.output[0])]
    shapes = [one.shape if one else None for one in known]
    if node.domain not in DOMAINS or None in shapes:
        return None
    types = {one.dtype.name for one in known if one}
    element = ELEMENTS.get(types.pop())
    is_activation = len(shapes[1] or ()) - 2 in SPATIAL and 0 not in (shapes[0] or ())
    if types or element is None or not is_activation:
        return None
    return {"node": node, "element": element, "input_shape": shapes[0], "result_shape": shapes[1]}


def _make_pool_window(attributes: dict[str, Any], described: dict[str, Any]) -> Window | None:
    """The window of a pool that `described` has the shapes of; nothing where these do
    not fit it."""
    inputs, results = described["input_shape"][2:], described["result_shape"][2:]
    taps, rank = tuple(attributes["kernel_shape"]), len(inputs)
    lengths = {"kernel_shape": rank, "strides": rank, "dilations": rank, "pads": 2 * rank}
    given = {name: attributes.get(name) or [1] * length for name, length in lengths.items()}
    if any(len(given[name]) != length for name, length in lengths.items()):
        return None
    if min(*given["kernel_shape"], *given["strides"], *given["dilations"]) < 1:
        return None
    window, usual = make_window(attributes, inputs, taps)
    # With ceil_mode there may be one more, which begins before the last pad.
    if any(found not in (one, one + 1) for found, one in zip(results, usual)):
        return None
    reach = [(size - 1) * step + 1 for size, step in zip(taps, window.dilations)]
    ends = zip(inputs, results, reach, window.strides, window.pads)
    pads = tuple(
        (low, (result - 1) * step + one - size - low) for size, result, one, step, (low, _) in ends
    )
    # Else there would be windows of pads alone.
    if any(max(pair) >= one for pair, one in zip(pads, reach)):
        return None
    return Window(window.strides, window.dilations, pads)


def _match_pooling(node: onnx.NodeProto, graph: Graph) -> Pooling | None:
    described = _describe(node, graph)
    is_global = node.op_type.startswith("Global")
    is_mean = node.op_type.endswith("AveragePool")
    # Means of f16 would be sums of f16.
    if described is None or (is_mean and described["element"] == "f16") or len(node.output) > 1:
        return None
    inputs = described["input_shape"]
    attributes = {"kernel_shape": inputs[2:]} if is_global else get_attributes(node)
    if inputs[:2] != described["result_shape"][:2] or "kernel_shape" not in attributes:
        return None
    window = _make_pool_window(attributes, described)
    if window is None:
        return None
    counts_pads = bool(attributes.get("count_include_pad", 0))
    # What lies behind the pads is counted by some, and by others not.
    if counts_pads and attributes.get("ceil_mode", 0):
        return None
    pooling = Pooling(
        **described,
        is_mean=is_mean,
        taps=tuple(attributes["kernel_shape"]),
        window=window,
        counts_pads=counts_pads,
    )
    groups = inputs[1] if pooling.is_convolution else 1
    return dataclasses.replace(pooling, groups=groups)


def _match_normalization(node: onnx.NodeProto, graph: Graph) -> Normalization | None:
    described = _describe(node, graph)
    attributes = get_attributes(node)
    size, bias = attributes.get("size", 0), attributes.get("bias", 1.0)
    alpha, beta = attributes.get("alpha", 1e-4), attributes.get("beta", 0.75)
    # The logarithm of what is not positive would be none. Others ONNX Runtime refuses.
    is_fit = size % 2 == 1 and bias > 0 and alpha >= 0 and math.isfinite(alpha * beta * bias)
    if described is None or described["element"] == "f16" or not is_fit:
        return None
    if len(described["result_shape"]) != 4:
        return None
    return Normalization(**described, size=size, alpha=alpha, beta=beta, bias=bias)


def _match_concatenation(node: onnx.NodeProto, graph: Graph) -> Concatenation | None:
    described = _describe(node, graph)
    if described is None:
        return None
    rank = len(described["result_shape"])
    axis = get_attributes(node).get("axis", 1)
    shapes = [graph.get_shape(name) for name in node.input]
    types = {graph.types[name].dtype.name for name in node.input}
    is_fit = -rank <= axis < rank and len(types) == 1
    if not is_fit or any(shape is None or len(shape) != rank or not math.prod(shape) for shape in shapes):
        return None
    return Concatenation(**described, axis=axis % rank)


def _follow(graph: Graph, value: str, op: str) -> int | None:
    """The number of the only node that reads a value, where that is such an op."""
    readers = graph.readers.get(value, [])
    is_one = len(readers) == 1 and value not in graph.outputs
    node = graph.nodes[readers[0]] if is_one else None
    is_fit = node is not None and node.op_type == op and node.domain in DOMAINS
    return readers[0] if is_fit else None


def _match_shuffle(node: onnx.NodeProto, graph: Graph) -> Shuffle | None:
    rows = node.output[0]
    second = _follow(graph, rows, "Transpose")
    third = None if second is None else _follow(graph, graph.nodes[second].output[0], "Reshape")
    if second is None or third is None:
        return None
    last = graph.nodes[third].output[0]
    shapes = [graph.get_shape(name) for name in (node.input[0], rows, last)]
    known, element = graph.types.get(node.input[0]), ""
    if known and known.dtype.name in ELEMENTS:
        element = ELEMENTS[known.dtype.name]
    shape, split, result = shapes
    if not (shape and split and shape == result and math.prod(shape) and element):
        return None
    batch, channels, *spatial = shape
    is_split = split[:1] == shape[:1] and list(split[3:]) == spatial and len(spatial) in SPATIAL
    order = [0, 2, 1, *range(3, 3 + len(spatial))]
    if not is_split or list(get_attributes(graph.nodes[second]).get("perm") or []) != order:
        return None
    return Shuffle(
        node=node,
        element=element,
        input_shape=shape,
        result_shape=shape,
        rest=(second, third),
        rows=split[1],
        last=last,
    )


def _match_elementwise(
    node: onnx.NodeProto, graph: Graph, made: Collection[str]
) -> Elementwise | None:
    described = _describe(node, graph)
    operands = _elementwise.get_operands(node, graph)
    if described is None or operands is None:
        return None
    shape = described["result_shape"]
    is_whole = any(graph.get_shape(name) == shape for name in operands if name in made)
    types = {graph.types[name].dtype.name if name in graph.types else "" for name in operands}
    if not is_whole or len(types) != 1:
        return None
    if not all(_elementwise.fits_shape(graph.get_shape(name) or (), shape) for name in operands):
        return None
    return Elementwise(**described)


_POOLS = ("AveragePool", "GlobalAveragePool", "GlobalMaxPool", "MaxPool")


def match_between(node: onnx.NodeProto, graph: Graph, made: Collection[str]) -> Anchor | None:
    """`node` where it is computed of what kernels make, by the names of values, and of
    constants alone, as a kernel of its own; or nothing."""
    read = [name for name in get_inputs(node) if not graph.is_constant(name)]
    if not read or not all(name in made for name in read):
        return None
    if node.op_type in _POOLS:
        return _match_pooling(node, graph)
    if node.op_type == "LRN":
        return _match_normalization(node, graph)
    if node.op_type == "Reshape":
        return _match_shuffle(node, graph)
    if node.op_type == "Concat":
        is_alone = len(read) == len(node.input)
        return _match_concatenation(node, graph) if is_alone else None
    return _match_elementwise(node, graph, made)
