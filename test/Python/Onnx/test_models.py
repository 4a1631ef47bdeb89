"""Whole networks, beside ONNX Runtime."""

import pathlib

import numpy as np
import onnx
import pytest

import convoy.onnx

FOLDER = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"

# What becomes of networks: nodes that are compiled, kernels, nodes that are left.
NETWORKS = {
    "light_squeezenet": (52, 26, 14),
    "light_shufflenet": (141, 49, 62),
    "light_inception_v2": (345, 69, 26),
    "light_resnet50": (171, 53, 5),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_plans(name):
    plan = convoy.onnx.load(FOLDER / f"{name}.onnx").plan
    left = sum(len(part.nodes) for part in plan.parts)
    compiled = sum(len(kernel.nodes) for kernel in plan.kernels)
    assert (compiled, len(plan.kernels), left) == NETWORKS[name]
    assert not plan.refusals


def draw_weights(model):
    """Gives a network weights that differ, which its own do not."""
    generator = np.random.default_rng(0)
    known = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in list(model.graph.node):
        if node.op_type != "ConstantOfShape":
            continue
        shape = onnx.numpy_helper.to_array(known[node.input[0]])
        drawn = generator.standard_normal(shape).astype(np.float32)
        scale = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
        value = (drawn * scale + (len(shape) == 1)).astype(np.float32)
        model.graph.initializer.append(
            onnx.numpy_helper.from_array(np.abs(value) if len(shape) == 1 else value, node.output[0])
        )
        model.graph.node.remove(node)


def test_squeezenet():
    model = onnx.load(FOLDER / "light_squeezenet.onnx")
    draw_weights(model)
    session = convoy.onnx.compile(model)
    assert session.functions < len(session.plan.kernels)
    (name,) = convoy.onnx.load(model).inputs
    x = np.random.default_rng(1).standard_normal((1, 3, 224, 224)).astype(np.float32)
    (found,) = session.run({name: x}).values()
    (expected,) = session.run_reference({name: x}).values()
    assert found.argmax() == expected.argmax()
    last = session.plan.kernels[-1].name
    assert session.check({name: x}, kernels=(last,))[0].passed
