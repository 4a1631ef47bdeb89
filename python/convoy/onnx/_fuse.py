"""Which nodes of a graph become kernels: convolutions, samples and windows that are
added up, with what follows them, and what stands between these."""

import dataclasses

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._body import round_to
from convoy.onnx import _elementwise
from convoy.onnx._anchor import ELEMENTS, Anchor, Refusal
from convoy.onnx._between import match_between
from convoy.onnx._convolution import Convolution, match_convolution
from convoy.onnx._folding import match_folding
from convoy.onnx._graph import Dequantized, Graph, get_title
from convoy.onnx._integers import BYTES
from convoy.onnx._sampling import match_sampling
from convoy.onnx._turning import Turning, match_turning


@dataclasses.dataclass
class Group:
    """A node that begins a kernel, and the nodes that are computed with it."""

    anchor: Anchor
    #: Numbers of all nodes, the anchor's first.
    members: list[int]
    #: Values by name in whose place members read the integers that they are made of.
    dequantized: dict[str, Dequantized]
    #: The value that the anchor and `folded` leave, and the only one that others read.
    start: str
    result: str
    #: Those that changed the filter and the bias, and are nothing else.
    folded: list[int] = dataclasses.field(default_factory=list, kw_only=True)
    #: Values by name in whose place members read, with channels last, what is turned.
    turned: dict[str, Turning] = dataclasses.field(default_factory=dict, kw_only=True)
    #: What alone reads the result, which is written as that has it.
    turning: Turning | None = dataclasses.field(default=None, kw_only=True)

    @property
    def written(self) -> str:
        """The value that others read."""
        return self.turning.result if self.turning else self.result

    @property
    def written_shape(self) -> tuple[int, ...]:
        """Its shape, as ONNX has it."""
        batch, channels, *spatial = shape = self.anchor.result_shape
        return (batch, *spatial, channels) if self.turning else shape

    def takes_either(self, member: int, shape: tuple[int, ...], name: str) -> bool:
        """Whether `member` may find channels last in its operand `name` of `shape`: a
        convolution in what it slides over, samples in their image, and other nodes in
        what has a result's rank."""
        if len(shape) != len(self.anchor.result_shape):
            return False
        return member != self.members[0] or name in self.anchor.images

    def reads_integers(self, member: int, name: str) -> bool:
        """Whether `member` reads integers in the place of `name`, which is an operand
        of it."""
        is_float = member == self.members[0] and self.anchor.integers is None
        return name in self.dequantized and not is_float

    @property
    def through(self) -> list[int]:
        """The nodes whose results are not read, but what these are made of."""
        numbers = [one.number for one in self.dequantized.values()]
        return numbers + [one.number for one in self.turned.values()]

    def get_read(self, member: int, name: str) -> str:
        """The value that `member` reads in the place of `name`, its operand."""
        if name in self.turned:
            return self.turned[name].value
        return self.dequantized[name].value if self.reads_integers(member, name) else name


@dataclasses.dataclass
class ConvolutionGroup(Group):
    """A convolution and the nodes that are computed with it."""

    convolution: Convolution
    filter: str | Array
    bias: str | Array | None

    @property
    def through(self) -> list[int]:
        padding = self.convolution.padding
        return [*super().through, *([padding.number] if padding else [])]

    def get_read(self, member: int, name: str) -> str:
        padding = self.convolution.padding
        is_padded = member == self.members[0] and name == self.convolution.node.input[0]
        return padding.value if padding and is_padded else super().get_read(member, name)


def as_channels(value: Array, convolution: Convolution) -> Array | None:
    """A constant that is one number for each channel of the result, or for all."""
    rank = len(convolution.result_shape)
    if value.ndim > rank:
        return None
    shape = (1,) * (rank - value.ndim) + value.shape
    if any(size != 1 for axis, size in enumerate(shape) if axis != 1):
        return None
    if shape[1] not in (1, convolution.channels):
        return None
    flat: Array = np.broadcast_to(value.reshape(-1), convolution.channels).astype(np.float64)
    return flat


class Fuser:
    """Finds the groups of a graph, one after the other."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.groups: list[Group] = []
        #: By the number of a node that could begin a kernel: why it is left.
        self.refusals: dict[int, str] = {}
        self._owners: dict[int, list[int]] = {}
        #: Of the groups.
        self._results: set[str] = set()

    @property
    def absorbed(self) -> set[int]:
        """The DequantizeLinear, Pad and Transpose whose results no one reads: kernels read
        what these are made of, or write what they make."""
        owners = {member: group for group in self.groups for member in group.members}
        written = {group.turning.number for group in self.groups if group.turning}
        return written | {
            number
            for group in self.groups
            for number in group.through
            for name in self.graph.nodes[number].output
            if name not in self.graph.outputs
            and all(
                reader in owners and owners[reader].get_read(reader, name) != name
                for reader in self.graph.readers.get(name, [])
            )
        }

    def run(self) -> None:
        """Finds all groups."""
        for number, node in enumerate(self.graph.nodes):
            if number in self._owners:
                continue
            try:
                anchor = self._match(node)
            except Refusal as refusal:
                self.refusals[number] = str(refusal)
                continue
            if anchor:
                self.groups.append(self._make_group(number, anchor))
                self._results.add(self.groups[-1].result)
            elif (turning := match_turning(number, self.graph)) and self._is_image(turning):
                self._results.add(turning.result)
        through = {number for group in self.groups for number in group.through}
        self._turn_results(through)
        self._turn_operands(through)

    def _is_image(self, turning: Turning) -> bool:
        """Whether what stands between kernels may read what is turned as if a kernel had
        made it. With fewer dimensions it would often be a matrix."""
        return turning.is_to_first and turning.rank >= 4 and turning.value not in self._results

    def _turn_results(self, through: set[int]) -> None:
        """Finds the Transposes in whose place kernels write channels last; `through` are
        the nodes that kernels read through."""
        for group in self.groups:
            readers = self.graph.readers.get(group.result, [])
            is_alone = len(readers) == 1 and group.result not in self.graph.outputs
            if is_alone and readers[0] not in self._owners and readers[0] not in through:
                found = match_turning(readers[0], self.graph)
                group.turning = found if found and found.is_to_last else None

    def _turn_operands(self, through: set[int]) -> None:
        """Finds those in whose place kernels read them."""
        owners = {member: group for group in self.groups for member in group.members}
        for number in range(len(self.graph.nodes)):
            turning = match_turning(number, self.graph)
            if number in owners or turning is None or not turning.is_to_first:
                continue
            # Kernels' own values lie otherwise.
            if self.graph.producers.get(turning.value) in owners:
                continue
            readers = self.graph.readers.get(turning.result, [])
            shape = self.graph.get_shape(turning.result) or ()
            kernels = [(owners[reader], reader) for reader in readers if reader in owners]
            if through.isdisjoint(readers) and all(
                group.takes_either(reader, shape, turning.result) for group, reader in kernels
            ):
                for group, _ in kernels:
                    group.turned[turning.result] = turning

    def _match(self, node: onnx.NodeProto) -> Anchor | None:
        """What `node` is where it begins a kernel. Raises `Refusal` for one that is
        left."""
        for match in (match_convolution, match_sampling, match_folding):
            if anchor := match(node, self.graph):
                return anchor
        return match_between(node, self.graph, self._results)

    def _make_group(self, number: int, anchor: Anchor) -> Group:
        members = self._cut(self._grow(number, anchor), 1 + len(anchor.rest))
        for member in members:
            self._owners[member] = members
        dequantized = self._find_dequantized(members, anchor)
        start = anchor.output
        result = (self._find_results(members) or [start])[0]
        if not isinstance(anchor, Convolution):
            return Group(anchor, members, dequantized, start, result)
        sources = anchor.sources
        group = ConvolutionGroup(
            anchor,
            members,
            dequantized,
            start,
            result,
            convolution=anchor,
            filter=self.graph.get_value(sources.filter),
            bias=self.graph.get_value(sources.bias) if sources.bias else None,
        )
        Folder(self.graph, group).run()
        return group

    def _find_dequantized(self, members: list[int], anchor: Anchor) -> dict[str, Dequantized]:
        """The values of which `members` read the integers."""
        found = {}
        if anchor.integers:
            names = anchor.node.input
            found = {name: known for name in names if (known := self.graph.dequantized.get(name))}
        for member in members[1:]:
            for name in self.graph.nodes[member].input:
                if known := self._get_dequantized(name):
                    found[name] = known
        return found

    def _get_dequantized(self, name: str) -> Dequantized | None:
        """What `name` is made of, where nodes behind an anchor may read that."""
        found = self.graph.dequantized.get(name)
        if found is None or self.graph.is_constant(found.value):
            return None
        is_fit = found.quantization.is_whole and found.quantization.dtype.name in BYTES
        return found if is_fit else None

    def _get_read(self, name: str) -> str:
        """The value that is read for an operand."""
        found = self._get_dequantized(name)
        return found.value if found else name

    def _grow(self, number: int, anchor: Anchor) -> list[int]:
        """All that could be computed with an anchor, in order."""
        members = [number, *anchor.rest]
        made = {anchor.output}
        for other in range(number + 1, len(self.graph.nodes)):
            node = self.graph.nodes[other]
            is_taken = other in self._owners or other in anchor.rest
            if is_taken or made.isdisjoint(map(self._get_read, node.input)):
                continue
            operands = _elementwise.get_operands(node, self.graph)
            if operands is not None and all(
                self._get_read(name) in made or self._is_operand(name, members, anchor)
                for name in operands
            ):
                members.append(other)
                made.add(node.output[0])
        return members

    def _is_operand(self, name: str, members: list[int], anchor: Anchor) -> bool:
        """Whether the value `name` can be read by a kernel of `members`."""
        known = self.graph.types.get(name)
        if known is None or known.shape is None or not name:
            return False
        if ELEMENTS.get(known.dtype.name) != anchor.element:
            return False
        if not _elementwise.fits_shape(known.shape, anchor.result_shape):
            return False
        return not self._depends(self._get_read(name), members)

    def _depends(self, name: str, members: list[int]) -> bool:
        """Whether `name` can be there only after `members` were computed, where
        each group is computed at once."""
        goal = self.graph.producers.get(name)
        if goal is None:
            return False
        seen, left = set(members), list(members)
        while left:
            for value in self.graph.nodes[left.pop()].output:
                for reader in self.graph.readers.get(value, []):
                    for one in self._owners.get(reader, [reader]):
                        if one not in seen:
                            seen.add(one)
                            left.append(one)
        return goal in seen

    def _find_results(self, members: list[int]) -> list[str]:
        """What others read of what `members` compute."""
        own = set(members)
        # Through these, members read their own.
        own |= {
            one.number
            for name, one in self.graph.dequantized.items()
            if own.issuperset(self.graph.readers.get(name, []))
            and self._get_dequantized(name)
            and name not in self.graph.outputs
        }
        return [
            name
            for member in members
            for name in self.graph.nodes[member].output
            if name in self.graph.outputs
            or any(reader not in own for reader in self.graph.readers.get(name, []))
        ]

    def _cut(self, members: list[int], least: int) -> list[int]:
        """The most of `members`, from the first, of which others read one value; no
        fewer than `least`."""
        for count in range(len(members), least, -1):
            if len(self._find_results(members[:count])) == 1:
                return members[:count]
        return members[:least]


class Folder:
    """Computes what a group does to each channel into its filter and bias, in
    float64, rounded once."""

    def __init__(self, graph: Graph, group: ConvolutionGroup) -> None:
        self._graph = graph
        self._group = group
        self._convolution = group.convolution

    def run(self) -> None:
        """Folds all that can be, as long as the filter keeps its digits."""
        group = self._group
        if isinstance(group.filter, str) or isinstance(group.bias, str):
            return
        if self._convolution.integers:
            return
        dtype = group.filter.dtype
        filter = group.filter.astype(np.float64)
        bias = None if group.bias is None else group.bias.astype(np.float64)
        for member in group.members[1:]:
            change = self._get_change(self._graph.nodes[member])
            if change is None:
                break
            changed, summands = self._apply(change, filter, bias)
            if not _elementwise.fits_type(changed, dtype):
                break
            # A sum has as few digits behind the point as this one may lose.
            if not np.isfinite(round_to(summands, dtype)).all():
                break
            filter, bias = changed, summands
            group.folded.append(member)
            group.start = self._graph.nodes[member].output[0]
        if group.folded:
            group.filter = round_to(filter, dtype)
            group.bias = None if bias is None else round_to(bias, dtype)

    def _apply(
        self, change: tuple[Array, Array], filter: Array, bias: Array | None
    ) -> tuple[Array, Array]:
        """A filter and a bias with a change of each channel."""
        factors, summands = change
        old = np.zeros(self._convolution.channels) if bias is None else bias
        with np.errstate(all="ignore"):
            return filter * self._shape(factors), old * factors + summands

    def _shape(self, factors: Array) -> Array:
        """One factor for each channel of the result, to multiply the filter with."""
        ones = (1,) * len(self._convolution.letters)
        if not self._convolution.is_transposed:
            return factors.reshape(-1, 1, *ones)
        groups, (inputs, _, *_) = self._convolution.groups, self._convolution.filter_shape
        rows = np.repeat(factors.reshape(groups, 1, -1), inputs // groups, axis=1)
        shaped: Array = rows.reshape(inputs, -1, *ones)
        return shaped

    def _get_change(self, node: onnx.NodeProto) -> tuple[Array, Array] | None:
        """What `node` multiplies channels with, and adds to them, where it does
        nothing else to all that there is so far."""
        start = self._group.start
        if start == self._group.result or len(self._graph.readers[start]) != 1:
            return None
        none, one = np.zeros(self._convolution.channels), np.ones(self._convolution.channels)
        if node.op_type == "BatchNormalization":
            return _elementwise.get_normalization(node, self._graph)
        if node.op_type in ("Identity", "Dropout"):
            return one, none
        if node.op_type not in ("Add", "Sub", "Mul", "Div", "Sum") or len(node.input) != 2:
            return None
        is_first = node.input[0] == start
        constant = self._graph.get_constant(node.input[1 if is_first else 0])
        value = None if constant is None else as_channels(constant, self._convolution)
        if value is None:
            return None
        if node.op_type in ("Add", "Sum"):
            return one, value
        if node.op_type == "Mul":
            return value, none
        if node.op_type == "Sub":
            return (one, -value) if is_first else (-one, value)
        with np.errstate(over="ignore"):
            return (1 / value, none) if is_first and value.all() else None


def get_titles(graph: Graph, numbers: list[int]) -> list[str]:
    """What nodes are called."""
    return [get_title(graph.nodes[number]) for number in numbers]
