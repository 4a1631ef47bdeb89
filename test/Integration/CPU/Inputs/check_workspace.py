"""Checks how much workspace the kernels of a problem ask for.

Compiles the forward convolution and its gradients and reads their manifests.
What a kernel may ask for: one padded copy of the operand that windows slide
over, one packed filter, a result whose phases are computed side by side, and 1 MB
for tiles; of narrow floats all that in f32, and both operands in f32. Prints a line
for each kernel; exits with 1 where one asks for more.

usage: check_workspace.py FOLDER
"""

import json
import pathlib
import subprocess
import sys

TILES = 1_000_000
TYPES = ("f32", "f16", "bf16")
F32_BYTES = 4
LAYOUTS = {
    "nhwc": [],
    "nchw": ["--input-layout=nchw", "--filter-layout=fchw", "--output-layout=nfhw"],
}
# Name, batch, channels, image, filters, taps, stride, padding in front.
SHAPES = [("3x3", 1, 64, 224, 64, 3, 1, 1), ("stem", 1, 3, 224, 64, 7, 2, 3)]


def get_bound(direction, element, shape):
    _, n, c, i, f, k, s, p = shape
    o = (i + s - 1) // s
    if direction == "BWD_D":  # windows over the output's gradient
        span = -(-i // s) - 1 + -(-k // s)
        padded = n * span * span * f + (n * i * i * c if s > 1 else 0)
    else:
        span = (o - 1) * s + k
        padded = n * span * span * c
    copies = padded + c * f * k * k
    if element != "f32":
        first = n * (o * o * f if direction == "BWD_D" else i * i * c)
        second = n * o * o * f if direction == "BWD_W" else c * f * k * k
        copies += first + second
    return copies * F32_BYTES + TILES


def get_workspace(folder, direction, element, layout, shape):
    _, n, c, i, f, k, s, p = shape
    problem = f"mb{n}ic{c}ih{i}oc{f}oh{(i + s - 1) // s}kh{k}sh{s}ph{p}"
    manifest = pathlib.Path(folder, "manifest.json")
    command = ["convoy-compile", problem, f"--dir={direction}", f"--type={element}"]
    command += LAYOUTS[layout]
    command += ["-o", "/dev/null", "--cpu=haswell", "--manifest", str(manifest)]
    subprocess.run(command, check=True)
    kernel = json.loads(manifest.read_text())["kernels"][0]
    return kernel["workspace"]["bytes"]


def main(folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    too_much = count = 0
    for shape in SHAPES:
        for direction in ("FWD_D", "FWD_B", "BWD_D", "BWD_W"):
            for element in TYPES:
                for layout in LAYOUTS:
                    bound = get_bound(direction, element, shape)
                    found = get_workspace(folder, direction, element, layout, shape)
                    count += 1
                    too_much += found > bound
                    verdict = "too much" if found > bound else "within"
                    print(f"{shape[0]} {direction} {element} {layout}: {found} {verdict} {bound}")
    print(f"{count} kernels, {too_much} ask for too much")
    return 1 if too_much else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
