"""Writes a kernel for other programs, and calls it without Convoy.

usage: save-kernel.py FOLDER
"""

import ctypes
import json
import pathlib
import sys

import numpy as np

import convoy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
kernel = convoy.compile("mb1_ic8ih9iw9oc16kh3kw3ph1pw1")
kernel.save(
    folder / "conv.so",
    header=folder / "conv.h",
    manifest=folder / "conv.json",
    certify=True,
)
print(", ".join(sorted(path.name for path in folder.iterdir())))

# From here on nothing of Convoy is used but to compare.
(description,) = json.loads((folder / "conv.json").read_text())["kernels"]
x, w = kernel.generate("normal")
y = np.empty(description["arguments"][-1]["shape"], np.float32)
scratch = np.empty(description["workspace"]["bytes"] + 64, np.uint8)
aligned = scratch.ctypes.data + -scratch.ctypes.data % 64
function = ctypes.CDLL(str(folder / "conv.so"))[description["entry"]]
pointers = (x.ctypes.data, w.ctypes.data, y.ctypes.data, aligned)
if function(*map(ctypes.c_void_p, pointers)) != 0:
    raise SystemExit("the kernel refused its arguments")
if not np.array_equal(y, kernel(x, w)):
    raise SystemExit("the saved kernel gives other numbers")
print("the saved kernel gives the same bits")
