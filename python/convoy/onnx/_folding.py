"""Which nodes add up windows, and where these lie."""

import dataclasses
import math
from collections.abc import Collection

import onnx

from convoy._window import SPATIAL, Window
from convoy.onnx._anchor import ELEMENTS, UNFIT, Anchor, Refusal
from convoy.onnx._graph import DOMAINS, Graph, get_attributes
from convoy.onnx._window import make_window


@dataclasses.dataclass(frozen=True, kw_only=True)
class Folding(Anchor):
    """A Col2Im: windows that are added up where they overlap in an image."""

    window: Window
    #: How many there are, and of which taps.
    positions: tuple[int, ...]
    taps: tuple[int, ...]

    @property
    def images(self) -> Collection[str]:
        return ()


def _read_sizes(name: str, graph: Graph) -> tuple[int, ...]:
    """The sizes that an operand says. Raises `Refusal` where it is not known."""
    constant = graph.get_constant(name)
    if constant is None:
        raise Refusal("its sizes are not known before it runs")
    return tuple(int(size) for size in constant.reshape(-1))


def match_folding(node: onnx.NodeProto, graph: Graph) -> Folding | None:
    """`node` where it adds up windows, or nothing. Raises `Refusal` for one that is
    left."""
    if node.domain not in DOMAINS or node.op_type != "Col2Im":
        return None
    known = graph.types.get(node.input[0])
    if known is None or known.shape is None:
        raise Refusal("its sizes are not known before it runs")
    if known.dtype.name not in ELEMENTS:
        raise Refusal(f"its elements are {known.dtype.name}")
    sizes, taps = (_read_sizes(name, graph) for name in node.input[1:3])
    rank, inputs, attributes = len(sizes), known.shape, get_attributes(node)
    if rank not in SPATIAL:
        raise Refusal(f"it has {rank} spatial dimensions")
    lengths = {"strides": rank, "dilations": rank, "pads": 2 * rank}
    is_fit = all(
        len(attributes.get(name) or [0] * length) == length for name, length in lengths.items()
    )
    steps = [*(attributes.get("strides") or []), *(attributes.get("dilations") or [])]
    if not is_fit or len(taps) != rank or len(inputs) != 3 or min(steps, default=1) < 1:
        raise Refusal(UNFIT)
    if min((*inputs, *sizes, *taps)) < 1:
        raise Refusal("it has no elements")
    window, positions = make_window(attributes, sizes, taps)
    if min(positions) < 1 or inputs[1] % math.prod(taps) or inputs[2] != math.prod(positions):
        raise Refusal(UNFIT)
    return Folding(
        node=node,
        element=ELEMENTS[known.dtype.name],
        input_shape=inputs,
        result_shape=(inputs[0], inputs[1] // math.prod(taps), *sizes),
        window=window,
        positions=positions,
        taps=taps,
    )
