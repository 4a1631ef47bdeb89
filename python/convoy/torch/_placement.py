"""How the results of kernels lie: as those of the nodes that they stand for do."""

import threading
from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from torch.fx import Graph, Interpreter, Node
from torch.fx.node import map_arg

from convoy.torch._fuse import NORMALIZED, Group

_aten = torch.ops.aten

#: Strides of tensors, behind sizes that these depend on.
_Key: TypeAlias = tuple[int | tuple[int, ...], ...]


def _normalize(x: Any) -> Any:
    """What a normalization with statistics makes of `x`: how it lies is what counts."""
    known = x.new_ones(x.shape[1])
    op = _aten._native_batch_norm_legit_no_training.default
    return op(x, known, known, known, known, 0.0, 1.0)[0]


def _copy(group: Group, nodes: Sequence[Node]) -> Graph:
    """The nodes of a group as a graph of their own, which reads `nodes`. What stands for
    a normalization is one again."""
    graph = Graph()
    values = {node: graph.placeholder(node.name) for node in nodes}
    for node in dict.fromkeys([group.node, group.start, *group.members]):
        source = node.meta.get(NORMALIZED)
        if source is not None:
            values[node] = graph.call_function(_normalize, (values[source],))
            continue
        args, kwargs = map_arg((node.args, node.kwargs), values.__getitem__)
        if node.target == _aten.convolution_backward.default:
            args = (*args[:-1], [number == group.start.args[1] for number in range(3)])
        values[node] = graph.call_function(node.target, args, kwargs)
    graph.output(values[group.result])
    graph.eliminate_dead_code()
    return graph


class Placement:
    """Finds strides for the result of a group: those that PyTorch's nodes make of the
    tensors of a call. For these they run once, since what a graph says of strides is not
    always so where a size is 1."""

    def __init__(self, group: Group, is_dynamic: bool) -> None:
        own = {group.node, group.start, *group.members}
        read = [one for node in (group.node, *group.members) for one in node.all_input_nodes]
        #: Those whose tensors `find` takes, in order.
        self.nodes = tuple(one for one in dict.fromkeys(read) if one not in own)
        self._graph = _copy(group, self.nodes)
        self._is_dynamic = is_dynamic
        self._known: dict[_Key, tuple[int, ...]] = {}
        self._lock = threading.Lock()

    def find(self, tensors: Sequence[Any]) -> tuple[int, ...]:
        """The strides for `tensors`."""
        batch = tensors[0].shape[0]
        # The stride of a batch of one may be any.
        key = (int(batch == 1), *(one.stride() for one in tensors))
        known = self._known.get(key) or self._known.get((batch, *key))
        return known or self._add(key, batch, tensors)

    def _add(self, key: _Key, batch: int, tensors: Sequence[Any]) -> tuple[int, ...]:
        with self._lock, torch.no_grad():
            made = Interpreter(torch.nn.Module(), graph=self._graph).run(*tensors)
        strides: tuple[int, ...] = made.stride()
        # Only where a batch lies outermost, its size is part of no stride.
        is_same = not self._is_dynamic or strides[0] == max(strides)
        self._known[key if is_same else (batch, *key)] = strides
        return strides
