"""`recordings.py FOLDER` writes arrays as a program that records its values does."""

import pathlib
import sys

import numpy

ARRAYS = {
    "x": numpy.full((2, 6, 7, 4), 0.25),
    "more": numpy.full((1, 6, 7, 4), 8.0),
    "w": numpy.full((3, 3, 4, 5), 6.0),
    "large": numpy.full((1, 6, 7, 4), 4000.0),
    "nan": numpy.full((1, 6, 7, 4), numpy.nan),
    "beyond": numpy.full((1, 6, 7, 4), 7e4),
    "flat": numpy.full((6,), 1.0),
    "empty": numpy.full((0, 6, 7, 4), 1.0),
}

if __name__ == "__main__":
    ARRAYS["x"][1, 2, 3] = [-4, 0, 0.125, -0.25]
    ARRAYS["w"][1, 2] = -0.125
    ARRAYS["w"][2, 0] = -6
    ARRAYS["nan"][0, 0, 0, 0] = 1
    for name, array in ARRAYS.items():
        numpy.save(pathlib.Path(sys.argv[1]) / f"{name}.npy", array.astype(numpy.float32))
