"""A network of ONNX on the CPU and on Vulkan, where one kernel is broken on purpose: which
one, a single call says.

usage: find-broken-kernel.py [MODEL.onnx NAME=1x3x320x320 ...]

Without a model, it makes one of its own. docs/Onnx.md has PP-OCR's detector.
"""

import sys

import numpy as np
import onnx
from onnx import helper

import convoy
import convoy.onnx

#: What takes the place of an op.
WRONG = {"arith.maximumf": "arith.minimumf", "arith.mulf": "arith.subf"}


def make_model() -> onnx.ModelProto:
    """Six convolutions, each with a Relu, and a residual and a pool between them."""
    generator = np.random.default_rng(0)
    nodes, constants, value = [], [], "x"
    for number, (inputs, outputs) in enumerate([(3, 8), (8, 8), (8, 8), (8, 12), (12, 12), (12, 4)]):
        filter = generator.standard_normal((outputs, inputs, 3, 3)) / np.sqrt(4.5 * inputs)
        constants.append(onnx.numpy_helper.from_array(filter.astype(np.float32), f"w{number}"))
        convolution = helper.make_node(
            "Conv", [value, f"w{number}"], [f"c{number}"], f"conv{number}", pads=[1, 1, 1, 1]
        )
        relu = helper.make_node("Relu", [f"c{number}"], [f"r{number}"], f"relu{number}")
        nodes += [convolution, relu]
        value = f"r{number}"
        if number == 2:
            nodes.append(helper.make_node("Add", ["r2", "r0"], ["sum"], "residual"))
            nodes.append(helper.make_node("MaxPool", ["sum"], ["p"], "pool", kernel_shape=[2, 2]))
            value = "p"
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (1, 3, 18, 14))
    y = helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "graph", [x], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def main(words: list[str]) -> None:
    model: str | onnx.ModelProto = words[0] if words else make_model()
    shapes = {}
    for word in words[1:]:
        name, _, sizes = word.rpartition("=")
        shapes[name] = tuple(int(size) for size in sizes.split("x"))
    session = convoy.onnx.compile(model, shapes=shapes, target="vulkan")

    # A fault such as one of a driver: another op for that of an epilogue, in the middle.
    convolutions = [one for one in session.plan.kernels if "convoy.conv" in one.text]
    kernels = [one for one in convolutions if any(op in one.text for op in WRONG)]
    if not kernels:
        sys.exit("find-broken-kernel.py: expected a kernel that ends with an activation")
    broken = kernels[len(kernels) // 2]
    op = next(op for op in WRONG if op in broken.text)
    module = convoy.Module.parse(broken.text.replace(op, WRONG[op], 1))
    session.replace(broken.name, module)

    found = convoy.diff(model, "cpu", session, shapes=shapes)
    print(found)
    assert found.first_wrong is not None
    print(f"broken: {broken.name}, found: {found.first_wrong.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
