"""A network of ONNX: compiled, run beside ONNX Runtime, and checked kernel by kernel.

usage: check-network.py MODEL.onnx [NAME=1x3x48x192 ...]
"""

import sys

import numpy as np

import convoy.onnx


def main(path: str, words: list[str]) -> None:
    shapes = {}
    for word in words:
        name, _, sizes = word.rpartition("=")
        shapes[name] = tuple(int(size) for size in sizes.split("x"))
    session = convoy.onnx.compile(path, shapes=shapes)
    print(str(session.plan).splitlines()[-1])
    generator = np.random.default_rng(0)
    model = convoy.onnx.load(path, shapes=shapes)
    inputs = {
        name: generator.standard_normal(shape).astype(np.float32)
        for name, shape in model.inputs.items()
        if shape is not None
    }
    expected = session.run_reference(inputs)
    for name, value in session.run(inputs).items():
        print(f"{name}: differs by at most {abs(value - expected[name]).max():.3g}")
    reports = session.check(inputs)
    worst = max(reports, key=lambda report: report.convoy.worst_ratio)
    print(f"{sum(report.passed for report in reports)} of {len(reports)} kernels are right")
    print(f"worst: {worst}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
