"""What moves the taps of a convolution."""

import dataclasses
import math

import onnx

from convoy.onnx._anchor import UNFIT, Refusal
from convoy.onnx._graph import Graph, get_attributes
from convoy.onnx._sampling import MAX_SIZE


@dataclasses.dataclass(frozen=True)
class Offsets:
    """The offsets of a DeformConv, and its mask if it has one."""

    offset: str
    mask: str
    #: Groups of channels that are moved alike.
    groups: int
    #: Of the offset, in ONNX's order.
    shape: tuple[int, ...]

    @property
    def mask_shape(self) -> tuple[int, ...]:
        batch, channels, *positions = self.shape
        return batch, channels // 2, *positions


def find_bias(node: onnx.NodeProto) -> str:
    """The bias of a DeformConv, or nothing."""
    return node.input[3] if len(node.input) > 3 else ""


def _check_window(node: onnx.NodeProto, inputs: tuple[int, ...]) -> None:
    """Raises `Refusal` for what positions in 32 bits have no room for."""
    attributes = get_attributes(node)
    steps = [abs(one) for name in ("strides", "dilations", "pads") for one in attributes.get(name) or []]
    if max(*inputs[2:], *steps) > MAX_SIZE:
        raise Refusal(f"its input, or a number of its window, is larger than {MAX_SIZE}")


def match_offsets(
    node: onnx.NodeProto,
    graph: Graph,
    inputs: tuple[int, ...],
    taps: tuple[int, ...],
    result: tuple[int, ...],
) -> Offsets | None:
    """What moves the taps of a convolution of these shapes, or nothing for one of an
    op that has no such. Raises `Refusal` for one that is left."""
    if node.op_type != "DeformConv":
        return None
    if len(inputs) != 4:
        raise Refusal(f"it has {len(inputs) - 2} spatial dimensions")
    _check_window(node, inputs)
    groups = get_attributes(node).get("offset_group", 1)
    shape = (result[0], 2 * groups * math.prod(taps[2:]), *result[2:])
    mask = node.input[4] if len(node.input) > 4 else ""
    offsets = Offsets(node.input[2], mask, groups, shape)
    fits = groups > 0 and inputs[1] % groups == 0 and graph.get_shape(offsets.offset) == shape
    if not fits or mask and graph.get_shape(mask) != offsets.mask_shape:
        raise Refusal(UNFIT)
    names = {graph.types[name].dtype.name for name in (node.input[0], offsets.offset, mask) if name}
    if not names <= {"float16", "float32"}:
        raise Refusal(f"its elements are {', '.join(sorted(names))}")
    return offsets
