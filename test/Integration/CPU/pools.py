"""Prints pools of drawn sizes as functions of MLIR, one for each type, kind and number
of dimensions, with channels last and pads, strides and dilations.

usage: pools.py SEED
"""

import random
import sys

KINDS = {
    "max": ("arith.maximumf", "0xFF800000"),
    "least": ("arith.minsi", "127"),
    "sum": ("arith.addf", "0.0"),
    "count": ("arith.addi", "0"),
}
TYPES = {"max": ("f32", "f16", "bf16", "f64"), "least": ("i8",), "sum": ("f32", "f64"), "count": ("i32",)}
#: Of -infinity.
LEAST = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}


def write(name: str, kind: str, element: str, rank: int, draw: random.Random) -> str:
    op, start = KINDS[kind]
    start = LEAST[element] if kind == "max" else start
    taps = [draw.choice((2, 3)) for _ in range(rank)]
    strides = [draw.choice((1, 2)) for _ in range(rank)]
    dilations = [draw.choice((1, 1, 2)) for _ in range(rank)]
    inputs = [draw.randint(7, 11) for _ in range(rank)]
    reach = [(tap - 1) * step + 1 for tap, step in zip(taps, dilations)]
    lows = [draw.randrange(2) for _ in range(rank)]
    results = [draw.randint(3, 4 if stride == 2 else 6) for stride in strides]
    highs = [
        max((result - 1) * stride + one - size - low, 0)
        for result, stride, one, size, low in zip(results, strides, reach, inputs, lows)
    ]
    batch, channels = draw.choice((1, 2)), draw.choice((9, 16, 37, 70))
    positions = [f"p{axis}" for axis in range(rank)]
    windows = [f"t{axis}" for axis in range(rank)]
    loops = ", ".join(["n", *positions, "c", *windows])
    read = [f"{p} * {s} + {t} * {d}" for p, s, t, d in zip(positions, strides, windows, dilations)]
    maps = [", ".join(["n", *read, "c"]), ", ".join(windows), ", ".join(["n", *positions, "c"])]
    kinds = ['"parallel"'] * (rank + 2) + ['"reduction"'] * rank

    def shaped(sizes: list[int]) -> str:
        return f"tensor<{'x'.join(map(str, sizes))}x{element}>"

    x, r, w = (shaped(one) for one in ([batch, *inputs, channels], [batch, *results, channels], taps))
    sizes = [size + low + high for size, low, high in zip(inputs, lows, highs)]
    padded = shaped([batch, *sizes, channels])
    indices = ", ".join(f"%i{axis}: index" for axis in range(rank + 2))
    affine = ", ".join(f"affine_map<({loops}) -> ({one})>" for one in maps)
    return f"""func.func @{name}(%x: {x}) -> {r} {{
  %start = arith.constant {start} : {element}
  %padded = tensor.pad %x low{[0, *lows, 0]} high{[0, *highs, 0]} {{
  ^bb0({indices}):
    tensor.yield %start : {element}
  }} : {x} to {padded}
  %empty = tensor.empty() : {r}
  %init = linalg.fill ins(%start : {element}) outs(%empty : {r}) -> {r}
  %taps = tensor.empty() : {w}
  %r = linalg.generic {{indexing_maps = [{affine}], iterator_types = [{', '.join(kinds)}]}}
      ins(%padded, %taps : {padded}, {w}) outs(%init : {r}) {{
  ^bb0(%in: {element}, %tap: {element}, %out: {element}):
    %next = {op} %out, %in : {element}
    linalg.yield %next : {element}
  }} -> {r}
  return %r : {r}
}}
"""


def main() -> None:
    draw = random.Random(int(sys.argv[1]))
    for kind, elements in TYPES.items():
        for element in elements:
            for rank in (1, 2, 3):
                print(write(f"{kind}_{element}_{rank}d", kind, element, rank, draw))


if __name__ == "__main__":
    main()
