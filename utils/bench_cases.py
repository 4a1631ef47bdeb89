"""What convoy-bench measured, case by case, and means of it for tables."""

import math
import re
import statistics

DIRECTIONS = {"FWD_D": "forward", "BWD_D": "backward-data", "BWD_W": "backward-filter"}
# What names of sets end with whose filters were packed beforehand.
PACKED = "-packed"
# What names of sets end with that are timed in another way than the others, and
# have sections of their own.
VARIANTS = ("-winograd", "-epilogue", "-bf16", "-f16", "-u8s8", "-s8s8", "-u8s8u8")
COLORS = {"Convoy": "#0b6e4f", "oneDNN": "#2f6fb0", "ONNX Runtime": "#c98a1b", "IREE": "#8a4fa3"}


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
        # One with a bias is timed as forward.
        self.direction = flags["dir"].replace("FWD_B", "FWD_D")
        self.epilogue = flags.get("attr-post-ops", "")
        layouts = [flags.get(f"{name}-layout", "") for name in ("input", "filter", "output")]
        self.input_layout, self.filter_layout = layouts[:2]
        self.layouts = f"{layouts[0]} x {layouts[1]}"
        self.target = case.get("target", "cpu")
        self.threads = case["threads"]
        self.error = case.get("error")
        self.speed = case.get("gflops")
        self.peak = case.get("peak_gflops")
        self.compile_ms = case.get("compile_ms")
        self.winograd_tile = case.get("winograd_tile")
        self.workspace = case.get("workspace_bytes")
        self.reasons = case.get("peer_reason", {})
        speeds = case.get("peer_gflops", {})
        own = [speeds[name] for name in ("onednn", "onednn-plain") if name in speeds]
        self.speeds = {
            "Convoy": self.speed,
            "oneDNN": max(own, default=None),
            "ONNX Runtime": speeds.get("onnxruntime"),
            "IREE": speeds.get("iree"),
            "cuDNN": speeds.get("cudnn"),
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
        name = self.set.removesuffix(PACKED)
        return name not in ("filter-layouts", "avx2") and not name.endswith(VARIANTS)

    @property
    def is_usual(self):
        """Whether, besides, nothing is prepared beforehand."""
        return self.is_of_network and not self.set.endswith(PACKED)

    @property
    def variant(self):
        """The name of the set's network and what is different there, or None twice."""
        network, dash, name = self.set.rpartition("-")
        return (network, name) if dash + name in VARIANTS else (None, None)

    @property
    def shape(self):
        return self.set, self.word

    def field(self, name, default=1):
        return self.fields.get(name, default)


def split_sections(text):
    """The sections of a page of Markdown, each with its heading; first what is before."""
    return re.split(r"^(?=## )", text, flags=re.MULTILINE)


def is_of_gpu(section):
    """Whether a section is of a GPU elsewhere, which no run here can write anew."""
    return section.startswith("## GPU: ")


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
