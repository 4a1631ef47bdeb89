#!/usr/bin/env python3
"""Estimates the speed of kernels for ARM from their machine code, without such a machine.

usage: estimate-arm.py PROBLEMS TOOLS LLVM_BIN OUTPUT

Compiles each forward convolution of the file PROBLEMS, in nhwc with an hwcf filter
that is packed beforehand, with TOOLS/convoy-compile for CPUs of ARM and types, and
writes the JSON list OUTPUT of what its inner loop is like, the innermost with the
most multiply-adds: the instructions that multiply, multiply-adds, loads, registers
that are spilled there, and cycles by llvm-mca, as part of its peak. That is how fast
llvm-mca lets the CPU's instruction with the most multiply-adds run with nothing else
and with nothing to wait for.
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from machine_code import cycles_of, innermost_loops, read_problems

TRIPLE = "aarch64-linux-gnu"
# CPUs that LLVM has a model of, and the types that each has instructions for.
CPUS = {
    "cortex-a55": ["f32", "i8"],
    "cortex-a72": ["f32"],
    "neoverse-n1": ["f32", "i8"],
    "neoverse-v1": ["f32", "bf16", "i8"],
    "neoverse-v2": ["f32", "bf16", "i8"],
    "apple-m1": ["f32", "i8"],
}
# The instructions that multiply, operands for them, and multiply-adds of each.
PRODUCTS = {
    "f32": {"fmla": ("4s, v29.4s, v30.s[0]", 4)},
    "bf16": {"bfdot": ("4s, v29.8h, v30.2h[0]", 8), "bfmmla": ("4s, v29.8h, v30.8h", 16)},
    "i8": {"sdot": ("4s, v29.16b, v30.4b[0]", 16), "smmla": ("4s, v29.16b, v30.16b", 32)},
}
# CPUs that have those for matrices.
MATRIX_CPUS = {"neoverse-v1", "neoverse-v2"}
# What LLVM's model gets wrong: the Cortex-A55 has two pipelines of 64 bits, and
# starts one such instruction of 128 bits in a cycle ("Arm Cortex-A55 Software
# Optimization Guide", section 3.17). It is the peak where llvm-mca has more.
MOST_IN_A_CYCLE = {"cortex-a55": 1}
SUMS = 24  # registers that the loop of the peak adds to, and nothing waits for


# Rounds of a loop, whose first ones wait for what others have ready.
ROUNDS = 200


@functools.cache
def peak_of(llvm, kind, cpu):
    """The most multiply-adds of a type in a cycle, or None."""
    products = list(PRODUCTS[kind].items())
    product, (operands, multiply_adds) = products[-1 if cpu in MATRIX_CPUS else 0]
    alone = [f"{product} v{number}.{operands}" for number in range(SUMS)]
    cycles = cycles_of(llvm, TRIPLE, cpu, alone, ROUNDS)
    if not cycles:
        return None
    return multiply_adds * min(SUMS / cycles, MOST_IN_A_CYCLE.get(cpu, SUMS))


def describe(text, kind, cpu, llvm):
    """What the inner loop of a function in LLVM's assembly is like."""
    lines = [line.split("//")[0].strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not re.match(r"\.(?!LBB)", line)]

    def count(loop, *names):
        return sum(line.split()[0] in names for line in loop)

    loops = innermost_loops(lines, r"(?:b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+, #\d+,)\s+(\S+)")

    def count_multiply_adds(loop):
        return sum(number * count(loop, name) for name, (_, number) in PRODUCTS[kind].items())

    loop = max(loops, key=count_multiply_adds, default=[])
    multiply_adds = count_multiply_adds(loop)
    if not multiply_adds:
        return None
    peak = peak_of(llvm, kind, cpu)
    cycles = cycles_of(llvm, TRIPLE, cpu, loop, ROUNDS)
    if not peak or not cycles:
        return None
    return {
        "products": count(loop, *PRODUCTS[kind]),
        "multiply_adds": multiply_adds,
        "loads": count(loop, "ldr", "ldur", "ldp", "ld1", "ld1r", "ldnp"),
        "instructions": sum(not line.endswith(":") for line in loop),
        "spills": sum("[sp" in line for line in loop),
        "cycles": cycles,
        "peak_part": min(1, multiply_adds / cycles / peak),
    }


def assembly(tools, problem, kind, cpu, folder):
    path = folder / "kernel.s"
    types = "--dt=s8:s8:s32" if kind == "i8" else f"--type={kind}"
    subprocess.run(
        [tools / "convoy-compile", problem, "--dir=FWD_D", types, "--filter=packed",
         f"--triple={TRIPLE}", f"--cpu={cpu}", "--emit=asm", "-o", path],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return path.read_text()


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 1
    problems, tools, llvm, output = map(pathlib.Path, arguments)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for problem in read_problems(problems):
            for cpu, kinds in CPUS.items():
                for kind in kinds:
                    text = assembly(tools, problem, kind, cpu, pathlib.Path(folder))
                    found = describe(text, kind, cpu, llvm)
                    print(f"{problem}: {cpu}, {kind}: {found}", file=sys.stderr)
                    rows.append({"problem": problem, "cpu": cpu, "type": kind, "code": found})
    output.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
