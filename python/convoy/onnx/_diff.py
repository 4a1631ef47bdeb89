"""Runs a network on two sides, step by step, and compares these."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._checks import check_number, check_seed, show
from convoy._native import MAX_THREADS, DeviceError, Error
from convoy._report import Report
from convoy.onnx import _runtime
from convoy.onnx._call import Call, get_difference, get_most_difference
from convoy.onnx._diff_report import Diff, DiffRow, DiffSide
from convoy.onnx._graph import Graph
from convoy.onnx._load import Shapes
from convoy.onnx._model import Model, load
from convoy.onnx._plan import Kernel, Part, Plan
from convoy.onnx._runtime import Runner, Value
from convoy.onnx._session import Session

#: The side that computes each kernel's nodes one by one.
RUNTIME = "onnxruntime"

#: What a step makes, by the names of values.
Values = Mapping[str, Value]

#: A report, or why there is none; None where there is nothing to compare with.
Judgement = Report | str | None


def _compile(model: Model, target: str, threads: int) -> Session:
    """A session for a target as tools are told it: `cpu:haswell`."""
    kind, _, cpu = target.partition(":")
    if kind == "cpu":
        return model.compile(cpu=cpu or "host", threads=threads)
    return model.compile(target=target, threads=threads)


class _Compiled:
    """A side whose kernels are a session's."""

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
            return self._get_call(number).compare(values, result)
        except Error as error:
            return str(error)


class _Reference:
    """A side on which ONNX Runtime computes the nodes of each kernel, one by one.
    What a kernel means, `judge` knows."""

    label = RUNTIME

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


def _is_same(one: Value, other: Value) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    return _find_difference(one, other) == 0


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


def _find_largest(value: Value) -> float:
    """The largest absolute value of an element that is a finite number."""
    array = np.asarray(value) if isinstance(value, np.ndarray) else np.zeros(0)
    if array.dtype.kind not in "biuf":
        return 0.0
    return float(np.abs(array[np.isfinite(array)].astype(np.float64)).max(initial=0))


def _diverges(one: Value, other: Value, kernel: Kernel | None) -> bool:
    """Whether half of the digits of two values, of a kernel or of none, differ."""
    if not isinstance(one, np.ndarray) or one.dtype.kind not in "biuf":
        return _find_difference(one, other) > 0
    if one.shape != other.shape or (np.isfinite(one) != np.isfinite(other)).any():
        return True
    return get_difference(other, one) > get_most_difference(kernel, one)


class _Comparison:
    """Runs the steps of two sides in turns."""

    def __init__(self, sides: tuple[_Side, _Side], session: Session, inputs: Values) -> None:
        self._sides = sides
        self._session = session
        self._values: tuple[dict[str, Value], dict[str, Value]] = ({**inputs}, {**inputs})
        # What both sides have the same bits of.
        self._same = set(inputs)

    def run(self) -> Diff:
        """Compares all steps."""
        rows = [
            self._compare_kernel(number, step)
            if isinstance(step, Kernel)
            else self._compare_part(number, step)
            for number, step in enumerate(self._session.plan.steps)
        ]
        return Diff((self._sides[0].label, self._sides[1].label), tuple(rows))

    def _add(self, name: str, a: Value, b: Value) -> None:
        for values, value in zip(self._values, (a, b)):
            values[name] = value
        if _is_same(a, b):
            self._same.add(name)

    def _compare_part(self, number: int, part: Part) -> DiffRow:
        """ONNX Runtime computes a part on both sides: it adds nothing."""
        runner = self._session.steps[number]
        assert isinstance(runner, Runner)
        results = [runner.run(self._values[0])] * 2
        if not self._same.issuperset(part.inputs):
            results[1] = runner.run(self._values[1])
        a, b = results
        total = 0.0
        for name in part.outputs:
            self._add(name, a[name], b[name])
            total = max(total, _find_difference(a[name], b[name]))
        return DiffRow(
            name=part.nodes[0],
            nodes=part.nodes,
            ops=part.ops,
            introduced=0.0,
            inherited=total,
            total=total,
            largest=max(map(_find_largest, a.values()), default=0.0),
            diverges=any(_diverges(a[name], b[name], None) for name in part.outputs),
            sides=(DiffSide(None, True, a), DiffSide(None, True, b)),
            is_kernel=False,
        )

    def _compute(self, side: int, number: int, name: str) -> Array:
        try:
            return self._sides[side].compute(number, self._values[side])
        except Error as error:
            raise self._place(error, side, name) from None

    def _check(self, side: int, number: int, name: str) -> tuple[Judgement, Array]:
        """A kernel on what side b has."""
        try:
            return self._sides[side].check(number, self._values[1])
        except Error as error:
            raise self._place(error, side, name) from None

    def _place(self, error: Error, side: int, name: str) -> Error:
        kind = DeviceError if isinstance(error, DeviceError) else Error
        return kind(f"{name} on {self._sides[side].label}: {error}")

    def _compare_kernel(self, number: int, kernel: Kernel) -> DiffRow:
        judgement_a, between = self._check(0, number, kernel.name)
        judgement_b, b = self._check(1, number, kernel.name)
        read = {operand.value for operand in kernel.operands[:-1] if operand.value}
        is_same = self._same.issuperset(read)
        a = between if is_same else self._compute(0, number, kernel.name)
        result = kernel.result.value
        self._add(result, a, b)
        agrees = not _diverges(between, b, kernel)
        judgements = judgement_a, judgement_b
        return DiffRow(
            name=kernel.name,
            nodes=kernel.nodes,
            ops=kernel.ops,
            introduced=_find_difference(between, b),
            inherited=_find_difference(a, between),
            total=_find_difference(a, b),
            largest=_find_largest(a),
            diverges=_diverges(a, b, kernel),
            sides=(
                self._make_side(0, judgements, agrees, {result: a}),
                self._make_side(1, judgements, agrees, {result: b}),
            ),
        )

    def _make_side(
        self, side: int, judgements: tuple[Judgement, Judgement], agrees: bool, values: Values
    ) -> DiffSide:
        """A side whose kernel was judged. ONNX Runtime's nodes may round where the
        kernel does not. What nothing judges has to agree with the other side."""
        found, other = judgements[side], judgements[1 - side]
        if isinstance(found, Report):
            is_right = found.passed or (agrees and isinstance(self._sides[side], _Reference))
            return DiffSide(found, is_right, values)
        is_blamed = other.passed if isinstance(other, Report) else side == 1
        return DiffSide(None, agrees or not is_blamed, values, found or "")


def _draw_inputs(graph: Graph, seed: int) -> dict[str, Array]:
    """Numbers for the inputs of a model: those of integers can be indices."""
    generator = np.random.default_rng(seed)
    inputs = {}
    for name, argument in _runtime.describe_inputs(graph).items():
        if argument is None or argument.dtype.kind not in "biuf":
            raise Error(f"expected 'inputs', since '{name}' is no tensor of numbers")
        if argument.dtype.kind == "f":
            drawn: Array = generator.standard_normal(argument.shape)
        else:
            drawn = generator.integers(0, 2, argument.shape)
        inputs[name] = drawn.astype(argument.dtype)
    return inputs


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
    return f"{session.target}{names}"


def _start_side(model: Model, side: object, name: str, threads: int) -> _Compiled | None:
    """A side that is compiled; nothing for ONNX Runtime."""
    if isinstance(side, Session):
        if _describe_steps(side.plan) != _describe_steps(model.plan):
            raise Error(f"expected a session of the model for '{name}', but got one of another")
        return _Compiled(_get_label(side), side)
    if not isinstance(side, str):
        raise Error(f"expected a target or a session for '{name}', but got {show(side)}")
    return None if side == RUNTIME else _Compiled(side, _compile(model, side, threads))


def diff(
    model: str | os.PathLike[str] | onnx.ModelProto,
    a: str | Session = "cpu",
    b: str | Session = "vulkan",
    *,
    shapes: Shapes | None = None,
    inputs: Mapping[str, object] | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Diff:
    """What `convoy.diff` does."""
    check_number(threads, "threads", 1, MAX_THREADS)
    check_seed(seed)
    if a == b == RUNTIME:
        raise Error(f"expected a target or a session for 'a' or 'b', but got {RUNTIME} twice")
    loaded = load(model, shapes=shapes)
    graph = loaded.graph
    drawn = _draw_inputs(graph, seed) if inputs is None else inputs
    values = _runtime.prepare_inputs(drawn, _runtime.describe_inputs(graph))
    compiled = [_start_side(loaded, side, name, threads) for side, name in ((a, "a"), (b, "b"))]
    first = next(side for side in compiled if side)
    sides = [side or _Reference(graph, first, threads) for side in compiled]
    return _Comparison((sides[0], sides[1]), first.session, values).run()
