"""What bench-ops.py measured of the operations around convolutions."""

import json
import pathlib

from bench_cases import grouped, mean, table, two

OPERATIONS = """\
f32, `utils/bench-ops.py`: ours and PyTorch's (torchvision's `deform_conv2d`; oneDNN's deconvolution is what PyTorch's transposed
convolutions are) in turns, from Python, which costs both some microseconds a run. Grids are those of optical flow: the identity, moved at random by a
few pixels. Windows (`im2col`, `col2im`) are set beside a copy of 128 MiB, too, which those of a few MB can pass, since these stay in caches; PyTorch has them
as `n|chw|hw` alone. A ratio above 1 means that Convoy is faster. Threads are one / two;
PyTorch samples one image in one.

"""


def escape(layout):
    return layout.replace("|", "\\|")


def column(key, form):
    """What runs of one case have of `key`, one for each number of threads."""
    return lambda runs: " / ".join(form.format(one[key]) for one in runs if key in one)


milliseconds = column("milliseconds", "{:.2f}")


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
        (one for one in found if "ratio" in one),
        lambda one: (one["op"].split(" ")[0], one["layout"], one["threads"]),
    )
    rows = [
        [f"`{op}`", escape(layout), threads, len(cases), two(mean(ratios)), two(min(ratios))]
        for (op, layout, threads), cases in means.items()
        for ratios in [[one["ratio"] for one in cases]]
    ]
    parts.append(table(["op", "layout", "threads", "cases", "ratio", "least"], rows))
    others = [one for one in found if "gbs" not in one]
    columns = [milliseconds, column("their_milliseconds", "{:.2f}"), column("ratio", "{:.2f}")]
    header = ["op", "", "layout", "ms", "PyTorch's", "ratio"]
    parts.append(table(header, rows_of(others, columns)))
    windows = [one for one in found if "gbs" in one]
    columns[1:1] = [column("gbs", "{:.1f}"), column("memory_ratio", "{:.2f}")]
    header = ["op", "", "layout", "ms", "GB/s", "part of memory's", "PyTorch's", "ratio"]
    parts.append(table(header, rows_of(windows, columns)))
    return "\n".join(parts)


def rows_of(found, columns):
    """A row for each case."""
    cases = grouped(found, lambda one: (one["op"], one["name"], one["layout"]))
    return [
        [op, name, escape(layout), *(get(runs) for get in columns)]
        for (op, name, layout), runs in cases.items()
    ]
