"""Transposes that only bring channels behind the other dimensions, or in front of them:
kernels read and write either, so that nothing is left to do."""

import dataclasses

from convoy._window import SPATIAL
from convoy.onnx._graph import DOMAINS, Graph, get_attributes


@dataclasses.dataclass(frozen=True)
class Turning:
    """The Transpose `number`, which makes `result` of `value`."""

    number: int
    value: str
    result: str
    #: How many dimensions both have, and the order of `value`'s in `result`.
    rank: int
    order: tuple[int, ...]

    @property
    def is_to_last(self) -> bool:
        """Whether channels, which come second, become last."""
        return self.order == (0, *range(2, self.rank), 1)

    @property
    def is_to_first(self) -> bool:
        """Whether channels, which come last, become second."""
        return self.order == (0, self.rank - 1, *range(1, self.rank - 1))


def match_turning(number: int, graph: Graph) -> Turning | None:
    """What the node `number` is, where it is such a Transpose."""
    node = graph.nodes[number]
    if node.op_type != "Transpose" or node.domain not in DOMAINS:
        return None
    shape = graph.get_shape(node.input[0])
    if shape is None or len(shape) - 2 not in SPATIAL:
        return None
    rank = len(shape)
    order = tuple(get_attributes(node).get("perm") or reversed(range(rank)))
    found = Turning(number, node.input[0], node.output[0], rank, order)
    return found if found.is_to_last or found.is_to_first else None
