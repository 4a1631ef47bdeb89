"""Breaks a kernel of matrices in one place after another, and prints what
convoy-certify says of each: break-matrices.py BEFORE AFTER OUT."""

import re

from broken_kernels import Kernel

kernel = Kernel("--time-limit=60")
lines, find, change = kernel.lines, kernel.find, kernel.change


def get_place(number):
    return re.search(r"\[(%\w+)\]", lines[number])[1]


def take_place(name, number, other):
    change(name, number, r"\[%\w+\]", f"[{get_place(other)}]")


def get_result(number):
    return re.match(r" *(%\w+)", lines[number])[1]


loads = find(r"subgroup_mma_load_matrix .*(AOp|BOp)")
factors = [[n for n in loads if side in lines[n]] for side in ("AOp", "BOp")]
products = find(r"subgroup_mma_compute")
stores = find(r"subgroup_mma_store_matrix")
item = get_result(find(r"gpu.thread_id")[0])

for count, number in enumerate(find(r"gpu.barrier")):
    change(f"barrier {count}", number, "gpu.barrier", "")
for side, name in zip(factors, "AB"):
    change(f"distance of {name}", side[0], r"leadDimension = \d+", "leadDimension = 64")
    take_place(f"place of {name}", side[1], side[0])
change("A transposed", factors[0][0], "index}", "index, transpose}")
change("B not transposed", factors[1][0], ", transpose", "")
change("distance of sums", stores[0], r"leadDimension = \d+", "leadDimension = 16")
change("sums transposed", stores[0], "index}", "index, transpose}")
change(
    "another factor",
    products[1],
    get_result(factors[0][1]) + ",",
    get_result(factors[0][0]) + ",",
)
init = re.search(r"(%\w+)(?: \{[^}]*\})? :", lines[products[0]])[1]
change("a product left out", products[-1], r"%\w+((?: \{[^}]*\})? :)", init + r"\1")
# Work-items of a subgroup do not agree.
change("a place for each item", loads[0], r"\[%\w+\]", f"[{item}]")
branch = f"%own = arith.cmpi ult, {item}, {get_place(loads[0])} : index\nscf.if %own {{"
change("a branch", stores[0], r".*", lambda line: f"{branch}\n{line[0]}\n}}")
if "convoy.bf16_factors" in lines[products[0]]:
    change("bits of another type", products[0], r"\{convoy.bf16_factors\} ", "")
if "si8" in lines[products[0]]:
    changed = [line.replace("xsi8", "xui8") for line in lines]
    kernel.certify_lines("without a sign", changed)
