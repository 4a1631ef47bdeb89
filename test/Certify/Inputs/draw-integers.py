#!/usr/bin/env python3
"""Draws pairs of functions on integers, and judges the certifier's verdicts.

A pair is an expression of widenings, shifts, bits, sums and choices of two bytes
and the same with some changes, half of which keep its meaning. Each verdict is
compared with what both compute for a few hundred pairs of bytes, or, where these
show nothing, for all. A line for each that is wrong; exits with 1 if there is one.
"""

import itertools
import random
from dataclasses import dataclass, replace

import drawn_pairs

WIDTHS = [8, 16, 32]
NUMBERS = [0, 1, 2, 3, 8, 15, 16, 17, 24, 127, 128, 255, -1, -128]
SAMPLES = [0, 1, 2, 3, 64, 100, 127, 128, 129, 200, 254, 255]
BINARY = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi",
          "maxui", "minui"]
SHIFTS = ["shli", "shrui", "shrsi"]
COMPARISONS = ["eq", "ne", "slt", "sle", "ult", "ule"]


@dataclass(frozen=True)
class Expr:
    """An op of arith, `argument` or `constant`, of `width` bits."""

    op: str
    width: int
    operands: tuple = ()
    number: int = 0


def signed(bits, width):
    return bits - (1 << width) if bits >> (width - 1) else bits


def evaluate(expr, arguments):
    """The bits of `expr` where the bytes are `arguments`."""
    mask = (1 << expr.width) - 1
    if expr.op == "argument":
        return arguments[expr.number]
    if expr.op == "constant":
        return expr.number & mask
    values = [evaluate(operand, arguments) for operand in expr.operands]
    width = expr.operands[0].width
    a, b = values[0], values[-1]
    wide = [signed(value, width) for value in values]
    return mask & {
        "addi": lambda: a + b,
        "subi": lambda: a - b,
        "muli": lambda: a * b,
        "andi": lambda: a & b,
        "ori": lambda: a | b,
        "xori": lambda: a ^ b,
        "maxsi": lambda: max(wide),
        "minsi": lambda: min(wide),
        "maxui": lambda: max(values),
        "minui": lambda: min(values),
        "shli": lambda: a << b,
        "shrui": lambda: a >> b,
        "shrsi": lambda: wide[0] >> b,
        "extsi": lambda: wide[0],
        "extui": lambda: a,
        "trunci": lambda: a,
        "select": lambda: values[1] if a else values[2],
        "eq": lambda: a == b,
        "ne": lambda: a != b,
        "slt": lambda: wide[0] < wide[1],
        "sle": lambda: wide[0] <= wide[1],
        "ult": lambda: a < b,
        "ule": lambda: a <= b,
    }[expr.op]()


def constant(number, width):
    return Expr("constant", width, number=signed(number & ((1 << width) - 1), width))


def draw_word():
    """Numbers put into the bits of a word."""
    word = None
    for shift in random.sample([0, 7, 8, 15, 16, 17, 20, 24], random.randrange(1, 4)):
        part = draw(8, random.randrange(2))
        if random.random() < 0.5:
            part = Expr(random.choice(["extsi", "extui"]), 16, (part,))
        part = Expr("extui", 32, (part,))
        part = Expr("shli", 32, (part, constant(shift, 32))) if shift else part
        word = Expr("ori", 32, (word, part)) if word else part
    return word


def draw(width, depth):
    if depth == 0 or random.random() < 0.1:
        if width == 8 and random.random() < 0.8:
            return Expr("argument", 8, number=random.randrange(2))
        if width > 8:
            return Expr(random.choice(["extsi", "extui"]), width, (draw(8, 0),))
        return constant(random.choice(NUMBERS), width)
    kind = random.random()
    if kind < 0.25 and width > 8:
        narrow = random.choice([w for w in WIDTHS if w < width])
        return Expr(random.choice(["extsi", "extui"]), width, (draw(narrow, depth - 1),))
    if kind < 0.35 and width < 32 and depth > 1:
        shift = constant(random.choice([0, 8, 16, 17, 20, 24]), 32)
        return Expr("trunci", width, (Expr("shrui", 32, (draw_word(), shift)),))
    if kind < 0.45 and width < 32:
        wide = random.choice([w for w in WIDTHS if w > width])
        return Expr("trunci", width, (draw(wide, depth - 1),))
    if kind < 0.6:
        shift = constant(random.choice(NUMBERS) % width, width)
        return Expr(random.choice(SHIFTS), width, (draw(width, depth - 1), shift))
    if kind < 0.7:
        pair = (draw(width, depth - 1), draw(width, depth - 1))
        chosen = random.choice([pair, pair[::-1]])
        return Expr("select", width, (Expr(random.choice(COMPARISONS), 1, pair), *chosen))
    return Expr(random.choice(BINARY), width, (draw(width, depth - 1), draw(width, depth - 1)))


def get_parts(expr, path=()):
    yield path, expr
    for number, operand in enumerate(expr.operands):
        yield from get_parts(operand, (*path, number))


def put(expr, path, part):
    if not path:
        return part
    operands = list(expr.operands)
    operands[path[0]] = put(operands[path[0]], path[1:], part)
    return replace(expr, operands=tuple(operands))


def rewrite(expr):
    """The same number in other words, or None."""
    width, operands = expr.width, expr.operands
    if expr.op in ("addi", "muli", "andi", "ori", "xori"):
        return replace(expr, operands=operands[::-1])
    if expr.op in ("extsi", "extui") and width == 32 and operands[0].width == 8:
        return replace(expr, operands=(replace(expr, width=16),))
    if expr.op == "shli":
        return Expr("muli", width, (operands[0], constant(1 << operands[1].number, width)))
    if expr.op == "subi":
        negative = Expr("subi", width, (constant(0, width), operands[1]))
        return Expr("addi", width, (operands[0], negative))
    if width < 32 and expr.op != "constant":
        return Expr("trunci", width, (Expr(random.choice(["extsi", "extui"]), 32, (expr,)),))
    return None


def spoil(expr):
    """Mostly another number, or None."""
    if expr.op == "constant":
        return constant(random.choice(NUMBERS), expr.width)
    if expr.op in SHIFTS:
        number = random.choice(NUMBERS) % expr.width
        return replace(expr, operands=(expr.operands[0], constant(number, expr.width)))
    for family in (["extsi", "extui"], BINARY, SHIFTS, COMPARISONS):
        if expr.op in family:
            return replace(expr, op=random.choice(family))
    if expr.op == "argument":
        return replace(expr, number=1 - expr.number)
    return None


def change(expr):
    """`expr` with some changes; shifts stay shorter than what they shift."""
    how = random.choice([rewrite, spoil])
    for _ in range(random.randrange(1, 4)):
        path, part = random.choice(list(get_parts(expr)))
        is_shift = path and put_parent(expr, path).op in SHIFTS and path[-1] == 1
        other = None if is_shift else how(part)
        if other:
            expr = put(expr, path, other)
    return expr


def put_parent(expr, path):
    for number in path[:-1]:
        expr = expr.operands[number]
    return expr


def write(name, expr):
    lines = []

    def add(part):
        if part.op == "argument":
            return f"%x{part.number}"
        operands = [add(operand) for operand in part.operands]
        value, type = f"%{len(lines)}", f"i{part.width}"
        if part.op == "constant":
            text = f"arith.constant {part.number} : {type}"
        elif part.op in COMPARISONS:
            text = f"arith.cmpi {part.op}, {', '.join(operands)} : i{part.operands[0].width}"
        elif part.op in ("extsi", "extui", "trunci"):
            text = f"arith.{part.op} {operands[0]} : i{part.operands[0].width} to {type}"
        else:
            text = f"arith.{part.op} {', '.join(operands)} : {type}"
        lines.append(f"    {value} = {text}\n")
        return value

    result = add(expr)
    tensor = f"tensor<2xi{expr.width}>"
    return (f"func.func @{name}(%a: tensor<2xi8>, %b: tensor<2xi8>) -> {tensor} {{\n"
            f"  %e = tensor.empty() : {tensor}\n"
            f"  %r = linalg.map ins(%a, %b : tensor<2xi8>, tensor<2xi8>) outs(%e : {tensor}) "
            f"(%x0: i8, %x1: i8, %o: i{expr.width}) {{\n{''.join(lines)}"
            f"    linalg.yield {result} : i{expr.width}\n  }}\n  return %r : {tensor}\n}}\n")


def find_difference(before, after, numbers):
    for arguments in itertools.product(numbers, repeat=2):
        if evaluate(before, arguments) != evaluate(after, arguments):
            return arguments
    return None


def main():
    options = drawn_pairs.parse_options(__doc__)
    pairs, texts = {}, {}
    for number in range(options.count):
        name = f"f{number}"
        before = draw(random.choice(WIDTHS), random.randrange(2, 5))
        pairs[name] = (before, change(before))
        texts[name] = [write(name, expr) for expr in pairs[name]]

    def find_fault(name, verdict):
        before, after = pairs[name]
        difference = find_difference(before, after, SAMPLES)
        if not difference and verdict == "different":
            difference = find_difference(before, after, range(256))
        if verdict != ("certified" if difference else "different"):
            return None
        return (f"{difference or 'all bytes'} give "
                f"{'other' if difference else 'the same'} numbers")

    drawn_pairs.judge(options, texts, find_fault)


if __name__ == "__main__":
    main()
