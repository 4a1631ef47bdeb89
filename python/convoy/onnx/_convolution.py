"""Which nodes convolve, and what they convolve."""

import dataclasses
import math

import onnx

from convoy._window import SPATIAL, Window
from convoy.onnx._anchor import ELEMENTS, UNFIT, Anchor, Refusal
from convoy.onnx._deforming import Offsets, find_bias, match_offsets
from convoy.onnx._graph import DOMAINS, Graph, get_attributes
from convoy.onnx._integers import (
    BYTES,
    Integers,
    Sources,
    match_dequantized,
    read_integer_sources,
)
from convoy.onnx._padding import Padding, match_padding
from convoy.onnx._window import PADS, make_transposed_window, make_window

# Ops that convolve.
_OPS = ("Conv", "ConvInteger", "ConvTranspose", "DeformConv", "QLinearConv")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Convolution(Anchor):
    """A node that convolves; a ConvTranspose is the gradient of a convolution. Its
    elements are what it convolves where these are floats."""

    is_transposed: bool
    window: Window
    #: The values that it reads: of dequantized ones, the integers.
    sources: Sources
    #: In ONNX's order: channels, taps.
    filter_shape: tuple[int, ...]
    #: What moves its taps, if anything does.
    offsets: Offsets | None = None
    #: What its input is padded with before it slides over that, if a Pad does so.
    padding: Padding | None = None

    @property
    def work(self) -> int:
        batch, _, *positions = self.input_shape if self.is_transposed else self.result_shape
        return super().work + batch * math.prod(positions) * math.prod(self.filter_shape)

    @property
    def integers(self) -> Integers | None:
        """What it is besides where it convolves integers."""
        return self.sources.integers


def _find_sources(node: onnx.NodeProto, graph: Graph) -> Sources:
    """What a node that convolves reads."""
    if node.op_type in ("ConvInteger", "QLinearConv"):
        return read_integer_sources(node, graph)
    if node.op_type == "DeformConv":
        return Sources(node.input[0], node.input[1], find_bias(node))
    return match_dequantized(node, graph) or Sources(*node.input)


def _get_element(node: onnx.NodeProto, sources: Sources, graph: Graph) -> str:
    """The type of numbers that kernels of a convolution compute in. Raises `Refusal`
    for types that none has."""
    read = [sources.input, sources.filter, sources.bias]
    if sources.integers is None:
        names = {graph.types[name].dtype.name for name in read if name}
        if len(names) != 1 or not names <= ELEMENTS.keys():
            raise Refusal(f"its elements are {', '.join(sorted(names))}")
        return ELEMENTS[names.pop()]
    names = {graph.types[name].dtype.name for name in read[:2]}
    scales = {graph.types[name].dtype.name for name in _get_scales(node)}
    if not names <= {*BYTES} or scales - {"float32"}:
        raise Refusal(f"its elements are {', '.join(sorted(names | scales))}")
    return ELEMENTS["float32"]


def _get_scales(node: onnx.NodeProto) -> list[str]:
    """The scales that are operands of a node."""
    return [node.input[number] for number in (1, 4, 6)] if node.op_type == "QLinearConv" else []


def match_convolution(node: onnx.NodeProto, graph: Graph) -> Convolution | None:
    """`node` where it is a convolution, or nothing. Raises `Refusal` for one that
    is left."""
    if node.domain not in DOMAINS:
        return None
    if node.op_type not in _OPS:
        return None
    types = [graph.types.get(name) for name in node.input if name]
    if any(one is None or one.shape is None for one in types):
        raise Refusal("its sizes are not known before it runs")
    sources = _find_sources(node, graph)
    element = _get_element(node, sources, graph)
    inputs, taps = graph.get_shape(node.input[0]) or (), graph.get_shape(sources.filter) or ()
    if len(inputs) - 2 not in SPATIAL or len(taps) != len(inputs):
        raise Refusal(f"it has {len(inputs) - 2} spatial dimensions")
    is_transposed = node.op_type == "ConvTranspose"
    attributes = get_attributes(node)
    groups = attributes.get("group", 1)
    make = make_transposed_window if is_transposed else make_window
    if not _fit(node, sources, graph):
        raise Refusal(UNFIT)
    window, sizes = make(attributes, inputs[2:], taps[2:])
    padding = None if sources.integers else match_padding(node, graph)
    if padding and padding.is_zero:
        wider = padding.widen(window)
        padding, window = (padding, wider) if wider else (None, window)
    channels = taps[1] * groups if is_transposed else taps[0]
    result = (inputs[0], channels, *sizes)
    if min((*inputs, *taps, *result)) < 1:
        raise Refusal("it has no elements")
    return Convolution(
        node=node,
        element=element,
        input_shape=padding.shape if padding else inputs,
        result_shape=result,
        groups=groups,
        is_transposed=is_transposed,
        window=window,
        sources=dataclasses.replace(sources, input=padding.value) if padding else sources,
        filter_shape=taps,
        offsets=match_offsets(node, graph, inputs, taps, result),
        padding=padding,
    )


def _fit(node: onnx.NodeProto, sources: Sources, graph: Graph) -> bool:
    """Whether operands and attributes of a convolution fit each other: ONNX's
    inference does not tell."""
    attributes = get_attributes(node)
    inputs, taps = graph.get_shape(sources.input) or (), graph.get_shape(sources.filter) or ()
    groups, rank = attributes.get("group", 1), len(inputs) - 2
    is_transposed = node.op_type == "ConvTranspose"
    if groups < 1 or inputs[1] != (taps[0] if is_transposed else taps[1] * groups):
        return False
    channels = taps[1] * groups if is_transposed else taps[0]
    if taps[0] % groups or not _fit_channels(node, sources, channels, graph):
        return False
    lengths = {"strides": rank, "dilations": rank, "pads": 2 * rank, "output_padding": rank}
    for name, length in lengths.items():
        if len(attributes.get(name) or [0] * length) != length:
            return False
    if attributes.get("auto_pad", "NOTSET") not in PADS:
        return False
    steps = [*(attributes.get("strides") or []), *(attributes.get("dilations") or [])]
    return min(steps, default=1) > 0 and tuple(attributes.get("kernel_shape", taps[2:])) == taps[2:]


def _fit_channels(
    node: onnx.NodeProto, sources: Sources, channels: int, graph: Graph
) -> bool:
    """Whether a bias, scales and zero points have as many elements as they must."""
    if node.op_type in ("Conv", "ConvTranspose"):
        return all(graph.get_shape(name) == (channels,) for name in node.input[2:] if name)
    if node.op_type == "DeformConv":
        bias = find_bias(node)
        return not bias or graph.get_shape(bias) == (channels,)
    if sources.bias and graph.get_shape(sources.bias) != (channels,):
        return False
    # By their positions: those of all channels, and those of the filter.
    wholes, others = ((2,), (3,)) if node.op_type == "ConvInteger" else ((1, 2, 6, 7), (4, 5))
    return all(
        graph.get_shape(name) in ((), (1,), (channels,) if number in others else ())
        for number, name in enumerate(node.input)
        if name and number in (*wholes, *others)
    )
