"""Counts what the innermost loops of x86 assembly do, for lit tests.

usage: inner-loops.py < kernel.s

Prints a line for each innermost loop with fused multiply-adds, of numbers or of
words, those with most first: how many of them, how many vectors or elements are loaded, how often the
stack is used, and how many calls there are.
"""

import re
import sys

LABEL = re.compile(r"^(\.L\w+):")
JUMP = re.compile(r"^\s+j\w+\s+(\.L\w+)")

MULTIPLY_ADDS = ("vfmadd", "vpdpbusd", "vpdpwssd", "vdpbf16ps")


def split_operands(text):
    """Splits operands at commas outside parentheses."""
    return re.findall(r"(?:[^,(]|\([^)]*\))+", text)


def innermost_loops(lines):
    """The runs of lines from a label to a jump back to it, without another."""
    labels = {}
    last_end = -1
    for number, line in enumerate(lines):
        if match := LABEL.match(line):
            labels[match[1]] = number
        elif match := JUMP.match(line):
            start = labels.get(match[1])
            if start is not None and start > last_end:
                yield lines[start : number + 1]
                last_end = number


def describe(loop):
    counts = {"multiply-adds": 0, "loads": 0, "stack": 0, "calls": 0}
    for line in loop:
        match = re.match(r"^\s+(\w+)\s+([^#]*)", line)
        if not match:
            continue
        name, operands = match[1], split_operands(match[2])
        counts["multiply-adds"] += name.startswith(MULTIPLY_ADDS)
        counts["calls"] += name.startswith("call")
        counts["stack"] += "(%rsp" in line
        counts["loads"] += name.startswith("v") and any(
            "(" in operand for operand in operands[:-1]
        )
    return counts


def main():
    loops = [describe(loop) for loop in innermost_loops(sys.stdin.readlines())]
    loops = [loop for loop in loops if loop["multiply-adds"]]
    for loop in sorted(loops, key=lambda loop: -loop["multiply-adds"]):
        print(", ".join(f"{count} {what}" for what, count in loop.items()))


main()
