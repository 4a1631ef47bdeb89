"""Which nodes sample images, and how."""

import dataclasses

import onnx

from convoy.onnx._anchor import ELEMENTS, UNFIT, Anchor, Refusal
from convoy.onnx._graph import DOMAINS, Graph, get_attributes

# What opsets before 20 call the modes.
_OLD_MODES = {"bilinear": "linear", "nearest": "nearest", "bicubic": "cubic"}
_MODES = {mode: mode for mode in _OLD_MODES.values()}
_PADDINGS = ("zeros", "border", "reflection")

# Types of elements that images and grids may have.
_ELEMENTS = {name for name in ELEMENTS if name != "float64"}

#: The most elements along a spatial dimension of an image, as of the op of Convoy.
MAX_SIZE = 2**24


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sampling(Anchor):
    """A GridSample: samples of an image at the positions that a grid gives."""

    grid_shape: tuple[int, ...]
    #: As the op of Convoy calls them.
    mode: str
    padding: str
    align_corners: bool


def _find_mode(node: onnx.NodeProto, graph: Graph) -> str:
    """The mode of a GridSample. Raises `Refusal` for what its opset has none of."""
    modes = _MODES if graph.opset >= 20 else _OLD_MODES
    mode = get_attributes(node).get("mode", next(iter(modes)))
    if mode not in modes:
        raise Refusal(f"its mode is '{mode}'")
    return modes[mode]


def _check_types(node: onnx.NodeProto, graph: Graph) -> None:
    """Raises `Refusal` for sizes that are not known and types that no kernel has."""
    types = [graph.types.get(name) for name in node.input]
    if any(one is None or one.shape is None for one in types):
        raise Refusal("its sizes are not known before it runs")
    names = {one.dtype.name for one in types if one}
    if not names <= _ELEMENTS:
        raise Refusal(f"its elements are {', '.join(sorted(names))}")


def _check_sizes(inputs: tuple[int, ...], grid: tuple[int, ...], mode: str) -> None:
    """Raises `Refusal` for an image and a grid that are not sampled."""
    rank = len(inputs) - 2
    if rank not in (2, 3) or rank == 3 and mode == "cubic":
        raise Refusal(f"it has {rank} spatial dimensions")
    if len(grid) != len(inputs) or grid[0] != inputs[0] or grid[-1] != rank:
        raise Refusal(UNFIT)
    if min((*inputs, *grid)) < 1:
        raise Refusal("it has no elements")
    if max(inputs[2:]) > MAX_SIZE:
        raise Refusal(f"its image has more than {MAX_SIZE} elements along a dimension")


def match_sampling(node: onnx.NodeProto, graph: Graph) -> Sampling | None:
    """`node` where it samples an image, or nothing. Raises `Refusal` for one that is
    left."""
    if node.domain not in DOMAINS or node.op_type != "GridSample":
        return None
    _check_types(node, graph)
    inputs, grid = (graph.get_shape(name) or () for name in node.input)
    mode = _find_mode(node, graph)
    _check_sizes(inputs, grid, mode)
    attributes = get_attributes(node)
    padding = attributes.get("padding_mode", "zeros")
    if padding not in _PADDINGS:
        raise Refusal(f"its padding mode is '{padding}'")
    return Sampling(
        node=node,
        element=ELEMENTS[graph.types[node.input[0]].dtype.name],
        input_shape=inputs,
        grid_shape=grid,
        result_shape=(*inputs[:2], *grid[1:-1]),
        mode=mode,
        padding=padding,
        align_corners=bool(attributes.get("align_corners", 0)),
    )
