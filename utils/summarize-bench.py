#!/usr/bin/env python3
"""Writes Benchmarks.md and benchmarks.svg from what convoy-bench measured.

usage: summarize-bench.py RESULTS_DIR OUTPUT_DIR

RESULTS_DIR holds a file SET.json of `convoy-bench --json` for each set of
problems, and may hold machine-code/rocm.json of compare-code.py. Means are
geometric. Run with the Python that has the peers, whose
versions it tells.
"""

import importlib.metadata
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

from bench_cases import (
    DIRECTIONS,
    MEANS,
    PACKED,
    Case,
    grouped,
    is_of_gpu,
    mean,
    means_row,
    percent,
    ratios,
    split_sections,
    table,
    two,
)
from bench_figure import plot
from bench_machine_code import on_arm, on_rocm
from bench_operations import on_operations

PACKAGES = {
    "oneDNN": "onednn-cpu-gomp",
    "ONNX Runtime": "onnxruntime",
    "IREE": "iree-base-compiler",
}

HOW = """\
Written by `scripts/bench`. Every row was measured in one run: our kernel and the peers take turns, in each of which one
runs for at least 5 ms, with warm caches; the best of 10 turns counts (of fewer where 10 take 0.3 s). Before that, our result and theirs
were compared with the reference, inside the error bound of each element. The peak is that of fused multiply-adds on vectors in
registers, measured in the same turns. Operations on padding count, though a kernel may leave them out and so pass 100 %. A ratio
above 1 means that Convoy is faster.

- *oneDNN* is the faster of two: in the layouts that it chooses itself (`any`), whose reorders are not timed, and in the problem's.
- *ONNX Runtime* runs in its only layout, nchw, with a constant filter that it packs beforehand. It and *IREE*, which compiles the
  problem in its own layout, are called from Python, which costs some microseconds a run.
"""


def by_set(cases):
    key = lambda case: (case.set, DIRECTIONS[case.direction], case.input_layout, case.threads)
    usual = [case for case in cases if case.is_of_network]
    rows = [[*name, *means_row(group)] for name, group in grouped(usual, key).items()]
    return "## By network\n" + table(["set", "direction", "input", "threads", *MEANS], rows)


KINDS = {
    "first layers (1 or 3 channels)": lambda case: case.field("ic") <= 3,
    "depthwise": lambda case: 1 < case.field("g") == case.field("ic"),
    "grouped, not depthwise": lambda case: 1 < case.field("g") < case.field("ic"),
    "strided backward-data": lambda case: case.direction == "BWD_D"
    and max(case.field(name) for name in ("sd", "sh", "sw")) > 1,
    "1-D": lambda case: "ih" not in case.fields and "id" not in case.fields,
    "3-D": lambda case: "id" in case.fields,
}


def by_kind(cases):
    rows = []
    usual = [case for case in cases if case.is_usual]
    for name, belongs in KINDS.items():
        group = [case for case in usual if belongs(case)]
        for threads, part in sorted(grouped(group, lambda case: case.threads).items()):
            rows.append([name, threads, *means_row(part)])
    return "## By kind, all directions and layouts\n" + table(["kind", "threads", *MEANS], rows)


# What kernels are meant to reach: a name, the number, and whose layers.
TARGETS = [
    ("ResNet-50, channels last", 1.0, lambda case: case.set == "resnet50" and case.is_last),
    ("first layers (1 or 3 channels)", 1.2, KINDS["first layers (1 or 3 channels)"]),
    ("depthwise", 1.2, KINDS["depthwise"]),
    ("grouped, not depthwise", 1.2, KINDS["grouped, not depthwise"]),
    ("strided backward-data", 1.2, KINDS["strided backward-data"]),
    ("1-D", 1.0, KINDS["1-D"]),
    ("3-D", 1.0, KINDS["3-D"]),
    ("U-Net", 1.0, lambda case: case.set == "unet"),
]


def by_target(cases):
    """Ratios to oneDNN beside those that are aimed at, by direction and number of
    threads, geometric means and, of ResNet-50, the least."""
    usual = [case for case in cases if case.is_usual]

    def cell(group, number):
        by_threads = sorted(grouped(group, lambda case: case.threads).items())
        numbers = [number(ratios(part, "oneDNN")) for _, part in by_threads]
        return " / ".join(two(one) for one in numbers if one)

    rows = []
    for name, target, belongs in TARGETS:
        group = [case for case in usual if belongs(case)]
        parts = [[case for case in group if case.direction == way] for way in DIRECTIONS]
        rows.append([name, two(target), *(cell(part, mean) for part in [*parts, group])])
        if name.startswith("ResNet-50"):
            least = lambda numbers: min(numbers, default=None)
            cells = [cell(part, least) for part in [*parts, group]]
            rows.append([f"{name}, slowest layer", "0.85", *cells])
    text = "## Targets\nRatios to oneDNN's best layout, one thread / two. "
    text += "What is missing is explained in [Benchmarking](Benchmarking.md#what-is-missing).\n\n"
    return text + table(["layers", "target", *DIRECTIONS.values(), "all"], rows)


def by_layout(cases):
    """Our own speed in other layouts, relative to channels last, with a packed
    filter where that was timed."""

    def speeds_last(group):
        return {
            (case.word, case.direction, case.threads): case.speed for case in group if case.is_last
        }

    rows = []
    sets = grouped(cases, lambda case: case.set)
    for set_name, group in sets.items():
        if set_name.endswith(PACKED):
            continue
        base = speeds_last(group)
        packed = speeds_last(sets.get(set_name + PACKED, []))
        others = [case for case in group if not case.is_last]
        key = lambda case: (case.input_layout, case.filter_layout)
        for (input_layout, filter_layout), part in grouped(others, key).items():
            row = [set_name, input_layout, filter_layout]
            for speeds in (base, packed):
                pairs = [
                    case.speed / speeds[key]
                    for case in part
                    if case.speed and speeds.get(key := (case.word, case.direction, case.threads))
                ]
                row += [two(mean(pairs)), two(min(pairs, default=None))]
            if row[3]:
                rows.append(row)
    if not rows:
        return ""
    header = ["set", "input", "filter", "speed, relative to nhwc with hwcf", "least"]
    header += ["to the same with packed filters", "least"]
    return "## Layouts\n" + table(header, rows)


def by_threads(cases):
    rows = []
    for set_name, group in grouped(cases, lambda case: case.set).items():
        key = lambda case: (case.shape, case.layouts, case.direction)
        pairs = [
            (part[0], part[1])
            for part in (
                sorted(same, key=lambda case: case.threads)
                for same in grouped(group, key).values()
            )
            if len(part) == 2
        ]

        def scaling(who):
            return mean(
                many.speeds[who] / one.speeds[who]
                for one, many in pairs
                if one.speeds[who] and many.speeds[who]
            )

        ours, theirs = scaling("Convoy"), scaling("oneDNN")
        if ours and theirs:
            rows.append([set_name, two(ours), two(theirs), two(ours / theirs)])
    if not rows:
        return ""
    header = ["set", "Convoy, 2 threads to 1", "oneDNN", "relative"]
    return "## Two threads\n" + table(header, rows)


def by_compilation(cases):
    rows = []
    for set_name, group in grouped(cases, lambda case: case.set).items():
        times = [case.compile_ms for case in group if case.compile_ms]
        sizes = [case.workspace for case in group if case.workspace is not None]
        if times:
            largest = max(sizes) / 1024
            rows.append(
                [set_name, f"{statistics.median(times):.0f}", f"{max(times):.0f}", f"{largest:.0f}"]
            )
    header = ["set", "compile time, median (ms)", "longest", "largest workspace (KiB)"]
    return "## Compilation\n" + table(header, rows)


def avx2_layers(cases):
    layers = [case for case in cases if case.set == "avx2" and case.field("kh") == 3]
    if not layers:
        return ""
    rows = [
        [case.name, DIRECTIONS[case.direction], percent(case.fraction()), two(case.ratio("oneDNN"))]
        for case in layers
    ]
    title = "## AVX2 (`--cpu=haswell`), 3x3 layers, one thread\n"
    return title + table(["layer", "direction", "% of AVX2's peak", "ratio to oneDNN"], rows)


def by_winograd(cases):
    """Layers that Winograd's algorithm computes, beside oneDNN's, which does not."""
    chosen = [case for case in cases if case.variant[1] == "winograd" and case.winograd_tile]
    if not chosen:
        return ""
    rows = []
    key = lambda case: (case.set, case.word.split("_n")[0])
    for (name, shape), same in grouped(chosen, key).items():
        tile = "x".join(map(str, same[0].winograd_tile))
        numbers = " / ".join(two(case.ratio("oneDNN")) for case in same)
        parts = " / ".join(percent(case.fraction()) for case in same)
        rows.append([name.removesuffix("-winograd"), same[0].name, shape, tile, parts, numbers])
    for threads, group in sorted(grouped(chosen, lambda case: case.threads).items()):
        numbers = ratios(group, "oneDNN")
        text = f"{two(mean(numbers))}, least {two(min(numbers, default=None))}"
        place = "1 thread" if threads == 1 else f"{threads} threads"
        rows.append([f"geometric mean, {place}", "", "", "", "", text])
    note = "Layers that `--algorithm=auto` chooses, filters packed beforehand; one thread / two. "
    note += "Speeds count the products of the convolution, and so pass 100 %.\n\n"
    header = ["set", "layer", "shape", "tile", "% of peak", "ratio to oneDNN"]
    return "## Winograd's algorithm\n" + note + table(header, rows)


def by_type(cases):
    """Types that are not f32, beside ours in f32 and oneDNN's of the type."""
    plain = {(case.set, case.direction, case.layouts, case.threads, case.word): case for case in cases}
    chosen = [case for case in cases if case.variant[1] in ("bf16", "f16", "u8s8", "s8s8", "u8s8u8")]
    rows = []
    key = lambda case: (*case.variant, DIRECTIONS[case.direction], case.threads)
    for name, group in grouped(chosen, key).items():
        beside = []
        for case in group:
            wide = plain.get((case.variant[0], case.direction, case.layouts, case.threads, case.word))
            if wide and wide.speed and case.speed:
                beside.append(case.speed / wide.speed)
        known = ratios(group, "oneDNN")
        rows.append([*name, len(group), two(mean(beside)), two(mean(known)), two(min(known, default=None))])
    header = ["set", "type", "direction", "threads", "cases", "ratio to our f32", "ratio to oneDNN", "least"]
    note = "`u8s8u8` has a bias, scales of channels, `relu` and results of bytes, and filters packed beforehand. "
    note += "What is missing is explained in [Benchmarking](Benchmarking.md#what-is-missing).\n\n"
    return "## Narrow types\n" + note + table(header, rows) if rows else ""


def by_epilogue(cases):
    """What an epilogue costs: the same layers with and without it."""
    plain = {(case.set, case.threads, case.word): case for case in cases if case.direction == "FWD_D"}
    chosen = [case for case in cases if case.variant[1] == "epilogue" and case.speed]
    rows = []
    for case in chosen:
        bare = plain.get((case.variant[0] + PACKED, case.threads, case.word))
        if bare and bare.speed:
            cost = f"{bare.speed / case.speed:.2f}"
            shape = case.word.split("_n")[0]
            rows.append([case.set, case.name, shape, case.threads, cost, two(case.ratio("oneDNN"))])
    if not rows:
        return ""
    epilogue = chosen[0].epilogue
    note = f"A bias and `{epilogue}`, filters packed beforehand: time with it / without.\n\n"
    header = ["set", "layer", "shape", "threads", "time with / without", "ratio to oneDNN"]
    return "## Epilogues\n" + note + table(header, rows)


def kept_sections(output):
    """What the page says of GPUs elsewhere, as it stands there."""
    page = pathlib.Path(output) / "Benchmarks.md"
    text = page.read_text() if page.exists() else ""
    return [one.rstrip() + "\n" for one in split_sections(text) if is_of_gpu(one)]


def is_on_vulkan(case):
    return case.target.startswith("vulkan")


def on_vulkan(cases, labels):
    """A table of all layers on the device that IREE's `labels` name."""
    if not cases:
        return ""
    names = [match[1] for label in labels if (match := re.search(r" on (.*), compiled in", label))]
    device = names[0] if names else "the first device"
    rows = [
        [
            case.name,
            case.word.split("_n")[0],
            DIRECTIONS[case.direction],
            case.layouts,
            two(case.speed),
            two(case.speeds["IREE"]),
            two(case.ratio("IREE")),
        ]
        for case in cases
    ]
    known = ratios(cases, "IREE")
    rows.append(["geometric mean", "", "", "", "", "", two(mean(known))])
    rows.append(["least", "", "", "", "", "", two(min(known, default=None))])
    header = ["layer", "shape", "direction", "layouts", "Convoy (GF/s)", "IREE (GF/s)", "ratio"]
    note = "A run is one submission, which is waited for. Slow kernels have one turn.\n\n"
    return f"## Vulkan: {device}\n" + note + table(header, rows)


def by_layer(cases):
    """Each layer's forward and backward numbers, channels last, one thread."""
    text = "## By layer: channels last, one thread\n"
    chosen = [case for case in cases if case.threads == 1 and case.is_last and case.is_usual]
    header = ["layer", "shape"]
    for direction in DIRECTIONS.values():
        header += [f"{direction}: % of peak", "ratio to oneDNN"]
    for set_name, group in grouped(chosen, lambda case: case.set).items():
        rows = []
        for word, same in grouped(group, lambda case: case.word).items():
            row = [same[0].name, word.split("_n")[0]]
            by_direction = {case.direction: case for case in same}
            for direction in DIRECTIONS:
                case = by_direction.get(direction)
                row += [percent(case.fraction()), two(case.ratio("oneDNN"))] if case else ["", ""]
            rows.append(row)
        text += f"\n### {set_name}\n" + table(header, rows)
    return text


def failures(cases):
    """Why something was not timed."""
    counts = {}
    for case in cases:
        if case.error:
            counts[("Convoy", case.error)] = counts.get(("Convoy", case.error), 0) + 1
        for reason in case.reasons.items():
            counts[reason] = counts.get(reason, 0) + 1
    if not counts:
        return ""
    rows = [[who, reason.replace("|", "\\|"), count] for (who, reason), count in counts.items()]
    return "## What was not timed\n" + table(["who", "reason", "cases"], rows)


def describe_machine():
    cpu = platform.processor()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists() and (model := re.search(r"model name\s*: (.*)", info.read_text())):
        cpu = model[1]
    cores = len(os.sched_getaffinity(0))

    def version(package):
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return "not installed"

    peers = ", ".join(f"{name} {version(package)}" for name, package in PACKAGES.items())
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    commit = head.stdout.strip() or "unknown"
    return f"{cpu}, {cores} cores, {platform.system()}. Convoy {commit}; {peers} (PyPI).\n"


def main(results, output):
    cases, labels = [], []
    files = sorted(pathlib.Path(results).glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in files:
        measured = json.loads(path.read_text())
        found = [Case(path.stem, case) for case in measured["cases"]]
        if any(is_on_vulkan(case) for case in found):
            labels += [run["label"] for run in measured.get("benchmarks", []) if "label" in run]
        cases += found
    if not cases:
        print(f"summarize-bench.py: expected results in {results}, but found none", file=sys.stderr)
        return 1
    everything = cases
    vulkan = [case for case in cases if is_on_vulkan(case)]
    cases = [case for case in cases if case not in vulkan]
    figure = "![Mean part of the peak, by network and direction](benchmarks.svg)\n"
    sections = [
        "# Benchmarks\n",
        HOW,
        describe_machine(),
        figure + "\nMean part of the measured peak, channels last, one thread.\n",
        by_target(cases),
        by_set(cases),
        by_kind(cases),
        by_layout(cases),
        by_threads(cases),
        by_compilation(cases),
        by_winograd(cases),
        by_type(cases),
        by_epilogue(cases),
        on_operations(results),
        avx2_layers(cases),
        on_vulkan(vulkan, labels),
        *kept_sections(output),
        on_rocm(results),
        on_arm(results),
        by_layer(cases),
        failures(everything),
    ]
    folder = pathlib.Path(output)
    (folder / "Benchmarks.md").write_text("\n".join(part for part in sections if part))
    (folder / "benchmarks.svg").write_text(plot(cases))
    print(f"wrote {folder / 'Benchmarks.md'} and {folder / 'benchmarks.svg'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
