"""What a comparison of two sides of a network found."""

import dataclasses
import html
import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from convoy import _native
from convoy._checks import check_path
from convoy._report import Report

#: What a network computes: arrays or tensors, or lists of these.
Value = Any

_HEAD = ("step", "introduced", "inherited", "total", "largest", "a", "b")


@dataclasses.dataclass(frozen=True)
class DiffSide:
    """What one side made of a step."""

    #: The kernel on what side b read, beside what it means; None for what is left to
    #: ONNX Runtime or PyTorch, and for ONNX Runtime where nodes are in a kernel's filter.
    report: Report | None
    #: Whether the numbers are right for what was read.
    is_right: bool
    #: What the side computed of its own inputs, by the names of values in the model.
    values: Mapping[str, Value]
    #: Why there is no report where one was wanted; else empty.
    refusal: str = ""


@dataclasses.dataclass(frozen=True)
class DiffRow:
    """One step of a network: a kernel, or what is left to ONNX Runtime or PyTorch.

    With x and y what sides a and b computed before, these are the largest differences
    of an element.
    """

    #: The kernel's name, or the first node's.
    name: str
    nodes: tuple[str, ...]
    ops: tuple[str, ...]
    #: b(y) - a(y): what the step adds. Both sides are fed the same.
    introduced: float
    #: a(y) - a(x): what the inputs bring.
    inherited: float
    #: b(y) - a(x): what a user sees.
    total: float
    #: The largest element of a(x).
    largest: float
    #: Whether half of the digits of the largest element differ in total; of integers,
    #: whether they are others than roundings explain.
    diverges: bool
    sides: tuple[DiffSide, DiffSide]
    #: Whether the step is compiled, and not left.
    is_kernel: bool = True

    @property
    def is_right(self) -> bool:
        """Whether both sides are right for what they read."""
        return all(side.is_right for side in self.sides)

    @property
    def title(self) -> str:
        """The name, and how many nodes are left."""
        if self.is_kernel:
            return self.name
        count = f", {len(self.nodes)} nodes" if len(self.nodes) > 1 else ""
        return f"{self.name} (left{count})"

    def to_json(self) -> dict[str, Any]:
        """What `Diff.to_json` has of the step."""
        return {
            "name": self.name,
            "nodes": list(self.nodes),
            "ops": ", ".join(self.ops),
            "introduced": _as_json(self.introduced),
            "inherited": _as_json(self.inherited),
            "total": _as_json(self.total),
            "largest": _as_json(self.largest),
            "diverges": self.diverges,
            "sides": [_describe_side(side) for side in self.sides],
        }


def _as_json(number: float) -> float | None:
    """JSON has no infinities and no NaN: null."""
    return number if math.isfinite(number) else None


def _describe_side(side: DiffSide) -> dict[str, Any]:
    described: dict[str, Any] = {"right": side.is_right}
    if side.refusal:
        described["refusal"] = side.refusal
    if report := side.report:
        described |= {
            "verdict": report.verdict,
            "ratio": _as_json(report.worst_ratio),
            "elements": report.elements,
            "wrong": report.wrong,
            "faults": list(report.faults),
        }
        if report.wrong:
            described["worst"] = report.worst_place
    return described


def _show_ratio(side: DiffSide) -> str:
    """Error over bound, or `-` where nothing was compared."""
    if side.report is None:
        return "-" if side.is_right else "wrong"
    return "fault" if side.report.faults else f"{side.report.worst_ratio:.3g}"


@dataclasses.dataclass(frozen=True)
class Diff:
    """What `convoy.diff` found. Printed, it is a table with a row for each step, and
    two sentences that say where to look."""

    #: What the sides are called.
    sides: tuple[str, str]
    rows: tuple[DiffRow, ...]
    #: What each side computed of the values that were asked for by `trace`, by name.
    traces: tuple[Mapping[str, Value], Mapping[str, Value]] = ({}, {})

    @property
    def first_wrong(self) -> DiffRow | None:
        """The first step that a side computes outside its bound, which what it reads
        does not explain: where to look."""
        return next((row for row in self.rows if not row.is_right), None)

    @property
    def first_diverging(self) -> DiffRow | None:
        """The first step whose values on the two sides have half of their digits in
        common at most, whether they are wrong or come of what is."""
        return next((row for row in self.rows if row.diverges), None)

    @property
    def passed(self) -> bool:
        """Whether no step is wrong."""
        return self.first_wrong is None

    def _find_side(self, row: DiffRow) -> int:
        """The side that computes a step wrong."""
        return 0 if not row.sides[0].is_right else 1

    def _show_wrong(self) -> list[str]:
        row = self.first_wrong
        if row is None:
            return ["first step outside its bound: none"]
        number = self._find_side(row)
        report = row.sides[number].report
        lines = [f"first step outside its bound: {row.name} ({self.sides[number]})"]
        if report:
            return [*lines, f"    {report.text}"]
        is_judged = row.sides[1 - number].report is not None
        reason = ", which computes what its IR says" if is_judged else ""
        return [*lines, f"    differs by {row.introduced:.3g} from the other side{reason}"]

    def _show_refusals(self) -> list[str]:
        refusals = [side.refusal for row in self.rows for side in row.sides if side.refusal]
        count = sum(any(side.refusal for side in row.sides) for row in self.rows)
        return [f"not compared with bounds: {count} steps: {refusals[0]}"] if refusals else []

    def _show(self) -> list[str]:
        """What stands below the table."""
        return [*self._show_refusals(), *self._show_wrong(), self._show_diverging()]

    def _show_diverging(self) -> str:
        row = self.first_diverging
        if row is None:
            return "first step with half of its digits lost: none"
        cause = "introduced" if row.introduced >= row.inherited else "inherited"
        return f"first step with half of its digits lost: {row.name} ({cause})"

    def _make_cells(self) -> list[tuple[str, ...]]:
        return [
            (
                row.title,
                *(f"{x:.3g}" for x in (row.introduced, row.inherited, row.total, row.largest)),
                *map(_show_ratio, row.sides),
            )
            for row in self.rows
        ]

    def __str__(self) -> str:
        table = [_HEAD, *self._make_cells()]
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = [f"a: {self.sides[0]}, b: {self.sides[1]}"]
        for first, *others in table:
            cells = [first.ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(others, widths[1:])]
            lines.append("  ".join(cells))
        return "\n".join([*lines, *self._show()])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in _HEAD)
        rows = ""
        for row, cells in zip(self.rows, self._make_cells()):
            mark = "" if row.is_right else ' style="color: red"'
            rows += f"<tr{mark}>" + "".join(f"<td>{html.escape(x)}</td>" for x in cells) + "</tr>"
        found = "<br>".join(map(html.escape, self._show()))
        names = html.escape(f"a: {self.sides[0]}, b: {self.sides[1]}")
        return f"<p>{names}</p><table><tr>{head}</tr>{rows}</table><p>{found}</p>"

    def to_json(self) -> dict[str, Any]:
        """All but the values, as JSON has it: docs/Onnx.md describes it."""
        wrong, diverging = self.first_wrong, self.first_diverging
        return {
            "sides": list(self.sides),
            "steps": [row.to_json() for row in self.rows],
            "first_wrong": wrong
            and {"step": wrong.name, "side": self.sides[self._find_side(wrong)]},
            "first_diverging": diverging and {"step": diverging.name},
        }

    def _summarize(self, side: int) -> dict[str, Any]:
        reports = [row.sides[side].report for row in self.rows if row.is_kernel]
        verdicts = [report.verdict for report in reports if report]
        names = ("exact", "explained", "suspicious", "wrong")
        summary: dict[str, Any] = {"kernels": len(reports)}
        summary |= {name: verdicts.count(name) for name in names}
        wrong = next((row for row in self.rows if not row.sides[side].is_right), None)
        return summary | ({"first_wrong": wrong.name} if wrong else {})

    def save_html(
        self, path: str | os.PathLike[str], *, command: Sequence[str] = ("convoy.diff",)
    ) -> None:
        """Writes a page for a browser, which needs nothing but itself: docs/Reports.md.

        Raises `convoy.Error` where this build has no reports, or the file cannot be
        written.
        """
        summary = {
            f"{name}: {self.sides[side]}": self._summarize(side)
            for side, name in enumerate(("a", "b"))
        }
        document = json.dumps(self.to_json() | {"summary": summary})
        _native.write_diff_page(list(command), document, check_path(path, "path"))
