"""Breaks a kernel in one place after another, and prints what convoy-certify
says of each: break-kernel.py BEFORE AFTER OUT."""

import re

from broken_kernels import Kernel

kernel = Kernel("--time-limit=60")
lines, find, change = kernel.lines, kernel.find, kernel.change


def get_place(number):
    return re.search(r"\[(%\w+)\] : memref", lines[number])[1]


def take_place(name, number, other):
    change(name, number, r"\[%\w+\] : memref", f"[{get_place(other)}] : memref")


SHARED = r"memref<\w+, #gpu.address_space<workgroup>>"
stores = find(r"vector.store .*" + SHARED)
reads = find(r"(vector|memref).load .*" + SHARED)
copied = find(r"vector.load %arg[01]\[")
results = find(r"vector.store .*%arg2\[")
for count, number in enumerate(find(r"gpu.barrier")):
    change(f"barrier {count}", number, "gpu.barrier", "")
take_place("copied to the same place", stores[1], stores[0])
take_place("copied from the same place", copied[1], copied[0])
take_place("copied from another tile", copied[-2], copied[0])
take_place("read of the other tile", reads[-1], stores[0])
take_place("written to the same place", results[1], results[0])
change("another element", find(r"vector.extract .*\[1\]")[0], r"\[1\]", "[2]")
change("too few groups", find(r"convoy.launch")[0], r"grid \[(\d+), (\d+)", r"grid [\1, 1")
