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
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
from html import escape

DIRECTIONS = {"FWD_D": "forward", "BWD_D": "backward-data", "BWD_W": "backward-filter"}
PACKAGES = {
    "oneDNN": "onednn-cpu-gomp",
    "ONNX Runtime": "onnxruntime",
    "IREE": "iree-base-compiler",
}
# What names of sets end with whose filters were packed beforehand.
PACKED = "-packed"
COLORS = {"Convoy": "#0b6e4f", "oneDNN": "#2f6fb0", "ONNX Runtime": "#c98a1b", "IREE": "#8a4fa3"}

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

MACHINE_CODE = """\
Nothing is run: `utils/compare-code.py` compiles ResNet-50's forward layers, in nhwc with hwcf, and IREE does. Numbers are ours / IREE's
of the kernel with the most work, from its metadata and from the code of its inner loop, the innermost with the most operations (all
of a kernel without loops): operations of a wave for each byte that a lane loads there (ours loads memory outside of that loop where nothing
is said), and the part of the peak of multiply-adds, on matrix units where the chip has them for the type, that one wave alone would
reach by llvm-mca, which knows neither of other waves nor of the time of memory, and lets WMMA follow each other faster than the peak. Loads of global
memory (ours) are given to it as loads of buffers (IREE's): it takes the former for LDS's, too. Means are geometric, of layers that have the number.

"""

MACHINE_CODE_CAUSES = """
Where IREE's number is better, found by leaving instructions out of what llvm-mca is given:

- **% of peak, 1x1 layers in f16** (in f32 layer1.0.conv1, layer1.0.conv3 and layer2.0.conv3): our reduction, or its part, has one step of LDS or two, and no loop is left. What is measured is the whole
  kernel, with its first loads, addresses and stores, against IREE's loop. Of kernels with two steps in f16, the step that loads the next one reaches 54 to 71 % of gfx942's peak, IREE's loop 50 to 56 %,
  and 110 % of gfx1100's, IREE's loop 105 to 109 %. Parts are that short so that a batch of one image has workgroups for a whole GPU.
- **% of peak, 1x1 layers with loops on gfx942**: in a step of 64 matrix instructions in f32 (512 cycles) both spend some 60 cycles on loads, LDS and barriers; ours 35 to 55 more on 29 to 44 vector
  instructions, for addresses and for the transposition of the filter on its way to LDS, IREE's 13 on 8. For these ours reads LDS by 16 vectors, IREE's by 36 smaller reads, of the filter as it lies in
  memory. Where IREE has 128 instructions in a step and ours 64 (layers 2.1 to 4.0), its tiles are larger: see the next point. Of layer4.0.conv1 in f16 the same holds.
- **Matrix instructions in a step, a byte from LDS, a byte from memory**: smaller where our tiles are. Tiles of 32 x 128 elements, not 64 x 128, are twice as many workgroups, for layers of 14x14 pixels;
  on gfx1100 a wave has 32 x 16 or 32 x 32 elements. So ours takes 70 to 179 VGPRs there, IREE's 116 to 256, and 4 to 16 waves a SIMD can cover each other's waits, IREE's 2 to 12. Where IREE takes
  all 256 VGPRs, its loops have spills, and reach 13 to 22 % of the peak (70 % at layer2.0.conv3).
- **% of peak, loops on gfx1100** (conv1, layer1.0.conv2, layer3.1.conv2): without address arithmetic both take 420 to 440 cycles a step (IREE's layer3.1.conv2 743) for the loads, LDS and barriers of a wave
  alone, whatever is multiplied in it: 4 to 12 WMMA in ours, 8 to 16 in IREE's. Other waves, of which ours has more room for in each of them, fill that time.
- **Waves a SIMD**: on gfx942 ours has half as many in 3x3 layers, conv1 and layer3.0.downsample, since its steps are longer and take more LDS, and yet reaches 82 / 83 % of the peak or more than IREE's. In
  f32 on gfx1100, which has no matrix instruction for it, IREE's kernels keep no tile in registers.
"""


def mean(numbers):
    """The geometric mean, or None of no numbers."""
    numbers = [number for number in numbers if number]
    return math.exp(statistics.fmean(map(math.log, numbers))) if numbers else None


def layer_name(word):
    """What a problem text calls its layer, or the text."""
    name = re.search(r'_n"(?:[^:"]*:)?([^"]*)"', word)
    return name[1] if name else word


class Case:
    """One problem in one layout on some threads."""

    def __init__(self, group, case):
        self.set = group
        text = case["problem"]
        flags = dict(re.findall(r"--([a-z-]+)=(\S+)", text))
        self.word = text.split()[-1]
        self.direction = flags["dir"]
        layouts = [flags.get(f"{name}-layout", "") for name in ("input", "filter", "output")]
        self.input_layout, self.filter_layout = layouts[:2]
        self.layouts = f"{layouts[0]} x {layouts[1]}"
        self.target = case.get("target", "cpu")
        self.threads = case["threads"]
        self.error = case.get("error")
        self.speed = case.get("gflops")
        self.peak = case.get("peak_gflops")
        self.compile_ms = case.get("compile_ms")
        self.workspace = case.get("workspace_bytes")
        self.reasons = case.get("peer_reason", {})
        speeds = case.get("peer_gflops", {})
        own = [speeds[name] for name in ("onednn", "onednn-plain") if name in speeds]
        self.speeds = {
            "Convoy": self.speed,
            "oneDNN": max(own, default=None),
            "ONNX Runtime": speeds.get("onnxruntime"),
            "IREE": speeds.get("iree"),
        }
        fields = dict(re.findall(r"([a-z]+)(-?\d+)", self.word.split("_n")[0]))
        self.fields = {name: int(value) for name, value in fields.items()}
        self.name = layer_name(self.word)

    def ratio(self, peer):
        other = self.speeds[peer]
        return self.speed / other if self.speed and other else None

    def fraction(self, who="Convoy"):
        speed = self.speeds[who]
        return speed / self.peak if speed and self.peak else None

    @property
    def is_last(self):
        """Whether channels lie innermost and the filter's order is the usual."""
        return self.input_layout.endswith("c") and self.filter_layout.endswith("cf")

    @property
    def is_of_network(self):
        """Whether the set has all layers of a network, on the CPU as it is."""
        return self.set.removesuffix(PACKED) not in ("filter-layouts", "avx2")

    @property
    def is_usual(self):
        """Whether, besides, nothing is prepared beforehand."""
        return self.is_of_network and not self.set.endswith(PACKED)

    @property
    def shape(self):
        return self.set, self.word

    def field(self, name, default=1):
        return self.fields.get(name, default)


def percent(number):
    return "" if number is None else f"{100 * number:.0f}"


def two(number):
    return "" if number is None else f"{number:.2f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def grouped(cases, key):
    """Lists of cases by key, in the order of their first."""
    groups = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return groups


def ratios(cases, peer):
    return [ratio for case in cases if (ratio := case.ratio(peer))]


def means_row(cases):
    """What a table of sets says of `cases`."""
    onednn = ratios(cases, "oneDNN")
    return [
        len(cases),
        percent(mean(case.fraction() for case in cases)),
        percent(mean(case.fraction("oneDNN") for case in cases)),
        two(mean(onednn)),
        two(min(onednn, default=None)),
        two(mean(ratios(cases, "ONNX Runtime"))),
        two(mean(ratios(cases, "IREE"))),
    ]


MEANS = ["cases", "% of peak", "oneDNN's", "ratio to oneDNN", "least", "to ONNX Runtime", "to IREE"]


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


def pairs_of(rows, number, format_one):
    """The geometric means of a number of our rows and of IREE's, as one cell."""
    means = [mean(number(row[who]) for row in rows) for who in ("Convoy", "IREE")]
    return " / ".join(format_one(one) if one else "-" for one in means)


def on_rocm(results):
    """What compare-code.py found: means for each chip and type, then layers."""
    path = pathlib.Path(results) / "machine-code" / "rocm.json"
    if not path.exists():
        return ""
    columns = [
        ("VGPRs", lambda code: code["vgprs"], "{:.0f}"),
        ("waves a SIMD", lambda code: code["waves"], "{:.1f}"),
        ("matrix instructions", lambda code: code["matrix_instructions"], "{:.0f}"),
        ("a byte from LDS", lambda code: rate(code, "lds_loaded"), "{:.0f}"),
        ("a byte from memory", lambda code: rate(code, "memory_loaded"), "{:.0f}"),
        ("% of peak", lambda code: 100 * (code["peak_part"] or 0), "{:.1f}"),
    ]

    def rate(code, memory):
        return code["operations"] / code[memory] if code[memory] else None

    def cells(rows):
        return [pairs_of(rows, number, text.format) for _, number, text in columns]

    rows = json.loads(path.read_text())
    groups = grouped(rows, lambda row: (row["chip"], row["type"]))
    means = [[chip, kind, *cells(same)] for (chip, kind), same in groups.items()]
    text = "## Machine code for AMD's GPUs\n" + MACHINE_CODE
    text += table(["chip", "type", *(name for name, *_ in columns)], means)
    text += MACHINE_CODE_CAUSES
    for (chip, kind), same in groups.items():
        text += f"\n### {chip}, {kind}\n"
        layers = [[layer_name(row["problem"]), *cells([row])] for row in same]
        text += table(["layer", *(name for name, *_ in columns)], layers)
    return text


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


def panel(cases, direction, left, height):
    """The bars of one direction: by set, the mean part of the peak of each."""
    parts = []
    chosen = [case for case in cases if case.direction == direction]
    sets = list(grouped(chosen, lambda case: case.set).items())
    wide = 8
    for tick in range(0, 101, 25):
        x = left + 2 * tick
        parts.append(f'<line x1="{x}" y1="36" x2="{x}" y2="{height - 24}" stroke="#bbb"/>')
        parts.append(f'<text x="{x}" y="{height - 10}" text-anchor="middle">{tick} %</text>')
    for row, (set_name, group) in enumerate(sets):
        top = 40 + row * (len(COLORS) * wide + 14)
        parts.append(f'<text x="{left - 6}" y="{top + 20}" text-anchor="end">{escape(set_name)}</text>')
        for place, (who, color) in enumerate(COLORS.items()):
            if fraction := mean(case.fraction(who) for case in group):
                parts.append(
                    f'<rect x="{left}" y="{top + place * wide}" width="{200 * fraction:.1f}" '
                    f'height="{wide - 1}" fill="{color}"/>'
                )
    title = DIRECTIONS[direction]
    parts.append(f'<text x="{left}" y="28" font-weight="bold">{title}</text>')
    return parts


def plot(cases):
    """The mean part of the peak by set and direction: channels last, a thread."""
    chosen = [case for case in cases if case.threads == 1 and case.is_last and case.is_usual]
    count = len(grouped(chosen, lambda case: case.set))
    height = 40 + count * (len(COLORS) * 8 + 14) + 30
    parts = []
    for number, direction in enumerate(DIRECTIONS):
        parts += panel(chosen, direction, 140 + number * 360, height)
    for number, (who, color) in enumerate(COLORS.items()):
        x = 140 + number * 150
        parts.append(f'<rect x="{x}" y="4" width="10" height="10" fill="{color}"/>')
        parts.append(f'<text x="{x + 14}" y="13">{who}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="{height}" '
        'font-family="sans-serif" font-size="11">\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


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
        avx2_layers(cases),
        on_vulkan(vulkan, labels),
        on_rocm(results),
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
