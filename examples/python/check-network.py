"""A network of ONNX: compiled, run beside ONNX Runtime, and checked kernel by kernel.

usage: check-network.py MODEL.onnx [NAME=1x3x48x192 ...] [--target=cpu,vulkan]
"""

import argparse

import numpy as np

import convoy.onnx


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("shapes", nargs="*", metavar="NAME=1x3x48x192")
    parser.add_argument("--target", default="cpu", help="one or more, as in cpu,vulkan")
    return parser.parse_args()


def check(model: convoy.onnx.Model, target: str, inputs: dict[str, np.ndarray]) -> None:
    session = model.compile(target=target)
    expected = session.run_reference(inputs)
    for name, value in session.run(inputs).items():
        print(f"{name} on {target}: differs by at most {abs(value - expected[name]).max():.3g}")
    reports = session.check(inputs)
    worst = max(reports, key=lambda report: report.convoy.worst_ratio)
    print(f"{sum(report.passed for report in reports)} of {len(reports)} kernels are right on {target}")
    print(f"worst: {worst}")


def main() -> None:
    options = parse()
    shapes = {}
    for word in options.shapes:
        name, _, sizes = word.rpartition("=")
        shapes[name] = tuple(int(size) for size in sizes.split("x"))
    model = convoy.onnx.load(options.model, shapes=shapes)
    print(str(model.plan).splitlines()[-1])
    generator = np.random.default_rng(0)
    inputs = {
        name: generator.standard_normal(shape).astype(np.float32)
        for name, shape in model.inputs.items()
        if shape is not None
    }
    for target in options.target.split(","):
        check(model, target, inputs)


if __name__ == "__main__":
    main()
