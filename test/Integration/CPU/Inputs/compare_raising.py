"""Runs the functions of a raising test twice and compares their results.

One time a function is raised and lowered by Convoy, the other time it is left
as it is and lowered by upstream's passes, to plain loops. Data are integers
whose sums are exact in every type, so that both must agree bit for bit.

Prints a line for each function, then a summary; exits 1 where any differs.
Functions with dynamic sizes, and those that --skip names because upstream
cannot lower them, are listed and not run.
"""

import argparse
import ctypes
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

RAISE = {
    "linalg": ["convoy-raise-linalg"],
    "tosa": ["convoy-raise-tosa", "tosa-to-arith"],
}
UPSTREAM = {
    "linalg": [],
    "tosa": [
        "func.func(tosa-optional-decompositions)",
        "func.func(tosa-infer-shapes,tosa-to-linalg-named,tosa-to-linalg)",
        "func.func(tosa-to-arith,tosa-to-tensor)",
    ],
}
TO_LOOPS = [
    "func.func(convoy-add-destinations)",
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map}",
    "convoy-allocate-workspace",
    "convoy-copy-to-linalg",
    "func.func(convert-linalg-to-loops)",
    "expand-strided-metadata",
    "lower-affine",
    "arith-expand{include-bf16}",
    "convert-scf-to-cf",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
    "convoy-wrap-kernels",
]
ALIGNMENT = 64


def run(command, text):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{result.stderr}")
    return result.stdout


def convoy_opt(text, passes):
    pipeline = f"--pass-pipeline=builtin.module({','.join(passes)})"
    return run(["convoy-opt", pipeline], text)


class Kernel:
    """The interface of one lowered function."""

    def __init__(self, name, attributes):
        self.name = name
        self.types = re.findall(r"type = (tensor<[^>]*>|\w+)", attributes)
        self.written = [w == "true" for w in re.findall(r"written = (\w+)", attributes)]
        workspace = re.search(r"convoy.workspace = (\d+)", attributes)
        self.workspace = int(workspace[1]) if workspace else 0


def compile_module(text, folder, name, host_cc):
    """Returns the loaded library and its kernels by name."""
    kernels = {
        match[1]: Kernel(match[1], match[2])
        for match in re.finditer(
            r"llvm\.func @(\w+)\([^\n]*attributes \{(convoy\.arguments[^\n]*)", text
        )
    }
    module = run(["mlir-translate", "--mlir-to-llvmir"], text)
    path = os.path.join(folder, name)
    module = run(["opt", "-O2", "-S"], module)
    run(["llc", "-O2", "-filetype=obj", "-relocation-model=pic", "-o", path + ".o"], module)
    run([host_cc, "-shared", "-o", path + ".so", path + ".o"], "")
    return ctypes.CDLL(path + ".so"), kernels


def encode(element, value):
    """`value` as an element in memory; integers take a power of two of bytes."""
    if element == "bf16":
        return struct.pack("<f", value)[2:]
    if element[0] == "f":
        return struct.pack({"f16": "<e", "f32": "<f", "f64": "<d"}[element], value)
    size = 1
    while 8 * size < int(element[1:]):
        size *= 2
    return (value % 2 ** int(element[1:])).to_bytes(size, "little")


def element_of(type):
    return re.search(r"(\w+)>", type.replace("x", " "))[1]


def random_value(element, source):
    if element[0] in "fb":
        return source.randint(-3, 3)
    width = min(int(element[1:]), 16)
    return source.randint(-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def make_data(kernel, source):
    """Bytes of each tensor and value of each scalar."""
    data = []
    for type in kernel.types:
        if not type.startswith("tensor"):
            data.append(source.randint(-100, 100))
            continue
        element = element_of(type)
        count = math.prod(map(int, re.findall(r"(\d+)x", type)))
        data.append(b"".join(encode(element, random_value(element, source)) for _ in range(count)))
    return data


def aligned(size):
    buffer = ctypes.create_string_buffer(size + ALIGNMENT)
    offset = -ctypes.addressof(buffer) % ALIGNMENT
    return buffer, ctypes.c_void_p(ctypes.addressof(buffer) + offset)


def elements(type, data):
    """The elements of a tensor's bytes, without what fills them up in memory."""
    element = element_of(type)
    size = len(encode(element, 0))
    width = int(element.lstrip("bfi"))
    return [data[at : at + -(-width // 8)] for at in range(0, len(data), size)]


def call(library, kernel, data, fill):
    """Calls the kernel on a copy of `data`; returns what it wrote over `fill`."""
    kept, arguments, results = [], [], []
    for value, type, written in zip(data, kernel.types, kernel.written):
        if isinstance(value, int):
            arguments.append(ctypes.c_int32(value))
            continue
        buffer, pointer = aligned(len(value))
        kept.append(buffer)
        ctypes.memmove(pointer, fill * len(value) if written else value, len(value))
        arguments.append(pointer)
        if written:
            results.append((pointer, len(value), type))
    workspace, pointer = aligned(kernel.workspace)
    kept.append(workspace)
    status = getattr(library, kernel.name)(*arguments, pointer)
    if status != 0:
        sys.exit(f"error: {kernel.name} returned {status}")
    return [
        elements(type, ctypes.string_at(pointer, size))
        for pointer, size, type in results
    ]


def functions_of(text):
    """The functions of a module: name and text of the signature."""
    return re.findall(r"func\.func @(\w+)(\([^{]*)\{", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--dialect", choices=RAISE, required=True)
    parser.add_argument("--host-cc", required=True)
    parser.add_argument("--skip", default="", help="functions, separated by commas")
    options = parser.parse_args()
    skip = options.skip.split(",")

    with open(options.file) as file:
        modules = file.read().split("// -----")
    source = random.Random(1)
    agree = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(modules):
            functions = functions_of(text)
            left_out = [n for n, s in functions if n in skip or "?" in s]
            if left_out:
                print(f"{', '.join(left_out)}: not run")
                continue
            convolutions = convoy_opt(text, RAISE[options.dialect])
            if convolutions.count(" convoy.conv") < len(functions):
                sys.exit(f"error: not raised: one of {[name for name, _ in functions]}")
            raised, kernels = compile_module(
                convoy_opt(convolutions, ["convoy-to-llvm-pipeline"]),
                folder, f"raised{number}", options.host_cc,
            )
            plain, plain_kernels = compile_module(
                convoy_opt(text, UPSTREAM[options.dialect] + TO_LOOPS),
                folder, f"plain{number}", options.host_cc,
            )
            for name, _ in functions:
                data = make_data(kernels[name], source)
                # An element that is not written differs by what was there.
                same = call(raised, kernels[name], data, b"\x00") == call(
                    plain, plain_kernels[name], data, b"\xff"
                )
                print(f"{name}: {'agrees' if same else 'DIFFERS'}")
                agree, differ = agree + same, differ + (not same)
    print(f"{agree} functions agree, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
