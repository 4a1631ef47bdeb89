"""A plan as one module of MLIR: its kernels, and functions that call these."""

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from convoy import _native
from convoy._arrays import Array
from convoy.onnx._emit import LAST, Operand, get_lying_shape
from convoy.onnx._anchor import ELEMENTS
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Kernel, Part
from convoy.onnx._plan import Plan


@dataclasses.dataclass(frozen=True)
class Chain:
    """Kernels that follow each other, as one function."""

    name: str
    kernels: tuple[Kernel, ...]
    #: Values of the graph that it reads and makes for others, in order.
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class _Names:
    """Names for C, each given once, with whatever begins with it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def add(self, name: str, suffixes: Sequence[str] = ("",)) -> str:
        """`name`, with a number behind it where it is taken."""
        title = _native.get_layer_symbol(name)
        unique, number = title, 1
        while not self._taken.isdisjoint(unique + suffix for suffix in suffixes):
            number += 1
            unique = f"{title}_{number}"
        self._taken.update(unique + suffix for suffix in suffixes)
        return unique


def is_packed(kernel: Kernel) -> bool:
    """Whether a kernel for the CPU takes its filters packed."""
    return kernel.packs


def _get_suffixes(kernel: Kernel) -> list[str]:
    """What headers and packed filters call by a kernel's name."""
    suffixes = ["", "_workspace_bytes", "_workspace_size"]
    for name in kernel.filters:
        suffixes += [f"_{name}_elements", f"_pack_{name}", f"_pack_{name}_workspace_bytes"]
    return suffixes


def _quote(text: str) -> str:
    """`text` as MLIR writes it."""
    written = [
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in text.encode()
    ]
    return f'"{"".join(written)}"'


def _get_type(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


#: What values of a type are called in MLIR, which does not tell unsigned ones apart.
_STORED = {**ELEMENTS, "int8": "i8", "uint8": "i8", "int16": "i16", "int32": "i32"}


class _Body:
    """The lines of a function that calls kernels."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def add(self, text: str) -> str:
        """Adds an op with one result; returns what that is called."""
        name = f"%{self._count}"
        self._count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def reshape(self, value: str, old: tuple[int, ...], new: tuple[int, ...], element: str) -> str:
        """`value` in another shape of as many elements: by way of one dimension."""
        if old == new:
            return value
        flat = (int(np.prod(new)),)
        if len(old) == 1 or len(new) == 1:
            return self._change_rank(value, old, new, element)
        return self._change_rank(self._change_rank(value, old, flat, element), flat, new, element)

    def _change_rank(
        self, value: str, old: tuple[int, ...], new: tuple[int, ...], element: str
    ) -> str:
        most = max(len(old), len(new))
        groups = [list(range(most))] if old and new else []
        types = f"{_get_type(old, element)} into {_get_type(new, element)}"
        if len(old) > len(new):
            return self.add(f"tensor.collapse_shape {value} {groups} : {types}")
        return self.add(f"tensor.expand_shape {value} {groups} output_shape {list(new)} : {types}")


class Network:
    """The chains of a plan, and the module that has them."""

    def __init__(self, graph: Graph, plan: Plan, name: str) -> None:
        self._graph = graph
        self._plan = plan
        self._names = _Names()
        self._lines: list[str] = []
        #: The constants by the names of the resources that they are in the text.
        self.constants: dict[str, Array] = {}
        self._resources: dict[tuple[object, ...], str] = {}
        self._functions: dict[tuple[str, bool], str] = {}
        self._orders = {
            operand.value: operand.order
            for kernel in plan.kernels
            for operand in kernel.operands
            if operand.value
        }
        self._shapes = {kernel.result.value: kernel.shape for kernel in plan.kernels}
        # What kernels write, and slide windows over: for these letters are known.
        self._activations = {
            operand.value
            for kernel in plan.kernels
            for operand in (kernel.operands[0], kernel.result)
        }
        for kernel in plan.kernels:
            self._add_kernel(kernel)
        #: The steps of the plan, kernels that follow each other as one.
        self.steps: tuple[Chain | Part, ...] = tuple(self._find_steps(name))
        for step in self.steps:
            if isinstance(step, Chain):
                self._add_chain(step)

    @property
    def text(self) -> str:
        """The module."""
        return "\n".join(self._lines)

    def _add_kernel(self, kernel: Kernel) -> None:
        key = kernel.code, is_packed(kernel)
        if key in self._functions:
            return
        symbol = self._names.add(kernel.name, _get_suffixes(kernel))
        self._functions[key] = symbol
        code = kernel.code
        if is_packed(kernel):
            for name in kernel.filters:
                mark = f'{{convoy.name = "{name}"}}'
                assert mark in code, "the filter is an argument"
                code = code.replace(mark, f'{{convoy.name = "{name}", convoy.prepacked}}', 1)
        self._lines.append(f"func.func @{symbol}{code}")

    def _find_steps(self, name: str) -> Iterable[Chain | Part]:
        run: list[Kernel] = []
        number = 0
        for step in (*self._plan.steps, None):
            if isinstance(step, Kernel):
                run.append(step)
                continue
            if run:
                yield self._make_chain(f"{name}_chain{number}", run)
                number += 1
                run = []
            if step is not None:
                yield step

    def _make_chain(self, name: str, kernels: list[Kernel]) -> Chain:
        results = [kernel.result.value for kernel in kernels]
        read = dict.fromkeys(
            operand.value
            for kernel in kernels
            for operand in kernel.operands[:-1]
            if operand.value and operand.value not in results
        )
        names = {kernel.name for kernel in kernels}
        wanted = set(self._graph.outputs)
        for step in self._plan.steps:
            if isinstance(step, Part):
                wanted.update(step.inputs)
            elif step.name not in names:
                wanted.update(operand.value for operand in step.operands[:-1])
        outputs = tuple(value for value in results if value in wanted)
        arguments = self._name_arguments((*read, *outputs))
        suffixes = ["", "_workspace_bytes", "_workspace_size"]
        suffixes += [f"_{argument}_elements" for argument in arguments.values()]
        return Chain(self._names.add(name, suffixes), tuple(kernels), tuple(read), outputs)

    def _name_arguments(self, values: Iterable[str]) -> dict[str, str]:
        names = _Names(("workspace",))
        return {value: names.add(value) for value in values}

    def _get_tensor(self, value: str) -> tuple[tuple[int, ...], str]:
        """The shape of a value as it lies, and the type of its elements."""
        shape = self._shapes.get(value, self._graph.get_shape(value) or ())
        shape = get_lying_shape(shape, self._orders[value])
        return shape, _STORED[self._graph.types[value].dtype.name]

    def _get_operand_type(self, operand: Operand) -> tuple[tuple[int, ...], str]:
        """The shape of an operand as its kernel has it, and the type of its elements."""
        constant = operand.constant
        dtype = self._graph.types[operand.value].dtype if constant is None else constant.dtype
        return operand.shape, _STORED[dtype.name]

    def _get_layout(self, value: str) -> str:
        """The letters of a value's dimensions, where they are known."""
        rank = len(self._get_tensor(value)[0])
        if value not in self._activations:
            return ""
        letters = "dhw"[5 - rank :]
        return f"n{letters}c" if self._orders[value] == LAST else f"nc{letters}"

    def _describe_argument(self, value: str, name: str) -> str:
        described = f'convoy.name = "{name}"'
        if layout := self._get_layout(value):
            described += f', convoy.layout = "{layout}"'
        return f"{_get_type(*self._get_tensor(value))} {{{described}}}"

    def _add_chain(self, chain: Chain) -> None:
        names = self._name_arguments((*chain.inputs, *chain.outputs))
        body = _Body()
        values = {
            value: (f"%arg{number}", self._get_tensor(value)[0])
            for number, value in enumerate(chain.inputs)
        }
        for kernel in chain.kernels:
            self._add_call(body, kernel, values)
        results = []
        for value in chain.outputs:
            found, shape = values[value]
            results.append(body.reshape(found, shape, *self._get_tensor(value)))
        arguments = ", ".join(
            f"%arg{number}: {self._describe_argument(value, names[value])}"
            for number, value in enumerate(chain.inputs)
        )
        described = ", ".join(
            self._describe_argument(value, names[value]) for value in chain.outputs
        )
        types = ", ".join(_get_type(*self._get_tensor(value)) for value in chain.outputs)
        self._lines += [
            f"func.func @{chain.name}({arguments}) -> ({described}) {{",
            *(f"  {line}" for line in body.lines),
            f"  return {', '.join(results)} : {types}",
            "}",
        ]

    def _add_call(
        self, body: _Body, kernel: Kernel, values: dict[str, tuple[str, tuple[int, ...]]]
    ) -> None:
        """Calls a kernel on `values`, each with the shape in which it is there."""
        operands = []
        for operand in kernel.operands[:-1]:
            if operand.constant is not None:
                operands.append(self._add_constant(body, operand))
            else:
                value, shape = values[operand.value]
                operands.append(body.reshape(value, shape, *self._get_operand_type(operand)))
        *types, result_type = (_get_type(*self._get_operand_type(one)) for one in kernel.operands)
        symbol = self._functions[kernel.code, is_packed(kernel)]
        nodes = ", ".join(map(_quote, kernel.nodes))
        result = body.add(
            f"call @{symbol}({', '.join(operands)}) "
            f"{{onnx.nodes = [{nodes}], onnx.value = {_quote(kernel.result.value)}}} : "
            f"({', '.join(types)}) -> {result_type}"
        )
        values[kernel.result.value] = (result, kernel.result.shape)

    def _add_constant(self, body: _Body, operand: Operand) -> str:
        """A constant, which equal ones share."""
        assert operand.constant is not None, "it is one"
        array = np.ascontiguousarray(operand.constant)
        type = _get_type(*self._get_operand_type(operand))
        key = type, hashlib.sha256(array.data).digest()
        if key not in self._resources:
            self._resources[key] = f"constant{len(self._resources)}"
            self.constants[self._resources[key]] = array
        return body.add(f"arith.constant dense_resource<{self._resources[key]}> : {type}")
