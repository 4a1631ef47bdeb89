"""Writes a group of nodes as a function of MLIR."""

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from convoy._arrays import Array
from convoy._body import Read, format_number
from convoy._window import Window
from convoy.onnx._elements import Elements
from convoy.onnx._fuse import ConvolutionGroup, Group
from convoy.onnx._graph import Graph

#: How an activation lies: channels behind the batch, as ONNX has them, or last.
FIRST, LAST = "first", "last"


def get_lying_shape(shape: tuple[int, ...], order: str) -> tuple[int, ...]:
    """An activation's `shape`, which is in ONNX's order, as it lies."""
    return (shape[0], *shape[2:], shape[1]) if order == LAST else shape


#: What operands are called, with a number, that follow a convolution or samples.
OPERAND = "operand"


def get_element(dtype: np.dtype[Any]) -> str:
    """NumPy's type of elements as MLIR has it, which does not tell signs apart."""
    return f"{'f' if dtype.kind == 'f' else 'i'}{8 * dtype.itemsize}"


@dataclasses.dataclass(frozen=True)
class Operand:
    """What a kernel reads or writes, in the shape that it has there: a value of the
    graph, which lies as `order` says, or a constant."""

    name: str
    shape: tuple[int, ...]
    value: str = ""
    order: str = FIRST
    constant: Array | None = None
    #: Whether ONNX has the value with channels last as well.
    is_turned: bool = False

    @property
    def lies(self) -> str:
        """Where channels lie in memory."""
        return LAST if self.is_turned else self.order


@dataclasses.dataclass(frozen=True)
class Text:
    """A function."""

    #: In order, the result last, and their types.
    operands: tuple[Operand, ...]
    types: tuple[str, ...]
    #: What is computed, and what that is called which is returned.
    lines: tuple[str, ...]
    result: str

    @functools.cached_property
    def code(self) -> str:
        """Its arguments and what is behind these: equal where two compute the same."""
        arguments = ", ".join(
            f'%{one.name}: {type} {{convoy.name = "{one.name}"}}'
            for one, type in zip(self.operands[:-1], self.types)
        )
        return "\n".join(
            [
                f"({arguments}) -> {self.types[-1]} {{",
                *(f"  {line}" for line in self.lines),
                f"  return {self.result} : {self.types[-1]}",
                "}\n",
            ]
        )


class Emitter:
    """Writes the function of one group, of whose result `channel` stands for the
    channels of one group of its anchor."""

    def __init__(
        self, graph: Graph, group: Group, orders: Mapping[str, str], channel: str
    ) -> None:
        self.graph = graph
        self.group = group
        self.anchor = group.anchor
        self._orders = orders
        self._order = self.get_order(group.result)
        self._operands: list[Operand] = []
        self._lines: list[str] = []
        #: Of the result.
        self._elements = Elements(
            self, self.anchor.result_shape, channel, self._order, OPERAND
        )
        #: Whether the convolution reads the filter as it is.
        self.packs = False
        #: What the anchor computes, sums or samples, and what the function returns.
        self._sums = self._get_type(self._elements.shape, self.anchor.element)
        self._result_element = get_element(graph.types[group.result].dtype)
        self._result = self._get_type(self._elements.shape, self._result_element)
        #: A tensor of the type of `_sums`, where there is one.
        self._empty = ""

    def get_order(self, value: str) -> str:
        """How a value lies."""
        return self._orders.get(value, FIRST)

    def get_letters(self, order: str, channel: str) -> str:
        """`nhwgc`: the dimensions of an activation, of whose channels `channel` stands
        for those of one group."""
        channels = f"g{channel}" if self.anchor.groups > 1 else channel
        if order == FIRST:
            return f"n{channels}{self.anchor.letters}"
        return f"n{self.anchor.letters}{channels}"

    def get_sizes(self, shape: tuple[int, ...], channel: str) -> dict[str, int]:
        """The sizes of an activation by letters."""
        groups = self.anchor.groups
        sizes = {"n": shape[0], "g": groups, channel: shape[1] // groups}
        return sizes | dict(zip(self.anchor.letters, shape[2:]))

    def _get_type(self, shape: tuple[int, ...], element: str) -> str:
        sizes = "".join(f"{size}x" for size in shape)
        return f"tensor<{sizes}{element}>"

    def _get_element(self, operand: Operand) -> str:
        if operand.constant is not None:
            return get_element(operand.constant.dtype)
        return get_element(self.graph.types[operand.value].dtype)

    def add_operand(
        self, name: str, value: str | Array, shape: tuple[int, ...], letters: str = ""
    ) -> Read:
        """An operand of `shape`, which what it holds is brought into."""
        if isinstance(value, str):
            value = self.graph.get_value(value)
        if isinstance(value, str) and value in self.group.turned:
            source = self.group.turned[value].value
            operand = Operand(name, shape, value=source, is_turned=True)
        elif isinstance(value, str):
            order = self.get_order(value)
            operand = Operand(name, shape, value=value, order=order)
        else:
            operand = Operand(name, shape, constant=value.reshape(shape))
        self._operands.append(operand)
        element = self._get_element(operand)
        return Read(f"%{name}", self._get_type(shape, element), element, letters)

    def _emit_anchor(self) -> str:
        """Adds the op that the group begins with; returns its result, or nothing for a
        node that is computed with what follows it."""
        raise NotImplementedError

    def _emit_pad(
        self,
        input: Read,
        sizes: dict[str, int],
        ends: Mapping[str, tuple[int, int]],
        mode: str,
        fill: str,
    ) -> Read:
        """Adds what pads the dimensions `ends` of the input: with its own elements as
        `mode` says, or with the value `fill`; returns the result."""
        lows, highs = ([ends.get(x, (0, 0))[end] for x in input.letters] for end in (0, 1))
        shape = tuple(sizes[x] + sum(ends.get(x, (0, 0))) for x in input.letters)
        type = self._get_type(shape, input.element)
        if mode:
            self._lines.append(
                f"%padded = convoy.pad {input.name} mode({mode}) low{lows} high{highs} "
                f": {input.type} -> {type}"
            )
        else:
            indices = ", ".join(f"%i{number}: index" for number in range(len(lows)))
            self._lines += [
                f"%padded = tensor.pad {input.name} low{lows} high{highs} {{",
                f"^bb0({indices}):",
                f"  tensor.yield {fill} : {input.element}",
                f"}} : {input.type} to {type}",
            ]
        return Read("%padded", type, input.element, input.letters)

    def _emit_rest(self, start: str) -> str:
        """Adds what follows the anchor, as one op; returns its result. Where nothing is
        there to `start` with, the anchor is computed there, too."""
        members = [
            self.graph.nodes[member]
            for member in self.group.members[1 if start else 0 :]
            if member not in (*self.group.folded, *self.anchor.rest)
        ]
        elements = self._elements
        if start:
            elements.read(Read(start, self._sums, self._sums_element, elements.letters))
            elements.names[self.group.start] = self._start_body()
        if not members and not elements.body.lines:
            return start
        elements.compute(members)
        empty = self._empty if self._result == self._sums else ""
        if not empty:
            empty = "%results"
            self._lines.append(f"%results = tensor.empty() : {self._result}")
        self._lines += elements.emit(
            "%result",
            elements.names[self.group.result],
            empty,
            self._result,
            self._result_element,
        )
        return "%result"

    @property
    def _sums_element(self) -> str:
        return self.anchor.element

    def _start_body(self) -> str:
        """What the anchor's node has as its result, in the body."""
        return "%a0"

    def emit(self) -> Text:
        """The function."""
        result = self._emit_rest(self._emit_anchor())
        types = [self._get_type(one.shape, self._get_element(one)) for one in self._operands]
        written = Operand(
            "result",
            self._elements.shape,
            value=self.group.written,
            order=FIRST if self.group.turning else self._order,
            is_turned=self.group.turning is not None,
        )
        return Text(
            (*self._operands, written), (*types, self._result), tuple(self._lines), result
        )


class ConvolutionEmitter(Emitter):
    """Writes the function of one group that convolves floats."""

    def __init__(
        self, graph: Graph, group: ConvolutionGroup, orders: Mapping[str, str]
    ) -> None:
        # The gradient's result is the forward convolution's input.
        is_transposed = group.convolution.is_transposed
        self._read, self._written = ("f", "c") if is_transposed else ("c", "f")
        super().__init__(graph, group, orders, self._written)
        self.convolution = group.convolution
        self._filter = group.filter
        self._bias = group.bias
        self.packs = True

    def _get_filter_shape(self) -> tuple[int, ...]:
        taps, groups = self.convolution.filter_shape, self.convolution.groups
        return (*((groups,) if groups > 1 else ()), taps[0] // groups, *taps[1:])

    def _add_filter(self) -> Read:
        """The filter, as ONNX has it; one that is known is brought into the order in which
        kernels read it best: taps, what is summed, the result's channels. Of groups with
        one channel each, several are computed at once, and lie side by side."""
        convolution, shape = self.convolution, self._get_filter_shape()
        # A convolution has the result's channels outermost, and a gradient the operand's:
        # both are `f`.
        group = "g" if convolution.groups > 1 else ""
        letters = f"{group}fc{convolution.letters}"
        if isinstance(self._filter, str):
            return self.add_operand("filter", self._filter, shape, letters)
        channels = f"{self._read}{self._written}"
        is_depthwise = shape[-len(convolution.letters) - 2 :][:2] == (1, 1)
        outer = f"{convolution.letters}{group}" if is_depthwise else f"{group}{convolution.letters}"
        order = outer + channels
        filter = self._filter.reshape(shape).transpose([letters.index(x) for x in order])
        return self.add_operand("filter", filter, filter.shape, order)

    def _emit_anchor(self) -> str:
        """Adds the convolution, with its bias; returns its result."""
        convolution = self.convolution
        input = convolution.sources.input
        letters = self.get_letters(self.get_order(input), self._read)
        sizes = self.get_sizes(convolution.input_shape, self._read)
        x = self.add_operand("input", input, tuple(sizes[x] for x in letters), letters)
        w = self._add_filter()
        self._empty = "%empty"
        self._lines.append(f"%empty = tensor.empty() : {self._sums}")
        init = self._emit_init()
        x, window = self._emit_input(x, sizes)
        words = (letters, w.letters, self._elements.letters)
        if convolution.is_transposed:
            words = words[::-1]
        self._emit_convolution(x, w, init, words, str(window))
        return "%conv"

    def _emit_convolution(
        self, input: Read, filter: Read, init: str, layouts: tuple[str, ...], window: str
    ) -> None:
        """Adds the op, whose result is `%conv`."""
        op = "conv_backward_data" if self.convolution.is_transposed else "conv"
        numerics, zeros = self._emit_numerics()
        self._lines.append(
            f"%conv = convoy.{op} ins({input.name}, {filter.name} : {input.type}, {filter.type}) "
            f"outs({init} : {self._sums}){zeros} "
            f"layout({layouts[0]} x {layouts[1]} -> {layouts[2]}){window}{numerics}"
        )

    def _emit_input(self, input: Read, sizes: dict[str, int]) -> tuple[Read, Window]:
        """What the convolution slides over, and how."""
        window, padding = self.convolution.window, self.convolution.padding
        if padding is None or padding.is_zero:
            return input, window
        fill = ""
        if not padding.mode:
            fill = "%fill"
            number = format_number(padding.fill, input.element)
            self._lines.append(f"%fill = arith.constant {number} : {input.element}")
        ends = dict(zip(self.convolution.letters, padding.pads))
        return self._emit_pad(input, sizes, ends, padding.mode, fill), window

    def _emit_numerics(self) -> tuple[str, str]:
        """The op's words for its numerics and for its zero points."""
        return "", ""

    def _emit_init(self) -> str:
        """Adds what sums start with: the bias, or zero."""
        if self._bias is None:
            return self._emit_zeros("0.0", self.convolution.element)
        elements = self._elements
        bias = self.add_operand(
            "bias", self._bias, elements.channel_sizes, elements.channel_letters
        )
        return self._emit_broadcast(bias)

    def _emit_zeros(self, zero: str, element: str) -> str:
        self._lines.append(f"%zero = arith.constant {zero} : {element}")
        self._lines.append(
            f"%init = linalg.fill ins(%zero : {element}) outs(%empty : {self._sums}) "
            f"-> {self._sums}"
        )
        return "%init"

    def _emit_broadcast(self, bias: Read) -> str:
        others = [number for number, x in enumerate(self._elements.letters) if x not in bias.letters]
        self._lines.append(
            f"%init = linalg.broadcast ins({bias.name} : {bias.type}) "
            f"outs(%empty : {self._sums}) dimensions = {others}"
        )
        return "%init"
