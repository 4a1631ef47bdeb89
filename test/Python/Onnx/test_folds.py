"""Col2Im in all its forms, bit for bit as ONNX Runtime has it."""

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, make_model
from onnx import helper

import convoy.onnx

OPSETS = [opset for opset in convoy.onnx.OPSETS if opset >= 18]


def make(sizes, taps, columns, batch=2, channels=3, opset=None, extra=(), made="y", dtype=np.float32, known=True, **attributes):
    shape = (batch, channels * int(np.prod(taps)), columns)
    constants = {"sizes": np.array(sizes), "taps": np.array(taps)}
    node = helper.make_node("Col2Im", ["x", "sizes", "taps"], [made], "layer", **attributes)
    inputs = {"x": (dtype, shape)}
    if not known:
        inputs["sizes"] = (np.int64, constants.pop("sizes").shape)
    return make_model([node, *extra], inputs, constants, {"y": dtype}, opset)


def check_plan(plan, text="layer: Col2Im"):
    assert [str(step) for step in plan.steps] == [text]
    assert not plan.refusals and not plan.transpositions


@pytest.mark.parametrize("opset", OPSETS)
def test_opsets(opset):
    check_plan(check_equal(make((5, 7), (3, 2), 18, opset=opset)))


def test_windows():
    check_plan(check_equal(make((9, 7), (3, 2), 20, strides=(2, 2), pads=(1, 1, 1, 0))))
    check_plan(check_equal(make((9, 11), (3, 2), 45, dilations=(2, 2))))
    check_plan(check_equal(make((6, 6), (2, 3), 6, strides=(2, 3))))
    check_plan(check_equal(make((4, 5, 6), (1, 2, 3), 64)))


def test_types():
    model = make((5, 7), (3, 2), 18, dtype=np.float16)
    x = draw_integers((2, 18, 18), 1, dtype=np.float16)
    session = convoy.onnx.compile(model)
    check_plan(session.plan)
    wide = convoy.onnx.compile(make((5, 7), (3, 2), 18)).run({"x": x.astype(np.float32)})
    np.testing.assert_array_equal(session.run({"x": x})["y"], wide["y"].astype(np.float16))


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_targets(target):
    check_plan(check_equal(make((9, 7), (3, 2), 20, strides=(2, 2), pads=(1, 1, 1, 0)), target=target))


def test_what_follows_and_what_comes_before():
    nodes = [
        helper.make_node("Conv", ["z", "w"], ["x"], "line"),
        helper.make_node("Col2Im", ["x", "sizes", "taps"], ["a"], "layer"),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "v"], ["y"], "image"),
    ]
    constants = {
        "w": draw_integers((18, 4, 3), 3, most=1),
        "v": draw_integers((5, 3, 2, 2), 4, most=1),
        "sizes": np.array((5, 7)),
        "taps": np.array((3, 2)),
    }
    plan = check_equal(make_model(nodes, {"z": (2, 4, 20)}, constants, ["y"]))
    assert [str(step) for step in plan.steps] == ["line: Conv", "layer: Col2Im + Relu", "image: Conv"]
    # Columns lie as ONNX has them, and the image as the next kernel likes it.
    assert [kernel.result.order for kernel in plan.kernels] == ["first", "last", "first"]


def test_sums_within_bounds():
    check_plan(check_within_bounds(make((5, 7), (3, 3), 35, pads=(1, 1, 1, 1))))


@pytest.mark.parametrize(
    "options, reason",
    (
        ({"known": False}, "its sizes are not known before it runs"),
        ({"dtype": np.int32}, "its elements are int32"),
        ({"columns": 17}, "its operands and attributes do not fit each other"),
        ({"strides": (1, 1, 1)}, "its operands and attributes do not fit each other"),
        ({"pads": (1, 1)}, "its operands and attributes do not fit each other"),
        ({"sizes": (0, 7)}, "it has no elements"),
        ({"sizes": (1, 1, 5, 7), "taps": (1, 1, 3, 2)}, "it has 4 spatial dimensions"),
    ),
    ids=str,
)
def test_what_is_left(options, reason):
    try:
        plan = convoy.onnx.load(make(**{"sizes": (5, 7), "taps": (3, 2), "columns": 18} | options)).plan
    except convoy.Error as error:
        # ONNX's own inference refuses some of these.
        assert "\n" not in str(error)
    else:
        assert plan.refusals == {"layer": reason}
