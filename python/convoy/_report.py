"""Reports: what checks of kernels found."""

import dataclasses
import html

from convoy import _native


def display(value: object) -> None:
    """Shows `value` as a table in a notebook, elsewhere as text."""
    try:
        from IPython.display import display as display_in_notebook
    except ImportError:
        display_in_notebook = print
    display_in_notebook(value)


@dataclasses.dataclass(frozen=True)
class Report:
    """What a check found: a kernel's result beside the reference.

    `verdict` is exact, explained, suspicious or wrong (docs/Numerics.md).
    Ratios are errors in units of the element's bound: up to 1 is right.
    """

    problem: str
    target: str
    verdict: str
    passed: bool
    #: Elements of the result, and how many of them have each verdict.
    elements: int
    exact: int
    suspicious: int
    wrong: int
    #: The largest error/bound, the largest error, and that in units of the last place.
    worst_ratio: float
    max_error: float
    max_ulp: float
    #: The element with the largest error/bound: as text, as the index in the
    #: result's layout, what it is, what it should be, and its bound.
    worst_place: str
    worst_index: tuple[int, ...]
    worst_value: float
    worst_expected: float
    worst_bound: float
    #: Other faults, each a sentence: a guard zone written to, an element left out.
    faults: tuple[str, ...]
    #: What the run took on the device.
    seconds: float
    #: All of it in one line.
    text: str

    def __str__(self) -> str:
        return self.text

    def show(self) -> None:
        """Shows it as a table in a notebook, elsewhere as text."""
        display(self)

    def _repr_html_(self) -> str:
        rows = {
            "problem": self.problem,
            "target": self.target,
            "verdict": self.verdict,
            "elements": f"{self.elements}: {self.exact} exact, "
            f"{self.suspicious} suspicious, {self.wrong} wrong",
            "error/bound": f"{self.worst_ratio:.4f}",
            "max error": f"{self.max_error:.3g}, {self.max_ulp:.3g} ulp",
            "worst element": f"{self.worst_place}: {self.worst_value:.9g}, expected "
            f"{self.worst_expected:.9g} within {self.worst_bound:.3g}",
            "time": f"{self.seconds * 1e3:.3f} ms",
        }
        if self.faults:
            rows["faults"] = "; ".join(self.faults)
        cells = "".join(
            f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows.items()
        )
        return f"<table>{cells}</table>"


def make_report(found: _native.CheckResult, problem: str, target: str) -> Report:
    """What was found when `problem` was checked on `target`."""
    fields = {
        field.name: getattr(found, field.name)
        for field in dataclasses.fields(Report)
        if hasattr(found, field.name) and field.name != "faults"
    }
    text = "; ".join([found.verdict, *(found.faults or [str(found)])])
    return Report(
        problem=problem,
        target=target,
        faults=tuple(found.faults),
        text=text,
        **fields,
    )
