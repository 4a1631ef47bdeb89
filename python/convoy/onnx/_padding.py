"""What a Pad adds around the input of a convolution."""

import dataclasses

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._window import Window
from convoy.onnx._graph import DOMAINS, Graph, get_attributes

#: What Convoy calls ONNX's modes that pad with elements of the input.
_MODES = {"reflect": "reflect", "edge": "replicate", "wrap": "circular"}


@dataclasses.dataclass(frozen=True)
class Padding:
    """What the Pad `number` makes of `value`, which has `shape`."""

    number: int
    value: str
    shape: tuple[int, ...]
    #: Elements in front of each spatial dimension, and behind it; negative where
    #: elements are cut off.
    pads: tuple[tuple[int, int], ...]
    #: As `convoy.pad` has it, or nothing for one number, `fill`.
    mode: str
    fill: float = 0.0

    @property
    def is_zero(self) -> bool:
        """Whether it pads as convolutions do by themselves."""
        return not self.mode and self.fill == 0

    def widen(self, window: Window) -> Window | None:
        """The window of a convolution that pads with zeros as well, or nothing where
        those of `window` lie in the place of elements that are cut off."""
        both = list(zip(self.pads, window.pads))
        if any(first < 0 < own for pairs in both for first, own in zip(*pairs)):
            return None
        pads = tuple((low + own_low, high + own_high) for (low, high), (own_low, own_high) in both)
        return dataclasses.replace(window, pads=pads)


def _read_operand(node: onnx.NodeProto, number: int, graph: Graph) -> Array | None:
    """The elements of an operand in a row, none where it is left out, and nothing where
    they are not known."""
    if len(node.input) <= number or not node.input[number]:
        return np.zeros(0, np.int64)
    constant = graph.get_constant(node.input[number])
    return None if constant is None else constant.reshape(-1)


def _read_pads(node: onnx.NodeProto, rank: int, graph: Graph) -> list[tuple[int, int]] | None:
    """How much each dimension is padded, where that is known."""
    written = get_attributes(node).get("pads")
    pads = _read_operand(node, 1, graph) if written is None else np.array(written)
    axes = _read_operand(node, 3, graph)
    if pads is None or axes is None:
        return None
    order = [int(axis) % rank for axis in axes] or list(range(rank))
    if len(pads) != 2 * len(order) or len(set(order)) != len(order):
        return None
    found = [(0, 0)] * rank
    for axis, low, high in zip(order, pads[: len(order)], pads[len(order) :]):
        found[axis] = (int(low), int(high))
    return found


def _read_fill(node: onnx.NodeProto, graph: Graph) -> float | None:
    """The number that a Pad of mode `constant` adds, where that is known."""
    fill = _read_operand(node, 2, graph)
    if fill is None or fill.size > 1:
        return None
    return float(fill[0]) if fill.size else get_attributes(node).get("value", 0.0)


def match_padding(node: onnx.NodeProto, graph: Graph) -> Padding | None:
    """What a Pad makes of the input of the Conv `node`, where the Conv can read what is
    padded, and pad it: in the spatial dimensions alone, in a way that is known."""
    value = node.input[0]
    number = graph.producers.get(value)
    if node.op_type != "Conv" or number is None or value in node.input[1:]:
        return None
    pad = graph.nodes[number]
    if pad.op_type != "Pad" or pad.domain not in DOMAINS:
        return None
    shape = graph.get_shape(pad.input[0])
    if shape is None or min(shape) < 1:
        return None
    pads = _read_pads(pad, len(shape), graph)
    if pads is None or any((*pads[0], *pads[1])):
        return None
    ends = [end for pair in pads for end in pair]
    if any(low + size < 1 or high + size < 1 for size, (low, high) in zip(shape, pads)):
        return None
    mode = get_attributes(pad).get("mode", "constant")
    fill = _read_fill(pad, graph) if mode == "constant" else 0.0
    # What is cut off may be reflected before or after that.
    if fill is None or min(ends) < 0 and (mode != "constant" or fill != 0):
        return None
    if mode not in ("constant", *_MODES):
        return None
    return Padding(number, pad.input[0], shape, tuple(pads[2:]), _MODES.get(mode, ""), fill)
