#!/usr/bin/env python3
"""Compares the kernels of two builds, byte by byte.

usage: compare-kernels.py OLD NEW [--drawn=N] [--seed=N] [--jobs=N] [--only-drawn]

OLD and NEW are folders of tools, such as build/bin. Compiles the convolutions of
ResNet-50 and MobileNet-V2 in all directions, and N drawn ones (500), for the CPU,
for two of AMD's chips and for two kinds of Vulkan devices with both, and prints
each problem whose objects, code objects or binaries differ, or which only one of
them compiles. With --only-drawn there are no networks. The last line is the count.
Exits with 2 where something differs.
"""

import argparse
import concurrent.futures
import filecmp
import pathlib
import random
import subprocess
import sys
import tempfile

INPUTS = pathlib.Path(__file__).parent.parent / "test" / "Inputs"
NETWORKS = ["resnet50.txt", "mobilenet_v2.txt"]
DIRECTIONS = ["FWD_D", "BWD_D", "BWD_W"]
# What is compiled for, with the words for a kernel's file.
TARGETS = {
    "x86-64-v4": ["--target=cpu", "--cpu=x86-64-v4", "--emit=obj"],
    "x86-64-v3, 2 threads": ["--target=cpu", "--cpu=x86-64-v3", "--threads=2", "--emit=obj"],
    "packed filters": ["--target=cpu", "--cpu=x86-64-v4", "--filter=packed", "--emit=obj"],
    "gfx942": ["--target=rocm", "--chip=gfx942", "--emit=hsaco"],
    "gfx1100": ["--target=rocm", "--chip=gfx1100", "--emit=hsaco"],
    "vulkan, generic": ["--target=vulkan", "--profile=generic", "--emit=spv"],
    "vulkan, nvidia": ["--target=vulkan", "--profile=nvidia", "--emit=spv"],
}
# Problems compiled in one process; those of a chunk that differs are then
# compiled alone.
CHUNK = 16


def network_problems(name):
    lines = (INPUTS / name).read_text().splitlines()
    lines = [line.split("#")[0].strip() for line in lines]
    return [f"--dir={to} {line}" for line in lines if line for to in DIRECTIONS]


def draw_problem(rng):
    """A small problem of any kind: layouts, groups, strides, paddings and types."""
    spatial = rng.choice(["w", "hw", "hw", "hw", "dhw"])
    groups = rng.choice([1, 1, 1, 2, 3, 8])
    channels = [groups * rng.choice([1, 2, 3, 4, 7, 16, 33]) for _ in "io"]
    words = [f"g{groups}mb{rng.randint(1, 3)}", f"ic{channels[0]}oc{channels[1]}"]
    for dim in spatial:
        kernel = rng.choice([1, 2, 3, 3, 5])
        dilation = rng.choice([0, 0, 0, 1])
        size = rng.randint((kernel - 1) * (dilation + 1) + 1, 28 if len(spatial) < 3 else 9)
        words.append(f"i{dim}{size}k{dim}{kernel}s{dim}{rng.choice([1, 1, 2, 3])}")
        words.append(f"p{dim}{rng.randint(0, kernel - 1)}d{dim}{dilation}")
    flags = [f"--dir={rng.choice(DIRECTIONS)}", f"--type={rng.choice(['f32', 'f32', 'f16', 'bf16', 'i8'])}"]
    for what, inner, outer in (("input", "c", "n"), ("filter", "cf", ""), ("output", "f", "n")):
        order = rng.choice([outer + spatial + inner, outer + inner + spatial])
        if what == "filter" and rng.random() < 0.5:
            order = order.replace("cf", "fc")
        flags.append(f"--{what}-layout={order}")
    return " ".join([*flags, "".join(words)])


def compile_problems(tools, problems, words, output):
    """The error of the compilation of `problems` into `output`, or nothing."""
    if len(problems) > 1:
        listing = output.with_suffix(".txt")
        listing.write_text("".join(problem + "\n" for problem in problems))
        given = [f"@{listing}"]
    else:
        given = problems[0].split()
    command = [tools / "convoy-compile", *given, *words, "--name=conv", "-o", output]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode < 0:
        return f"signal {-ran.returncode}"
    return ran.stderr.strip() if ran.returncode else None


def compare(builds, target, problems, folder):
    """Lines for those of `problems` whose kernels for `target` differ, and how many
    both builds refuse."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        outputs = [pathlib.Path(place) / name for name in ("old.bin", "new.bin")]
        errors = [
            compile_problems(tools, problems, TARGETS[target], output)
            for tools, output in zip(builds, outputs)
        ]
        # A line that is refused hides those behind it.
        if not any(errors) and filecmp.cmp(*outputs, shallow=False):
            return [], 0
        if len(problems) > 1:
            each = [compare(builds, target, [problem], folder) for problem in problems]
            return sum((lines for lines, _ in each), []), sum(refused for _, refused in each)
        if all(errors):
            same = errors[0] == errors[1]
            return [] if same else [f"{target}: other error: {problems[0]}"], 1
        if any(errors):
            which = "old" if errors[0] else "new"
            return [f"{target}: only the {which} build refuses: {problems[0]}"], 0
        sizes = " and ".join(str(output.stat().st_size) for output in outputs)
        return [f"{target}: differs ({sizes} bytes): {problems[0]}"], 0


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    words.add_argument("builds", nargs=2, type=pathlib.Path)
    words.add_argument("--drawn", type=int, default=500)
    words.add_argument("--seed", type=int, default=20)
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--only-drawn", action="store_true")
    options = words.parse_args()
    rng = random.Random(options.seed)
    networks = [] if options.only_drawn else NETWORKS
    problems = [problem for name in networks for problem in network_problems(name)]
    problems += [draw_problem(rng) for _ in range(options.drawn)]
    chunks = [problems[first : first + CHUNK] for first in range(0, len(problems), CHUNK)]
    differing = refused = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(
        options.jobs
    ) as pool:
        tasks = [
            pool.submit(compare, options.builds, target, chunk, folder)
            for target in TARGETS
            for chunk in chunks
        ]
        for done, task in enumerate(tasks, 1):
            lines, skipped = task.result()
            differing += len(lines)
            refused += skipped
            for line in lines:
                print(line, flush=True)
            if sys.stderr.isatty():
                print(f"\r{done}/{len(tasks)} chunks", end="", file=sys.stderr)
    count = len(problems) * len(TARGETS)
    print(
        f"{count} kernels of {len(problems)} problems: {differing} differ,"
        f" {refused} are refused by both"
    )
    return 2 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
