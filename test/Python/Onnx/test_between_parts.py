"""Kernels beside nodes that are left: what they read of these, and of constants."""

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, draw_normal, make_model
from onnx import helper

import convoy.onnx

SHAPE = (1, 3, 8, 7)
PADS = np.array([0, 0, 1, 1, 0, 0, 1, 1])
W = draw_integers((4, 3, 3, 3), 1)


def node(op, reads, made, name="", **attributes):
    return helper.make_node(op, reads.split(), made.split(), name, **attributes)


def check_saved(proto, inputs, folder):
    """A model that is saved has the outputs that it has otherwise."""
    session = convoy.onnx.compile(proto)
    session.save(folder / "net.so", manifest=folder / "net.json")
    found = convoy.onnx.load_compiled(folder / "net.so", folder / "net.json").run(inputs)
    for name, value in session.run(inputs).items():
        np.testing.assert_array_equal(found[name], value)


def test_pads_that_are_left(tmp_path):
    """The convolution reads what the Pad does, which a part makes."""
    nodes = [
        node("LpPool", "x", "a", "left", kernel_shape=[1, 1], p=1),
        node("Pad", "a pads", "p", "pad"),
        node("Conv", "p w", "y", "layer"),
        node("LpPool", "p", "z", "pool", kernel_shape=[2, 2], p=1),
    ]
    proto = make_model(nodes, {"x": SHAPE}, {"pads": PADS, "w": W}, ["y", "z"])
    plan = check_equal(proto)
    assert [kernel.nodes for kernel in plan.kernels] == [("layer",)]
    assert convoy.onnx.diff(proto, "cpu", "onnxruntime").passed
    check_saved(proto, {"x": draw_integers(SHAPE)}, tmp_path)


def test_integers_that_are_left(tmp_path):
    """The same of a DequantizeLinear whose QuantizeLinear is left, too."""
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        node("DequantizeLinear", "q s z", "d"),
        node("DequantizeLinear", "w t", "v"),
        node("Conv", "d v", "y", "layer"),
        node("LpPool", "d", "p", "pool", kernel_shape=[2, 2], p=1),
    ]
    constants = {
        "s": np.float32(0.5),
        "z": np.uint8(100),
        "w": draw_integers(W.shape, 1, dtype=np.int8),
        "t": np.float32(0.25),
    }
    proto = make_model(nodes, {"x": SHAPE}, constants, ["y", "p"])
    plan = check_equal(proto)
    assert [kernel.name for kernel in plan.kernels] == ["layer"] and plan.parts
    check_within_bounds(proto)
    assert convoy.onnx.diff(proto, "cpu", "onnxruntime").passed
    check_saved(proto, {"x": draw_integers(SHAPE)}, tmp_path)


@pytest.mark.parametrize("op", ("Conv", "ConvTranspose", "ConvInteger", "padded"))
def test_constants_that_filters_slide_over(op, tmp_path):
    """A filter that is an input, as of a correlation."""
    dtype = np.uint8 if op == "ConvInteger" else np.float32
    data = np.abs(draw_integers(SHAPE, 2)).astype(dtype)
    nodes = [node("Conv" if op == "padded" else op, "x w", "y", "layer")]
    constants = {"x": data}
    if op == "padded":
        nodes = [node("Pad", "x pads", "p"), node("Conv", "p w", "y", "layer")]
        constants["pads"] = PADS
    shape = (3, 4, 3, 3) if op == "ConvTranspose" else W.shape
    made = {"y": np.int32 if op == "ConvInteger" else np.float32}
    proto = make_model(nodes, {"w": (dtype, shape)}, constants, made)
    inputs = {"w": np.abs(draw_integers(shape, 3)).astype(dtype)}
    assert len(check_equal(proto, inputs).kernels) == 1
    check_within_bounds(proto, inputs)
    check_saved(proto, inputs, tmp_path)


def test_nodes_that_read_nothing():
    nodes = [
        node("RandomNormal", "", "r", "draw", shape=list(SHAPE), seed=1.0),
        node("Conv", "r w", "y", "layer"),
    ]
    session = convoy.onnx.compile(make_model(nodes, {}, {"w": W}, ["y"], opset=17))
    assert session.plan.kernels and session.run({})["y"].shape == (1, 4, 6, 5)


@pytest.mark.parametrize("opset", (7, 9, 13, 14))
def test_normalization_in_training(opset):
    """Before opset 14 outputs alone say that statistics are those of the batch."""
    more = "" if opset == 14 else " mean var saved_mean saved_var"
    if opset >= 14:
        more = " mean var"
    attributes = {"training_mode": 1} if opset >= 14 else {}
    nodes = [
        node("Conv", "x w", "a", "layer"),
        node("BatchNormalization", "a g b m v", "y" + more, "normalize", **attributes),
    ]
    constants = {"w": W, **{name: np.abs(draw_normal((4,), seed)) for seed, name in enumerate("gbmv")}}
    proto = make_model(nodes, {"x": (2, *SHAPE[1:])}, constants, ["y"], opset=opset)
    plan = check_equal(proto)
    assert [kernel.nodes for kernel in plan.kernels] == [("layer",)]


@pytest.mark.parametrize("opset, size", ((18, 2), (20, 2), (21, 4)))
def test_group_normalization(opset, size):
    """Deprecated before opset 21, and without a shape that ONNX infers from then on."""
    nodes = [
        node("Conv", "x w", "a", "first"),
        node("GroupNormalization", "a g b", "n", "normalize", num_groups=2),
        node("Conv", "n v", "y", "second"),
    ]
    constants = {
        "w": W,
        "v": draw_integers((5, 4, 3, 3), 5),
        "g": draw_normal((size,), 1),
        "b": draw_normal((size,), 2),
    }
    proto = make_model(nodes, {"x": SHAPE}, constants, ["y"], opset=opset)
    assert [kernel.name for kernel in check_within_bounds(proto).kernels] == ["first", "second"]


def test_limits_that_are_no_numbers():
    nodes = [node("Conv", "x w", "a", "layer"), node("Clip", "a low", "y", "clip")]
    proto = make_model(nodes, {"x": SHAPE}, {"w": W, "low": np.float32(np.nan)}, ["y"])
    assert [kernel.nodes for kernel in check_equal(proto).kernels] == [("layer",)]


def test_filters_that_meet_nothing(tmp_path):
    """No tap does, so that a packed filter has no elements."""
    nodes = [node("ConvTranspose", "x w", "y", "layer", pads=[1, 1], dilations=[2])]
    proto = make_model(nodes, {"x": (1, 1, 1)}, {"w": draw_integers((1, 1, 2), 1)}, ["y"])
    check_equal(proto)
    check_saved(proto, {"x": draw_integers((1, 1, 1))}, tmp_path)
