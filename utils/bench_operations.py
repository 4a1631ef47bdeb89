"""What bench-ops.py measured of the operations around convolutions."""

import json
import pathlib

from bench_cases import grouped, mean, table, two

OPERATIONS = """\
f32, `utils/bench-ops.py`: ours and PyTorch's (torchvision's `deform_conv2d`; oneDNN's deconvolution is what PyTorch's transposed
convolutions are) in turns, from Python, which costs both some microseconds a run. Grids are those of optical flow: the identity, moved at random by a
few pixels. Windows have no peer whose rows lie as ours do; they are set beside a copy of 128 MiB, which those of
a few MB can pass, since these stay in caches. A ratio above 1 means that Convoy is faster. Threads are one / two;
PyTorch samples one image in one.

"""


def slashed(numbers, format_one):
    return " / ".join(format_one(number) for number in numbers)


def on_operations(results):
    """Tables of the operations, beside PyTorch and beside memory."""
    path = pathlib.Path(results) / "operations" / "operations.json"
    if not path.exists():
        return ""
    measured = json.loads(path.read_text())
    versions = ", ".join(f"{name} {one}" for name, one in measured["versions"].items())
    found = measured["results"]
    parts = ["## Operations around convolutions", OPERATIONS + f"{versions}.\n"]
    means = grouped(
        (one for one in found if "gbs" not in one),
        lambda one: (one["op"].split(" ")[0], one["layout"], one["threads"]),
    )
    rows = [
        [f"`{op}`", layout, threads, len(cases), two(mean(ratios)), two(min(ratios))]
        for (op, layout, threads), cases in means.items()
        for ratios in [[one["ratio"] for one in cases]]
    ]
    parts.append(table(["op", "layout", "threads", "cases", "ratio", "least"], rows))
    header = ["op", "", "layout", "ms", "PyTorch's", "ratio"]
    parts.append(table(header, rows_of(found, False)))
    header = ["op", "", "layout", "ms", "GB/s", "part of memory's"]
    parts.append(table(header, rows_of(found, True)))
    return "\n".join(parts)


def rows_of(found, are_windows):
    """A row for each case, of windows or of the others."""
    cases = grouped(
        (one for one in found if ("gbs" in one) == are_windows),
        lambda one: (one["op"], one["name"], one["layout"]),
    )
    rows = []
    for (op, name, layout), runs in cases.items():
        speeds = [one["gbs"] if are_windows else one["their_milliseconds"] for one in runs]
        rows.append(
            [
                op,
                name,
                layout.replace("|", "\\|"),
                slashed([one["milliseconds"] for one in runs], "{:.2f}".format),
                slashed(speeds, "{:.1f}".format if are_windows else "{:.2f}".format),
                slashed([one["ratio"] for one in runs], two),
            ]
        )
    return rows
