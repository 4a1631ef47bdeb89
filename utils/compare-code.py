#!/usr/bin/env python3
"""Compares our machine code for AMD's GPUs with IREE's, without running either.

usage: compare-code.py PROBLEMS TOOLS LLVM_BIN OUTPUT

Compiles each forward 2-D convolution of the file PROBLEMS, in nhwc with an hwcf
filter, with TOOLS/convoy-compile and with IREE, whose compiler the Python that
runs this has, for chips and types of operands (results are of the same type
here and f32 there), and writes the JSON list OUTPUT of what the kernel with the
most work is like: its registers and LDS, how many waves a SIMD then holds, and
of its inner loop, which is the innermost with the most operations (or the whole
kernel, where all is unrolled): those operations, the bytes that a work-item
loads, and cycles of one wave alone by llvm-mca.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from machine_code import cycles_of, innermost_loops, read_problems

# Operations of a SIMD by type in a cycle of llvm-mca's, which is four clocks on
# gfx9, where an instruction takes so many for the 64 lanes of a wave: those of
# matrix instructions, or of fused multiply-adds where a chip has none for the
# type (peak figures of the MI300X and of the RX 7900 XTX). Registers of a SIMD's
# lane, in steps of so many, and the most waves. LDS and SIMDs that share it.
CHIPS = {
    "gfx942": {
        "wave": 64, "peak": {"f32": 256, "f16": 2048}, "registers": 512, "step": 8,
        "waves": 8, "lds": 65536, "simds": 4,
    },
    "gfx1100": {
        "wave": 32, "peak": {"f32": 128, "f16": 256}, "registers": 1536, "step": 24,
        "waves": 16, "lds": 131072, "simds": 4,
    },
}  # fmt: skip
TYPES = ["f32", "f16"]

# What each lane of a wave computes, two operations a multiply-add.
LANE_OPERATIONS = {
    "v_fma_f32": 2, "v_fmac_f32": 2, "v_fmamk_f32": 2, "v_fmaak_f32": 2, "v_mac_f32": 2,
    "v_dual_fmac_f32": 2, "v_pk_fma_f32": 4, "v_fma_f16": 2, "v_fmac_f16": 2,
    "v_pk_fma_f16": 4, "v_fma_mix_f32": 2, "v_dot2_f32_f16": 4, "v_dot2c_f32_f16": 4,
    "v_dot2_f32_bf16": 4,
}  # fmt: skip
# Bytes of what a load instruction names.
SIZES = {
    "u8": 1, "i8": 1, "ubyte": 1, "sbyte": 1, "u16": 2, "i16": 2, "b16": 2, "ushort": 2,
    "sshort": 2, "short": 2, "b32": 4, "dword": 4, "b64": 8, "dwordx2": 8, "b96": 12,
    "dwordx3": 12, "b128": 16, "dwordx4": 16,
}  # fmt: skip


def operations(line, wave):
    """How many operations a wave does in the instruction `line`."""
    matrix = re.match(r"v_(?:mfma|wmma)_\w+?_(\d+)x(\d+)x(\d+)(?:_(\d+)b)?", line)
    if matrix:
        m, n, k = (int(size) for size in matrix.groups()[:3])
        return 2 * m * n * k * int(matrix[4] or 1)
    words = re.findall(r"(?:^|:: )(v_\w+)", line)
    names = [re.sub(r"_(e32|e64|dpp|sdwa)$", "", word) for word in words]
    return wave * sum(LANE_OPERATIONS.get(name, 0) for name in names)


def loaded_bytes(line):
    """The memory and the bytes that a lane loads in the instruction `line`."""
    match = re.match(r"(ds|global|buffer|flat)_(read|load)(?:_2addr)?(2?)(?:_stride64|st64)?_(\w+)", line)
    if not match:
        return None, 0
    kind, _, twice, what = match.groups()
    size = next(SIZES[word] for word in what.split("_") if word in SIZES)
    return "lds" if kind == "ds" else "memory", size * (2 if twice else 1)


class Function:
    """A kernel in LLVM's assembly."""

    def __init__(self, name, text, wave):
        self.name, self.wave = name, wave
        lines = (line.split(";")[0].strip() for line in text.splitlines())
        self.lines = [line for line in lines if line and not re.match(r"\.(?!LBB)", line)]

    def inner_loop(self):
        """The lines of the innermost loop with the most operations, or all where
        no loop has any."""
        bodies = innermost_loops(self.lines, r"s_c?branch\w*\s+(\S+)")
        best = max(bodies, key=self.count, default=[])
        return best if self.count(best) else self.lines

    def count(self, lines):
        return sum(operations(line, self.wave) for line in lines)


def functions(text, wave):
    """The kernels of an assembly file."""
    parts = re.findall(r"^(\w+):.*?\n(.*?)^\s*\.section", text, re.M | re.S)
    return [Function(name, body, wave) for name, body in parts]


def metadata(text, symbol):
    """The numbers that the notes hold of a kernel."""
    for part in re.split(r"^  - ", text.split("amdhsa.kernels:")[1], flags=re.M):
        fields = dict(re.findall(r"^ *\.(\w+): +(\S+)$", part, re.M))
        if fields.get("name") == symbol:
            return {key: int(value) for key, value in fields.items() if value.isdigit()}
    raise KeyError(symbol)


def waves_of(chip, fields):
    """How many waves registers and LDS let a SIMD hold."""
    # AGPRs and VGPRs are one file, and the count of VGPRs is of both.
    registers = max(fields["vgpr_count"], 1)
    rounded = -(-registers // chip["step"]) * chip["step"]
    waves = min(chip["waves"], chip["registers"] // rounded)
    lds = fields["group_segment_fixed_size"]
    if lds:
        groups = chip["lds"] // lds
        group_waves = -(-fields["max_flat_workgroup_size"] // chip["wave"])
        waves = min(waves, max(1, groups * group_waves // chip["simds"]))
    return waves


def without_global_loads(line):
    """`line` with a load of a buffer in the place of one of global memory.

    llvm-mca takes the latter for one of LDS, too, so that waits for LDS wait for
    memory, or for ever; the two are alike in all else.
    """
    match = re.match(r"global_(load_\w+)\s+(\S+), v\[?(\d+)", line)
    if not match:
        return line
    what, result, address = match.groups()
    what = re.sub(r"d16(_hi)?_b16", "u16", what)  # which end llvm-mca
    return f"buffer_{what} {result}, v{address}, s[0:3], 0 offen"


def describe(text, name, kind, llvm):
    """What the kernel with the most work of an assembly file is like."""
    chip = CHIPS[name]
    function = max(functions(text, chip["wave"]), key=lambda f: f.count(f.inner_loop()))
    fields = metadata(text, function.name)
    loop = function.inner_loop()
    loads = {"lds": 0, "memory": 0}
    for line in loop:
        memory, size = loaded_bytes(line)
        if memory:
            loads[memory] += size
    work = function.count(loop)
    cycles = cycles_of(llvm, "amdgcn-amd-amdhsa", name, list(map(without_global_loads, loop)))
    return {
        "vgprs": fields["vgpr_count"],
        "lds_bytes": fields["group_segment_fixed_size"],
        "waves": waves_of(chip, fields),
        "instructions": sum(not line.endswith(":") for line in loop),
        "matrix_instructions": sum(bool(re.match(r"v_(mfma|wmma)", line)) for line in loop),
        "operations": work,
        "lds_loaded": loads["lds"],
        "memory_loaded": loads["memory"],
        "cycles": cycles,
        "peak_part": work / cycles / chip["peak"][kind] if cycles else None,
    }


def our_assembly(tools, problem, chip, kind, folder):
    path = folder / "ours.s"
    subprocess.run(
        [tools / "convoy-compile", problem, "--dir=FWD_D", f"--type={kind}",
         "--target=rocm", f"--chip={chip}", "--emit=asm", "-o", path],
        check=True,
    )  # fmt: skip
    return path.read_text()


def linalg_of(tools, problem, kind):
    """The problem as IREE takes it; sums are in f32."""
    text = subprocess.run(
        [tools / "convoy-compile", problem, "--dir=FWD_D", "--target=cpu", "--emit=mlir", "-o", "-"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    shapes = re.findall(r"tensor<([\dx]+)xf32> {", text)
    (n, h, w, c), (r, s, _, f), (_, p, q, _) = (map(int, one.split("x")) for one in shapes)
    window = re.search(r"window\((.*)\)", text)
    values = dict(re.findall(r"(\w+) = (\[.*?\](?=, \w|$))", window[1] if window else ""))
    strides = json.loads(values.get("stride", "[1, 1]"))
    (top, below), (left, right) = json.loads(values.get("pad", "[[0, 0], [0, 0]]"))
    # What a stride leaves over is cut off by the size of the result.
    below, right = max(below, 0), max(right, 0)
    images, filters = f"tensor<{n}x{h}x{w}x{c}x{kind}>", f"tensor<{r}x{s}x{c}x{f}x{kind}>"
    padded = f"tensor<{n}x{h + top + below}x{w + left + right}x{c}x{kind}>"
    result = f"tensor<{n}x{p}x{q}x{f}xf32>"
    return f"""
func.func @conv(%images: {images}, %filters: {filters}) -> {result} {{
  %none = arith.constant 0.0 : {kind}
  %padded = tensor.pad %images low[0, {top}, {left}, 0] high[0, {below}, {right}, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : {kind}
  }} : {images} to {padded}
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {result}
  %filled = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}
  %sums = linalg.conv_2d_nhwc_hwcf {{strides = dense<{strides}> : tensor<2xi64>}}
      ins(%padded, %filters : {padded}, {filters}) outs(%filled : {result}) -> {result}
  return %sums : {result}
}}
"""


def iree_assembly(module, chip, folder):
    """The assembly of all kernels that IREE makes of the module."""
    from iree.compiler import compile_str

    dump = folder / "iree"
    for path in dump.glob("*"):
        path.unlink()
    flags = [
        "--iree-hal-target-device=hip",
        f"--iree-rocm-target={chip}",
        f"--iree-hal-dump-executable-intermediates-to={dump}",
    ]
    compile_str(module, extra_args=flags)
    return [path.read_text() for path in sorted(dump.glob("*.rocmasm"))]


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 1
    problems, tools, llvm, output = map(pathlib.Path, arguments)
    words = read_problems(problems)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for chip in CHIPS:
            for kind in TYPES:
                for word in words:
                    row = {"problem": word, "chip": chip, "type": kind}
                    text = our_assembly(tools, word, chip, kind, folder)
                    row["Convoy"] = describe(text, chip, kind, llvm)
                    texts = iree_assembly(linalg_of(tools, word, kind), chip, folder)
                    found = [describe(text, chip, kind, llvm) for text in texts]
                    row["IREE"] = max(found, key=lambda kernel: kernel["operations"])
                    rows.append(row)
                print(f"{chip} {kind}: {len(words)} layers", file=sys.stderr)
    output.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
