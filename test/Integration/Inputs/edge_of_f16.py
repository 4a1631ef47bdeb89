"""`edge_of_f16.py N SEED` writes N random layers in f16 whose sums are at the edge of its numbers.

Layers are convolutions and gradients in 1-D and 2-D with strides and padding.
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


# The operands of each op, of which the last is the result.
OPERANDS = {"conv": "xwy", "conv_backward_data": "ywx", "conv_backward_filter": "xyw"}


def draw_geometry(draw):
    """Shapes of input, filter and output, and the window's attributes."""
    rank = draw.randint(1, 2)
    n, c, f = draw.randint(1, 3), draw.randint(1, 9), draw.randint(1, 6)
    taps = [draw.randint(1, 4 // rank + 1) for _ in range(rank)]
    strides = [draw.randint(1, 2) for _ in range(rank)]
    outputs = [draw.randint(1, 7 // rank) for _ in range(rank)]
    pads = [[draw.randint(0, taps[i] - 1) for _ in range(2)] for i in range(rank)]
    # An input that no output reads ends a step before the next window would.
    inputs = [(o - 1) * s + k - sum(p) for o, s, k, p in zip(outputs, strides, taps, pads)]
    if min(inputs) < 1:
        return draw_geometry(draw)
    shapes = {"x": [n, *inputs, c], "w": [*taps, c, f], "y": [n, *outputs, f]}
    words = "hw"[-rank:]
    layout = f"layout(n{words}c x {words}cf -> n{words}f) window(stride = {strides}, pad = {pads})"
    return shapes, layout


def count_terms(op, shapes):
    """The most terms that one sum of `op` may have."""
    taps, channels, features = math.prod(shapes["w"][:-2]), *shapes["w"][-2:]
    if op == "conv":
        return taps * channels
    return taps * features if op == "conv_backward_data" else math.prod(shapes["y"][:-1])


def layer(number, draw):
    op = draw.choice(list(OPERANDS))
    first, second, result = OPERANDS[op]
    shapes, layout = draw_geometry(draw)
    peak = 65504 * 10 ** draw.uniform(-1, 1) / count_terms(op, shapes)
    largest = 10 ** draw.uniform(0, 3)
    least = max(largest / 10 ** draw.uniform(0, 3), 1e-7)
    most = min(peak / largest, 65504)
    tap = min(max(6.1e-5 * 10 ** draw.uniform(-1, 2) / least, 1e-7), most / 2)
    signs = draw.choice([(-1, 1), (0, 1), (-1, 0)])
    texts = {name: "x".join(map(str, shape)) for name, shape in shapes.items()}
    arguments = [
        declare(first, texts[first], -largest, largest, least),
        declare(second, texts[second], signs[0] * most, signs[1] * most, tap),
    ]
    lines = []
    if draw.random() < 0.5:
        arguments.append(declare("init", texts[result], -most, most, tap))
    else:
        lines.append(f"  %init = arith.constant dense<0.0> : tensor<{texts[result]}xf16>")
    tensors = {name: f"tensor<{text}xf16>" for name, text in texts.items()}
    lines += [
        f"  %r = convoy.{op} ins(%{first}, %{second} : {tensors[first]}, {tensors[second]})"
        f" outs(%init : {tensors[result]}) {layout}",
        f"  return %r : {tensors[result]}",
    ]
    head = f"func.func @edge{number}({', '.join(arguments)}) -> {tensors[result]} {{"
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
