"""A convolution in three directions, checked bit for bit, and with real numbers."""

import numpy as np

import convoy

PROBLEM = "mb2_ic16ih14iw10oc24kh3kw5sh2ph1pw2"

for direction in ("FWD_D", "BWD_D", "BWD_W"):
    kernel = convoy.compile(PROBLEM, direction=direction)
    first, second = kernel.generate("int", seed=1)
    result = kernel(first, second)
    if not np.array_equal(result, convoy.reference(kernel, first, second)):
        raise SystemExit(f"{direction}: wrong numbers")
    print(f"{direction}: every bit is right")

print(convoy.compile(PROBLEM).check("normal", seed=1))
