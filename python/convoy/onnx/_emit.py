"""Writes a group of nodes as a function of MLIR."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx

from convoy._arrays import Array
from convoy.onnx import _elementwise
from convoy.onnx._convolution import ELEMENTS, Convolution
from convoy.onnx._elementwise import Body
from convoy.onnx._fuse import Group
from convoy.onnx._graph import Graph, Quantization, get_title
from convoy.onnx._window import Window

#: How an activation lies: channels behind the batch, as ONNX has them, or last.
FIRST, LAST = "first", "last"

_DTYPES = {element: np.dtype(name) for name, element in ELEMENTS.items()}


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


@dataclasses.dataclass(frozen=True)
class Read:
    """An operand of the op behind a convolution: its name and type, and the letters
    of its dimensions."""

    name: str
    type: str
    element: str
    letters: str


@dataclasses.dataclass(frozen=True)
class Text:
    """A function, and its operands in order, the result last."""

    #: Its arguments and what is behind these: equal where two compute the same.
    code: str
    operands: tuple[Operand, ...]
    #: The same as a module.
    text: str
    #: Whether the convolution reads the filter as it is.
    packs: bool


def _get_letters(convolution: Convolution, order: str, channel: str) -> str:
    """`nhwgc`: the dimensions of an activation, of whose channels `channel` stands
    for those of one group."""
    channels = f"g{channel}" if convolution.groups > 1 else channel
    if order == FIRST:
        return f"n{channels}{convolution.letters}"
    return f"n{convolution.letters}{channels}"


class Emitter:
    """Writes the function of one group that convolves floats."""

    def __init__(
        self, graph: Graph, group: Group, name: str, orders: Mapping[str, str]
    ) -> None:
        self._graph = graph
        self._group = group
        self._name = name
        self._orders = orders
        convolution = group.convolution
        self._convolution = convolution
        # The gradient's result is the forward convolution's input.
        self._read, self._written = ("f", "c") if convolution.is_transposed else ("c", "f")
        self._order = orders.get(group.result, FIRST)
        self._letters = _get_letters(convolution, self._order, self._written)
        self._sizes = self._get_sizes(convolution.result_shape, self._written)
        self._shape = tuple(self._sizes[x] for x in self._letters)
        self._operands: list[Operand] = []
        self._lines: list[str] = []
        self._reads: list[Read] = []
        self._body = Body(convolution.element)
        self._filter = group.filter
        self._packs = True
        #: What sums are, and what the function returns.
        self._sums = self._get_type(self._shape, convolution.element)
        self._result_element = get_element(graph.types[group.result].dtype)
        self._result = self._get_type(self._shape, self._result_element)

    def _get_sizes(self, shape: tuple[int, ...], channel: str) -> dict[str, int]:
        """The sizes of an activation by letters."""
        groups = self._convolution.groups
        sizes = {"n": shape[0], "g": groups, channel: shape[1] // groups}
        return sizes | dict(zip(self._convolution.letters, shape[2:]))

    def _get_filter_shape(self) -> tuple[int, ...]:
        taps, groups = self._convolution.filter_shape, self._convolution.groups
        return (*((groups,) if groups > 1 else ()), taps[0] // groups, *taps[1:])

    def _get_type(self, shape: tuple[int, ...], element: str) -> str:
        sizes = "".join(f"{size}x" for size in shape)
        return f"tensor<{sizes}{element}>"

    def _get_element(self, operand: Operand) -> str:
        if operand.constant is not None:
            return get_element(operand.constant.dtype)
        return get_element(self._graph.types[operand.value].dtype)

    def _add_operand(
        self, name: str, value: str | Array, shape: tuple[int, ...], letters: str = ""
    ) -> Read:
        """An operand of `shape`, which what it holds is brought into."""
        if isinstance(value, str):
            order = self._orders.get(value, FIRST)
            operand = Operand(name, shape, value=value, order=order)
        else:
            operand = Operand(name, shape, constant=value.reshape(shape))
        self._operands.append(operand)
        element = self._get_element(operand)
        return Read(f"%{name}", self._get_type(shape, element), element, letters)

    def _emit_convolution(self) -> str:
        """Adds the convolution, with its bias; returns its result."""
        convolution, group = self._convolution, self._group
        input = convolution.sources.input
        order = self._orders.get(input, FIRST)
        letters = _get_letters(convolution, order, self._read)
        sizes = self._get_sizes(convolution.input_shape, self._read)
        x = self._add_operand("input", input, tuple(sizes[x] for x in letters), letters)
        # Whose filter has the result's channels outermost, and a gradient's the
        # operand's: both are `f`.
        filter_letters = f"{'g' if convolution.groups > 1 else ''}fc{convolution.letters}"
        w = self._add_operand("filter", self._filter, self._get_filter_shape(), filter_letters)
        self._lines.append(f"%empty = tensor.empty() : {self._sums}")
        init = self._emit_init()
        x, window = self._emit_padding(x, sizes)
        words = (letters, filter_letters, self._letters)
        if convolution.is_transposed:
            words = words[::-1]
        op = "conv_backward_data" if convolution.is_transposed else "conv"
        taps, numerics, zeros = self._emit_numerics(w)
        self._packs = taps is w
        self._lines.append(
            f"%conv = convoy.{op} ins({x.name}, {taps.name} : {x.type}, {taps.type}) "
            f"outs({init} : {self._sums}){zeros} "
            f"layout({words[0]} x {words[1]} -> {words[2]}){window}{numerics}"
        )
        return "%conv"

    def _emit_padding(self, input: Read, sizes: dict[str, int]) -> tuple[Read, Window]:
        """What the convolution slides over, and how."""
        return input, self._convolution.window

    def _emit_numerics(self, filter: Read) -> tuple[Read, str, str]:
        """The filter that is read, and the op's words for its numerics and for its
        zero points."""
        return filter, "", ""

    def _emit_init(self) -> str:
        """Adds what sums start with: the bias, or zero."""
        if self._group.bias is None:
            return self._emit_zeros("0.0", self._convolution.element)
        letters = self._get_channel_letters()
        bias = self._add_operand("bias", self._group.bias, self._get_channel_sizes(), letters)
        return self._emit_broadcast(bias)

    def _emit_zeros(self, zero: str, element: str) -> str:
        self._lines.append(f"%zero = arith.constant {zero} : {element}")
        self._lines.append(
            f"%init = linalg.fill ins(%zero : {element}) outs(%empty : {self._sums}) "
            f"-> {self._sums}"
        )
        return "%init"

    def _emit_broadcast(self, bias: Read) -> str:
        others = [number for number, x in enumerate(self._letters) if x not in bias.letters]
        self._lines.append(
            f"%init = linalg.broadcast ins({bias.name} : {bias.type}) "
            f"outs(%empty : {self._sums}) dimensions = {others}"
        )
        return "%init"

    def _get_channel_letters(self) -> str:
        """The dimensions of what is one for each channel of the result."""
        return "".join(x for x in self._letters if x in ("g", self._written))

    def _get_channel_sizes(self) -> tuple[int, ...]:
        return tuple(self._sizes[x] for x in self._get_channel_letters())

    def _emit_rest(self, start: str) -> str:
        """Adds what follows the convolution, as one op; returns its result."""
        members = [
            member
            for member in self._group.members[1:]
            if member not in self._group.folded
        ]
        self._reads.append(Read(start, self._sums, self._sums_element, self._letters))
        names = {self._group.start: self._start_body()}
        if not members and not self._body.lines:
            return start
        for member in members:
            node = self._graph.nodes[member]
            values = [
                self._read_value(value, names)
                for value in _elementwise.get_operands(node, self._graph) or []
            ]
            values += self._read_constants(node)
            names[node.output[0]] = _elementwise.write(self._body, node, self._graph, values)
        self._emit_generic(names[self._group.result])
        return "%result"

    @property
    def _sums_element(self) -> str:
        return self._convolution.element

    def _start_body(self) -> str:
        """What the convolution's node has as its result, in the body."""
        return "%a0"

    def _read_constants(self, node: onnx.NodeProto) -> list[str]:
        """What a node computes with besides its operands, in the body."""
        if node.op_type == "BatchNormalization":
            changes = _elementwise.get_normalization(node, self._graph) or ()
            dtype = _DTYPES[self._convolution.element]
            return [self._read_channels(_elementwise.round_to(one, dtype)) for one in changes]
        if node.op_type == "QuantizeLinear":
            quantization = _elementwise.get_quantization(node, self._graph)
            assert quantization is not None
            return [self._read_channels(quantization.scale), self._read_zero(quantization)]
        return []

    def _read_zero(self, quantization: Quantization) -> str:
        """A zero point as a number in the body; empty where all are zero."""
        zero = quantization.zero
        if not zero.any():
            return ""
        if (zero == zero[0]).all():
            return self._body.constant(float(zero[0]))
        return self._read_channels(zero.astype(np.float32))

    def _read_value(self, value: str, names: dict[str, str]) -> str:
        """An element of `value` in the body, which is an operand where it must be."""
        if value in names:
            return names[value]
        if known := self._group.dequantized.get(value):
            number = self._body.to_number(
                self._read_value(known.value, names), known.quantization.dtype
            )
            zero = self._read_zero(known.quantization)
            if zero:
                number = self._body.op("arith.subf", number, zero)
            scale = self._read_channels(known.quantization.scale)
            names[value] = self._body.op("arith.mulf", number, scale)
            return names[value]
        constant = self._graph.get_constant(value)
        if constant is not None and constant.size == 1:
            return self._body.constant(float(constant.reshape(())))
        shape = self._graph.get_shape(value) or ()
        order = self._orders.get(value, FIRST)
        letters = self._get_kept_letters(shape, order)
        names[value] = self._read_operand(value if constant is None else constant, letters)
        return names[value]

    def _read_operand(self, value: str | Array, letters: str) -> str:
        """An element of an operand in the body."""
        sizes = tuple(self._sizes[x] for x in letters)
        number = len(self._reads)
        self._reads.append(self._add_operand(f"operand{number}", value, sizes, letters))
        return f"%a{number}"

    def _read_channels(self, value: str | Array) -> str:
        """An element of what is one for each channel, or one for all."""
        shape = self._graph.get_shape(value) if isinstance(value, str) else value.shape
        is_one = math.prod(shape or ()) == 1
        return self._read_operand(value, "" if is_one else self._get_channel_letters())

    def _get_kept_letters(self, shape: tuple[int, ...], order: str) -> str:
        """The dimensions in which a value of `shape`, in ONNX's order, is not
        broadcast, in the order in which they lie."""
        whole = self._convolution.result_shape
        shape = (1,) * (len(whole) - len(shape)) + shape
        kept: set[str] = set()
        for axis, letter in enumerate(f"n{self._written}{self._convolution.letters}"):
            if shape[axis] != 1:
                kept.update(("g", letter) if axis == 1 else (letter,))
        letters = _get_letters(self._convolution, order, self._written)
        return "".join(x for x in letters if x in kept)

    def _emit_generic(self, result: str) -> None:
        dims = {x: f"d{number}" for number, x in enumerate(self._letters)}
        domain = ", ".join(dims.values())
        maps = [
            f"affine_map<({domain}) -> ({', '.join(dims[x] for x in letters)})>"
            for letters in [*(read.letters for read in self._reads), self._letters]
        ]
        loops = ", ".join(['"parallel"'] * len(dims))
        arguments = ", ".join(
            f"%a{number}: {read.element}" for number, read in enumerate(self._reads)
        )
        operands = ", ".join(read.name for read in self._reads)
        types = ", ".join(read.type for read in self._reads)
        empty = "%empty"
        if self._result != self._sums:
            empty = "%results"
            self._lines.append(f"%results = tensor.empty() : {self._result}")
        element = self._result_element
        self._lines += [
            f"%result = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{loops}]}}",
            f"    ins({operands} : {types}) outs({empty} : {self._result}) {{",
            f"^bb0({arguments}, %out: {element}):",
            *(f"  {line}" for line in self._body.lines),
            f"  linalg.yield {result} : {element}",
            f"}} -> {self._result}",
        ]

    def emit(self) -> Text:
        """The function."""
        result = self._emit_rest(self._emit_convolution())
        arguments = ", ".join(
            f"%{one.name}: {self._get_type(one.shape, self._get_element(one))} "
            f'{{convoy.name = "{one.name}"}}'
            for one in self._operands
        )
        code = "\n".join(
            [
                f"({arguments}) -> {self._result} {{",
                *(f"  {line}" for line in self._lines),
                f"  return {result} : {self._result}",
                "}\n",
            ]
        )
        titles = [get_title(self._graph.nodes[member]) for member in self._group.members]
        comment = " ".join(" ".join(titles).split())
        written = Operand("result", self._shape, value=self._group.result, order=self._order)
        text = f"// {comment}\nfunc.func @{self._name}{code}"
        return Text(code, (*self._operands, written), text, self._packs)
