"""Writes deformable convolutions as functions of MLIR."""

from collections.abc import Mapping

from convoy._body import Read
from convoy.onnx._emit import ConvolutionEmitter
from convoy.onnx._fuse import ConvolutionGroup
from convoy.onnx._graph import Graph


class DeformEmitter(ConvolutionEmitter):
    """Writes the function of one group that convolves what it reads at offsets."""

    def __init__(
        self, graph: Graph, group: ConvolutionGroup, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders)
        # Filters are packed for convolutions that stand in the function.
        self.packs = False

    def _emit_convolution(
        self, input: Read, filter: Read, init: str, layouts: tuple[str, ...], window: str
    ) -> None:
        offsets = self.convolution.offsets
        assert offsets, "what has none is a plain convolution"
        d = self.add_operand("offset", self.graph.get_value(offsets.offset), offsets.shape)
        mask = ""
        if offsets.mask:
            m = self.add_operand("mask", self.graph.get_value(offsets.mask), offsets.mask_shape)
            mask = f"mask({m.name} : {m.type}) "
        self._lines.append(
            f"%conv = convoy.deform_conv ins({input.name}, {filter.name}, {d.name} "
            f": {input.type}, {filter.type}, {d.type}) {mask}outs({init} : {self._sums}) "
            f"layout({layouts[0]} x {layouts[1]} -> {layouts[2]}) offset_layout(nchw){window}"
        )
