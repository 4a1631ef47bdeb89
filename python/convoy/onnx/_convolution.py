"""Which nodes convolve, and what they convolve."""

import dataclasses
from typing import Any

import onnx

from convoy.onnx._graph import DOMAINS, Graph, get_attributes
from convoy.onnx._window import SPATIAL, Window, make_transposed_window, make_window

#: Types of elements that kernels are made for.
ELEMENTS = {"float16": "f16", "float32": "f32", "float64": "f64"}

# Ops that convolve, with the reason why they are left where that is so.
_LEFT = {
    "ConvInteger": "integers are not compiled yet",
    "DeformConv": "it reads at computed positions",
    "QLinearConv": "integers are not compiled yet",
}


@dataclasses.dataclass(frozen=True)
class Convolution:
    """A Conv, or a ConvTranspose, which is the gradient of one."""

    node: onnx.NodeProto
    is_transposed: bool
    groups: int
    window: Window
    element: str
    #: In ONNX's order: batch, channels, spatial.
    input_shape: tuple[int, ...]
    filter_shape: tuple[int, ...]
    result_shape: tuple[int, ...]

    @property
    def letters(self) -> str:
        """Its spatial dimensions."""
        return SPATIAL[len(self.result_shape) - 2]

    @property
    def channels(self) -> int:
        """Channels of the result, all groups together."""
        return self.result_shape[1]


class Refusal(Exception):
    """Why a node that convolves is left to ONNX Runtime."""


def match_convolution(node: onnx.NodeProto, graph: Graph) -> Convolution | None:
    """`node` where it is a convolution, or nothing. Raises `Refusal` for one that
    is left."""
    if node.domain not in DOMAINS:
        return None
    if node.op_type in _LEFT:
        raise Refusal(_LEFT[node.op_type])
    if node.op_type not in ("Conv", "ConvTranspose"):
        return None
    types = [graph.types.get(name) for name in node.input if name]
    if any(one is None or one.shape is None for one in types):
        raise Refusal("its sizes are not known before it runs")
    names = {one.dtype.name for one in types if one}
    if len(names) != 1 or not names <= ELEMENTS.keys():
        raise Refusal(f"its elements are {', '.join(sorted(names))}")
    inputs, taps = graph.get_shape(node.input[0]) or (), graph.get_shape(node.input[1]) or ()
    if len(inputs) - 2 not in SPATIAL or len(taps) != len(inputs):
        raise Refusal(f"it has {len(inputs) - 2} spatial dimensions")
    is_transposed = node.op_type == "ConvTranspose"
    attributes = get_attributes(node)
    groups = attributes.get("group", 1)
    make = make_transposed_window if is_transposed else make_window
    if not _fit(node, graph, attributes):
        raise Refusal("its operands and attributes do not fit each other")
    window, sizes = make(attributes, inputs[2:], taps[2:])
    channels = taps[1] * groups if is_transposed else taps[0]
    result = (inputs[0], channels, *sizes)
    if min((*inputs, *taps, *result)) < 1:
        raise Refusal("it has no elements")
    element = ELEMENTS[names.pop()]
    return Convolution(node, is_transposed, groups, window, element, inputs, taps, result)


def _fit(node: onnx.NodeProto, graph: Graph, attributes: dict[str, Any]) -> bool:
    """Whether operands and attributes of a convolution fit each other: ONNX's
    inference does not tell."""
    inputs, taps, *others = [graph.get_shape(name) or () for name in node.input if name]
    groups, rank = attributes.get("group", 1), len(inputs) - 2
    is_transposed = node.op_type == "ConvTranspose"
    if groups < 1 or inputs[1] != (taps[0] if is_transposed else taps[1] * groups):
        return False
    if taps[0] % groups or any(
        shape != (taps[1] * groups if is_transposed else taps[0],) for shape in others
    ):
        return False
    lengths = {"strides": rank, "dilations": rank, "pads": 2 * rank, "output_padding": rank}
    for name, length in lengths.items():
        if len(attributes.get(name) or [0] * length) != length:
            return False
    steps = [*(attributes.get("strides") or []), *(attributes.get("dilations") or [])]
    return min(steps, default=1) > 0 and tuple(attributes.get("kernel_shape", taps[2:])) == taps[2:]
