"""Runs a network on two sides in turns: what models of ONNX and modules of PyTorch have
in common there."""

import abc
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from convoy._diff_report import Diff, DiffRow, DiffSide, Value
from convoy._native import DeviceError, Error
from convoy._report import Report

#: What was computed, by the names of values.
Values = Mapping[str, Value]

#: A report, or why there is none; None where there is nothing to compare with.
Judgement = Report | str | None


@dataclasses.dataclass(frozen=True)
class Step:
    """A kernel, which has one output, or what is left."""

    name: str
    nodes: tuple[str, ...]
    ops: tuple[str, ...]
    #: The values that it reads, and those of its own that others read.
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    is_kernel: bool


class Side(Protocol):
    """What computes kernels."""

    label: str
    #: Whether it computes the nodes of a kernel one by one, and not what the kernel means.
    is_reference: bool

    def compute(self, number: int, values: Values) -> Value:
        """What kernel `number` of the steps makes of values."""

    def check(self, number: int, values: Values) -> tuple[Judgement, Value]:
        """The same, and how it compares with what the kernel means."""


AnySide = TypeVar("AnySide", bound=Side)


class Comparison(abc.ABC, Generic[AnySide]):
    """Runs the steps of two sides in turns, which start with the same inputs."""

    def __init__(
        self, sides: tuple[AnySide, AnySide], steps: Sequence[Step], inputs: Values
    ) -> None:
        self._sides = sides
        self._steps = steps
        self._values: tuple[dict[str, Value], dict[str, Value]] = ({**inputs}, {**inputs})
        # What both sides have the same bits of.
        self._same = set(inputs)

    @abc.abstractmethod
    def run_part(self, number: int, values: Values) -> Values:
        """The outputs of a step that is left, which is the same on both sides."""

    @abc.abstractmethod
    def is_same(self, one: Value, other: Value) -> bool:
        """Whether two values have the same bits."""

    @abc.abstractmethod
    def find_difference(self, one: Value, other: Value) -> float:
        """The largest difference of two elements at one place; infinite where the values
        are of other shapes, or one is no number."""

    @abc.abstractmethod
    def find_largest(self, value: Value) -> float:
        """The largest absolute value of an element that is a finite number."""

    @abc.abstractmethod
    def diverges(self, one: Value, other: Value, kernel: int | None) -> bool:
        """Whether half of the digits of two values, of a kernel or of none, differ."""

    def run(self) -> Diff:
        """Compares all steps."""
        rows = [
            self._compare_kernel(number, step)
            if step.is_kernel
            else self._compare_part(number, step)
            for number, step in enumerate(self._steps)
        ]
        return Diff((self._sides[0].label, self._sides[1].label), tuple(rows))

    @property
    def values(self) -> tuple[Values, Values]:
        """What each side computed, after `run`."""
        return self._values

    def _add(self, name: str, a: Value, b: Value) -> None:
        for values, value in zip(self._values, (a, b)):
            values[name] = value
        if self.is_same(a, b):
            self._same.add(name)

    def _compare_part(self, number: int, part: Step) -> DiffRow:
        """What is left is computed in one way on both sides: it adds nothing."""
        results = [self.run_part(number, self._values[0])] * 2
        if not self._same.issuperset(part.inputs):
            results[1] = self.run_part(number, self._values[1])
        a, b = results
        total = 0.0
        for name in part.outputs:
            self._add(name, a[name], b[name])
            total = max(total, self.find_difference(a[name], b[name]))
        return DiffRow(
            name=part.name,
            nodes=part.nodes,
            ops=part.ops,
            introduced=0.0,
            inherited=total,
            total=total,
            largest=max(map(self.find_largest, a.values()), default=0.0),
            diverges=any(self.diverges(a[name], b[name], None) for name in part.outputs),
            sides=(DiffSide(None, True, a), DiffSide(None, True, b)),
            is_kernel=False,
        )

    def _compute(self, side: int, number: int, name: str) -> Value:
        try:
            return self._sides[side].compute(number, self._values[side])
        except Error as error:
            raise self._place(error, side, name) from None

    def _check(self, side: int, number: int, name: str) -> tuple[Judgement, Value]:
        """A kernel on what side b has."""
        try:
            return self._sides[side].check(number, self._values[1])
        except Error as error:
            raise self._place(error, side, name) from None

    def _place(self, error: Error, side: int, name: str) -> Error:
        kind = DeviceError if isinstance(error, DeviceError) else Error
        return kind(f"{name} on {self._sides[side].label}: {error}")

    def _compare_kernel(self, number: int, kernel: Step) -> DiffRow:
        judgement_a, between = self._check(0, number, kernel.name)
        judgement_b, b = self._check(1, number, kernel.name)
        is_same = self._same.issuperset(kernel.inputs)
        a = between if is_same else self._compute(0, number, kernel.name)
        (result,) = kernel.outputs
        self._add(result, a, b)
        agrees = not self.diverges(between, b, number)
        judgements = judgement_a, judgement_b
        return DiffRow(
            name=kernel.name,
            nodes=kernel.nodes,
            ops=kernel.ops,
            introduced=self.find_difference(between, b),
            inherited=self.find_difference(a, between),
            total=self.find_difference(a, b),
            largest=self.find_largest(a),
            diverges=self.diverges(a, b, number),
            sides=(
                self._make_side(0, judgements, agrees, {result: a}),
                self._make_side(1, judgements, agrees, {result: b}),
            ),
        )

    def _make_side(
        self, side: int, judgements: tuple[Judgement, Judgement], agrees: bool, values: Values
    ) -> DiffSide:
        """A side whose kernel was judged. Nodes may round where the kernel does not. What
        nothing judges has to agree with the other side."""
        found, other = judgements[side], judgements[1 - side]
        if isinstance(found, Report):
            is_right = found.passed or (agrees and self._sides[side].is_reference)
            return DiffSide(found, is_right, values)
        is_blamed = other.passed if isinstance(other, Report) else side == 1
        return DiffSide(None, agrees or not is_blamed, values, found or "")
