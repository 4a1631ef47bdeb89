"""Whole networks, beside ONNX Runtime."""

import pathlib

import numpy as np
import onnx
import pytest

import convoy
import convoy.onnx
from graphs import make_model

FOLDER = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"

# What becomes of networks: nodes that are compiled, kernels, nodes that are left.
NETWORKS = {
    "light_squeezenet": (65, 22, 1),
    "light_shufflenet": (200, 73, 3),
    "light_inception_v2": (368, 54, 3),
    "light_resnet50": (173, 55, 3),
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


def test_empty_batches():
    """What has no elements ONNX Runtime computes, kernels or not."""
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w"], ["a"], "first", pads=[1, 1, 1, 1]),
        onnx.helper.make_node("Relu", ["a"], ["r"], "relu"),
        onnx.helper.make_node("Concat", ["r", "z"], ["b"], "concat", axis=0),
        onnx.helper.make_node("Conv", ["b", "v"], ["y"], "second"),
    ]
    constants = {"w": np.ones((4, 3, 3, 3), np.float32), "v": np.ones((2, 4, 1, 1), np.float32)}
    model = make_model(nodes, {"x": ("n", 3, 5, 6), "z": ("m", 4, 5, 6)}, constants, ["a", "y"])
    for batches in ((0, 2), (0, 0), (1, 0)):
        shapes = {"x": (batches[0], 3, 5, 6), "z": (batches[1], 4, 5, 6)}
        session = convoy.onnx.compile(model, shapes=shapes)
        inputs = {name: np.ones(shape, np.float32) for name, shape in shapes.items()}
        found, expected = session.run(inputs), session.run_reference(inputs)
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value)
        assert found["a"].shape == (batches[0], 4, 5, 6) and found["y"].shape == (sum(batches), 2, 5, 6)
        assert set(session.plan.refusals.values()) <= {"it has no elements"}
        assert len(session.plan.refusals) == (batches[0] == 0) + (sum(batches) == 0)
        assert convoy.diff(model, "cpu", "onnxruntime", shapes=shapes).passed


def test_names_of_empty_batches():
    """A size with a name is the same everywhere, and 0 where the model says so is free."""
    nodes = [onnx.helper.make_node("Add", ["x", "z"], ["y"])]
    model = make_model(nodes, {"x": ("n", 3), "z": ("n", 3)}, {}, ["y"])
    assert convoy.onnx.load(model, shapes={"x": (0, 3)}).inputs == {"x": (0, 3), "z": (0, 3)}
    with pytest.raises(convoy.Error, match="^expected sizes for the input 'x' of shape "):
        convoy.onnx.load(make_model(nodes, {"x": (0, 3), "z": (1, 3)}, {}, ["y"]))
