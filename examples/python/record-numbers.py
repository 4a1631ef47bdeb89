"""Numbers for a program in C to compare with: an input of a network of ONNX, and one of
its values, as ONNX Runtime computes it.

usage: record-numbers.py MODEL.onnx INPUT=1x3x48x192 VALUE INPUT.bin VALUE.bin

The files hold the elements alone, as they lie in memory.
"""

import sys

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]


def main(path: str, input: str, value: str, input_path: str, value_path: str) -> None:
    name, _, sizes = input.rpartition("=")
    shape = [int(size) for size in sizes.split("x")]
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    model = onnx.load(path)
    model.graph.output.append(onnx.ValueInfoProto(name=value))
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (y,) = session.run([value], {name: x})
    x.tofile(input_path)
    y.tofile(value_path)


if __name__ == "__main__":
    main(*sys.argv[1:])
