"""Times of kernels, beside those of other libraries."""

import dataclasses
import html
import json
import math
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from convoy import _native
from convoy._checks import check_number, check_text, show
from convoy._kernel import _parse
from convoy._native import DeviceError, Error
from convoy._report import display

_PROGRAM = "convoy-bench"
#: Of the program where something could be timed, but not all of it, or not right.
_SOME_FAILED = (1, 2)
_NO_DEVICE = 3


@dataclasses.dataclass(frozen=True)
class BenchPeer:
    """What another library made of the same problem in the same run."""

    #: Seconds of its best turn, and of the one in the middle; NaN where it was not timed.
    seconds: float
    median_seconds: float
    #: How many times as fast Convoy's kernel is.
    ratio: float
    #: What the library says that it ran, as in "brgconv:avx512_core".
    implementation: str = ""
    #: Why it was not timed; else empty.
    reason: str = ""


@dataclasses.dataclass(frozen=True)
class BenchCandidate:
    """A register tile, as it was estimated and as it is."""

    tiles: str
    #: The estimate: cycles for a multiply-add of one lane (docs/CostModel.md).
    cycles_per_lane: float
    #: 1e9 multiply-adds, counted as two, a second; NaN where it does not compile.
    gflops: float
    error: str = ""


@dataclasses.dataclass(frozen=True)
class BenchRow:
    """The times of one problem in one number of threads.

    Numbers are NaN where there are none: of a problem with an `error`, and of what
    has no multiply-adds (`gflops`, `peak_fraction`) or has (`bandwidth_fraction`).
    """

    problem: str
    target: str
    threads: int
    #: Seconds of the best turn, and of the one in the middle.
    seconds: float
    median_seconds: float
    #: 1e9 multiply-adds, counted as two, a second, and their part of the measured peak.
    gflops: float
    peak_fraction: float
    #: 1e9 bytes of operands and result a second, and their part of memory's.
    gbs: float
    bandwidth_fraction: float
    compile_seconds: float
    code_bytes: int
    workspace_bytes: int
    peers: Mapping[str, BenchPeer]
    candidates: tuple[BenchCandidate, ...]
    #: Why there are no times, as wrong numbers; else empty.
    error: str
    #: The command that times it again.
    reproduce: str


@dataclasses.dataclass(frozen=True)
class Bench:
    """What `convoy.bench` found: a row for each problem and number of threads."""

    rows: tuple[BenchRow, ...]

    @property
    def ratios(self) -> dict[str, float]:
        """For each peer, the geometric mean of `ratio` over the rows that have one."""
        found: dict[str, list[float]] = {}
        for row in self.rows:
            for name, peer in row.peers.items():
                if peer.ratio > 0:
                    found.setdefault(name, []).append(math.log(peer.ratio))
        return {name: math.exp(sum(logs) / len(logs)) for name, logs in found.items()}

    def _get_table(self) -> list[list[str]]:
        peers = list(dict.fromkeys(name for row in self.rows for name in row.peers))
        head = ["problem", "threads", "ms", "GF/s", "% peak", "GB/s"]
        table = [head + [f"x {name}" for name in peers]]
        for row in self.rows:
            if row.error:
                table.append([row.problem, str(row.threads), row.error])
                continue
            cells = [f"{1e3 * row.seconds:.3f}"]
            cells += [_write(row.gflops, 1), _write(100 * row.peak_fraction, 1), _write(row.gbs, 1)]
            cells += [_write(row.peers[name].ratio, 2) if name in row.peers else "-" for name in peers]
            table.append([row.problem, str(row.threads), *cells])
        return table

    def __str__(self) -> str:
        table = self._get_table()
        full = [line for line in table if len(line) == len(table[0])]
        widths = [max(map(len, column)) for column in zip(*full)]
        widths[0] = max(len(line[0]) for line in table)
        return "\n".join(
            "  ".join(
                cell.ljust(width) if number == 0 else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in table
        )

    def show(self) -> None:
        """Shows it as a table in a notebook, elsewhere as text."""
        display(self)

    def _repr_html_(self) -> str:
        head, *lines = self._get_table()
        rows = ["".join(f"<th>{html.escape(cell)}</th>" for cell in head)]
        for line in lines:
            cells = [f"<td>{html.escape(cell)}</td>" for cell in line]
            if len(line) < len(head):
                span = len(head) - len(line) + 1
                cells[-1] = cells[-1].replace("<td>", f'<td colspan="{span}">')
            rows.append("".join(cells))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _write(number: float, digits: int) -> str:
    return "-" if math.isnan(number) else f"{number:.{digits}f}"


def _check_threads(threads: object) -> list[int]:
    given = list(threads) if isinstance(threads, (list, tuple)) else [threads]
    if not given:
        raise Error("expected a number of threads for 'threads', but got none")
    return [check_number(count, "threads", 1, _native.MAX_THREADS) for count in given]


def bench(
    problem: str | Sequence[str],
    *,
    target: str = "cpu",
    cpu: str = "host",
    layouts: str | None = None,
    direction: str | None = None,
    type: str | None = None,
    threads: int | Sequence[int] = 1,
    tile: str | None = None,
    precision: str = "normal",
    algorithm: str = "direct",
    peers: Sequence[str] = (),
    candidates: int = 1,
    repetitions: int = 20,
) -> Bench:
    """Times problems, each beside other libraries, by the program `convoy-bench`:
    contestants take turns in a process of their own, and the best turn of each counts
    (docs/Benchmarking.md).

    - `problem`: one line, or several, as for `convoy.compile`.
    - `target`: cpu, vulkan or one device of that, as in "vulkan:1".
    - `cpu`, `layouts`, `direction`, `type`, `tile`, `precision`, `algorithm`: as for
      `convoy.compile`.
    - `threads`: of the CPU; of several, each number is timed.
    - `peers`: "onednn" in the layouts that it likes best, "onednn-plain" in the
      problem's.
    - `candidates`: times the N register tiles that are estimated to be fastest.
    - `repetitions`: turns of each.

    Raises `convoy.Error` for what is no problem and where nothing could be timed, and
    `convoy.DeviceError` where there is no such device. A problem among several that
    cannot be timed, or is wrong, has its reason in `error` of its row.
    """
    lines = list(problem) if isinstance(problem, (list, tuple)) else [problem]
    if not lines:
        raise Error("expected a problem for 'problem', but got none")
    problems = [str(_parse(line, layouts, direction, type)) for line in lines]
    counts = _check_threads(threads)
    if not isinstance(peers, (list, tuple)):
        raise Error(f"expected a list for 'peers', but got {show(peers)}")
    names = [check_text(name, "peers") for name in peers]
    flags = [
        f"--target={check_text(target, 'target')}",
        f"--precision={check_text(precision, 'precision')}",
        f"--peers={','.join(names) or 'none'}",
        f"--repetitions={check_number(repetitions, 'repetitions', 1, 100000)}",
    ]
    if check_number(candidates, "candidates", 1, 1000) > 1:
        flags.append(f"--candidates={candidates}")
    if check_text(algorithm, "algorithm") != "direct":
        flags.append(f"--algorithm={algorithm}")
    if check_text(cpu, "cpu") != "host":
        flags.append(f"--cpu={cpu}")
    if target == "cpu":
        flags.append(f"--threads={','.join(map(str, counts))}")
    if tile is not None:
        flags.append(f"--tile={check_text(tile, 'tile')}")
    return _make_bench(_run(problems, flags))


def _find_program() -> str:
    """The program: beside the package, as pip and builds have it, else on the PATH."""
    package = pathlib.Path(__file__).parent
    for folder in (package.parent / "convoy_tools" / "bin", package.parent.parent / "bin"):
        if (folder / _PROGRAM).is_file():
            return str(folder / _PROGRAM)
    if found := shutil.which(_PROGRAM):
        return found
    raise Error(f"expected the program '{_PROGRAM}' beside the package or on the PATH")


def _run(problems: list[str], flags: list[str]) -> dict[str, Any]:
    """What the program says of `problems`."""
    with tempfile.TemporaryDirectory(prefix="convoy-bench-") as folder:
        path = pathlib.Path(folder) / "problems.txt"
        path.write_text("".join(f"{line}\n" for line in problems))
        # What is interrupted kills the program.
        found = subprocess.run(
            [_find_program(), f"@{path}", *flags, "--quiet", "--json=-"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if found.stdout and found.returncode in (0, *_SOME_FAILED):
        document: dict[str, Any] = json.loads(found.stdout)
        return document
    said = found.stderr.strip().splitlines() or [f"ended with {found.returncode}"]
    text = said[-1].removeprefix(f"{_PROGRAM}: ")
    raise (DeviceError if found.returncode == _NO_DEVICE else Error)(text)


def _make_bench(document: dict[str, Any]) -> Bench:
    runs = {run["name"]: run for run in document["benchmarks"]}
    rows = tuple(_make_row(case, runs) for case in document["cases"])
    if all(row.error for row in rows):
        raise Error(f"{rows[0].problem}: {rows[0].error}")
    return Bench(rows)


def _make_row(case: dict[str, Any], runs: dict[str, dict[str, Any]]) -> BenchRow:
    def get_times(contestant: str) -> tuple[float, float, str]:
        run = runs.get(f"{case['problem']}/{contestant}/threads:{case['threads']}", {})
        micro = 1e-6
        return (
            run.get("real_time", math.nan) * micro,
            run.get("median_us", math.nan) * micro,
            run.get("label", ""),
        )

    def make_peer(name: str) -> BenchPeer:
        seconds, median, implementation = get_times(name)
        ratio = case.get("ratio", {}).get(name, math.nan)
        return BenchPeer(seconds, median, ratio, implementation, case["peer_reason"].get(name, ""))

    seconds, median, _ = get_times("convoy")
    names = [*case.get("ratio", {}), *case.get("peer_reason", {})]
    return BenchRow(
        problem=case["problem"],
        target=case["target"],
        threads=case["threads"],
        seconds=seconds,
        median_seconds=median,
        gflops=case.get("gflops", math.nan),
        peak_fraction=case.get("peak_fraction", math.nan),
        gbs=case.get("gbs", math.nan),
        bandwidth_fraction=case.get("bandwidth_fraction", math.nan),
        compile_seconds=1e-3 * case.get("compile_ms", math.nan),
        code_bytes=case.get("code_bytes", 0),
        workspace_bytes=case.get("workspace_bytes", 0),
        peers={name: make_peer(name) for name in names},
        candidates=tuple(
            BenchCandidate(
                tiles=candidate["tiles"],
                cycles_per_lane=candidate["cycles_per_lane"],
                gflops=candidate.get("gflops", math.nan),
                error=candidate.get("error", ""),
            )
            for candidate in case.get("candidates", [])
        ),
        error=case.get("error", ""),
        reproduce=case["reproduce"],
    )
