"""ConvInteger and QLinearConv, bit for bit."""

import itertools
import re

import numpy as np
import pytest
from graphs import make_model
from integers import BYTES, convolve, draw_bytes, draw_scales, quantize, requantize
from onnx import helper

import convoy
import convoy.onnx
from convoy.onnx import _emit_group, _model

# What is known of a node's operands when it is read, and whether floats may be summed.
CASES = ((None, True), (None, False), ((), False))
WINDOW = {"pads": (1, 0, 2, 1), "strides": (2, 1)}
PAIRS = list(itertools.product(BYTES, BYTES))


@pytest.mark.parametrize("cpu, floats", (("haswell", True), ("icelake-server", False)))
def test_cpus_with_products_of_bytes(cpu, floats):
    model, _ = make("ConvInteger", draw_sums((np.uint8, np.int8)), np.int32, group=2)
    plan = convoy.onnx.load(model)._get_cpu_plan(cpu)
    assert ("xf32>" in plan.kernels[0].text) == floats


def make(op, operands, dtype, known=None, **attributes):
    """A model of one node: of its operands, which are arrays or None by name, `known`
    are constants, or all but x."""
    names = [name if value is not None else "" for name, value in operands.items()]
    given = {name: value for name, value in operands.items() if value is not None}
    known = set(given) - {"x"} if known is None else known
    inputs = {name: (one.dtype, one.shape) for name, one in given.items() if name not in known}
    constants = {name: one for name, one in given.items() if name in known}
    node = helper.make_node(op, names, ["y"], "layer", **attributes)
    return make_model([node], inputs, constants, {"y": dtype}), {name: given[name] for name in inputs}


def run(op, operands, dtype, known=None, refused="", floats=True, **attributes):
    """The result of one node as a kernel, which is checked; `refused` says why some
    versions of ONNX Runtime refuse to be compared with. Without `floats`, sums are
    those of larger filters."""
    model, inputs = make(op, operands, dtype, known, **attributes)
    with pytest.MonkeyPatch.context() as patch:
        if floats:
            patch.setattr(_model, "adds_products_of_bytes", lambda *_: False)
        else:
            patch.setattr(_emit_group, "_fit_floats", lambda *_: False)
        session = convoy.onnx.compile(model)
    assert [kernel.nodes for kernel in session.plan.kernels] == [("layer",)]
    assert not session.plan.parts
    (found,) = session.run(inputs).values()
    assert found.dtype == dtype
    try:
        (report,) = session.check(inputs)
    except convoy.Error as error:
        assert refused and re.search(refused, str(error))
        return found
    assert report.passed and report.runtime.passed and report.difference == 0, str(report)
    np.testing.assert_array_equal(found, session.run_reference(inputs)["y"])
    return found


def draw_sums(types, filter=(8, 3, 3, 2), channels=6, zeros=((), ())):
    """Operands of a ConvInteger."""
    x, w = types
    return {
        "x": draw_bytes((2, channels, 8, 7), x, 1),
        "w": draw_bytes(filter, w, 2),
        "x_zero": None if zeros[0] is None else draw_bytes(zeros[0], x, 3),
        "w_zero": None if zeros[1] is None else draw_bytes(zeros[1], w, 4),
    }


def get_sums(operands, **attributes):
    """The sums of these, and of a QLinearConv's."""
    zeros = [0 if operands[name] is None else operands[name] for name in ("x_zero", "w_zero")]
    bias = 0 if operands.get("b") is None else operands["b"]
    return convolve(operands["x"], operands["w"], *zeros, bias, **attributes)


def get_refusal(types, zeros):
    """Why ONNX Runtime may have no such sums: for types, and shapes of zero points."""
    if zeros[1] == (8,):
        return "Non per-tensor quantization"
    return "Could not find an implementation" if types[0] == np.int8 else ""


@pytest.mark.parametrize("types", PAIRS)
@pytest.mark.parametrize("zeros", (((1,), ()), (None, None), ((), None), ((), (8,))))
@pytest.mark.parametrize("known, floats", CASES)
def test_sums(types, zeros, known, floats):
    check_sums(draw_sums(types, zeros=zeros), known, get_refusal(types, zeros), floats)


@pytest.mark.parametrize("floats", (True, False))
@pytest.mark.parametrize("known", ({"w"}, {"w", "w_zero"}, {"x_zero"}, {"x_zero", "w"}, {"w_zero"}))
def test_sums_of_what_is_known(known, floats):
    check_sums(draw_sums((np.uint8, np.int8), zeros=((), ())), known, "", floats)


def check_sums(operands, known, refused, floats):
    found = run("ConvInteger", operands, np.int32, known, refused, floats, group=2, **WINDOW)
    np.testing.assert_array_equal(found, get_sums(operands, group=2, **WINDOW))


@pytest.mark.parametrize("rank", (1, 2, 3))
def test_ranks(rank):
    operands = draw_sums((np.uint8, np.uint8))
    operands["x"] = draw_bytes((1, 2, *(7, 5, 6)[:rank]), np.uint8, 1)
    operands["w"] = draw_bytes((3, 2, *(3, 2, 1)[:rank]), np.uint8, 2)
    found = run("ConvInteger", operands, np.int32, auto_pad="SAME_LOWER")
    np.testing.assert_array_equal(found, get_sums(operands, auto_pad="SAME_LOWER"))


def test_depthwise():
    operands = draw_sums((np.uint8, np.int8), filter=(6, 1, 3, 3))
    found = run("ConvInteger", operands, np.int32, group=6, pads=(1, 1, 1, 1))
    np.testing.assert_array_equal(found, get_sums(operands, group=6, pads=(1, 1, 1, 1)))


@pytest.mark.parametrize("floats", (True, False))
def test_pads_that_cut(floats):
    operands = draw_sums((np.uint8, np.int8), channels=3)
    attributes = {"pads": (2, -1, -1, 1), "strides": (1, 2)}
    found = run("ConvInteger", operands, np.int32, refused="ONNX Runtime", floats=floats, **attributes)
    wide = np.full((2, 3, 10, 8), operands["x_zero"], np.uint8)
    wide[:, :, 2:, :7] = operands["x"]
    cut = operands | {"x": wide[:, :, :-1, 1:]}
    np.testing.assert_array_equal(found, get_sums(cut, strides=(1, 2)))


@pytest.mark.filterwarnings("ignore:.* adds 33100 products, and 'i32' can wrap")
def test_sums_that_wrap_around():
    operands = {"x": np.full((1, 33100, 1, 2), 255, np.uint8)}
    operands |= {"w": np.full((1, 33100, 1, 1), 255, np.uint8), "x_zero": None, "w_zero": None}
    found = run("ConvInteger", operands, np.int32)
    assert (found == 33100 * 255**2 - 2**32).all()


@pytest.mark.parametrize("known, floats", (*CASES, ({"w", "w_zero"}, True), ({"w", "w_zero"}, False)))
@pytest.mark.parametrize("dtype", BYTES)
def test_padding_is_the_zero_point(dtype, known, floats):
    operands = draw_sums((dtype, np.uint8), channels=3)
    operands["x"] = np.full_like(operands["x"], operands["x_zero"])
    refused = get_refusal((dtype,), ((), ()))
    found = run("ConvInteger", operands, np.int32, known, refused, floats, pads=(2, 2, 2, 2))
    assert not found.any()


def draw_layer(types, channels=(), bias=True, dtype=None):
    """Operands of a QLinearConv; scales of the filter are of shape `channels`."""
    sums = draw_sums(types, zeros=((), channels))
    if types[1] == np.int8:
        sums["w_zero"] = np.zeros(channels, np.int8)
    elif channels:
        sums["w_zero"] = np.full(channels, 131, np.uint8)
    dtype = dtype or types[0]
    names = ("x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "y_scale", "y_zero", "b")
    layer = sums | {
        "x_scale": draw_scales((), 5, 0.02),
        "w_scale": draw_scales(channels, 6, 0.03),
        "y_scale": draw_scales((), 7, 0.7),
        "y_zero": np.asarray(np.iinfo(dtype).min + 117, dtype),
        "b": np.random.default_rng(8).integers(-9999, 10000, 8, np.int32) if bias else None,
    }
    return {name: layer[name] for name in names}


def get_layer(operands, **attributes):
    """What a QLinearConv of these is."""
    factor = operands["x_scale"] * operands["w_scale"] / operands["y_scale"]
    sums, zero = get_sums(operands, **attributes), operands["y_zero"]
    return requantize(sums, factor, zero, zero.dtype)


@pytest.mark.parametrize("types", PAIRS)
@pytest.mark.parametrize("channels", ((), (8,)))
@pytest.mark.parametrize(
    "known, floats", (*CASES, ({"w", "w_zero", "b"}, True), ({"x_scale", "x_zero", "y_zero"}, True))
)
def test_layers(types, channels, known, floats):
    operands = draw_layer(types, channels, bias=known is None or bool(channels))
    known = known and {name for name in known if operands[name] is not None}
    refused = "Could not find an implementation" if types == (np.int8, np.uint8) else ""
    dtype = operands["y_zero"].dtype
    found = run("QLinearConv", operands, dtype, known, refused, floats, group=2, **WINDOW)
    expected = get_layer(operands, group=2, **WINDOW)
    np.testing.assert_array_equal(found, expected)
    assert len(np.unique(expected)) > 50


def test_zero_points_for_each_channel():
    operands = draw_layer((np.uint8, np.uint8), (8,))
    operands["w_zero"] = draw_bytes((8,), np.uint8, 9)
    refused = "zero point of per-channel filter must be same"
    for known in (None, ()):
        found = run("QLinearConv", operands, np.uint8, known, refused, group=2, **WINDOW)
        np.testing.assert_array_equal(found, get_layer(operands, group=2, **WINDOW))


@pytest.mark.parametrize("channels, is_float", ((258, True), (259, False)))
def test_the_largest_sums_of_floats(channels, is_float):
    # 258 products of 255 and 255 are less than 2**24.
    operands = {"x": np.full((1, channels, 1, 2), 255, np.uint8), "w": np.full((2, channels, 1, 1), 255, np.uint8)}
    operands["w"][1, ::2] = 0
    operands |= {"x_zero": np.uint8(0), "w_zero": np.uint8(0)}
    operands = {name: np.asarray(value) for name, value in operands.items()}
    model, inputs = make("ConvInteger", operands, np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_model, "adds_products_of_bytes", lambda *_: False)
        session = convoy.onnx.compile(model)
    assert ("xf32>" in session.plan.kernels[0].text) == is_float
    assert "xf32>" not in convoy.onnx.load(model).plan.kernels[0].text
    (report,) = session.check(inputs)
    assert report.passed and report.runtime.verdict == "exact"


@pytest.mark.parametrize("dtype", BYTES)
def test_roundings(dtype):
    # All halves from far below the least integer to far above the largest.
    x = np.arange(256, dtype=np.uint8).reshape(1, 1, 16, 16)
    w = np.array([1, 5, -3], np.int8).reshape(3, 1, 1, 1)
    one, zero = np.float32(1), np.asarray(np.iinfo(dtype).min + 100, dtype)
    operands = dict(zip(("x", "x_scale", "x_zero"), (x.astype(dtype), one / 2, np.zeros((), dtype))))
    operands |= {"w": w, "w_scale": one, "w_zero": np.zeros((), np.int8), "y_scale": one, "y_zero": zero}
    operands = {name: np.asarray(value) for name, value in operands.items()}
    found = run("QLinearConv", operands, dtype)
    sums = operands["x"].astype(np.float32) * w.astype(np.float32).reshape(3, 1, 1)
    np.testing.assert_array_equal(found, quantize(sums / 2, zero, dtype))
    assert {found.min(), found.max()} == {np.iinfo(dtype).min, np.iinfo(dtype).max}


@pytest.mark.parametrize("name", ("x_scale", "w_scale", "w_zero", "y_zero", "b"))
def test_operands_that_do_not_fit(name):
    operands = draw_layer((np.uint8, np.uint8))
    operands[name] = np.ones(3, operands[name].dtype)
    model, _ = make("QLinearConv", operands, np.uint8, group=2)
    refusals = convoy.onnx.load(model).plan.refusals
    assert refusals == {"layer": "its operands and attributes do not fit each other"}


def draw_case(seed):
    """A QLinearConv of any sizes, with what ONNX Runtime has none of left out."""
    draw = np.random.default_rng(seed)
    groups, outs, ins = (int(one) for one in draw.integers(1, 4, 3))
    rank = int(draw.integers(1, 4))
    taps = draw.integers(1, 4, rank)
    attributes = {
        "group": groups,
        "strides": draw.integers(1, 4, rank).tolist(),
        "dilations": draw.integers(1, 3, rank).tolist(),
        "pads": draw.integers(0, 4, 2 * rank).tolist(),
    }
    sizes = (taps - 1) * attributes["dilations"] + 1 + draw.integers(0, 5, rank)
    types = [(np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8)][draw.integers(3)]
    channels = () if draw.integers(2) else (groups * outs,)
    operands = draw_layer(types, channels)
    operands["x"] = draw_bytes((int(draw.integers(1, 3)), groups * ins, *sizes), types[0], seed)
    operands["w"] = draw_bytes((groups * outs, ins, *taps), types[1], seed)
    operands["b"] = draw.integers(-9999, 10000, groups * outs, np.int32) if draw.integers(2) else None
    known = [name for name, one in operands.items() if one is not None and draw.integers(2)]
    return operands, set(known) - {"x"}, attributes


@pytest.mark.parametrize("seed", range(20))
def test_drawn_layers(seed):
    operands, known, attributes = draw_case(seed)
    dtype = operands["y_zero"].dtype
    found = run("QLinearConv", operands, dtype, known, floats=seed % 2 == 0, **attributes)
    np.testing.assert_array_equal(found, get_layer(operands, **attributes))


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
@pytest.mark.parametrize("known", (None, ()))
def test_other_targets(target, known):
    operands = draw_layer((np.uint8, np.uint8))
    operands["x"] = operands["x"][:1, :, :5]
    model, inputs = make("QLinearConv", operands, np.uint8, known, group=2, **WINDOW)
    session = convoy.onnx.compile(model, target=target)
    expected = get_layer(operands, group=2, **WINDOW)
    np.testing.assert_array_equal(session.run(inputs)["y"], expected)
