"""Writes windows that are added up as functions of MLIR."""

from collections.abc import Mapping

from convoy.onnx._emit import Emitter
from convoy.onnx._folding import Folding
from convoy.onnx._fuse import Group
from convoy.onnx._graph import Graph


class FoldEmitter(Emitter):
    """Writes the function of one group that adds up windows."""

    def __init__(
        self, graph: Graph, group: Group, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders, channel="c")

    def _emit_anchor(self) -> str:
        folding = self.anchor
        assert isinstance(folding, Folding), "kernels convolve, sample or fold"
        batch, channels, *_ = folding.result_shape
        # ONNX has the windows as columns, with positions innermost.
        columns = (batch, channels, *folding.taps, *folding.positions)
        value, letters = self.graph.get_value(folding.node.input[0]), folding.letters
        x = self.add_operand("input", value, columns)
        self._lines.append(
            f"%image = convoy.col2im {x.name} "
            f"layout({self._elements.letters}, n|c{letters}|{letters}){folding.window} "
            f": {x.type} -> {self._sums}"
        )
        return "%image"
