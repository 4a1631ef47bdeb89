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
        rows = (batch, *folding.positions, channels, *folding.taps)
        rank, input = len(folding.taps), folding.node.input[0]
        x = self.add_operand("input", self.graph.get_value(input), columns)
        type = self._get_type(rows, x.element)
        order = [0, *range(rank + 2, 2 * rank + 2), *range(1, rank + 2)]
        letters = folding.letters
        self._lines += [
            f"%rows_empty = tensor.empty() : {type}",
            f"%rows = linalg.transpose ins({x.name} : {x.type}) "
            f"outs(%rows_empty : {type}) permutation = {order}",
            f"%image = convoy.col2im %rows "
            f"layout({self._elements.letters}, n{letters}|c{letters}){folding.window} "
            f": {type} -> {self._sums}",
        ]
        return "%image"
