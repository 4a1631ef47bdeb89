"""Conv and ConvTranspose in all their forms, bit for bit as ONNX Runtime has them."""

import numpy as np
import pytest
from graphs import check_equal, draw_integers, make_model
from onnx import helper
from onnx.reference import ReferenceEvaluator

import convoy.onnx

# Sizes of the input, and of the filter.
SPATIAL = {1: ((11,), (4,)), 2: ((7, 9), (3, 2)), 3: ((5, 6, 4), (2, 3, 1))}


def make_conv(op, inputs, filters, bias=True, dtype=np.float32, opset=None, **attributes):
    """A model of one node."""
    groups = attributes.get("group", 1)
    channels = filters[1] * groups if op == "ConvTranspose" else filters[0]
    constants = {"w": draw_integers(filters, 7, dtype=dtype)}
    if bias:
        constants["b"] = draw_integers((channels,), 8, dtype=dtype)
    node = helper.make_node(op, ["x", *constants], ["y"], "layer", **attributes)
    return make_model([node], {"x": (dtype, inputs)}, constants, ["y"], opset)


def check(*arguments, **options):
    plan = check_equal(make_conv(*arguments, **options))
    assert [kernel.nodes for kernel in plan.kernels] == [("layer",)]
    assert not plan.parts and not plan.transpositions


@pytest.mark.parametrize("opset", convoy.onnx.OPSETS)
@pytest.mark.parametrize("op", ("Conv", "ConvTranspose"))
def test_opsets(op, opset):
    check(op, (1, 3, 6, 5), (3, 2, 2, 3) if op == "ConvTranspose" else (2, 3, 2, 3), opset=opset)


@pytest.mark.parametrize("rank", SPATIAL)
@pytest.mark.parametrize("bias", (True, False))
def test_ranks(rank, bias):
    inputs, taps = SPATIAL[rank]
    check("Conv", (2, 3, *inputs), (5, 3, *taps), bias)
    check("ConvTranspose", (2, 3, *inputs), (3, 5, *taps), bias)


@pytest.mark.parametrize("rank", SPATIAL)
def test_groups(rank):
    inputs, taps = SPATIAL[rank]
    check("Conv", (2, 6, *inputs), (9, 2, *taps), group=3)
    check("ConvTranspose", (2, 6, *inputs), (6, 5, *taps), group=3)


def test_depthwise():
    check("Conv", (1, 5, 7, 6), (5, 1, 3, 3), group=5, pads=(1, 1, 1, 1))
    check("Conv", (1, 5, 7, 6), (10, 1, 3, 3), group=5, strides=(2, 1))
    check("ConvTranspose", (1, 5, 7, 6), (5, 1, 2, 2), group=5, strides=(2, 2))


@pytest.mark.parametrize("auto_pad", ("SAME_UPPER", "SAME_LOWER", "VALID"))
@pytest.mark.parametrize("rank", SPATIAL)
def test_automatic_pads(auto_pad, rank):
    inputs, taps = SPATIAL[rank]
    strides = (2, 3, 1)[:rank]
    check("Conv", (1, 2, *inputs), (3, 2, *taps), auto_pad=auto_pad)
    check("Conv", (1, 2, *inputs), (3, 2, *taps), auto_pad=auto_pad, strides=strides)
    check("ConvTranspose", (1, 2, *inputs), (2, 3, *taps), auto_pad=auto_pad, strides=strides)


@pytest.mark.parametrize("auto_pad", ("SAME_UPPER", "SAME_LOWER"))
def test_automatic_pads_with_dilations(auto_pad):
    # ONNX Runtime has none of this.
    model = make_conv("Conv", (1, 2, 9, 11), (3, 2, 3, 2), auto_pad=auto_pad, dilations=(2, 3))
    x = draw_integers((1, 2, 9, 11), 1)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    np.testing.assert_array_equal(convoy.onnx.compile(model).run({"x": x})["y"], expected)


def test_windows():
    check("Conv", (1, 2, 9, 11), (3, 2, 3, 2), pads=(1, 0, 2, 3), strides=(2, 3), dilations=(2, 4))
    check("Conv", (1, 2, 9, 11), (3, 2, 3, 2), kernel_shape=(3, 2), strides=(4, 4))
    check(
        "ConvTranspose", (1, 2, 5, 4), (2, 3, 3, 2),
        pads=(1, 0, 2, 1), strides=(2, 3), dilations=(2, 1), output_padding=(1, 2),
    )  # fmt: skip


def test_given_output_shapes():
    for auto_pad in ("NOTSET", "SAME_UPPER", "SAME_LOWER"):
        check(
            "ConvTranspose", (1, 2, 5, 4), (2, 3, 3, 2),
            output_shape=(10, 11), strides=(2, 3), auto_pad=auto_pad,
        )  # fmt: skip
        check("ConvTranspose", (1, 2, 5, 4), (2, 3, 3, 2), output_shape=(12, 9), strides=(2, 3), auto_pad=auto_pad)


@pytest.mark.parametrize("shape", ((1, 1, 1, 1), (1, 1, 1, 7), (3, 1, 2, 1)))
def test_small_sizes(shape):
    check("Conv", shape, (1, 1, 1, 1))
    check("Conv", shape, (2, 1, 3, 3), pads=(1, 1, 1, 1))
    check("ConvTranspose", shape, (1, 2, 2, 2))


def test_filters_that_are_no_constants():
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["y"], "layer", group=2)]
    inputs = {"x": (1, 4, 6, 5), "w": (6, 2, 3, 2), "b": (6,)}
    plan = check_equal(make_model(nodes, inputs, {}, ["y"]))
    assert str(plan.kernels[0]) == "layer: Conv"
