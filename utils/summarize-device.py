#!/usr/bin/env python3
"""Prints the section of docs/Benchmarks.md that tells of a GPU.

usage: summarize-device.py RESULTS [PAGE]

RESULTS is the folder that `run` of scripts/device-bundle has written: device.json,
version.txt, check-PROBLEMS-TYPE.json of convoy-run and time-NETWORK-TYPE-BATCH.json
of convoy-bench. Means are geometric. With PAGE, docs/Benchmarks.md, nothing is
printed: the section goes there, in the place of the one of the same device, or behind
those of other GPUs. Needs nothing but Python.
"""

import datetime
import json
import pathlib
import sys

from bench_cases import (
    DIRECTIONS,
    Case,
    grouped,
    is_of_gpu,
    mean,
    ratios,
    split_sections,
    table,
    two,
)

NOTE = """\
By `scripts/device-bundle`. Times are the device's own, from timestamps around the
runs of a turn, the best of 10 turns (fewer where 10 take half a second). Runs go
through copies of operands and results of 256 MiB together, so that caches hold none.
"""
PEER = """\
cuDNN's times are those of CUDA's events in the same turns, on as many copies: {label}.
i8 is compared with its f16. Ratios are of layers that both ran.
"""


def three(number):
    """With three digits, or all those before the point."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def read(path):
    """What is in a JSON file, or nothing where a step left none, or half of one."""
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        return {}


def describe(results):
    summaries = read(results / "device.json").get("summary", {}).values()
    names = [summary["device"] for summary in summaries if "device" in summary]
    return names[0] if names else "a device without a name"


def checks(results):
    """How many cases of each set and type were right, and why others were not."""
    rows, reasons = [], {}
    for path in sorted(results.glob("check-*.json")):
        problems, kind = path.stem.removeprefix("check-").rsplit("-", 1)
        document = read(path)
        total = {"cases": 0, "passed": 0, "wrong": 0, "worst_ratio": 0.0}
        for summary in document.get("summary", {}).values():
            for key in ("cases", "passed", "wrong"):
                total[key] += summary.get(key, 0)
            total["worst_ratio"] = max(total["worst_ratio"], summary.get("worst_ratio") or 0.0)
        unfinished = "" if document else " (the step did not end)"
        rows.append([problems + unfinished, kind, *total.values()])
        for case in document.get("cases", []):
            for fault in case.get("faults", []):
                reasons.setdefault(fault, case["case"])
    if not rows:
        return ""
    text = table(["problems", "type", "cases", "passed", "wrong", "worst error/bound"], rows)
    if reasons:
        faults = [[fault.replace("|", "\\|"), f"`{case}`"] for fault, case in reasons.items()]
        text += "\n" + table(["what was not passed", "the first such case"], faults)
    return "### Checked\n" + text


def beside(cases):
    """How fast cuDNN was, and how many times as fast ours is: mean and least."""
    speeds = [case.speeds["cuDNN"] for case in cases if case.speed]
    found = ratios(cases, "cuDNN")
    if not found:
        return ["", "", "", ""]
    least = min((case for case in cases if case.ratio("cuDNN")), key=lambda one: one.ratio("cuDNN"))
    return [
        f"{len(found)}",
        three(mean(speeds)),
        two(mean(found)),
        f"{two(least.ratio('cuDNN'))} ({least.name})",
    ]


def label_of_cudnn(results):
    """What cuDNN's runs say of it, without the type, or nothing."""
    for path in sorted(results.glob("time-*.json")):
        for run in read(path).get("benchmarks", []):
            if "/cudnn/" in run.get("name", ""):
                return run.get("label", "").rsplit(",", 2)[0]
    return None


def reasons(results):
    """Why layers were not timed by cuDNN, and how many."""
    counts = {}
    for path in sorted(results.glob("time-*.json")):
        for case in read(path).get("cases", []):
            if "error" not in case and (reason := case.get("peer_reason", {}).get("cudnn")):
                counts[reason] = counts.get(reason, 0) + 1
    if not counts:
        return ""
    rows = [[reason.replace("|", "\\|"), count] for reason, count in counts.items()]
    return "\n" + table(["why cuDNN was not timed", "layers"], rows)


def times(results):
    """The speed of each network in each type, batch and direction."""
    rows = []
    label = label_of_cudnn(results)
    for path in sorted(results.glob("time-*.json")):
        network, kind, batch = path.stem.removeprefix("time-").rsplit("-", 2)
        cases = [Case(network, case) for case in read(path).get("cases", [])]
        for direction, group in grouped(cases, lambda case: case.direction).items():
            timed = [case for case in group if case.speed]
            row = [network, kind, batch, DIRECTIONS[direction], f"{len(timed)} of {len(group)}"]
            if timed:
                least = min(timed, key=lambda case: case.speed)
                most = max(timed, key=lambda case: case.speed)
                row += [
                    three(mean(case.speed for case in timed)),
                    f"{three(least.speed)} ({least.name})",
                    f"{three(most.speed)} ({most.name})",
                ]
            else:
                row += ["", "", ""]
            rows.append(row + (beside(group) if label else []))
    if not rows:
        return ""
    header = ["network", "type", "batch", "direction", "timed", "GF/s", "least", "most"]
    note = ""
    if label:
        header += ["cuDNN's", "GF/s", "ratio", "least"]
        note = PEER.format(label=label) + "\n"
    return "### Timed: nhwc with hwcf\n" + note + table(header, rows) + reasons(results)


def insert(section, page):
    """Puts a section into a page."""
    sections = split_sections(page.read_text())
    heading = section.splitlines()[0]
    same = [number for number, one in enumerate(sections) if one.splitlines()[:1] == [heading]]
    others = [number for number, one in enumerate(sections) if is_of_gpu(one)]
    if same:
        sections[same[0]] = section
    else:
        sections.insert(others[-1] + 1 if others else len(sections), section)
    page.write_text("".join(one.rstrip() + "\n\n" for one in sections).rstrip() + "\n")


def main(folder, page=None):
    results = pathlib.Path(folder)
    if not (results / "device.json").exists():
        print(
            f"summarize-device.py: expected device.json in {folder}, but found none",
            file=sys.stderr,
        )
        return 1
    version = results / "version.txt"
    made_by = version.read_text().strip() if version.exists() else "Convoy"
    date = datetime.date.fromtimestamp((results / "device.json").stat().st_mtime)
    sections = [
        f"## GPU: {describe(results)}\n",
        f"{made_by}, {date}.",
        NOTE,
        checks(results),
        times(results),
    ]
    text = "\n".join(section for section in sections if section)
    if page:
        insert(text, pathlib.Path(page))
    else:
        print(text)
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(len(sys.argv) != 2)
    sys.exit(main(*sys.argv[1:]))
