"""Writes what stands between kernels as functions of MLIR."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from convoy._body import Read, format_number, write_generic
from convoy.onnx._between import (
    Concatenation,
    Elementwise,
    Normalization,
    Pooling,
    Shuffle,
)
from convoy.onnx._emit import Emitter
from convoy.onnx._fuse import Group
from convoy.onnx._graph import Graph


class BetweenEmitter(Emitter):
    """Writes the function of one group of nodes between kernels."""

    def __init__(
        self, graph: Graph, group: Group, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders, channel="c")

    def _add_input(self, name: str, value: str, shape: tuple[int, ...]) -> Read:
        """An operand of as many dimensions as the result, which lies as it does."""
        letters = self.get_letters(self.get_order(value), "c")
        sizes = self.get_sizes(shape, "c")
        return self.add_operand(name, value, tuple(sizes[x] for x in letters), letters)

    def _reduce(
        self, input: Read, steps: Mapping[str, tuple[int, int]], taps: tuple[int, ...], body: list[str]
    ) -> str:
        """Adds an op that reduces windows of an input, which has what they reach, from
        `%start` on, and returns its result. `steps` are the stride and the dilation of
        each dimension that windows have; `body` computes `%next` of `%out` and `%in`."""
        result, element = self._elements.letters, self.anchor.element
        loops = [f"d{x}" for x in result] + [f"t{x}" for x in steps]
        read = {x: f"d{x}" for x in result}
        read |= {x: f"d{x} * {stride} + t{x} * {step}" for x, (stride, step) in steps.items()}
        places = [[read[x] for x in input.letters], loops[len(result) :], loops[: len(result)]]
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(one)})>" for one in places]
        kinds = ['"parallel"'] * len(result) + ['"reduction"'] * len(steps)
        window = self._get_type(taps, element)
        self._empty = "%empty"
        self._lines += [
            f"%empty = tensor.empty() : {self._sums}",
            f"%init = linalg.fill ins(%start : {element}) outs(%empty : {self._sums}) "
            f"-> {self._sums}",
            f"%taps = tensor.empty() : {window}",
            f"%reduced = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{', '.join(kinds)}]}}",
            f"    ins({input.name}, %taps : {input.type}, {window}) outs(%init : {self._sums}) {{",
            f"^bb0(%in: {element}, %tap: {element}, %out: {element}):",
            *(f"  {line} : {element}" for line in (*body, "linalg.yield %next")),
            f"}} -> {self._sums}",
        ]
        return "%reduced"


class ElementwiseEmitter(BetweenEmitter):
    """Writes nodes that each compute elements by themselves."""

    def _emit_anchor(self) -> str:
        assert isinstance(self.anchor, Elementwise)
        return ""


class ConcatenationEmitter(BetweenEmitter):
    """Writes a Concat."""

    def _emit_anchor(self) -> str:
        anchor = self.anchor
        assert isinstance(anchor, Concatenation)
        parts = []
        for number, value in enumerate(anchor.node.input):
            shape = self.graph.get_shape(value) or ()
            parts.append(self._turn(self._add_input(f"input{number}", value, shape), number))
        letters = self._elements.letters
        axis = letters.index(f"nc{anchor.letters}"[anchor.axis])
        names = ", ".join(part.name for part in parts)
        types = ", ".join(part.type for part in parts)
        self._lines.append(
            f"%whole = tensor.concat dim({axis}) {names} : ({types}) -> {self._sums}"
        )
        return "%whole"

    def _turn(self, part: Read, number: int) -> Read:
        """A part with dimensions in the result's order."""
        letters = self._elements.letters
        if part.letters == letters:
            return part
        sizes = self.get_sizes(self.graph.get_shape(self.anchor.node.input[number]) or (), "c")
        type = self._get_type(tuple(sizes[x] for x in letters), part.element)
        order = [part.letters.index(x) for x in letters]
        self._lines += [
            f"%empty{number} = tensor.empty() : {type}",
            f"%part{number} = linalg.transpose ins({part.name} : {part.type}) "
            f"outs(%empty{number} : {type}) permutation = {order}",
        ]
        return Read(f"%part{number}", type, part.element, letters)


class ShuffleEmitter(BetweenEmitter):
    """Writes a shuffle of channels."""

    def _emit_anchor(self) -> str:
        shuffle, result = self.anchor, self._elements.letters
        assert isinstance(shuffle, Shuffle)
        x = self._add_input("input", shuffle.node.input[0], shuffle.input_shape)
        sizes = self.get_sizes(shuffle.input_shape, "c")
        sizes |= {"r": shuffle.rows, "k": sizes["c"] // shuffle.rows}
        letters, turned = x.letters.replace("c", "rk"), result.replace("c", "kr")
        types = [
            self._get_type(tuple(sizes[x] for x in one), x.element) for one in (letters, turned)
        ]
        shape = [sizes[x] for x in letters]
        self._lines += [
            f"%rows = tensor.expand_shape {x.name} {_pair(x.letters)} output_shape {shape} "
            f": {x.type} into {types[0]}",
            f"%columns_empty = tensor.empty() : {types[1]}",
        ]
        rows = Read("%rows", types[0], x.element, letters)
        body, outs = [f"linalg.yield %a0 : {x.element}"], f"%columns_empty : {types[1]}"
        self._lines += write_generic("%columns", [rows], turned, body, outs, x.element)
        self._lines.append(
            f"%shuffled = tensor.collapse_shape %columns {_pair(result)} "
            f": {types[1]} into {self._sums}"
        )
        return "%shuffled"


class NormalizationEmitter(BetweenEmitter):
    """Writes an LRN."""

    def _emit_anchor(self) -> str:
        anchor, element = self.anchor, self.anchor.element
        assert isinstance(anchor, Normalization)
        self._input = self._add_input("input", anchor.node.input[0], anchor.input_shape)
        around = anchor.size // 2  # of an odd size
        sizes = self.get_sizes(anchor.input_shape, "c")
        self._lines.append(f"%start = arith.constant 0.0 : {element}")
        x = self._emit_pad(self._input, sizes, {"c": (around, around)}, "", "%start")
        body = ["%square = arith.mulf %in, %in", "%next = arith.addf %out, %square"]
        return self._reduce(x, {"c": (1, 1)}, (anchor.size,), body)

    def _start_body(self) -> str:
        anchor, body = self.anchor, self._elements.body
        assert isinstance(anchor, Normalization)
        x = self._elements.read(self._input)
        scale = body.op("arith.mulf", "%a0", body.constant(anchor.alpha / anchor.size))
        base = body.op("arith.addf", scale, body.constant(anchor.bias))
        power = body.op("arith.mulf", body.op("math.log", base), body.constant(-anchor.beta))
        return body.op("arith.mulf", x, body.op("math.exp", power))


def _pair(letters: str) -> list[list[int]]:
    """Which dimensions stand for each of `letters`, where two stand for channels."""
    channels = letters.index("c")
    groups = [[number + (number > channels)] for number in range(len(letters))]
    groups[channels].append(channels + 1)
    return groups


class PoolingEmitter(BetweenEmitter):
    """Writes the largest elements, or the means, of windows."""

    def _emit_anchor(self) -> str:
        pooling = self.anchor
        assert isinstance(pooling, Pooling)
        element = pooling.element
        x = self._add_input("input", pooling.node.input[0], pooling.input_shape)
        start = format_number(0.0 if pooling.is_mean else -np.inf, element)
        self._lines.append(f"%start = arith.constant {start} : {element}")
        if pooling.is_convolution:
            return self._sum(x)
        pads = [(low, max(high, 0)) for low, high in pooling.window.pads]
        if any(map(any, pads)):
            sizes = self.get_sizes(pooling.input_shape, "c")
            x = self._emit_pad(x, sizes, dict(zip(pooling.letters, pads)), "", "%start")
        window = zip(pooling.letters, pooling.window.strides, pooling.window.dilations)
        steps = {x: (stride, step) for x, stride, step in window}
        op = "arith.addf" if pooling.is_mean else "arith.maximumf"
        return self._reduce(x, steps, pooling.taps, [f"%next = {op} %out, %in"])

    def _sum(self, input: Read) -> str:
        """Adds the convolution of each channel, a group of its own, with ones, which is
        tiled and padded as others are."""
        pooling, letters = self.anchor, self._elements.letters
        assert isinstance(pooling, Pooling)
        pads = tuple((low, max(high, 0)) for low, high in pooling.window.pads)
        window = dataclasses.replace(pooling.window, pads=pads)
        group, groups = ("g", [pooling.groups]) if pooling.groups > 1 else ("", [])
        ones = self._get_type((*pooling.taps, *groups, 1, 1), pooling.element)
        layout = f"{input.letters} x {pooling.letters}{group}cf -> {letters.replace('c', 'f')}"
        self._empty = "%empty"
        self._lines += [
            f"%empty = tensor.empty() : {self._sums}",
            f"%init = linalg.fill ins(%start : {pooling.element}) outs(%empty : {self._sums}) "
            f"-> {self._sums}",
            f"%ones = arith.constant dense<1.0> : {ones}",
            f"%sums = convoy.conv ins({input.name}, %ones : {input.type}, {ones}) "
            f"outs(%init : {self._sums}) layout({layout}){window}",
        ]
        return "%sums"

    def _start_body(self) -> str:
        pooling, elements = self.anchor, self._elements
        assert isinstance(pooling, Pooling)
        if not pooling.is_mean:
            return "%a0"
        count = pooling.count()
        if count.ndim == 0:
            number = elements.body.constant(float(count))
        else:
            dtype = self.graph.types[pooling.node.output[0]].dtype
            number = elements.read_operand(count.astype(dtype), pooling.letters)
        return elements.body.op("arith.divf", "%a0", number)
