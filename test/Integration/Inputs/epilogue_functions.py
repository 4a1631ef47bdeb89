"""Compares functions that follow a convolution with Python's own.

usage: epilogue_functions.py FOLDER TARGET TYPE OPTION...

Writes a program into FOLDER in which a convolution that copies its input is
followed by each function, runs it with convoy-run --target=TARGET OPTION..., and
prints the functions whose results are too far off, and the largest distance.
How far a result may be off, in units in the last place of f32, or in all:
- CPU, rocm-sim: 8 units: glibc's manual, "Known Maximum Errors in Math
  Functions", has at most 6 for these in f32 on x86-64.
- Vulkan: its specification, "Precision of GLSL.std.450 Instructions", for what
  SPIR-V has; for erf and erfc what docs/Numerics.md says.
Narrow types are rounded once more.
"""

import math
import pathlib
import subprocess
import sys

import numpy

CPU = {
    "erf": math.erf,
    "erfc": math.erfc,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "asinh": math.asinh,
    "atanh": lambda x: math.atanh(x / 8),
    "acosh": lambda x: math.acosh(1 + abs(x)),
    "expm1": math.expm1,
    "log1p": lambda x: math.log1p(abs(x)),
    "tanh": math.tanh,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "trunc": math.trunc,
}
VULKAN = {name: CPU[name] for name in ["erf", "erfc", "exp", "exp2", "trunc", "tanh"]}
# What a function is applied to, where it is not the sum itself.
ARGUMENTS = {
    "atanh": "%eighth = arith.constant 0.125 : {0}\n    %a = arith.mulf %s, %eighth : {0}",
    "acosh": "%one = arith.constant 1.0 : {0}\n    %m = math.absf %s : {0}\n    %a = arith.addf %m, %one : {0}",
    "log1p": "%a = math.absf %s : {0}",
}
# Digits, and the exponent of the smallest subnormal number.
PRECISIONS = {"f32": (24, -149), "f16": (11, -24), "bf16": (8, -133)}
SIZE = 127
MAX_RESULTS = 5


def write_program(path, functions, type):
    """A function with one result, a row of SIZE elements, for each of `functions`."""
    tensor = f"tensor<1x{SIZE}x1x{type}>"
    lines = [
        "#all = affine_map<(n, w, f) -> (n, w, f)>",
        f"func.func @f(%x: {tensor}, %filter: tensor<1x1x1x{type}>) -> ({', '.join([tensor] * len(functions))}) {{",
        f"  %zero = arith.constant 0.0 : {type}",
        f"  %empty = tensor.empty() : {tensor}",
        f"  %init = linalg.fill ins(%zero : {type}) outs(%empty : {tensor}) -> {tensor}",
        f"  %sums = linalg.conv_1d_nwc_wcf ins(%x, %filter : {tensor}, tensor<1x1x1x{type}>) outs(%init : {tensor}) -> {tensor}",
    ]
    for name in functions:
        argument = ARGUMENTS.get(name, "").format(type)
        lines += [
            '  %{0} = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}}'.format(name),
            f"      ins(%sums : {tensor}) outs(%empty : {tensor}) {{",
            f"  ^bb0(%s: {type}, %o: {type}):",
            f"    {argument}",
            f"    %r = math.{name} {'%a' if argument else '%s'} : {type}",
            f"    linalg.yield %r : {type}",
            f"  }} -> {tensor}",
        ]
    lines += [f"  return {', '.join('%' + name for name in functions)} : {', '.join([tensor] * len(functions))}", "}"]
    path.write_text("\n".join(lines) + "\n")


def run(folder, target, type, functions, values, options):
    """The functions' results on `values`."""
    program = folder / f"{type}.mlir"
    write_program(program, functions, type)
    command = ["convoy-run", program, f"--target={target}", "--quiet", *options]
    command += [f"--input=1x{SIZE}x1x{type}=" + ",".join(repr(float(v)) for v in values)]
    command += [f"--input=1x1x1x{type}=1", *(f"--output=@{folder}/{name}.npy" for name in functions)]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return {name: numpy.load(folder / f"{name}.npy").ravel() for name in functions}


def to_float(array, type):
    """As f64; bf16 is written as its bits."""
    if type == "bf16":
        array = (array.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return array.astype(numpy.float64)


def unit(y, type):
    """A unit in the last place of `y`."""
    digits, least = PRECISIONS[type]
    return 2.0 ** max(math.frexp(y)[1] - digits, least)


def bound(target, name, x, y, type):
    """How far the result `y` at `x` may be off."""
    narrow = unit(y, type) / 2 if type != "f32" else 0
    if name == "trunc":
        return 0
    if target != "vulkan":
        return 8 * unit(y, "f32") + narrow
    if name in ("erf", "erfc"):
        return 2.0**-21 + narrow
    if name == "tanh":  # by exp, as the specification allows: relative to 1
        return 2.0**-20 + narrow
    return (3 + 2 * abs(x)) * unit(y, "f32") + narrow


def main():
    folder, target, type, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    functions = VULKAN if target == "vulkan" else CPU
    # Multiples of 1/16, exact in all types: from -4 to 4, but for 63 and 64.
    values = numpy.arange(-63, 64) / 16
    names, results = list(functions), {}
    for i in range(0, len(names), MAX_RESULTS):
        results |= run(folder, target, type, names[i : i + MAX_RESULTS], values, options)
    worst = 0.0
    for name, function in functions.items():
        for x, result in zip(values, to_float(results[name], type)):
            expected = function(float(x))
            error, most = abs(result - expected), bound(target, name, x, expected, type)
            if not error <= most:
                print(f"{name}({x}) = {result}, expected {expected}, may be off by {most}, is by {error}")
            if most:
                worst = max(worst, error / most)
    print(f"{len(functions)} functions of {type} on {target}: worst error/bound {worst:.2f}")


main()
