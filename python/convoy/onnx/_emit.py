"""Writes a group of nodes as a function of MLIR."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from convoy._arrays import Array
from convoy.onnx import _elementwise
from convoy.onnx._elementwise import Body
from convoy.onnx._convolution import ELEMENTS, Convolution
from convoy.onnx._fuse import Group
from convoy.onnx._graph import Graph, get_title

#: How an activation lies: channels behind the batch, as ONNX has them, or last.
FIRST, LAST = "first", "last"

_DTYPES = {element: np.dtype(name) for name, element in ELEMENTS.items()}


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
class Text:
    """A function, and its operands in order, the result last."""

    #: Its arguments and what is behind these: equal where two compute the same.
    code: str
    operands: tuple[Operand, ...]
    #: The same as a module.
    text: str


def _get_letters(convolution: Convolution, order: str, channel: str) -> str:
    """`nhwgc`: the dimensions of an activation, of whose channels `channel` stands
    for those of one group."""
    channels = f"g{channel}" if convolution.groups > 1 else channel
    if order == FIRST:
        return f"n{channels}{convolution.letters}"
    return f"n{convolution.letters}{channels}"


class Emitter:
    """Writes the function of one group."""

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
        self._operands: list[Operand] = []
        self._lines: list[str] = []
        self._arguments: dict[str, tuple[str, str]] = {}
        self._result = self._get_type(tuple(self._sizes[x] for x in self._letters))

    def _get_sizes(self, shape: tuple[int, ...], channel: str) -> dict[str, int]:
        """The sizes of an activation by letters."""
        groups = self._convolution.groups
        sizes = {"n": shape[0], "g": groups, channel: shape[1] // groups}
        return sizes | dict(zip(self._convolution.letters, shape[2:]))

    def _get_type(self, shape: tuple[int, ...]) -> str:
        sizes = "".join(f"{size}x" for size in shape)
        return f"tensor<{sizes}{self._convolution.element}>"

    def _add_argument(self, operand: Operand) -> str:
        self._operands.append(operand)
        return f"%{operand.name}"

    def _add_operand(self, name: str, value: str | Array, shape: tuple[int, ...]) -> str:
        """An operand of `shape`, which what it holds is brought into."""
        if isinstance(value, str):
            order = self._orders.get(value, FIRST)
            return self._add_argument(Operand(name, shape, value=value, order=order))
        return self._add_argument(Operand(name, shape, constant=value.reshape(shape)))

    def _emit_convolution(self) -> str:
        """Adds the convolution, with its bias; returns its result."""
        convolution, group = self._convolution, self._group
        input = convolution.node.input[0]
        order = self._orders.get(input, FIRST)
        letters = _get_letters(convolution, order, self._read)
        sizes = self._get_sizes(convolution.input_shape, self._read)
        shape = tuple(sizes[x] for x in letters)
        x = self._add_operand("input", input, shape)
        # Whose filter has the result's channels outermost, and a gradient's the
        # operand's: both are `f`.
        taps, groups = convolution.filter_shape, convolution.groups
        prefix = (groups,) if groups > 1 else ()
        filter_shape = (*prefix, taps[0] // groups, *taps[1:])
        w = self._add_operand("filter", group.filter, filter_shape)
        init = self._emit_init()
        op = "conv_backward_data" if convolution.is_transposed else "conv"
        filter_letters = f"{'g' if groups > 1 else ''}fc{convolution.letters}"
        words = (letters, filter_letters, self._letters)
        if convolution.is_transposed:
            words = words[::-1]
        self._lines.append(
            f"%conv = convoy.{op} ins({x}, {w} : {self._get_type(shape)}, "
            f"{self._get_type(filter_shape)}) outs({init} : {self._result}) "
            f"layout({words[0]} x {words[1]} -> {words[2]}){convolution.window}"
        )
        return "%conv"

    def _emit_init(self) -> str:
        """Adds what sums start with: the bias, or zero."""
        self._lines.append(f"%empty = tensor.empty() : {self._result}")
        element = self._convolution.element
        if self._group.bias is None:
            self._lines.append(f"%zero = arith.constant 0.0 : {element}")
            self._lines.append(
                f"%init = linalg.fill ins(%zero : {element}) outs(%empty : {self._result}) "
                f"-> {self._result}"
            )
            return "%init"
        channels = [x for x in self._letters if x in ("g", self._written)]
        shape = tuple(self._sizes[x] for x in channels)
        bias = self._add_operand("bias", self._group.bias, shape)
        others = [number for number, x in enumerate(self._letters) if x not in channels]
        self._lines.append(
            f"%init = linalg.broadcast ins({bias} : {self._get_type(shape)}) "
            f"outs(%empty : {self._result}) dimensions = {others}"
        )
        return "%init"

    def _emit_rest(self, start: str) -> str:
        """Adds what follows the convolution, as one op; returns its result."""
        members = [
            member
            for member in self._group.members[1:]
            if member not in self._group.folded
        ]
        if not members:
            return start
        body = Body(self._convolution.element)
        names = {self._group.start: "%a0"}
        reads = [(start, self._result, self._letters)]
        for member in members:
            node = self._graph.nodes[member]
            values = [
                self._read_value(value, names, reads, body)
                for value in _elementwise.get_operands(node, self._graph) or []
            ]
            if node.op_type == "BatchNormalization":
                changes = _elementwise.get_normalization(node, self._graph) or ()
                values += [self._read_channels(change, reads) for change in changes]
            names[node.output[0]] = _elementwise.write(body, node, self._graph, values)
        self._emit_generic(reads, body, names[self._group.result])
        return "%result"

    def _read_value(
        self, value: str, names: dict[str, str], reads: list[tuple[str, str, str]], body: Body
    ) -> str:
        """An element of `value` in the body, which is an operand where it must be."""
        if value in names:
            return names[value]
        constant = self._graph.get_constant(value)
        if constant is not None and constant.size == 1:
            return body.constant(float(constant.reshape(())))
        shape = self._graph.get_shape(value) or ()
        order = self._orders.get(value, FIRST)
        letters = self._get_kept_letters(shape, order)
        sizes = tuple(self._sizes[x] for x in letters)
        name = f"operand{len(reads)}"
        argument = self._add_operand(name, value if constant is None else constant, sizes)
        reads.append((argument, self._get_type(sizes), letters))
        names[value] = f"%a{len(reads) - 1}"
        return names[value]

    def _read_channels(self, value: Array, reads: list[tuple[str, str, str]]) -> str:
        """An element of a constant of float64 that has one for each channel."""
        letters = "".join(x for x in self._letters if x in ("g", self._written))
        sizes = tuple(self._sizes[x] for x in letters)
        constant = _elementwise.round_to(value, _DTYPES[self._convolution.element])
        argument = self._add_operand(f"operand{len(reads)}", constant, sizes)
        reads.append((argument, self._get_type(sizes), letters))
        return f"%a{len(reads) - 1}"

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

    def _emit_generic(
        self, reads: list[tuple[str, str, str]], body: Body, result: str
    ) -> None:
        dims = {x: f"d{number}" for number, x in enumerate(self._letters)}
        domain = ", ".join(dims.values())
        maps = [
            f"affine_map<({domain}) -> ({', '.join(dims[x] for x in letters)})>"
            for _, _, letters in [*reads, ("", "", self._letters)]
        ]
        loops = ", ".join(['"parallel"'] * len(dims))
        element = self._convolution.element
        arguments = ", ".join(f"%a{number}: {element}" for number in range(len(reads)))
        operands = ", ".join(name for name, _, _ in reads)
        types = ", ".join(type for _, type, _ in reads)
        self._lines += [
            f"%result = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{loops}]}}",
            f"    ins({operands} : {types}) outs(%empty : {self._result}) {{",
            f"^bb0({arguments}, %out: {element}):",
            *(f"  {line}" for line in body.lines),
            f"  linalg.yield {result} : {element}",
            f"}} -> {self._result}",
        ]

    def emit(self) -> Text:
        """The function."""
        result = self._emit_rest(self._emit_convolution())
        arguments = ", ".join(
            f'%{one.name}: {self._get_type(one.shape)} {{convoy.name = "{one.name}"}}'
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
        shape = tuple(self._sizes[x] for x in self._letters)
        written = Operand("result", shape, value=self._group.result, order=self._order)
        text = f"// {comment}\nfunc.func @{self._name}{code}"
        return Text(code, (*self._operands, written), text)
