"""Checks that the three directions of each layer are adjoint to each other.

A convolution y(x, w) is linear in x and in w; dx and dw are its gradients' maps.
So for any x, w and dy the inner products <y, dy>, <x, dx> and <w, dw> are equal.
This needs no reference: with integer values, whose sums are exact, it must hold
exactly. Layers take turns in their layouts. Prints the number of layers that hold
and fail.

usage: adjoint.py PROBLEMS FOLDER
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

LAYOUTS = [
    ("nhwc", "hwcf", "nhwf"),
    ("nchw", "fchw", "nfhw"),
    ("hwcn", "cwhf", "fnwh"),
    ("cnwh", "wfch", "nwfh"),
]


def read_sizes(problem):
    """The sizes of a 2-D problem by operand and letter."""
    words = re.sub(r'_?n".*"', "", problem)
    fields = {name: int(value) for name, value in re.findall(r"([a-z]+)(-?\d+)", words)}
    i, o, k = ([fields[f"{x}h"], fields.get(f"{x}w", fields[f"{x}h"])] for x in "iok")
    batch, channels, groups = fields["mb"], fields["ic"], fields.get("g", 1)
    filters = fields["oc"]
    return [
        dict(zip("nhwc", (batch, *i, channels))),
        dict(zip("hwcf", (*k, channels // groups, filters))),
        dict(zip("nhwf", (batch, *o, filters))),
    ]


def find_products(problem, number, folder):
    """<y, dy>, <x, dx> and <w, dw> of random integers."""
    layouts = LAYOUTS[number % len(LAYOUTS)]
    values = []
    generator = np.random.default_rng(number)
    for operand, (layout, sizes) in enumerate(zip(layouts, read_sizes(problem))):
        shape = [sizes[letter] for letter in layout]
        values.append(generator.integers(-2, 3, shape).astype(np.float32))
        np.save(folder / f"{operand}.npy", values[-1])
    flags = [
        f"--{name}-layout={layout}"
        for name, layout in zip(("input", "filter", "output"), layouts)
    ]
    products = []
    for direction, result in (("FWD_D", 2), ("BWD_D", 0), ("BWD_W", 1)):
        command = ["convoy-run", problem, f"--dir={direction}", *flags, "--quiet"]
        # An op reads the operands that it does not compute, dy in the place of y
        # before the filter.
        reads = {2: (0, 1), 0: (2, 1), 1: (0, 2)}[result]
        command += [f"--input=@{folder / f'{operand}.npy'}" for operand in reads]
        command += [f"--output=@{folder / 'result.npy'}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        computed = np.load(folder / "result.npy").astype(np.int64)
        products.append(int(np.sum(computed * values[result].astype(np.int64))))
    return products


def main(problems, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [line.split(" #")[0] for line in open(problems) if line[0] not in "#\n"]
    failures = 0
    for number, problem in enumerate(line.strip() for line in lines):
        products = find_products(problem, number, folder)
        if len(set(products)) != 1:
            failures += 1
            print(f"{problem}: <y, dy>, <x, dx>, <w, dw> are {products}")
    print(f"{len(lines) - failures} layers hold, {failures} fail")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
