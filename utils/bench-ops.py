#!/usr/bin/env python3
"""Times the operations around convolutions beside PyTorch's and torchvision's.

usage: bench-ops.py [--threads=N[,N]] [--turns=N] [--json=FILE] [NAME ...]

Each case is an operation in f32, with channels last (nhwc) or first (nchw). Ours and
theirs take turns, in each of which one runs for at least 5 ms; the best turn counts.
Before, our result is compared with the reference, inside the error bound of each
element, and theirs with ours. Of several threads a turn is followed by a pause, in
which they fall asleep. Windows (im2col, col2im) are compared with what memory
gives, too: a copy of 128 MiB just before. A NAME is part of the names of the
cases that are timed. Needs the Python package, and PyTorch: run it by the Python of
scripts/cross-check, build/cross-check/venv/bin/python3, with PYTHONPATH=build/python.

Exit codes: 0 where all our results are right, 2 where one is not, 1 where something
else failed.
"""

import argparse
import dataclasses
import json
import sys
import time

import convoy
import numpy as np
import torch
import torch.nn.functional as F
import torchvision

# What their results may be away from ours, in units of the largest number: they sum
# in another order.
MOST_DIFFERENCE = 1e-4
COPIED = 1 << 28
# What only moves elements, and is set beside memory.
WINDOWS = ("im2col", "col2im")
# Seconds after a turn of several threads, which wait for more work at first: LLVM's
# for 0.2 s.
PAUSE = 0.25


@dataclasses.dataclass
class Case:
    """An operation on given sizes, as a problem in words, and as a function of
    PyTorch's, of tensors in its order, where it has such an op."""

    op: str
    name: str
    layout: str
    problem: str
    theirs: object = None

    def __str__(self):
        return f"{self.op} {self.name} {self.layout}"


def samples(mode, padding, name, channels, height, width):
    torch_mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    for layout in ("nhwc", "nchw"):
        yield Case(
            f"grid_sample {mode} {padding}",
            name,
            layout,
            f"--grid-sample --alg={mode} --padding-mode={padding} --input-layout={layout} "
            f"--output-layout={layout.replace('c', 'f')} "
            f"mb1_ic{channels}ih{height}iw{width}_oh{height}ow{width}",
            lambda x, grid: F.grid_sample(x, grid, torch_mode, padding, False),
        )


def transposed(name, channels, features, size, taps, stride, pad):
    output = (size - 1) * stride + taps - 2 * pad
    for layout, tags in (
        ("nhwc", ""),
        ("nchw", "--stag=abx --dtag=abx --wtag=bax "),
    ):
        yield Case(
            "conv_transpose",
            name,
            layout,
            f"--deconv {tags}mb1_ic{channels}ih{size}_oc{features}oh{output}"
            f"_kh{taps}_sh{stride}_ph{pad}",
            lambda x, w: F.conv_transpose2d(x, w, None, stride, pad),
        )


def windows(op, name, channels, size, taps, stride, pad):
    output = (size + 2 * pad - taps) // stride + 1
    columns = (1, channels * taps * taps, output * output)
    window = {"kernel_size": taps, "padding": pad, "stride": stride}
    # PyTorch has rows of one kind.
    peers = {
        "im2col": lambda x: F.unfold(x, **window),
        "col2im": lambda rows: F.fold(rows.view(columns), size, **window),
    }
    for image, rows in (
        ("nhwc", "nhw|hwc"),
        ("nchw", "nhw|hwc"),
        ("nchw", "nhw|chw"),
        ("nchw", "n|chw|hw"),
    ):
        yield Case(
            op,
            name,
            f"{image}, {rows}",
            f"--{op} --image-layout={image} --rows-layout={rows} mb1_ic{channels}ih{size}"
            f"_oh{output}_kh{taps}_sh{stride}_ph{pad}",
            peers[op] if rows == "n|chw|hw" else None,
        )


def deformed(name, channels, size, stride=1, mask=True):
    output = (size - 1) // stride + 1
    for layout, taps in (("nhwc", "hwcf"), ("nchw", "fchw")):
        yield Case(
            "deform_conv",
            name,
            layout,
            f"--deform-conv {'--mask ' if mask else ''}--input-layout={layout} "
            f"--filter-layout={taps} --output-layout={layout.replace('c', 'f')} "
            f"mb1_ic{channels}ih{size}_oc{channels}oh{output}_kh3_sh{stride}_ph1",
            lambda x, w, offset, mask=None: torchvision.ops.deform_conv2d(
                x, offset, w, None, stride, 1, 1, mask
            ),
        )


def make_cases():
    for mode, padding in (
        ("linear", "zeros"),
        ("linear", "border"),
        ("linear", "reflection"),
        ("nearest", "zeros"),
        ("cubic", "zeros"),
    ):
        yield from samples(mode, padding, "64x128x128", 64, 128, 128)
        yield from samples(mode, padding, "3x384x640", 3, 384, 640)
    yield from transposed("U-Net 64 to 32, 56x56", 64, 32, 56, 2, 2, 0)
    yield from transposed("U-Net 128 to 64, 140x140", 128, 64, 140, 2, 2, 0)
    yield from transposed("U-Net 1024 to 512, 28x28", 1024, 512, 28, 2, 2, 0)
    yield from transposed("DCGAN 100 to 512, 1x1", 100, 512, 1, 4, 1, 0)
    yield from transposed("DCGAN 512 to 256, 4x4", 512, 256, 4, 4, 2, 1)
    yield from transposed("DCGAN 256 to 128, 8x8", 256, 128, 8, 4, 2, 1)
    yield from transposed("DCGAN 128 to 64, 16x16", 128, 64, 16, 4, 2, 1)
    yield from transposed("DCGAN 64 to 3, 32x32", 64, 3, 32, 4, 2, 1)
    yield from transposed("PP-OCR 24 to 24, 160x160", 24, 24, 160, 2, 2, 0)
    yield from transposed("PP-OCR 24 to 1, 320x320", 24, 1, 320, 2, 2, 0)
    for op in WINDOWS:
        yield from windows(op, "64 channels, 56x56, 3x3", 64, 56, 3, 1, 1)
        yield from windows(op, "64 channels, 112x112, 3x3 by 2", 64, 112, 3, 2, 1)
        yield from windows(op, "3 channels, 224x224, 7x7 by 2", 3, 224, 7, 2, 3)
        yield from windows(op, "128 channels, 56x56, 2x2 by 2", 128, 56, 2, 2, 0)
        yield from windows(op, "64 channels, 128x128, 3x3", 64, 128, 3, 1, 1)
    yield from deformed("64 channels, 56x56, mask", 64, 56)
    yield from deformed("128 channels, 28x28, mask", 128, 28)
    yield from deformed("256 channels, 14x14, mask", 256, 14)
    yield from deformed("256 channels, 14x14 by 2", 256, 14, 2, False)
    yield from deformed("512 channels, 7x7", 512, 7, 1, False)


def make_operand(argument, generator):
    """Numbers for one operand; grids are close to the identity, as those of optical
    flow and of spatial transformers are."""
    values = generator.standard_normal(argument.shape).astype(np.float32)
    if argument.name == "grid":
        _, height, width, _ = argument.shape
        y, x = np.meshgrid(
            np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij"
        )
        values = (np.stack([x, y], axis=-1)[None] + 0.02 * values).astype(np.float32)
    place = align(values.shape)
    place[...] = values
    return place


def align(shape):
    """Memory that no call has to copy."""
    size = int(np.prod(shape))
    whole = np.zeros(size + 64, np.float32)
    first = -whole.ctypes.data % 256 // 4
    return whole[first : first + size].reshape(shape)


def as_torch(argument, array, layout):
    """A copy of the operand in PyTorch's order, in memory as PyTorch likes it."""
    if argument.name == "grid" or not argument.layout:
        return torch.from_numpy(array)
    # A transposed convolution's input is the output of the convolution that it is
    # the gradient of, so that letters of channels say what is whose.
    letters = "fchw" if "filter" in argument.name else "nchw"
    names = argument.layout if "filter" in argument.name else argument.layout.replace("f", "c")
    tensor = torch.from_numpy(array.transpose([names.index(one) for one in letters]))
    is_last = layout == "nhwc" and argument.name != "offset" and argument.name != "mask"
    return tensor.contiguous(
        memory_format=torch.channels_last if is_last else torch.contiguous_format
    )


def time_in_turns(runs, turns, threads):
    """The shortest time of each function."""
    best = dict.fromkeys(runs, float("inf"))
    for run in runs.values():
        run()
    for _ in range(turns):
        for name, run in runs.items():
            count, start = 0, time.perf_counter()
            while (passed := time.perf_counter() - start) < 5e-3 or not count:
                run()
                count += 1
            best[name] = min(best[name], passed / count)
            if threads > 1 and len(runs) > 1:
                time.sleep(PAUSE)
    return best


def measure_memory(turns, threads):
    """The bytes that a copy reads and writes in a second. Not in turns with others,
    whose caches it would empty."""
    source, target = (torch.ones(COPIED // 8) for _ in range(2))
    best = time_in_turns({"copy": lambda: target.copy_(source)}, turns, threads)
    return COPIED / best["copy"]


def check(kernel, letters, ours, theirs):
    """What is wrong with the results, or nothing."""
    report = kernel.check()
    if not report.passed:
        return f"ours is wrong: {report}"
    if theirs is None:
        return ""
    if letters:
        theirs = theirs.permute(["nchw".index(one) for one in letters])
    result = theirs.numpy().reshape(ours.shape)
    difference = np.abs(result - ours).max() / max(np.abs(ours).max(), 1e-30)
    if not difference <= MOST_DIFFERENCE:
        return f"theirs differs by {difference:.1g} of the largest number"
    return ""


def measure(case, threads, turns):
    """One line of the results."""
    generator = np.random.default_rng(0)
    kernel = convoy.compile(case.problem, threads=threads)
    *read, made = kernel.arguments
    operands = [make_operand(one, generator) for one in read]
    out = align(made.shape)
    runs = {"ours": lambda: kernel(*operands, out=out)}
    theirs = None
    if case.theirs:
        tensors = [as_torch(one, array, case.layout) for one, array in zip(read, operands)]
        runs["theirs"] = lambda: case.theirs(*tensors)
        theirs = runs["theirs"]()
    runs["ours"]()
    wrong = check(kernel, (made.layout or "").replace("f", "c"), out, theirs)
    memory = measure_memory(turns, threads) if case.op in WINDOWS else None
    best = time_in_turns(runs, turns, threads)
    result = {
        "op": case.op,
        "name": case.name,
        "layout": case.layout,
        "problem": case.problem,
        "threads": threads,
        "milliseconds": 1e3 * best["ours"],
    }
    if case.theirs:
        result["their_milliseconds"] = 1e3 * best["theirs"]
        result["ratio"] = best["theirs"] / best["ours"]
    if memory:
        moved = sum(array.nbytes for array in operands) + out.nbytes
        result["gbs"] = moved / best["ours"] / 1e9
        result["memory_gbs"] = memory / 1e9
        result["memory_ratio"] = result["gbs"] / result["memory_gbs"]
    if wrong:
        result["error"] = wrong
    return result


def show(result):
    """A result in one line."""
    peer = ""
    if "gbs" in result:
        peer += f"  {result['gbs']:6.1f} of {result['memory_gbs']:.1f} GB/s"
        peer += f" {result['memory_ratio']:5.2f}"
    if "ratio" in result:
        peer += f"  theirs {result['their_milliseconds']:8.3f} ms {result['ratio']:5.2f}"
    return (
        f"{result['op']:29} {result['name']:32} {result['layout']:13} {result['threads']}  "
        f"{result['milliseconds']:8.3f} ms{peer}"
        f"{'  ' + result['error'] if 'error' in result else ''}"
    )


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--json")
    return parser.parse_args()


def main():
    options = parse()
    torch.set_grad_enabled(False)
    results = []
    for threads in map(int, options.threads.split(",")):
        torch.set_num_threads(threads)
        for case in make_cases():
            if options.names and not any(name in str(case) for name in options.names):
                continue
            results.append(measure(case, threads, options.turns))
            print(show(results[-1]), flush=True)
    if options.json:
        versions = {"torch": torch.__version__, "torchvision": torchvision.__version__}
        with open(options.json, "w") as file:
            json.dump({"versions": versions, "results": results}, file, indent=1)
    return 2 if any("error" in result for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
