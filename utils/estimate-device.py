#!/usr/bin/env python3
"""Prints what can be said of kernels for a GPU that is not at hand: estimates.

usage: estimate-device.py BIN PROFILE PROBLEMS...

BIN has convoy-compile, which compiles the networks in the files PROBLEMS for
Vulkan's PROFILE in all directions at batch 1 and 32. Nothing is run. Said of a
network are how many layers multiply by matrix units, how many workgroups the largest
launch of a layer has for each compute unit, and how many operations all work-items
have for each multiply-add, those of indices among them, before a driver optimizes:
what manifests have as the time of a workgroup, counted back. Of reads and writes of
buffers in the kernels' code is said how many take 16 bytes, and of launches how many
have workgroups that are no whole subgroups. Needs nothing but Python.
"""

import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from bench_cases import DIRECTIONS, mean, table
from spirv_code import count_accesses

# Compute units; kUnitOperations over kLaunchSafety of
# lib/Transforms/KernelABI/GroupTime.cpp.
UNITS = {"nvidia": 132, "amd": 96}
SUBGROUPS = {"nvidia": 32, "amd": 64}
RATE = 6e10 / 10
TYPES = ("f32", "f16", "bf16", "i8")


def compile_network(binaries, profile, problems, kind, batch, direction):
    """The manifest's kernels, those by matrix units, and the accesses in the code."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = pathlib.Path(folder) / "kernels.json"
        command = [
            f"{binaries}/convoy-compile", f"@{problems}", f"--mb={batch}", f"--type={kind}",
            f"--dir={direction}", "--target=vulkan", f"--profile={profile}", "--explain",
            "-o", f"{folder}/kernels.spv", "--manifest", str(manifest),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"estimate-device.py: {done.stderr.strip().splitlines()[-1]}")
        by_matrix = {
            line.split(": remark:")[0]
            for line in done.stderr.splitlines()
            if "each wave by coop_" in line
        }
        code = pathlib.Path(f"{folder}/kernels.spv").read_bytes()
        accesses = count_accesses(code).values()
        return json.loads(manifest.read_text())["kernels"], by_matrix, accesses


def count_multiply_adds(problem):
    word = problem.split()[-1].split("_n")[0]
    sizes = {name: int(value) for name, value in re.findall(r"([a-z]+)(-?\d+)", word)}
    count = 1
    for name in ("mb", "oc", "od", "oh", "ow", "kd", "kh", "kw", "ic"):
        count *= sizes.get(name, 1)
    return count // sizes.get("g", 1)


def estimate(kernel, units):
    """Operations of a kernel, and the workgroups of its largest launch for each unit."""
    operations, largest = 0, (0, 0)
    for launch in kernel["launches"]:
        x, y, z = launch["grid"]
        count = x * y * z * launch["group_seconds"] * units * RATE
        operations += count
        largest = max(largest, (count, x * y * z / units))
    return operations, largest[1]


def part_of_long(counts):
    """How many of the accesses take 16 bytes, in percent."""
    total = sum(counts, collections.Counter())
    return f"{100 * total[16] / max(1, sum(total.values())):.0f}"


def count_parts(kernels, subgroup):
    """The launches whose workgroups are no whole subgroups."""
    return sum(
        math.prod(launch["workgroup_size"]) % subgroup != 0
        for kernel in kernels
        for launch in kernel["launches"]
    )


def row(name, kind, batch, direction, kernels, by_matrix, accesses, profile):
    units = UNITS[profile]
    found = [estimate(kernel, units) for kernel in kernels]
    groups = [each for _, each in found]
    operations = mean(
        count / count_multiply_adds(kernel["problem"])
        for kernel, (count, _) in zip(kernels, found)
    )
    return [
        name, kind, batch, DIRECTIONS[direction], f"{len(by_matrix)} of {len(kernels)}",
        f"{statistics.median(groups):.1f}", f"{min(groups):.1f}", f"{operations:.1f}",
        part_of_long([each.reads for each in accesses]),
        part_of_long([each.writes for each in accesses]),
        count_parts(kernels, SUBGROUPS[profile]),
    ]  # fmt: skip


def main(binaries, profile, *files):
    rows = []
    for file in files:
        for kind in TYPES:
            for batch in (1, 32):
                for direction in DIRECTIONS:
                    found = compile_network(binaries, profile, file, kind, batch, direction)
                    name = pathlib.Path(file).stem
                    rows.append(row(name, kind, batch, direction, *found, profile))
    header = [
        "network", "type", "batch", "direction", "layers by matrix units",
        "workgroups a unit, median", "least", "operations a multiply-add",
        "reads of 16 bytes, %", "writes, %", "part subgroups",
    ]  # fmt: skip
    print(table(header, rows), end="")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] not in UNITS:
        print(__doc__)
        sys.exit(sys.argv[1:] not in (["-h"], ["--help"]))
    sys.exit(main(*sys.argv[1:]))
