"""DeformConv in all its forms, beside ONNX Runtime's."""

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, draw_normal, make_model
from onnx import helper, numpy_helper

import convoy.onnx

OPSETS = [opset for opset in convoy.onnx.OPSETS if opset >= 19]
IMAGE, TAPS, POSITIONS = (2, 4, 6, 8), (6, 4, 3, 2), (6, 7)


def draw_offsets(shape, seed):
    """Quarters, for which samples of integers are exact."""
    return (np.random.default_rng(seed).integers(-9, 10, shape) / 4).astype(np.float32)


def draw_mask(shape, seed):
    return (np.random.default_rng(seed).integers(0, 3, shape) / 2).astype(np.float32)


def make(groups=1, offset_groups=1, has_bias=False, has_mask=False, positions=POSITIONS, opset=OPSETS[-1], constants=(), extra=(), made="y", type=np.float32, **attributes):
    """A model and its inputs."""
    taps = (TAPS[0], TAPS[1] // groups, *TAPS[2:])
    count = offset_groups * taps[2] * taps[3]
    values = {
        "x": draw_integers(IMAGE, 1),
        "w": draw_integers(taps, 2),
        "d": draw_offsets((IMAGE[0], 2 * count, *positions), 3),
        "b": draw_integers(TAPS[:1], 4) if has_bias else None,
        "m": draw_mask((IMAGE[0], count, *positions), 5) if has_mask else None,
    }
    names = [name if value is not None else "" for name, value in values.items()]
    while not names[-1]:
        names.pop()
    attributes.setdefault("pads", [1, 0, 1, 0])
    node = helper.make_node("DeformConv", names, [made], "layer", group=groups, offset_group=offset_groups, **attributes)
    values = {name: value.astype(type) for name, value in values.items() if value is not None}
    inputs = {name: value for name, value in values.items() if name not in constants}
    model = make_model(
        [node, *extra],
        {name: (type, value.shape) for name, value in inputs.items()},
        {name: values[name] for name in constants},
        {"y": type},
        opset,
    )
    return model, inputs


def check_plan(plan, text="layer: DeformConv"):
    assert [str(step) for step in plan.steps] == [text]
    assert not plan.refusals and not plan.transpositions


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("groups", (1, 2))
@pytest.mark.parametrize("offset_groups", (1, 2, 4))
def test_groups(opset, groups, offset_groups):
    model, inputs = make(groups, offset_groups, has_bias=True, has_mask=True, opset=opset)
    check_plan(check_equal(model, inputs))
    check_plan(check_within_bounds(model, {**inputs, "x": draw_normal(IMAGE, 1)}))


@pytest.mark.parametrize("has_bias", (False, True))
@pytest.mark.parametrize("has_mask", (False, True))
@pytest.mark.parametrize("constants", ((), ("w", "b")))
def test_operands(has_bias, has_mask, constants):
    constants = [name for name in constants if name != "b" or has_bias]
    check_plan(check_equal(*make(has_bias=has_bias, has_mask=has_mask, constants=constants)))


def test_window():
    window = {"strides": [2, 1], "dilations": [1, 3], "pads": [0, 2, 3, 1]}
    check_plan(check_equal(*make(positions=(4, 8), has_mask=True, **window)))


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_targets(target):
    model, inputs = make(2, 2, has_bias=True, has_mask=True)
    check_plan(check_within_bounds(model, inputs, target=target))


def test_what_follows():
    """Scales are folded into the filter, and what is added into the bias."""
    constants = {"r": draw_integers((6, 1, 1), 7)}
    extra = [helper.make_node("Mul", ["a", "r"], ["c"]), helper.make_node("Relu", ["c"], ["y"])]
    model, inputs = make(has_bias=True, constants=("w", "b"), made="a", extra=extra)
    for name, value in constants.items():
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    check_plan(check_equal(model, inputs), "layer: DeformConv + Mul (folded) + Relu")


def test_half():
    model, inputs = make(has_mask=True, type=np.float16)
    session = convoy.onnx.compile(model)
    check_plan(session.plan)
    wide_model, wide_inputs = make(has_mask=True)
    expected = convoy.onnx.compile(wide_model).run(wide_inputs)["y"]
    np.testing.assert_array_equal(session.run(inputs)["y"], expected.astype(np.float16))


def test_refusals():
    for changed, reason in (
        ({"offset_groups": 3}, "its operands and attributes do not fit each other"),
        ({"positions": (6, 6)}, "its operands and attributes do not fit each other"),
        ({"type": np.float64}, "its elements are float64"),
    ):
        model, _ = make(**changed)
        assert convoy.onnx.load(model).plan.refusals == {"layer": reason}
