"""Writes samples of images as functions of MLIR."""

from collections.abc import Mapping

from convoy.onnx._emit import Emitter
from convoy.onnx._fuse import Group
from convoy.onnx._graph import Graph
from convoy.onnx._sampling import Sampling


class SampleEmitter(Emitter):
    """Writes the function of one group that samples an image."""

    def __init__(
        self, graph: Graph, group: Group, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders, channel="c")

    def _emit_anchor(self) -> str:
        sampling = self.anchor
        assert isinstance(sampling, Sampling), "kernels convolve, sample or fold"
        input, grid = sampling.node.input
        letters = self.get_letters(self.get_order(input), "c")
        sizes = self.get_sizes(sampling.input_shape, "c")
        shape = tuple(sizes[x] for x in letters)
        x = self.add_operand("input", self.graph.get_value(input), shape, letters)
        # The grid's channels, which are coordinates, lie last.
        g = self.add_operand(
            "grid", self.graph.get_value(grid), sampling.grid_shape, f"n{sampling.letters}c"
        )
        corners = " align_corners" if sampling.align_corners else ""
        self._lines.append(
            f"%samples = convoy.grid_sample {x.name}, {g.name} "
            f"layout({letters} x {g.letters} -> {self._elements.letters}) "
            f"mode({sampling.mode}) padding({sampling.padding}){corners} "
            f": {x.type}, {g.type} -> {self._sums}"
        )
        return "%samples"
