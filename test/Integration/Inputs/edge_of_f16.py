"""`edge_of_f16.py N SEED` writes N random layers in f16 whose sums are at the edge of its numbers.

Largest sums lie between a tenth of 65504 and ten times that, smallest products
around the least normal number. Inits are zeros or arguments, and filters may have
one sign. `edge_of_f16.py REPORT` reads what `convoy-run --json` reports of them:
no result may be zero, NaN or infinite where the reference is a number of f16.
"""

import json
import math
import random
import sys


def declare(name, shape, low, high, least):
    return f"%{name}: tensor<{shape}xf16> {{convoy.range = array<f64: {low:.9e}, {high:.9e}, {least:.9e}>}}"


def layer(number, draw):
    c, taps, f, w = (draw.randint(1, 9), draw.randint(1, 4), draw.randint(1, 6), draw.randint(1, 7))
    peak = 65504 * 10 ** draw.uniform(-1, 1) / (c * taps)
    x = 10 ** draw.uniform(0, 3)
    width = 10 ** draw.uniform(0, 3)
    least = max(x / width, 1e-7)
    most = peak / x
    tap = min(max(6.1e-5 * 10 ** draw.uniform(-1, 2) / least, 1e-7), most / 2)
    signs = draw.choice([(-1, 1), (0, 1), (-1, 0)])
    arguments = [
        declare("x", f"1x{w + taps - 1}x{c}", -x, x, least),
        declare("w", f"{taps}x{c}x{f}", signs[0] * most, signs[1] * most, tap),
    ]
    init = "%init"
    lines = []
    if draw.random() < 0.5:
        arguments.append(declare("init", f"1x{w}x{f}", -most, most, tap))
    else:
        lines.append(f"  %init = arith.constant dense<0.0> : tensor<1x{w}x{f}xf16>")
    operands = f"tensor<1x{w + taps - 1}x{c}xf16>, tensor<{taps}x{c}x{f}xf16>"
    lines += [
        f"  %y = convoy.conv ins(%x, %w : {operands}) outs({init} : tensor<1x{w}x{f}xf16>) layout(nwc x wcf -> nwf)",
        f"  return %y : tensor<1x{w}x{f}xf16>",
    ]
    assert math.isfinite(most)
    head = f"func.func @edge{number}({', '.join(arguments)}) -> tensor<1x{w}x{f}xf16> {{"
    return "\n".join([head, *lines, "}"])


def count_lost(report):
    """Elements that are no numbers, or zeros, where the reference's are others."""
    lost = 0
    for case in report["cases"]:
        count = case["elements"]
        lost += count["nan"] - count["reference_nan"]
        lost += abs(count["inf"] - count["reference_inf"])
        lost += count["zero"]
    return lost


if __name__ == "__main__" and len(sys.argv) == 2:
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    print(f"{len(report['cases'])} cases, {count_lost(report)} numbers lost")
elif __name__ == "__main__":
    draw = random.Random(int(sys.argv[2]))
    print("\n\n".join(layer(number, draw) for number in range(int(sys.argv[1]))))
