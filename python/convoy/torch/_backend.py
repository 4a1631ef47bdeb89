"""The backend of torch.compile."""

import collections
import concurrent.futures
import contextlib
import functools
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch.fx import GraphModule, Node

from convoy import _native
from convoy._checks import check_number, check_text, show
from convoy._function import Function
from convoy._native import Error
from convoy.torch._convolution import get_items
from convoy.torch._emit import Text, emit
from convoy.torch._fuse import Fuser, Group, get_op_name, split_normalizations
from convoy.torch._kernel import (
    FUNCTIONS,
    RECORDERS,
    Call,
    Kernel,
    KernelReport,
    Settings,
    check_settings,
)
from convoy.torch._plan import Plan

_aten = torch.ops.aten
_logger = logging.getLogger("convoy.torch")


class _State:
    """What was compiled so far."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.plans: list[Plan] = []


_STATE = _State()

# PyTorch keeps what it compiled until the process ends.
_native.expect_leaks()


def plans() -> tuple[Plan, ...]:
    """What became of each graph that was compiled, the oldest first."""
    with _STATE.lock:
        return tuple(_STATE.plans)


def reset() -> None:
    """Forgets all plans and kernels, and how filters were packed; what is compiled goes
    on."""
    with _STATE.lock:
        _STATE.plans.clear()
    FUNCTIONS.clear()


@contextlib.contextmanager
def record_checks() -> Iterator[list[KernelReport]]:
    """Compares the result of each call of a kernel, in any thread, with what an
    interpreter says that its IR means for the same operands, each element within a
    bound of its own; takes long.

        >>> with convoy.torch.record_checks() as reports:
        ...     loss(model(x)).backward()
        >>> all(report.passed for report in reports)
    """
    reports = RECORDERS.start()
    try:
        yield reports
    finally:
        RECORDERS.stop(reports)


def _read_options(options: object) -> Settings:
    """The options of torch.compile."""
    if not isinstance(options, Mapping):
        raise Error(f"expected a dictionary for 'options', but got {show(options)}")
    for name in options:
        if name not in ("algorithm", "cpu", "threads"):
            raise Error(f"expected algorithm, cpu or threads among 'options', but got {show(name)}")
    threads = options.get("threads", min(torch.get_num_threads(), _native.MAX_THREADS))
    settings = Settings(
        cpu=check_text(options.get("cpu", "host"), "cpu"),
        threads=check_number(threads, "threads", 1, _native.MAX_THREADS),
        algorithm=check_text(options.get("algorithm", "direct"), "algorithm"),
    )
    check_settings(settings)
    return settings


def backend(
    module: GraphModule,
    inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """Compiles a graph for `torch.compile(model, backend="convoy")`: convolutions and
    what follows them are kernels, PyTorch runs the rest as it does without a compiler.

    `options` of torch.compile are `algorithm`, `cpu` and `threads`, as for
    `convoy.compile`; without `threads`, kernels run in as many as PyTorch has when they
    are compiled.

    Raises `convoy.Error` for other options, and for values that no kernel can be compiled
    for.
    """
    if mode is not None:
        raise Error(f"expected no 'mode', but got {show(mode)}")
    settings = _read_options({} if options is None else options)
    make = functools.partial(_compile, settings)
    compiler = aot_autograd(
        fw_compiler=functools.partial(make, "forward"),
        bw_compiler=functools.partial(make, "backward"),
        inference_compiler=functools.partial(make, "inference"),
    )
    compiled: Callable[..., Any] = compiler(module, inputs)
    return compiled


def _compile(settings: Settings, title: str, module: GraphModule, _: Sequence[Any]) -> Any:
    """A graph of ATen with kernels in the place of convolutions."""
    graph = module.graph
    split_normalizations(graph)
    fuser = Fuser(graph)
    fuser.run()
    refusals = {node.name: reason for node, reason in fuser.refusals.items()}
    made = _compile_groups(fuser.groups, settings, packs=title == "inference")
    failed = {group.node: str(one) for group, _, one in made if isinstance(one, Error)}
    refusals |= {node.name: reason for node, reason in failed.items()}
    kernels: list[Kernel] = []
    calls: dict[Node, Node] = {}
    for group, text, function in made:
        if group.node not in failed and isinstance(function, Function):
            kernel = Kernel(group.node.name, group.ops, f"func.func @kernel{text.code}", function)
            calls[group.result] = _replace(graph, group, text, kernel, calls)
            kernels.append(kernel)
    for node in fuser.taken:
        if node not in failed and node.target == _aten.convolution_backward.default:
            _replace_bias(graph, node)
    graph.eliminate_dead_code()
    graph.lint()
    module.recompile()
    rest = collections.Counter(
        get_op_name(node)
        for node in graph.nodes
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
    )
    plan = Plan(title, tuple(kernels), refusals, rest)
    _logger.info("%s", plan)
    with _STATE.lock:
        _STATE.plans.append(plan)
    return make_boxed_func(module.forward)


def _compile_groups(
    groups: list[Group], settings: Settings, packs: bool
) -> list[tuple[Group, Text, Function | Error]]:
    """The functions of groups, or why there is none. Where they `pack`, they take filters
    packed that are inputs of the graph."""
    texts = [emit(group) for group in groups]

    def get(group: Group, text: Text) -> Function | Error:
        try:
            packed = packs and text.is_filter_given
            return FUNCTIONS.get(text.code, group.node.name, settings, packed)
        except Error as error:
            return error

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(zip(groups, texts, pool.map(get, groups, texts)))


def _replace(
    graph: Any, group: Group, text: Text, kernel: Kernel, calls: Mapping[Node, Node]
) -> Node:
    """Puts a call of a kernel in the place of a group. `calls` are those that are in the
    place of nodes already."""
    result = group.result
    nodes = tuple(calls.get(node, node) for node in text.nodes)
    with graph.inserting_before(result):
        target = Call(kernel, text.operands, text.result, group.convolution.dtype, text.placement)
        call: Node = graph.call_function(target, nodes)
    call.meta = dict(result.meta)
    result.replace_all_uses_with(call)
    return call


def _replace_bias(graph: Any, node: Node) -> None:
    """Lets PyTorch compute the gradient of a bias, where one is wanted, by a sum."""
    gradient = node.args[0]
    bias = get_items(node).get(2)
    if bias is None:
        return
    axes = [axis for axis in range(gradient.meta["val"].dim()) if axis != 1]
    with graph.inserting_before(bias):
        total = graph.call_function(_aten.sum.dim_IntList, (gradient, axes))
    total.meta = dict(bias.meta)
    bias.replace_all_uses_with(total)
