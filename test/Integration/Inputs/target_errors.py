"""`target_errors.py FILE.mlir REMARKS REPORT` compares what `--target-error` says of
the functions of a file with how far off they were: the last convolution of each is
its result."""

import json
import re
import sys


def read_bounds(functions, remarks):
    """How far off each function may be, by its name."""
    heads = []
    with open(functions, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if head := re.match(r"func\.func @(\w+)", line):
                heads.append((number, head[1]))
    bounds = {}
    with open(remarks, encoding="utf-8") as file:
        for line in file:
            if said := re.search(r":(\d+):\d+: remark: .* is off by at most ([^ ,]+),", line):
                name = [name for number, name in heads if number <= int(said[1])][-1]
                bounds[name] = float(said[2])
    return bounds


def main():
    bounds = read_bounds(*sys.argv[1:3])
    with open(sys.argv[3], encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    # An overflow has no error.
    compared = [case for case in cases if case["max_error"] is not None]
    # Bounds are printed with six digits.
    beyond = [
        case["reproduce"]
        for case in compared
        if case["max_error"] > bounds[case["case"].split(":")[1]] * 1.00001
    ]
    print("\n".join(beyond))
    print(f"{len(compared)} results compared, {len(beyond)} further off than was said")


main()
