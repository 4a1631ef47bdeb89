"""Runs a network on two sides, step by step, and compares these."""

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._checks import check_number, check_seed, show, split_target
from convoy._comparison import Comparison, Judgement, Step, Values
from convoy._diff_report import Diff, Value
from convoy._native import MAX_THREADS, DeviceError, Error
from convoy.onnx import _runtime
from convoy.onnx._call import Call, get_difference, get_most_difference
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Kernel, Part
from convoy.onnx._load import Shapes
from convoy.onnx._model import Model, load
from convoy.onnx._plan import Plan
from convoy.onnx._runtime import Runner
from convoy.onnx._session import Session
from convoy.onnx._trace import Trace

#: The side that computes each kernel's nodes one by one.
RUNTIME = "onnxruntime"


class _Compiled:
    """A side whose kernels are a session's."""

    is_reference = False

    def __init__(self, label: str, session: Session) -> None:
        self.label = label
        self.session = session

    def _get_call(self, number: int) -> Call:
        call = self.session.steps[number]
        assert isinstance(call, Call)
        return call

    def compute(self, number: int, values: Values) -> Array:
        """What kernel `number` of the steps makes of values that lie as ONNX has them."""
        return self._get_call(number).compute(values)

    def check(self, number: int, values: Values) -> tuple[Judgement, Array]:
        """The same, and how it compares with what the kernel means."""
        call = self._get_call(number)
        try:
            return call.check_result(values)
        except DeviceError:
            raise
        except Error as error:
            return str(error), call.compute(values)

    def compare(self, number: int, values: Values, result: Array) -> Judgement:
        """What ONNX Runtime made of the values beside what the kernel means."""
        try:
            call = self._get_call(number)
            return call.compare(call.interpret(values), result)
        except Error as error:
            return str(error)


class _Reference:
    """A side on which ONNX Runtime computes the nodes of each kernel, one by one.
    What a kernel means, `judge` knows."""

    label = RUNTIME
    is_reference = True

    def __init__(self, graph: Graph, judge: _Compiled, threads: int) -> None:
        self._judge = judge
        self._runners: dict[int, Runner] = {}
        for number, step in enumerate(judge.session.plan.steps):
            if isinstance(step, Kernel):
                read = list(dict.fromkeys(one.value for one in step.operands[:-1] if one.value))
                result = step.result.value
                nodes = _runtime.find_nodes(graph, read, result)
                model = _runtime.make_reference(graph, read, [result], nodes)
                self._runners[number] = Runner(model, threads, is_plain=True)

    def compute(self, number: int, values: Values) -> Array:
        """The result of kernel `number` of the steps."""
        (result,) = self._runners[number].run(values).values()
        array: Array = result
        return array

    def check(self, number: int, values: Values) -> tuple[Judgement, Array]:
        """The same, and how it compares with what the kernel means, where no node is
        in its filter."""
        result = self.compute(number, values)
        return self._judge.compare(number, values, result), result


_Side = _Compiled | _Reference


def _find_difference(one: Value, other: Value) -> float:
    """The largest difference of two elements at one place; infinite where the values
    are of other shapes, or one is no number."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            return np.inf
        return max(map(_find_difference, one, other), default=0.0)
    a, b = np.asarray(one), np.asarray(other)
    if a.dtype != b.dtype or a.shape != b.shape:
        return np.inf
    if a.dtype.kind not in "biuf":
        return 0.0 if bool((a == b).all()) else np.inf
    a, b = a.astype(np.float64), b.astype(np.float64)
    is_equal = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        errors = np.where(is_equal, 0.0, np.abs(a - b))
    return float(np.nan_to_num(errors, nan=np.inf, posinf=np.inf).max(initial=0))


def _describe(step: Kernel | Part) -> Step:
    if isinstance(step, Part):
        return Step(step.nodes[0], step.nodes, step.ops, step.inputs, step.outputs, False)
    read = dict.fromkeys(one.value for one in step.operands[:-1] if one.value)
    return Step(step.name, step.nodes, step.ops, tuple(read), (step.result.value,), True)


class _Comparison(Comparison[_Side]):
    """Compares two sides of one model; `session` has its steps."""

    def __init__(self, sides: tuple[_Side, _Side], session: Session, inputs: Values) -> None:
        super().__init__(sides, [_describe(step) for step in session.plan.steps], inputs)
        self._session = session

    def run_part(self, number: int, values: Values) -> Values:
        """ONNX Runtime computes a part."""
        runner = self._session.steps[number]
        assert isinstance(runner, Runner)
        return runner.run(values)

    def is_same(self, one: Value, other: Value) -> bool:
        """As `Comparison` says, for arrays and lists of these."""
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            return one.tobytes() == other.tobytes()
        return _find_difference(one, other) == 0

    def find_difference(self, one: Value, other: Value) -> float:
        """As `Comparison` says, for arrays and lists of these."""
        return _find_difference(one, other)

    def find_largest(self, value: Value) -> float:
        """As `Comparison` says; 0 for lists."""
        array = np.asarray(value) if isinstance(value, np.ndarray) else np.zeros(0)
        if array.dtype.kind not in "biuf":
            return 0.0
        return float(np.abs(array[np.isfinite(array)].astype(np.float64)).max(initial=0))

    def diverges(self, one: Value, other: Value, kernel: int | None) -> bool:
        """As `Comparison` says, for arrays and lists of these."""
        if not isinstance(one, np.ndarray) or one.dtype.kind not in "biuf":
            return _find_difference(one, other) > 0
        if one.shape != other.shape or (np.isfinite(one) != np.isfinite(other)).any():
            return True
        step = None if kernel is None else self._session.plan.steps[kernel]
        assert not isinstance(step, Part)
        return get_difference(other, one) > get_most_difference(step, one)


def _describe_steps(plan: Plan) -> list[Any]:
    """What sessions of one model have in common."""
    return [
        (step.name, step.shape, [one.value for one in step.operands])
        if isinstance(step, Kernel)
        else (step.inputs, step.outputs)
        for step in plan.steps
    ]


def _get_label(session: Session) -> str:
    replaced = session.replaced
    names = f" with {', '.join(replaced)} replaced" if replaced else ""
    algorithm = "" if session.algorithm == "direct" else f", algorithm {session.algorithm}"
    return f"{session.target}{algorithm}{names}"


def _start_side(model: Model, side: object, name: str, threads: int) -> _Compiled | None:
    """A side that is compiled; nothing for ONNX Runtime."""
    if isinstance(side, Session):
        if side.plan.joins != model.plan.joins:
            raise Error(
                f"expected a session for '{name}' of a model that was loaded with joins=True, "
                "as the other was"
            )
        if _describe_steps(side.plan) != _describe_steps(model.plan):
            raise Error(f"expected a session of the model for '{name}', but got one of another")
        return _Compiled(_get_label(side), side)
    if not isinstance(side, str):
        raise Error(f"expected a target or a session for '{name}', but got {show(side)}")
    if side == RUNTIME:
        return None
    target, cpu = split_target(side)
    return _Compiled(side, model.compile(target=target, cpu=cpu, threads=threads))


def _get_shapes(inputs: Mapping[str, object] | None) -> Shapes:
    """Those of arrays, for inputs whose sizes a model leaves free."""
    return {name: getattr(x, "shape") for name, x in (inputs or {}).items() if hasattr(x, "shape")}


def diff(
    model: str | os.PathLike[str] | onnx.ModelProto,
    a: str | Session = "cpu",
    b: str | Session = "vulkan",
    *,
    shapes: Shapes | None = None,
    inputs: Mapping[str, object] | None = None,
    seed: int = 0,
    threads: int = 1,
    trace: Sequence[str] = (),
) -> Diff:
    """What `convoy.diff` does. `trace` names values as `Session.trace` takes them, which
    are then in the `traces` of what is found."""
    check_number(threads, "threads", 1, MAX_THREADS)
    if a == b == RUNTIME:
        raise Error(f"expected a target or a session for 'a' or 'b', but got {RUNTIME} twice")
    check_seed(seed)
    # Sessions are of the plan that they were made of; else each value is compared.
    joins = any(isinstance(side, Session) and side.plan.joins for side in (a, b))
    loaded = load(model, shapes=_get_shapes(inputs) if shapes is None else shapes, joins=joins)
    graph = loaded.graph
    drawn = loaded.generate(seed) if inputs is None else inputs
    values = _runtime.prepare_inputs(drawn, _runtime.describe_inputs(graph))
    compiled = [_start_side(loaded, side, name, threads) for side, name in ((a, "a"), (b, "b"))]
    first = next(side for side in compiled if side)
    sides = [side or _Reference(graph, first, threads) for side in compiled]
    traced = Trace(graph, first.session.plan, trace, threads)
    comparison = _Comparison((sides[0], sides[1]), first.session, values)
    found = comparison.run()
    a_values, b_values = map(traced.find, comparison.values)
    return dataclasses.replace(found, traces=(a_values, b_values))
