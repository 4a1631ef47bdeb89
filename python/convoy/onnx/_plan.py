"""What is compiled of a model, what is left to ONNX Runtime, and in which order."""

import math
from collections.abc import Sequence

import onnx

from convoy import _native
from convoy.onnx import _runtime
from convoy.onnx._emit import FIRST, LAST, OPERAND
from convoy.onnx._emit_group import make_emitter
from convoy.onnx._fuse import Fuser, Group, get_titles
from convoy.onnx._graph import Graph, get_inputs, get_title
from convoy.onnx._join import join_concatenations
from convoy.onnx._kernel import Kernel, Part, Step


class Scheduler:
    """Puts groups, and the nodes between them, into steps."""

    def __init__(self, graph: Graph, groups: list[Group], absorbed: set[int]) -> None:
        self._graph = graph
        self._groups = groups
        self._owners = {
            member: number for number, group in enumerate(groups) for member in group.members
        }
        self._known = {*graph.inputs, *graph.infos} - set(graph.producers)
        gone = absorbed.union(self._owners)
        self._left = [n for n in range(len(graph.nodes)) if n not in gone]
        self._waiting = list(range(len(groups)))

    def run(self) -> list[Group | list[int]]:
        """The steps: groups, and lists of nodes that are left."""
        steps: list[Group | list[int]] = []
        while self._left or self._waiting:
            if part := self._take_left():
                steps.append(part)
            taken = self._take_groups()
            steps += taken
            assert part or taken, "groups do not wait for each other"
        return steps

    def _is_known(self, name: str, own: set[str]) -> bool:
        return name in self._known or name in own or self._graph.is_constant(name)

    def _take_left(self) -> list[int]:
        """The nodes that can run now, or after others of these."""
        part, waiting = [], []
        for number in self._left:
            node = self._graph.nodes[number]
            if all(self._is_known(name, set()) for name in get_inputs(node)):
                part.append(number)
                self._known.update(node.output)
            else:
                waiting.append(number)
        self._left = waiting
        return part

    def _take_groups(self) -> list[Group | list[int]]:
        """The groups that can run now, or after others of these."""
        taken: list[Group | list[int]] = []
        while True:
            ready = [number for number in self._waiting if self._is_group_ready(number)]
            if not ready:
                return taken
            for number in ready:
                self._waiting.remove(number)
                self._known.add(self._groups[number].written)
                taken.append(self._groups[number])

    def _is_group_ready(self, number: int) -> bool:
        group = self._groups[number]
        own = {name for member in group.members for name in self._graph.nodes[member].output}
        return all(
            self._is_known(group.get_read(member, name), own)
            for member in group.members
            for name in get_inputs(self._graph.nodes[member])
        )


def _get_readers(graph: Graph, value: str, absorbed: set[int]) -> list[tuple[int, str]]:
    """The nodes that read a value, and under which name: a kernel reads through a
    DequantizeLinear, or a Pad, that is `absorbed`."""
    found = []
    for reader in graph.readers.get(value, []):
        name = graph.nodes[reader].output[0] if reader in absorbed else value
        readers = graph.readers.get(name, []) if reader in absorbed else [reader]
        found += [(one, name) for one in readers]
    return found


def choose_orders(graph: Graph, groups: list[Group], absorbed: set[int]) -> dict[str, str]:
    """How values lie that kernels make: channels are last where kernels alone read
    them, none as a filter or as what is broadcast to more dimensions. A kernel reads
    and writes either, and so nothing is transposed."""
    owners = {member: group for group in groups for member in group.members}
    orders = {}
    for group in groups:
        value = group.result
        readers = _get_readers(graph, value, absorbed)
        is_free = value not in graph.outputs and all(
            reader in owners
            and owners[reader].takes_either(reader, graph.get_shape(name) or (), name)
            for reader, name in readers
        )
        orders[value] = LAST if group.turning or is_free and readers else FIRST
        orders |= dict.fromkeys(group.turned, LAST)
    return orders


def _choose_names(graph: Graph, groups: Sequence[Group]) -> list[str]:
    """A name for C for each group, all of them different."""
    names: list[str] = []
    for group in groups:
        title = _native.get_layer_symbol(get_title(group.anchor.node))
        name, number = title, 1
        while name in names:
            number += 1
            name = f"{title}_{number}"
        names.append(name)
    return names


def _find_steps(graph: Graph, group: Group) -> list[float]:
    nodes = [graph.nodes[member] for member in group.members]
    found = [graph.read_quantization(one) for one in nodes if one.op_type == "QuantizeLinear"]
    return [float(one.scale.max()) for one in found if one]


class Plan:
    """What becomes of each node of a model: `steps` in the order in which they run.
    `floats`: kernels sum integers as floats where these are exact. `joins`: what a
    Concat puts together is computed with it, where nothing else reads that.

    Printed, it has a line for each step, and sums.
    """

    def __init__(self, graph: Graph, *, floats: bool = False, joins: bool = True) -> None:
        self._graph = graph
        self._floats = floats
        self.joins = joins
        fuser = Fuser(graph)
        fuser.run()
        absorbed = fuser.absorbed
        self._unlisted = set(absorbed)
        orders = choose_orders(graph, fuser.groups, absorbed)
        found = Scheduler(graph, fuser.groups, absorbed).run()
        groups = [step for step in found if isinstance(step, Group)]
        names = iter(_choose_names(graph, groups))
        kernels = {id(one): self._make_kernel(one, next(names), orders) for one in groups}
        # Some read what a node that is left does, in place of what that makes.
        wanted = {one.value for kernel in kernels.values() for one in kernel.operands[:-1]}
        steps = [
            kernels[id(step)] if isinstance(step, Group) else self._make_part(step, wanted)
            for step in found
        ]
        #: Kernels, and parts for ONNX Runtime.
        self.steps = tuple(join_concatenations(steps, graph.outputs) if joins else steps)
        #: The convolutions and samples that are left, by name: why.
        self.refusals = {
            get_title(graph.nodes[number]): reason for number, reason in fuser.refusals.items()
        }

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The steps that are compiled."""
        return tuple(step for step in self.steps if isinstance(step, Kernel))

    @property
    def parts(self) -> tuple[Part, ...]:
        """The steps that are left to ONNX Runtime."""
        return tuple(step for step in self.steps if isinstance(step, Part))

    @property
    def transpositions(self) -> int:
        """Operands that a kernel reads transposed, other than by its first node."""
        return sum(
            operand.lies != kernel.result.lies
            and self._has_orders(operand.value, len(kernel.shape))
            for kernel in self.kernels
            for operand in kernel.operands[1:-1]
            if operand.value and operand.name.startswith(OPERAND)
        )

    def _has_orders(self, value: str, rank: int) -> bool:
        """Whether a value that is broadcast to `rank` dimensions lies otherwise with
        channels last."""
        shape = self._graph.get_shape(value) or ()
        _, channels, *spatial = (1,) * (rank - len(shape)) + shape
        return channels > 1 and math.prod(spatial) > 1

    def _make_kernel(self, group: Group, name: str, orders: dict[str, str]) -> Kernel:
        emitter = make_emitter(self._graph, group, orders, self._floats)
        written = emitter.emit()
        numbers = group.through + ([group.turning.number] if group.turning else [])
        # Of several kernels that read one, the first has it.
        members = [*group.members, *(one for one in numbers if one in self._unlisted)]
        self._unlisted.difference_update(numbers)
        return Kernel(
            name=name,
            nodes=tuple(get_titles(self._graph, members)),
            ops=tuple(self._graph.nodes[member].op_type for member in members),
            ends=(self._graph.nodes[group.members[-1]].op_type,),
            folded=tuple(get_titles(self._graph, group.folded)),
            steps=tuple(_find_steps(self._graph, group)),
            written=written,
            packs=emitter.packs and written.operands[1].constant is not None,
            shape=group.written_shape,
            work=group.anchor.work,
        )

    def _make_part(self, numbers: list[int], wanted: set[str]) -> Part:
        """The part of nodes of these numbers; kernels read the values `wanted`."""
        graph = self._graph
        nodes = [graph.nodes[number] for number in numbers]
        made = {name for node in nodes for name in node.output if name}
        read = dict.fromkeys(name for node in nodes for name in get_inputs(node))
        inside = set(numbers)
        inputs = [name for name in read if name not in made and not self._is_held(name)]
        outputs = [
            name
            for name in graph.producers
            if name in made
            and (
                name in graph.outputs
                or name in wanted
                or any(reader not in inside for reader in graph.readers.get(name, []))
            )
        ]
        _runtime.ask_types(graph, inputs)
        return Part(
            nodes=tuple(get_titles(graph, numbers)),
            ops=tuple(node.op_type for node in nodes),
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            numbers=tuple(numbers),
        )

    def _is_held(self, name: str) -> bool:
        """Whether a part has the value itself."""
        sparse = self._graph.model.graph.sparse_initializer
        return self._graph.is_constant(name) or any(one.values.name == name for one in sparse)

    def make_model(self, part: Part) -> onnx.ModelProto:
        """The model of a part."""
        return _runtime.make_part(self._graph, part.numbers, part.inputs, part.outputs)

    def __str__(self) -> str:
        lines = [str(step) for step in self.steps]
        lines += [f"left: {name}, since {reason}" for name, reason in self.refusals.items()]
        compiled = sum(len(kernel.nodes) for kernel in self.kernels)
        left = sum(len(part.nodes) for part in self.parts)
        lines.append(
            f"{compiled} nodes in {len(self.kernels)} kernels, {left} left in "
            f"{len(self.parts)} parts, {self.transpositions} transpositions"
        )
        return "\n".join(lines)
