"""Which nodes of a graph become kernels: convolutions, with what follows them."""

import dataclasses
from typing import Any

import torch
from torch.fx import Graph, Node

from convoy._body import Body
from convoy.torch._convolution import (
    OPS,
    Convolution,
    Refusal,
    get_items,
    match_backward,
    match_forward,
)
from convoy.torch._elementwise import WRITE, Unsupported

_aten = torch.ops.aten

#: In the data of a node: what it normalizes, where it stands for a normalization.
NORMALIZED = "convoy_normalized"


@dataclasses.dataclass
class Group:
    """A tensor of a convolution, and the nodes that are computed with it."""

    convolution: Convolution
    #: The node that convolves, and its result.
    node: Node
    start: Node
    #: The nodes behind it, in order.
    members: list[Node]

    @property
    def result(self) -> Node:
        """The only node that others read."""
        return self.members[-1] if self.members else self.start

    @property
    def operands(self) -> list[Node]:
        """What members read of others, each once."""
        own = {self.start, *self.members}
        read = [one for member in self.members for one in member.all_input_nodes]
        return [one for one in dict.fromkeys(read) if one not in own]

    @property
    def ops(self) -> tuple[str, ...]:
        """The ops of all nodes."""
        first = OPS[self.convolution.result]
        return (first, *(get_op_name(member) for member in self.members))


def get_op_name(node: Node) -> str:
    """What ATen calls the op of a node, without its variant."""
    return str(node.target).removeprefix("aten.").partition(".")[0]


def is_convolution(node: Node) -> bool:
    """Whether a node convolves."""
    return node.target in (_aten.convolution.default, _aten.convolution_backward.default)


def get_tensor(node: Node) -> Any:
    """The tensor that is known of a node, if it is one."""
    value = node.meta.get("val")
    return value if isinstance(value, torch.Tensor) else None


def _is_equal(size: Any, other: Any) -> bool:
    """Whether two sizes are the same whatever they are."""
    if isinstance(size, int) or isinstance(other, int):
        return isinstance(size, int) and isinstance(other, int) and size == other
    return bool(size.node.expr == other.node.expr)


def _fits(shape: Any, result: Any) -> bool:
    """Whether an operand broadcasts to the result, and to no more."""
    if len(shape) > len(result):
        return False
    sizes = zip(reversed(shape), reversed(result))
    return all((isinstance(one, int) and one == 1) or _is_equal(one, whole) for one, whole in sizes)


def _is_written(node: Node) -> bool:
    """Whether a body can have the op of a node with its numbers."""
    if node.target not in WRITE:
        return False
    # Names for tensors: what is left has to be numbers.
    arguments = [str(one) if isinstance(one, Node) else one for one in node.args]
    if any(isinstance(one, Node) for one in node.kwargs.values()):
        return False
    try:
        WRITE[node.target](Body("f64"), *arguments, **node.kwargs)
    except Unsupported:
        return False
    return True


class Fuser:
    """Finds the groups of a graph, one after the other."""

    def __init__(self, graph: Graph) -> None:
        self._nodes = list(graph.nodes)
        self.groups: list[Group] = []
        #: The nodes that convolve and are not left.
        self.taken: list[Node] = []
        #: By the node that convolves: why it is left.
        self.refusals: dict[Node, str] = {}
        self._owned: set[Node] = set()

    def run(self) -> None:
        """Finds all groups."""
        for node in self._nodes:
            if not is_convolution(node):
                continue
            try:
                self._add(node)
            except Refusal as refusal:
                self.refusals[node] = str(refusal)

    def _add(self, node: Node) -> None:
        if node.target == _aten.convolution.default:
            found = {node: match_forward(node)}
        else:
            found = match_backward(node)
        self.taken.append(node)
        for start, convolution in found.items():
            members = self._cut(start, self._grow(start, convolution))
            self._owned.update(members)
            self.groups.append(Group(convolution, node, start, members))

    def _grow(self, start: Node, convolution: Convolution) -> list[Node]:
        """All that could be computed with a convolution, in order."""
        result = get_tensor(start)
        made, members = {start}, []
        for node in self._nodes[self._nodes.index(start) + 1 :]:
            if node in self._owned or made.isdisjoint(node.all_input_nodes):
                continue
            if self._is_member(node, made, result, convolution):
                members.append(node)
                made.add(node)
        return members

    def _is_member(
        self, node: Node, made: set[Node], result: Any, convolution: Convolution
    ) -> bool:
        tensor = get_tensor(node)
        if tensor is None or tensor.dtype != convolution.dtype or not _is_written(node):
            return False
        if tensor.dim() != result.dim() or not _fits(tensor.shape, result.shape):
            return False
        if not _fits(result.shape, tensor.shape):
            return False
        return all(one in made or self._is_operand(one, result) for one in node.all_input_nodes)

    def _is_operand(self, node: Node, result: Any) -> bool:
        """Whether a kernel can read `node` for each element of `result`."""
        tensor = get_tensor(node)
        return (
            tensor is not None
            and tensor.dtype == result.dtype
            and tensor.device == result.device
            and tensor.layout == torch.strided
            and _fits(tensor.shape, result.shape)
        )

    def _cut(self, start: Node, members: list[Node]) -> list[Node]:
        """The most of `members`, from the first, of which others read the last alone."""
        for count in range(len(members), 0, -1):
            own = {start, *members[:count]}
            before = [start, *members[: count - 1]]
            if all(own.issuperset(one.users) for one in before):
                return members[:count]
        return []


def split_normalizations(graph: Graph) -> None:
    """Makes a factor and a summand for each channel of each normalization that has
    statistics and follows a convolution, so that this computes both with it."""
    for node in list(graph.nodes):
        if node.target == _aten._native_batch_norm_legit_no_training.default:
            _split_normalization(graph, node)


def _split_normalization(graph: Graph, node: Node) -> None:
    x, weight, bias, mean, variance, _, epsilon = node.args
    items = get_items(node)
    tensors = [get_tensor(one) for one in (x, weight, bias, mean, variance) if one is not None]
    dtypes = {None if one is None else one.dtype for one in tensors}
    if x.target != _aten.convolution.default or len(x.users) != 1 or set(items) != {0} or len(dtypes) != 1:
        return
    try:
        match_forward(x)
    except Refusal:
        return
    shape = [-1, *(1,) * (tensors[0].dim() - 2)]

    def add(target: Any, *arguments: Any) -> Node:
        made = graph.call_function(target, arguments)
        values = [one.meta["val"] if isinstance(one, Node) else one for one in arguments]
        made.meta["val"] = target(*values)
        return made

    with graph.inserting_before(node):
        factor = add(_aten.rsqrt.default, add(_aten.add.Tensor, variance, epsilon))
        factor = factor if weight is None else add(_aten.mul.Tensor, factor, weight)
        scaled = add(_aten.mul.Tensor, mean, factor)
        summand = add(_aten.neg.default, scaled) if bias is None else add(_aten.sub.Tensor, bias, scaled)
        product = add(_aten.mul.Tensor, x, add(_aten.view.default, factor, shape))
        result = add(_aten.add.Tensor, product, add(_aten.view.default, summand, shape))
    result.meta[NORMALIZED] = x
    items[0].replace_all_uses_with(result)
    graph.erase_node(items[0])
    graph.erase_node(node)
