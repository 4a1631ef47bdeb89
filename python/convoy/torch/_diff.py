"""Runs a module of PyTorch on two sides, step by step, and compares these."""

import concurrent.futures
import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx import Node
from torch.fx.node import map_arg

from convoy._checks import check_number, check_seed, get_line, show, split_target
from convoy._comparison import Comparison, Judgement, Step, Values
from convoy._diff_report import Diff, Value
from convoy._function import Function
from convoy._native import MAX_THREADS, DeviceError, Error
from convoy.torch._emit import Text, emit
from convoy.torch._fuse import Fuser, Group, get_op_name, split_normalizations
from convoy.torch._kernel import Cache, Call, Kernel, Settings

_aten = torch.ops.aten

#: The side that computes each kernel's nodes one by one.
EAGER = "torch"

#: What one kernel is, or the nodes that are left.
_Item = Group | list[Node]


def _run_node(node: Node, values: Values) -> Any:
    def get(value: Any) -> Any:
        return map_arg(value, lambda one: values[one.name])

    return node.target(*get(node.args), **get(node.kwargs))


def _run_nodes(nodes: Iterable[Node], values: Values) -> dict[str, Value]:
    """What nodes make, all of them by name."""
    known = dict(values)
    made = {}
    for node in nodes:
        made[node.name] = known[node.name] = _run_node(node, known)
    return made


def _is_fixed(node: Node) -> bool:
    """Whether a node makes the same of the same in each run."""
    tags = getattr(node.target, "tags", ())
    return node.op == "call_function" and torch.Tag.nondeterministic_seeded not in tags


class _Plan:
    """A module as steps: kernels, and what is left between them."""

    def __init__(self, program: ExportedProgram, inputs: Sequence[Any]) -> None:
        graph = program.graph_module.graph
        split_normalizations(graph)
        fuser = Fuser(graph)
        fuser.run()
        self._groups = {
            group.result: group
            for group in fuser.groups
            if group.node.target == _aten.convolution.default
        }
        self._paths: set[str] = set()
        #: Inputs and parameters, and what depends on parameters alone.
        self.values, left = self._split(program, inputs)
        self.items = self._find_items(left)
        self.steps = [
            self._describe_kernel(item) if isinstance(item, Group) else self._describe_part(item)
            for item in self.items
        ]
        self.texts = {
            number: emit(item) for number, item in enumerate(self.items) if isinstance(item, Group)
        }

    def _split(
        self, program: ExportedProgram, inputs: Sequence[Any]
    ) -> tuple[dict[str, Value], list[Node]]:
        """The values that are known, and the nodes that have to run on each side."""
        values, given = {}, iter(inputs)
        fixed = set()
        for spec in program.graph_signature.input_specs:
            held = program.state_dict.get(spec.target or "")
            held = program.constants.get(spec.target or "") if held is None else held
            if held is not None:
                fixed.add(spec.arg.name)
            values[spec.arg.name] = (next(given) if held is None else held).detach()
        inside = {one for group in self._groups.values() for one in (group.start, *group.members)}
        left = []
        for node in program.graph_module.graph.nodes:
            if node.op in ("placeholder", "output"):
                continue
            if node.op != "call_function":
                raise Error(f"expected a module of ops, but '{node.name}' runs another graph")
            reads_fixed = all(one.name in fixed for one in node.all_input_nodes)
            if reads_fixed and node not in inside and _is_fixed(node):
                values |= _run_nodes([node], values)
                fixed.add(node.name)
            else:
                left.append(node)
        return values, left

    def _find_items(self, nodes: list[Node]) -> list[_Item]:
        inside = {one for group in self._groups.values() for one in (group.start, *group.members)}
        items: list[_Item] = []
        for node in nodes:
            if node in self._groups:
                items.append(self._groups[node])
            elif node not in inside:
                last = items[-1] if items else None
                if isinstance(last, list):
                    last.append(node)
                else:
                    items.append([node])
        return items

    def _find_name(self, node: Node) -> str:
        """Where the module has a convolution, as in `layer1.0.conv`."""
        places = [*node.meta.get("nn_module_stack", {}).values()]
        path = str(places[-1][0]) if places else ""
        if not path or path in self._paths:
            return str(node.name)
        self._paths.add(path)
        return path

    def _describe_kernel(self, group: Group) -> Step:
        nodes = (group.start, *group.members)
        read = dict.fromkeys(one.name for node in nodes for one in node.all_input_nodes)
        names = tuple(node.name for node in nodes)
        inputs = tuple(name for name in read if name not in names)
        return Step(self._find_name(group.node), names, group.ops, inputs, names[-1:], True)

    def _describe_part(self, nodes: list[Node]) -> Step:
        own = set(nodes)
        read = dict.fromkeys(one for node in nodes for one in node.all_input_nodes)
        return Step(
            nodes[0].name,
            tuple(node.name for node in nodes),
            tuple(map(get_op_name, nodes)),
            tuple(one.name for one in read if one not in own),
            tuple(node.name for node in nodes if not own.issuperset(node.users)),
            False,
        )

    def get_nodes(self, number: int) -> list[Node]:
        """The nodes of a step, in order."""
        item = self.items[number]
        return [item.start, *item.members] if isinstance(item, Group) else item


class _Compiled:
    """A side whose kernels are compiled for a target as tools are told it: `cpu:haswell`."""

    is_reference = False

    def __init__(self, label: str, plan: _Plan, threads: int) -> None:
        self.label = label
        self._plan = plan
        target, cpu = split_target(label)
        self._settings = Settings(cpu, threads, target)
        self._functions = Cache()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            self._calls = dict(zip(plan.texts, pool.map(self._make_call, plan.texts)))

    def _make_call(self, number: int) -> Call:
        group, text = self._plan.items[number], self._plan.texts[number]
        assert isinstance(group, Group)
        name = self._plan.steps[number].name
        kernel = Kernel(name, group.ops, f"func.func @kernel{text.code}", self._compile(name, text))
        return Call(kernel, text.operands, text.result, group.convolution.dtype, text.placement)

    def _compile(self, name: str, text: Text) -> Function:
        packed = self._settings.target == "cpu" and text.is_filter_given
        try:
            return self._functions.get(text.code, name, self._settings, packed)
        except Error as error:
            raise type(error)(f"{name} on {self.label}: {error}") from None

    def _read(self, number: int, values: Values) -> list[Any]:
        return [values[node.name] for node in self._plan.texts[number].nodes]

    def compute(self, number: int, values: Values) -> Value:
        """As `Side` says."""
        return self._calls[number](*self._read(number, values))

    def check(self, number: int, values: Values) -> tuple[Judgement, Value]:
        """As `Side` says."""
        result = self.compute(number, values)
        return self.compare(number, values, result), result

    def compare(self, number: int, values: Values, result: Value) -> Judgement:
        """A result of these values beside what the kernel means."""
        try:
            return self._calls[number].compare(self._read(number, values), result)
        except DeviceError:
            raise
        except Error as error:
            return str(error)


class _Eager:
    """A side on which PyTorch computes the nodes of each kernel, one by one. What a
    kernel means, `judge` knows."""

    label = EAGER
    is_reference = True

    def __init__(self, plan: _Plan, judge: _Compiled) -> None:
        self._plan = plan
        self._judge = judge

    def compute(self, number: int, values: Values) -> Value:
        """As `Side` says."""
        nodes = self._plan.get_nodes(number)
        return _run_nodes(nodes, values)[nodes[-1].name]

    def check(self, number: int, values: Values) -> tuple[Judgement, Value]:
        """As `Side` says."""
        result = self.compute(number, values)
        return self._judge.compare(number, values, result), result


_Side = _Compiled | _Eager


def _find_difference(one: Value, other: Value) -> float:
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            return float("inf")
        return max(map(_find_difference, one, other), default=0.0)
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return 0.0 if one == other else float("inf")
    if one.dtype != other.dtype or one.shape != other.shape:
        return float("inf")
    if not one.numel():
        return 0.0
    a, b = _widen(one), _widen(other)
    is_equal = (a == b) | (a.isnan() & b.isnan())
    errors = torch.where(is_equal, 0.0, (a - b).abs())
    return float(errors.nan_to_num(float("inf"), posinf=float("inf")).max())


def _widen(tensor: Any) -> Any:
    """Its numbers in float64."""
    dense = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor.detach()
    real = torch.view_as_real(dense.resolve_conj()) if dense.is_complex() else dense
    return real.cpu().double()


class _Comparison(Comparison[_Side]):
    """Compares two sides of one module."""

    def __init__(self, sides: tuple[_Side, _Side], plan: _Plan, seed: int) -> None:
        super().__init__(sides, plan.steps, plan.values)
        self._plan = plan
        self._seed = seed

    def run_part(self, number: int, values: Values) -> Values:
        """PyTorch computes a part; what is drawn there, both sides draw alike."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self._seed)
            made = _run_nodes(self._plan.get_nodes(number), values)
        return {name: made[name] for name in self._plan.steps[number].outputs}

    def is_same(self, one: Value, other: Value) -> bool:
        """As `Comparison` says. A zero may have another sign only where it is the same
        tensor."""
        return one is other or (_find_difference(one, other) == 0 and _has_same_signs(one, other))

    def find_difference(self, one: Value, other: Value) -> float:
        """As `Comparison` says, for tensors and lists of these."""
        return _find_difference(one, other)

    def find_largest(self, value: Value) -> float:
        """As `Comparison` says; 0 for lists."""
        if not isinstance(value, torch.Tensor):
            return 0.0
        wide = _widen(value).abs()
        wide = wide[wide.isfinite()]
        return float(wide.max()) if wide.numel() else 0.0

    def diverges(self, one: Value, other: Value, kernel: int | None) -> bool:
        """As `Comparison` says, for tensors and lists of these."""
        if not isinstance(one, torch.Tensor) or not one.is_floating_point():
            return _find_difference(one, other) > 0
        if one.shape != other.shape or one.dtype != other.dtype:
            return True
        a, b = _widen(one), _widen(other)
        is_finite = a.isfinite()
        if bool((is_finite != b.isfinite()).any()):
            return True
        largest = self.find_largest(one)
        ends_small = kernel is not None and self._steps[kernel].ops[-1] == "sigmoid"
        unit = max(largest, 1.0) if ends_small else largest
        digits = float(torch.finfo(one.dtype).eps) ** 0.5
        return bool(_find_difference(a[is_finite], b[is_finite]) > digits * unit)


def _has_same_signs(one: Value, other: Value) -> bool:
    if isinstance(one, (list, tuple)):
        return all(map(_has_same_signs, one, other))
    if not isinstance(one, torch.Tensor):
        return True
    return bool(torch.equal(torch.signbit(_widen(one)), torch.signbit(_widen(other))))


def _get_type(module: Any) -> Any:
    """The type of floats that a module computes with."""
    dtypes = [one.dtype for one in module.parameters() if one.is_floating_point()]
    return dtypes[0] if dtypes else torch.float32


def _make_inputs(
    module: Any,
    shapes: Mapping[str, Sequence[int]],
    inputs: Mapping[str, object],
    seed: int,
) -> dict[str, Any]:
    """Tensors by the names of the arguments of `forward`, in their order."""
    for name, value in (("shapes", shapes), ("inputs", inputs)):
        if not isinstance(value, Mapping):
            raise Error(f"expected a dictionary for '{name}', but got {show(value)}")
    known = inspect.signature(module.forward).parameters
    required = [name for name, one in known.items() if one.default is one.empty]
    given = {*shapes, *inputs}
    if not given.issubset(known) or not given.issuperset(required):
        found = ", ".join(sorted(map(str, given))) or "none"
        raise Error(f"expected the inputs {', '.join(known) or 'none'}, but got {found}")
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for name in known:
        if name in inputs:
            tensors[name] = _as_tensor(name, inputs[name])
        elif name in shapes:
            drawn = torch.randn(tuple(shapes[name]), generator=generator, dtype=torch.float64)
            tensors[name] = drawn.to(_get_type(module))
    return tensors


def _as_tensor(name: str, value: object) -> Any:
    try:
        return torch.as_tensor(value)
    except (TypeError, ValueError, RuntimeError):
        raise Error(f"expected a tensor for '{name}', but got {show(value)}") from None


def _export(module: Any, inputs: dict[str, Any]) -> ExportedProgram:
    """The graph of a module in ops of ATen as the backend has them."""
    table = torch.export.default_decompositions()
    for op in torch._decomp.core_aten_decompositions():
        # What is made of others wherever it runs stays in the table.
        if op in table and not op._can_decompose():
            del table[op]
    try:
        return torch.export.export(module, (), inputs).run_decompositions(table)
    except Exception as error:  # of many kinds, which have no base of their own
        raise Error(f"torch.export refuses the module: {get_line(error)}") from None


def _check_sides(a: object, b: object) -> None:
    for name, side in (("a", a), ("b", b)):
        if not isinstance(side, str):
            raise Error(f"expected a target or {EAGER} for '{name}', but got {show(side)}")
        if side == "onnxruntime":
            raise Error(f"expected a target or {EAGER} for '{name}' of a module, but got '{side}'")
    if a == b == EAGER:
        raise Error(f"expected a target for 'a' or 'b', but got {EAGER} twice")


def diff(
    module: Any,
    a: str = EAGER,
    b: str = "cpu",
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    inputs: Mapping[str, object] | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Diff:
    """What `convoy.diff` does for a `torch.nn.Module`."""
    check_number(threads, "threads", 1, MAX_THREADS)
    check_seed(seed)
    _check_sides(a, b)
    if not isinstance(module, torch.nn.Module):
        raise Error(f"expected a torch.nn.Module, but got {show(module)}")
    given = _make_inputs(
        module, {} if shapes is None else shapes, {} if inputs is None else inputs, seed
    )
    with torch.no_grad():
        plan = _Plan(_export(module, given), list(given.values()))
        compiled = {
            side: _Compiled(side, plan, threads) for side in dict.fromkeys((a, b)) if side != EAGER
        }
        judge = next(iter(compiled.values()))
        sides = [compiled.get(side) or _Eager(plan, judge) for side in (a, b)]
        return _Comparison((sides[0], sides[1]), plan, seed).run()
