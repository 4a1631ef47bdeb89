"""Breaks a kernel with matrix instructions of AMD's GPUs in one place after
another, and prints what convoy-certify says of each: break-waves.py BEFORE AFTER
OUT."""

import re

from broken_kernels import Kernel

kernel = Kernel("--time-limit=60")
lines, find, change = kernel.lines, kernel.find, kernel.change

PRODUCT = r"(%\w+) = amdgpu.(\w+) \w+ (%\w+) \* (%\w+) \+ (%\w+)(.*: .*, )(vector<.*>)$"
products = find(PRODUCT)
first, last = (re.search(PRODUCT, lines[n]) for n in (products[0], products[-1]))

for count, number in enumerate(find(r"gpu.barrier")):
    change(f"barrier {count}", number, "gpu.barrier", "")
change(
    "factors exchanged", products[-1], r"(%\w+) \* (%\w+) \+", r"\2 * \1 +"
)
change("another term", products[-1], rf"{last[3]} \*", f"{first[3]} *")
change("lost sums", products[-1], rf"\+ {last[5]}", f"+ {first[5]}")
elements = find(rf"vector.extract {last[1]}\[")
if elements:
    change("another element", elements[1], r"\[1\]", "[2]")
branch = f"""%few = arith.cmpi ult, %thread_id_x, %c1 : index
{last[1]} = scf.if %few -> ({last[7]}) {{
%inside = {lines[products[-1]].strip().split(' = ', 1)[1]}
scf.yield %inside : {last[7]}
}} else {{
scf.yield {last[5]} : {last[7]}
}}"""
if not find(r"%c1 = arith.constant 1 : index"):
    branch = branch.replace("%c1 ", "%one ")
    branch = "%one = arith.constant 1 : index\n" + branch
change("a branch", products[-1], r".+", lambda line: branch)
# The numbers of a lane modulo 16, and divided by it.
low, high = (find(rf"arith.{op}ui .*, %c16 : index")[0] for op in ("rem", "div"))
users = [n for n in find(rf"arith.addi .*{lines[low].split()[0]} :") if n > low]
change("lanes modulo 8", low, "%c16", "%c8")
change("lanes divided by 8", high, "%c16", "%c8")
lane = re.search(r"remui (%\w+),", lines[low])[1]
for name, number in zip(("rows", "lines"), users):
    change(f"other {name} in the upper lanes", number, lines[low].split()[0] + " :", lane + " :")
changed = [re.sub(r", matrix = \[.*?\]", "", line) for line in lines]
size = re.search(r"subgroup = (\d+)", changed[0])[1]
changed[0] = changed[0].replace(f"subgroup = {size}", "subgroup = 16")
kernel.certify_lines("waves of another size", changed)
if "i8>" in lines[products[0]] and first[2] == "wmma":
    change("without a sign", products[0], r" :", " {unsignedA} :")
