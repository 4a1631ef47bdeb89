"""Writes a product of two sums of integers, and the same with one of them halved.

usage: write-products.py FIRST SECOND BEFORE AFTER

The sums have FIRST and SECOND terms. The function in the file BEFORE multiplies
them, the one in AFTER multiplies each half of the second by the first, and adds
both products.
"""

import sys


class Writer:
    def __init__(self):
        self.lines = []
        self.count = 0

    def op(self, name, a, b):
        value = f"%{self.count}"
        self.count += 1
        self.lines.append(f"  {value} = arith.{name} {a}, {b} : i32")
        return value

    def sum(self, terms):
        total = terms[0]
        for term in terms[1:]:
            total = self.op("addi", total, term)
        return total


def write(path, first, second, is_halved):
    writer = Writer()
    factor = writer.sum(first)
    if is_halved:
        middle = len(second) // 2
        halves = [writer.sum(second[:middle]), writer.sum(second[middle:])]
        result = writer.sum([writer.op("muli", factor, half) for half in halves])
    else:
        result = writer.op("muli", factor, writer.sum(second))
    arguments = ", ".join(f"{name}: i32" for name in first + second)
    with open(path, "w") as file:
        print(
            f"func.func @product({arguments}, %to: tensor<i32>) -> tensor<i32> {{",
            *writer.lines,
            f"  %result = tensor.insert {result} into %to[] : tensor<i32>",
            "  return %result : tensor<i32>",
            "}",
            sep="\n",
            file=file,
        )


def main(num_first, num_second, before, after):
    first = [f"%a{number}" for number in range(int(num_first))]
    second = [f"%b{number}" for number in range(int(num_second))]
    write(before, first, second, is_halved=False)
    write(after, first, second, is_halved=True)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
