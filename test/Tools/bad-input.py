"""Checks that each command line of a table is refused as users deserve.

A row is `tool words... | text`: the tool must end with exit code 1 and print
exactly one line on standard error, which contains the text. convoy-opt is MLIR's
own program, which prints the source and notes below an error: there the text
must stand in the first line, and no other error may follow. `%d` stands for a
folder with the wrong files that this script makes. Lines that begin with `#`
are comments. Prints the number of rows, and every row that behaves otherwise.

usage: bad-input.py TABLE FOLDER
"""

import pathlib
import shlex
import subprocess
import sys

CONV = """\
func.func @conv(%input: tensor<1x3x2xf32>, %filter: tensor<2x2x2xf32>) -> tensor<1x2x2xf32> {
  %init = arith.constant dense<0.0> : tensor<1x2x2xf32>
  %result = convoy.conv ins(%input, %filter : tensor<1x3x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x2x2xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x2x2xf32>
}
"""
DILATED = """\
func.func @f(%x: tensor<1x3x2xf32>, %filter: tensor<?x2x2xf32>, %init: tensor<1x7x2xf32>) -> tensor<1x7x2xf32> {
  %y = convoy.conv ins(%x, %filter : tensor<1x3x2xf32>, tensor<?x2x2xf32>)
      outs(%init : tensor<1x7x2xf32>) layout(nwc x wcf -> nwf) window(pad = [[2, 2]], input_dilation = [2])
  return %y : tensor<1x7x2xf32>
}
"""
DYNAMIC = """\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %sum = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}
"""
KERNEL = "func.func @%s(%%x: tensor<2xf32>) -> tensor<2xf32> { return %%x : tensor<2xf32> }\n"
TWO = """\
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
"""
RESULTS = """\
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = arith.negf %x : tensor<2xf32>
  return %x, %y : tensor<2xf32>, tensor<2xf32>
}
"""


def npy(header, data):
    """The bytes of a .npy file, version 1.0."""
    text = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def make_files(folder):
    header = "{'descr': '<f4', 'fortran_order': %s, 'shape': (1, 3, 2), }"
    array = npy(header % "False", bytes(24))
    files = {
        "conv.mlir": CONV,
        "two.mlir": TWO,
        "results.mlir": RESULTS,
        "empty-file.mlir": "",
        "syntax.mlir": "func.func @f() {\n  %x = = 3\n  return\n}\n",
        "unknown-op.mlir": "func.func @f() {\n  nosuch.op\n  return\n}\n",
        "verify.mlir": CONV.replace("layout(nwc x wcf", "layout(nwc x wccf"),
        "truncated.mlir": CONV[:120],
        "binary.mlir": bytes(range(256)),
        "none.mlir": "module {}\n",
        "private.mlir": "func.func private @f(%x: f32) { return }\n",
        "keyword.mlir": KERNEL % "register",
        "symbol.mlir": KERNEL % '"a-b"',
        "twice.mlir": KERNEL % "f" + KERNEL % "f",
        "argument.mlir": KERNEL.replace(">)", '> {convoy.name = "1st"})') % "f",
        "memref.mlir": "func.func @f(%x: memref<4xf32>) { return }\n",
        "index.mlir": KERNEL.replace("2xf32", "2xindex") % "f",
        "blocks.mlir": "func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n",
        "dynamic.mlir": DYNAMIC,
        "dilated.mlir": DILATED,
        "empty.txt": "# nothing\n",
        "conv.txt": "mb1ic2ih5oc3kh3\n",
        "wrong-line.txt": "# two lines\nmb1ic2ih5oc3kh3\nmb1ic2ih5oc3kh3yy\n",
        "file.txt": "not a folder\n",
        "truncated.npy": array[:-4],
        "magic.npy": b"NOTNUMPY" + array[8:],
        "fortran.npy": npy(header % "True", bytes(24)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)


def check_row(command, text):
    """What is wrong with how `command` is refused, or nothing."""
    done = subprocess.run(shlex.split(command), capture_output=True, timeout=120)
    errors = done.stderr.decode(errors="replace")
    if done.returncode != 1:
        return f"expected exit code 1, but got {done.returncode}\n{errors}"
    first, *others = errors.splitlines() or [""]
    is_opt = command.startswith("convoy-opt")
    if others and not is_opt or any("error: " in line.rstrip() for line in others):
        return f"expected one error, but got\n{errors}"
    if text not in first:
        return f"expected '{text}' in\n{errors}"
    return None


def main(table, folder):
    make_files(pathlib.Path(folder))
    rows = failures = 0
    for line in pathlib.Path(table).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        command, text = line.replace("%d", folder).rsplit(" | ", 1)
        rows += 1
        if fault := check_row(command, text):
            failures += 1
            print(f"{command}\n  {fault}")
    print(f"{rows} command lines, {failures} not refused as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
