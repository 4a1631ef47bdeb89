"""A network of ONNX that was compiled before, run beside ONNX Runtime.

usage: run-network.py LIBRARY.so MANIFEST.json MODEL.onnx

convoy-import-onnx MODEL.onnx -o LIBRARY.so --manifest MANIFEST.json writes the first two,
and what is left to ONNX Runtime; the model is there for comparison alone.
"""

import sys

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

import convoy.onnx


def main(library: str, manifest: str, path: str) -> None:
    model = convoy.onnx.load_compiled(library, manifest)
    generator = np.random.default_rng(0)
    inputs = {
        name: generator.standard_normal(shape).astype(np.float32)
        for name, shape in model.inputs.items()
        if shape is not None
    }
    session = onnxruntime.InferenceSession(path)
    expected = dict(zip(model.outputs, session.run(list(model.outputs), inputs)))
    for name, value in model.run(inputs).items():
        difference = abs(value - expected[name]).max()
        print(f"{name}: {value.shape}, differs by at most {difference:.3g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
