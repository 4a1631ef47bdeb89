"""Writes a group of nodes as a function of MLIR."""

import dataclasses

from torch.fx import Node

from convoy._body import Body, Read, write_generic
from convoy.torch._convolution import ELEMENTS, FILTER, INPUT, OPS, OUTPUT, Convolution
from convoy.torch._elementwise import WRITE
from convoy.torch._fuse import Group, get_tensor
from convoy.torch._kernel import Operand
from convoy.torch._memory import Order, get_order
from convoy.torch._placement import Placement

#: What a kernel calls its operands: of a gradient, the other is its gradient, too.
_GRADIENT_NAMES = {INPUT: "input", FILTER: "filter", OUTPUT: "output_gradient"}


@dataclasses.dataclass(frozen=True)
class Text:
    """A function, and what it reads and writes."""

    #: Its arguments and what is behind these: equal where two compute the same.
    code: str
    #: The nodes that a call takes: those that it reads, in order, and the placement's.
    nodes: tuple[Node, ...]
    operands: tuple[Operand, ...]
    result: Operand
    placement: Placement
    #: Whether its filter is an input of the graph, and so may be the same in many calls.
    is_filter_given: bool


class _Emitter:
    """Writes the function of one group."""

    def __init__(self, group: Group) -> None:
        self._group = group
        convolution = group.convolution
        self._convolution = convolution
        self._is_dynamic = any(None in form.shape for form in convolution.forms.values())
        self._arguments: list[str] = []
        self._lines: list[str] = []
        self._nodes: list[Node] = []
        self._operands: list[Operand] = []
        self._order = get_order(get_tensor(group.result))
        self._letters = self._order_letters(convolution.get_words(convolution.result), self._order)
        self._sizes = self._get_sizes(convolution.result)
        self._type = self._get_type(self._letters)

    def _order_letters(self, words: list[str], order: Order) -> str:
        return "".join(words[axis] for axis in order)

    def _get_sizes(self, role: str) -> dict[str, int | None]:
        sizes = self._convolution.get_sizes(role)
        return sizes | {"n": None} if self._is_dynamic and "n" in sizes else sizes

    def _get_type(self, letters: str, sizes: dict[str, int | None] | None = None) -> str:
        known = self._sizes if sizes is None else sizes
        parts = ["?" if known[x] is None else str(known[x]) for x in letters]
        return f"tensor<{'x'.join([*parts, self._convolution.element])}>"

    def _read(self, name: str, node: Node, letters: str, type: str, order: Order) -> Read:
        self._arguments.append(f'%{name}: {type} {{convoy.name = "{name}"}}')
        self._nodes.append(node)
        shape = list(get_tensor(node).shape)
        if self._is_dynamic and "n" in letters:
            shape[0] = None
        self._operands.append(Operand(tuple(shape), order))
        return Read(f"%{name}", type, self._convolution.element, letters)

    def _read_role(self, role: str, node: Node) -> Read:
        """A tensor of the convolution, which is read."""
        convolution = self._convolution
        order = convolution.forms[role].order
        letters = self._order_letters(convolution.get_words(role), order)
        type = self._get_type(letters, self._get_sizes(role))
        return self._read(_GRADIENT_NAMES[role], node, letters, type, order)

    def _emit_empty(self, first: Read) -> None:
        """Adds what results are written to; `first` is an operand that has the batch."""
        size = ""
        if self._is_dynamic and "n" in self._letters:
            self._lines.append(f"%axis = arith.constant {first.letters.index('n')} : index")
            self._lines.append(f"%batch = tensor.dim {first.name}, %axis : {first.type}")
            size = "%batch"
        self._lines.append(f"%empty = tensor.empty({size}) : {self._type}")

    def _emit_init(self) -> None:
        """Adds what sums start with: the bias, or zero."""
        bias = self._convolution.bias
        if bias is None:
            element = self._convolution.element
            self._lines.append(f"%zero = arith.constant 0.0 : {element}")
            self._lines.append(
                f"%init = linalg.fill ins(%zero : {element}) outs(%empty : {self._type}) "
                f"-> {self._type}"
            )
            return
        letters = self._convolution.get_words(self._convolution.result)[1]
        read = self._read("bias", bias, letters, self._get_type(letters), (0,))
        others = [number for number, x in enumerate(self._letters) if x not in letters]
        self._lines.append(
            f"%init = linalg.broadcast ins({read.name} : {read.type}) "
            f"outs(%empty : {self._type}) dimensions = {others}"
        )

    def _emit_convolution(self) -> str:
        """Adds the convolution; returns its result."""
        convolution = self._convolution
        first, second = (self._read_role(*one) for one in convolution.operands)
        self._emit_empty(first)
        self._emit_init()
        letters = {role: read.letters for (role, _), read in zip(convolution.operands, (first, second))}
        letters[convolution.result] = self._letters
        is_narrow = convolution.element in ("f16", "bf16")
        numerics = " numerics(accumulator = f32)" if is_narrow else ""
        self._lines.append(
            f"%conv = convoy.{OPS[convolution.result]} ins({first.name}, {second.name} : "
            f"{first.type}, {second.type}) outs(%init : {self._type}) "
            f"layout({letters[INPUT]} x {letters[FILTER]} -> {letters[OUTPUT]})"
            f"{convolution.window}{numerics}"
        )
        return "%conv"

    def _read_operand(self, name: str, node: Node) -> Read:
        """What a node behind the convolution reads, where it is not broadcast."""
        tensor = get_tensor(node)
        words = self._convolution.get_words(self._convolution.result)
        words = words[len(words) - tensor.dim() :]
        order = get_order(tensor)
        kept = [axis for axis in order if not (isinstance(tensor.shape[axis], int) and tensor.shape[axis] == 1)]
        letters = "".join(words[axis] for axis in kept)
        # Where the result has one element there, too, either will do.
        return self._read(name, node, letters, self._get_type(letters), order)

    def _emit_rest(self, start: str) -> str:
        """Adds what follows the convolution, as one op; returns its result."""
        group, element = self._group, self._convolution.element
        if not group.members:
            return start
        # Narrow numbers are rounded when they are stored, as by PyTorch.
        body = Body("f32" if element in ("f16", "bf16") else element)
        reads = [Read(start, self._type, element, self._letters)]
        reads += [
            self._read_operand(f"operand{number}", node)
            for number, node in enumerate(group.operands)
        ]
        names = {
            node: body.convert(f"%a{number}", element, body.element)
            for number, node in enumerate([group.start, *group.operands])
        }
        for member in group.members:
            arguments = [names[one] if isinstance(one, Node) else one for one in member.args]
            names[member] = WRITE[member.target](body, *arguments, **member.kwargs)
        value = body.convert(names[group.result], body.element, element)
        lines = [*body.lines, f"linalg.yield {value} : {element}"]
        self._lines += write_generic(
            "%result", reads, self._letters, lines, f"%empty : {self._type}", element
        )
        return "%result"

    def emit(self) -> Text:
        """The function."""
        value = self._emit_rest(self._emit_convolution())
        code = "\n".join(
            [
                f"({', '.join(self._arguments)}) -> {self._type} {{",
                *(f"  {line}" for line in self._lines),
                f"  return {value} : {self._type}",
                "}\n",
            ]
        )
        shape = self._convolution.forms[self._convolution.result].shape
        if self._is_dynamic and "n" in self._letters:
            shape = (None, *shape[1:])
        result = Operand(shape, self._order)
        placement = Placement(self._group, result.is_dynamic)
        filters = [node for role, node in self._convolution.operands if role == FILTER]
        is_given = bool(filters) and all(node.op == "placeholder" for node in filters)
        nodes = (*self._nodes, *placement.nodes)
        return Text(code, nodes, tuple(self._operands), result, placement, is_given)


def emit(group: Group) -> Text:
    """The function of a group."""
    return _Emitter(group).emit()
