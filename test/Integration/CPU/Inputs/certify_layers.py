"""Certifies every convolution of networks, from problem to tiles.

usage: certify_layers.py FOLDER NETWORK...

Each NETWORK is a file of problems. Every layer in every direction, with each
pair of an input's and a filter's layout in use, is lowered as for two CPUs, as
`convoy-compile` does it, and both ends are given to `convoy-certify`. Prints
each layer that is not certified, the slowest, and a line with the count and the
distribution of times; exits with 1 if a layer is not certified. FOLDER is for
temporary files.
"""

import pathlib
import re
import subprocess
import sys

INPUTS = {"nhwc": "nhwf", "nchw": "nfhw"}
FILTERS = ["hwcf", "fhwc", "fchw", "chwf"]
TARGETS = ["vector-bytes=64 registers=32", "vector-bytes=32 registers=16"]
LINE = re.compile(r"(\w+): @(\w+): (?:.*, ([0-9.]+) ms\)$)?")


def run(*words):
    """The standard output of a program that must not fail for bad input."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 2, 4):
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return done.stdout


def certify(folder, network, layout, filter_layout):
    """Yields verdict, milliseconds or None, and place of each layer."""
    before, after = str(folder / "before.mlir"), str(folder / "after.mlir")
    layouts = [f"--input-layout={layout}", f"--filter-layout={filter_layout}"]
    layouts.append(f"--output-layout={INPUTS[layout]}")
    problem = ["convoy-compile", f"@{network}", "--dir=all", *layouts]
    run(*problem, "--emit=mlir", "-o", before)
    for target in TARGETS:
        passes = [f"--convoy-attach-target={target}", "--convoy-add-destinations"]
        passes += ["--convoy-assert-sizes", "--convoy-to-tiles-pipeline"]
        run("convoy-opt", before, *passes, "-o", after)
        for line in run("convoy-certify", before, after).splitlines():
            if match := LINE.match(line):
                verdict, name, time = match.groups()
                place = f"{' '.join(problem)}, {target}: @{name}"
                yield verdict, float(time) if time else None, place


def main(folder, *networks):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    layers = [
        layer
        for network in networks
        for layout in INPUTS
        for filter_layout in FILTERS
        for layer in certify(folder, network, layout, filter_layout)
    ]
    others = [layer for layer in layers if layer[0] != "certified"]
    for verdict, _, place in others:
        print(f"{verdict}: {place}")
    times = sorted((time, place) for _, time, place in layers if time is not None)
    if times:
        middle, most = (times[len(times) * part // 100][0] for part in (50, 95))
        print(f"slowest: {times[-1][1]}")
        print(
            f"{len(layers)} layers, {len(layers) - len(others)} certified; {middle} ms "
            f"in the middle, {most} ms at 95 %, {times[-1][0]} ms at most"
        )
    return 1 if others or not layers else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
