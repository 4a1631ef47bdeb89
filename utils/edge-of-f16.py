#!/usr/bin/env python3
"""Runs random functions in f16 whose sums are at the edge of its numbers.

With `--precision=low` sums are in f16 where ranges prove that no number overflows
or vanishes. So no result may be NaN or infinite, and none zero, where the reference
is a number of f16, but for zeros that rounding explains, where terms cancel, and for
infinities that sums in f32 are rounded to as well, next to 65504, or that of two layers
the second gives where its bound, with the error of the first, reaches beyond 65504. An
element of which that does not hold is lost.

Functions are convolutions and gradients in 1-D and 2-D with strides, dilations,
padding and groups, whose filters are arguments or constants, chains of two with
other ops between, and convolutions of samples of an image. Largest sums lie between a
tenth of 65504 and ten times that, smallest products around the least normal number,
and most data are the ends of the ranges. A function follows from the seed and its
number alone.

Exit codes: 0 where no element is lost and all results are right, 2 where one is not,
1 for bad options.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LARGEST, LEAST_NORMAL = 65504, 2**-14
# What `low` says of each convolution; of those of blocks, that these sum in f16.
REMARKS = {
    "in f16": r"remark: sums in 'f16'",
    "in blocks": r"remark: sums \d+ blocks",
    "in f32": r"remark: sums in 'f32'(?!.*: samples always do)",
}
# The operands of each op, of which the last is the result.
OPERANDS = {"conv": "xwy", "conv_backward_data": "ywx", "conv_backward_filter": "xyw"}


def make_type(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf16>"


class Geometry:
    """Shapes of input, filter and output, which end with the channels of a group."""

    def __init__(self, draw):
        rank = self.rank = draw.randint(1, 2)
        images, features = draw.randint(1, 3), draw.randint(1, 6)
        # Some sums are too long for f16.
        channels = draw.randint(1, 9) if draw.random() < 0.9 else draw.randint(100, 300)
        groups = draw.choice([[], [], [], [2]])
        inputs = []
        # An input that no output reads ends a step before the next window would.
        while not inputs or min(inputs) < 1:
            taps = [draw.randint(1, 4 // rank + 1) for _ in range(rank)]
            strides = [draw.randint(1, 2) for _ in range(rank)]
            dilations = [draw.choice([1, 1, 2]) for _ in range(rank)]
            outputs = [draw.randint(1, 7 // rank) for _ in range(rank)]
            pads = [[draw.randint(0, taps[i] - 1) for _ in range(2)] for i in range(rank)]
            windows = zip(outputs, strides, taps, dilations, pads)
            inputs = [(o - 1) * s + (k - 1) * d + 1 - sum(p) for o, s, k, d, p in windows]
        self.shapes = {
            "x": [images, *inputs, *groups, channels],
            "w": [*taps, *groups, channels, features],
            "y": [images, *outputs, *groups, features],
        }
        words, letter = "hw"[-rank:], "g" * len(groups)
        self.layout = f"layout(n{words}{letter}c x {words}{letter}cf -> n{words}{letter}f)"
        self.window = f"window(stride = {strides}, dilation = {dilations}, pad = {pads})"

    def count_terms(self, op):
        """The most terms that one sum of `op` may have."""
        taps, (channels, features) = math.prod(self.shapes["w"][: self.rank]), self.shapes["w"][-2:]
        if op == "conv":
            return taps * channels
        if op == "conv_backward_data":
            return taps * features
        return math.prod(self.shapes["y"][: self.rank + 1])

    def add_pointwise(self, features):
        """The convolution of the output with a window of one element."""
        after, shapes = object.__new__(Geometry), self.shapes
        groups = shapes["w"][self.rank : -2]
        filter_shape = [1] * self.rank + groups + [shapes["y"][-1], features]
        after.rank, after.layout, after.window = self.rank, self.layout, ""
        after.shapes = {"x": shapes["y"], "w": filter_shape, "y": shapes["y"][:-1] + [features]}
        return after


class Writer:
    """The text of one function."""

    def __init__(self, number, draw):
        self.number, self.draw = number, draw
        self.arguments, self.lines, self.names = [], [], itertools.count()

    def add_argument(self, shape, low, high, least):
        name = f"%arg{len(self.arguments)}"
        limits = f"array<f64: {low:.9e}, {high:.9e}, {least:.9e}>"
        self.arguments.append(f"{name}: {make_type(shape)} {{convoy.range = {limits}}}")
        return name

    def add_line(self, text):
        name = f"%v{next(self.names)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def add_splat(self, value, shape):
        return self.add_line(f"arith.constant dense<{value:.9e}> : {make_type(shape)}")

    def add_constant(self, shape, low, high, least):
        """Numbers of which each magnitude has the same chance."""

        def draw_nested(sizes):
            if sizes:
                return f"[{', '.join(draw_nested(sizes[1:]) for _ in range(sizes[0]))}]"
            most = max(-low, high)
            value = least * (most / least) ** self.draw.random()
            isNegative = low < 0 and (high <= 0 or self.draw.random() < 0.5)
            return f"{-value if isNegative else value:.9e}"

        return self.add_line(f"arith.constant dense<{draw_nested(shape)}> : {make_type(shape)}")

    def add_convolution(self, op, geometry, values):
        types = [make_type(geometry.shapes[name]) for name in OPERANDS[op]]
        return self.add_line(
            f"convoy.{op} ins({values[0]}, {values[1]} : {types[0]}, {types[1]})"
            f" outs({values[2]} : {types[2]}) {geometry.layout} {geometry.window}"
        )

    def get_text(self, result, shape):
        head = f"func.func @edge{self.number}({', '.join(self.arguments)}) -> {make_type(shape)} {{"
        return "\n".join([head, *self.lines, f"  return {result} : {make_type(shape)}", "}"])


def draw_filter(writer, shape, most, least):
    """An operand up to `most` of one sign or both."""
    low, high = writer.draw.choice([(-most, most), (0, most), (-most, 0)])
    isConstant = writer.draw.random() < 0.25
    add = writer.add_constant if isConstant else writer.add_argument
    return add(shape, low, high, least)


def write_single(number, draw):
    """One convolution or gradient, with zeros or an argument for its init."""
    writer, geometry = Writer(number, draw), Geometry(draw)
    op = draw.choice(list(OPERANDS))
    first, second, result = (geometry.shapes[name] for name in OPERANDS[op])
    largest = 10 ** draw.uniform(0, 3)
    # There are numbers of f16 between them.
    least = largest / 10 ** draw.uniform(0.1, 3)
    peak = LARGEST * 10 ** draw.uniform(-1, 1)
    most = min(peak / geometry.count_terms(op) / largest, LARGEST)
    tap = min(max(LEAST_NORMAL * 10 ** draw.uniform(-1, 2) / least, 1e-7), most / 2)
    values = [writer.add_argument(first, -largest, largest, least)]
    values.append(draw_filter(writer, second, most, tap))
    hasInit = draw.random() < 0.5
    values.append(
        writer.add_argument(result, -most, most, tap) if hasInit else writer.add_splat(0, result)
    )
    return writer.get_text(writer.add_convolution(op, geometry, values), result)


def write_between(writer, value, shape, largest):
    """An op between two layers; the value and its largest magnitude."""
    kind = writer.draw.choice(["relu", "scale", "add"])
    if kind == "relu":
        zeros = writer.add_splat(0, shape)
        return writer.add_line(f"arith.maximumf {value}, {zeros} : {make_type(shape)}"), largest
    if kind == "scale":
        factor = writer.draw.uniform(0.5, 2)
        factors = writer.add_splat(factor, shape)
        scaled = writer.add_line(f"arith.mulf {value}, {factors} : {make_type(shape)}")
        return scaled, largest * factor
    # Sums of the type that is written down may not cancel.
    other = writer.add_argument(shape, 1.5 * largest, 2 * largest, 1.5 * largest)
    return writer.add_line(f"arith.addf {value}, {other} : {make_type(shape)}"), largest * 3


def write_chain(number, draw):
    """Two layers, the first of which stays among the numbers of f16."""
    writer, geometry = Writer(number, draw), Geometry(draw)
    terms = geometry.count_terms("conv")
    largest, peak = 10 ** draw.uniform(0, 2), 10 ** draw.uniform(1, 4)
    most = peak / terms / largest
    least = largest / 4
    x = writer.add_argument(geometry.shapes["x"], -largest, largest, least)
    w = draw_filter(writer, geometry.shapes["w"], most, most / 4)
    shape = geometry.shapes["y"]
    y = writer.add_convolution("conv", geometry, [x, w, writer.add_splat(0, shape)])
    y, peak = write_between(writer, y, shape, peak)
    second = geometry.add_pointwise(draw.randint(1, 5))
    edge = LARGEST * 10 ** draw.uniform(-1, 1)
    most = edge / second.count_terms("conv") / peak
    w = draw_filter(writer, second.shapes["w"], most, most / 4)
    shape = second.shapes["y"]
    return writer.get_text(
        writer.add_convolution("conv", second, [y, w, writer.add_splat(0, shape)]), shape
    )


def write_sampled(number, draw):
    """A convolution of samples, which may overshoot the image where they are cubic."""
    writer = Writer(number, draw)
    images, channels, largest = draw.randint(1, 2), draw.randint(1, 9), 10 ** draw.uniform(0, 3)
    size, positions = ([draw.randint(1, 6) for _ in range(2)] for _ in range(2))
    shapes = [[images, *size, channels], [images, *positions, 2], [images, *positions, channels]]
    least = largest / 10 ** draw.uniform(0.1, 2)
    image = writer.add_argument(shapes[0], least, largest, least)
    grid = writer.add_argument(shapes[1], -1.25, 1.25, 1e-3)
    mode = draw.choice(["linear", "cubic"])
    padding = draw.choice(["zeros", "border", "reflection"])
    types = [make_type(shape) for shape in shapes]
    samples = writer.add_line(
        f"convoy.grid_sample {image}, {grid} layout(nhwc x nhwc -> nhwc) mode({mode})"
        f" padding({padding}) : {types[0]}, {types[1]} -> {types[2]}"
    )
    sampled = object.__new__(Geometry)
    sampled.rank, sampled.layout = 2, "layout(nhwc x hwcf -> nhwf)"
    sampled.shapes = {"w": [1, 1, channels, channels], "y": shapes[2]}
    geometry = sampled.add_pointwise(draw.randint(1, 5))
    peak = LARGEST * 10 ** draw.uniform(-1, 1)
    most = min(peak / channels / largest, LARGEST)
    tap = min(max(LEAST_NORMAL * 10 ** draw.uniform(-1, 2) / least, 1e-7), most / 2)
    w = draw_filter(writer, geometry.shapes["w"], most, tap)
    shape = geometry.shapes["y"]
    values = [samples, w, writer.add_splat(0, shape)]
    return writer.get_text(writer.add_convolution("conv", geometry, values), shape)


def write_function(seed, number):
    # Drawn by itself, so that others stay as they are.
    isSampled = random.Random(f"{seed}:{number}:sampled").random() < 0.1
    draw = random.Random(f"{seed}:{number}")
    if isSampled:
        return write_sampled(number, draw)
    return (write_chain if draw.random() < 0.25 else write_single)(number, draw)


def count_beyond(case):
    """Elements that are infinite, or no numbers, where the reference's are numbers."""
    count = case["elements"]
    lost = max(count["nan"] - count["reference_nan"], 0)
    return lost + max(count["inf"] - count["reference_inf"], 0)


def count_lost(case):
    """Those, and wrong zeros."""
    count, lost = case["elements"], count_beyond(case)
    isWrong = case.get("verdict") == "wrong"
    return lost + (count["zero"] if isWrong else 0)


def get_status(case):
    """How a case ended; "cancelled" where all of a result is zero, and its bounds reach
    that far, "overflowed" where the reference has no number to lose."""
    if "verdict" in case or not case["faults"]:
        return case["status"]
    if case["faults"][0].endswith("but may be by their bounds"):
        return "cancelled"
    if "nothing was checked: the reference has" in case["faults"][0]:
        return "overflowed"
    return case["status"]


class Batch:
    """Functions that one process runs."""

    def __init__(self, options, numbers, folder):
        self.options, self.numbers = options, numbers
        self.stem = pathlib.Path(folder) / f"edge{numbers[0]}"

    def get_command(self, precision):
        # One batch in four has data of all magnitudes.
        data = "normal" if self.numbers[0] // len(self.numbers) % 4 == 3 else "edge"
        return [
            self.options.run, f"{self.stem}.mlir", f"--precision={precision}",
            f"--target={self.options.targets}", "--check", f"--data={data}",
            f"--seed={self.numbers[0]}", "--O0", "--quiet", f"--json={self.stem}.json",
        ]

    def run(self):
        """The cases of the report, and how often convolutions sum in what."""
        texts = [write_function(self.options.seed, number) for number in self.numbers]
        pathlib.Path(f"{self.stem}.mlir").write_text("\n\n".join(texts), encoding="utf-8")
        cases, remarks = self.run_with(self.options.precision)
        if any(count_beyond(case) for case in cases):
            chains = ["grid_sample" in text or text.count("convoy.conv") > 1 for text in texts]
            for case, wide in zip(cases, self.run_with("high")[0]):
                count = case["elements"]
                number = int(re.search(r"edge(\d+)$", case["case"]).group(1))
                isChain = chains[number - self.numbers[0]]
                explained = count["overflowed"] if isChain else wide["elements"]["inf"]
                count["reference_inf"] = max(count["reference_inf"], explained)
        return cases, collections.Counter(
            {kind: len(re.findall(pattern, remarks)) for kind, pattern in REMARKS.items()}
        )

    def run_with(self, precision):
        """The cases, and what was printed of them."""
        command = self.get_command(precision)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        report, cases = pathlib.Path(f"{self.stem}.json"), []
        if report.exists():
            cases = json.loads(report.read_text(encoding="utf-8"))["cases"]
            report.unlink()
        if len(cases) != len(self.numbers) * len(self.options.targets.split(",")):
            errors = [line for line in done.stderr.splitlines() if "remark: " not in line]
            sys.exit("\n".join([" ".join(command), *errors]))
        return cases, done.stderr


class Summary:
    """What came of all batches."""

    def __init__(self):
        self.targets = collections.defaultdict(collections.Counter)
        self.sums = collections.Counter()

    def add(self, cases, sums):
        self.sums.update(sums)
        for case in cases:
            status = get_status(case)
            count, lost = self.targets[case["target"]], count_lost(case)
            count.update({"all": 1, status: 1, "lost": lost, "zeros": case["elements"]["zero"]})
            if status == "failed" or lost:
                print(f"{case['reproduce']}\n  {'; '.join(case['faults'])}", flush=True)

    def print(self):
        print(", ".join(f"{self.sums[kind]} sums {kind}" for kind in REMARKS))
        for target, count in sorted(self.targets.items()):
            print(
                f"{count['all']} functions on {target}: {count['passed']} passed, "
                f"{count['failed']} failed, {count['lost']} elements lost; where terms cancel "
                f"{count['zeros']} zeros, all elements of {count['cancelled']} results; "
                f"{count['overflowed']} results without a number to lose"
            )

    def is_right(self):
        return not any(count["failed"] or count["lost"] for count in self.targets.values())


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=10000, help="how many functions (10000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from (0)")
    parser.add_argument("--precision", default="low", help="low, normal or high (low)")
    parser.add_argument("--targets", default="cpu,vulkan,rocm-sim", help="where they run (cpu,vulkan,rocm-sim)")
    parser.add_argument("--batch", type=int, default=50, help="functions for one process (50)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (one a processor)")
    parser.add_argument("--run", default="build/bin/convoy-run", help="the tool (build/bin/convoy-run)")
    parser.add_argument("--print", action="store_true", help="print the functions, and run none")
    parser.error = lambda message: sys.exit(f"edge-of-f16.py: {message}")
    return parser.parse_args()


def main():
    options = parse_options()
    numbers = range(options.first, options.first + options.cases)
    if options.print:
        print("\n\n".join(write_function(options.seed, number) for number in numbers))
        return 0
    summary = Summary()
    with tempfile.TemporaryDirectory() as folder:
        starts = range(0, options.cases, options.batch)
        batches = [Batch(options, numbers[start : start + options.batch], folder) for start in starts]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(Batch.run, batches):
                summary.add(*result)
    summary.print()
    return 0 if summary.is_right() else 2


if __name__ == "__main__":
    sys.exit(main())
