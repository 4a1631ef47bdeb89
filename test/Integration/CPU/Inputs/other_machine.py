"""Checks that kernels for another machine give the bits of those for this one.

Compiles the problems for both, calls each kernel on the same small integers, whose
sums are exact, here and in an emulator, and compares all bytes. Prints the number
of kernels that agree and differ.

usage: other_machine.py FOLDER CPU PROBLEMS [FLAG...]
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

ARM = ["--triple=aarch64-linux-gnu"]
MACHINES = {
    "here": ([], [], []),
    "there": (ARM, ["--target=aarch64-linux-gnu"], ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
}
BYTES = {"f64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1}
SOURCE = pathlib.Path(__file__).parent / "call_kernel.c"


def draw(argument, random):
    """The bytes of -1, 0 and 1 in the type of an argument."""
    values = random.integers(-1, 2, argument["shape"])
    kind = argument["type"]
    if kind == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).tobytes()
    return values.astype({"f": "float", "i": "int"}[kind[0]] + kind[1:]).tobytes()


def build(folder, cpu, problems, flags):
    """The manifest and, for each machine, the command that calls a kernel."""
    commands = {}
    for name, (triple, target, runner) in MACHINES.items():
        library, program = folder / f"{name}.so", folder / name
        words = [f"@{problems}", *flags, *triple, "-o", library, "--manifest", folder / "kernels.json"]
        words += [f"--cpu={cpu}"] if triple else []
        subprocess.run(["convoy-compile", *words], check=True)
        compile_c = ["clang-22", *target, "-fuse-ld=lld", "-O1"]
        subprocess.run([*compile_c, SOURCE, "-ldl", "-o", program], check=True)
        commands[name] = ([*runner, program, library], json.loads((folder / "kernels.json").read_text()))
    return commands


def call(command, kernel, buffers):
    """What the buffers hold after a call."""
    words = [*command, kernel["entry"], str(kernel["workspace"]["bytes"]), *(str(len(b)) for b in buffers)]
    return subprocess.run(words, input=b"".join(buffers), capture_output=True, check=True).stdout


def main(folder, cpu, problems, *flags):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    commands = build(folder, cpu, problems, flags)
    agreeing = differing = 0
    random = np.random.default_rng(0)
    (here, kernels), (there, others) = commands["here"], commands["there"]
    for kernel, other in zip(kernels["kernels"], others["kernels"], strict=True):
        buffers = [
            draw(argument, random)
            if argument["access"] == "read"
            else bytes(int(np.prod(argument["shape"])) * BYTES[argument["type"]])
            for argument in kernel["arguments"]
        ]
        if call(here, kernel, buffers) == call(there, other, buffers):
            agreeing += 1
        else:
            differing += 1
            print(f"{kernel['problem']}: differs")
    print(f"{agreeing} kernels agree, {differing} differ")
    return 2 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
