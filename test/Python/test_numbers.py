"""Every bit of a kernel's result, on integers, against two other computations."""

import random

import numpy as np
import pytest

import convoy
from convolution import Conv, Dim

DIRECTIONS = ("FWD_D", "BWD_D", "BWD_W")
TYPES = ("f64", "f32", "f16", "bf16", "i8")
SPATIAL = {1: "w", 2: "hw", 3: "dhw"}

CONVOLUTIONS = [
    Conv(1, 1, 5, 7, (Dim(9, 3, pad=1),)),
    Conv(2, 1, 3, 17, (Dim(11, 3, pad=1), Dim(7, 2))),
    Conv(3, 1, 8, 33, (Dim(8, 3, stride=2, pad=1), Dim(13, 5, stride=3, pad=2))),
    Conv(1, 3, 2, 5, (Dim(10, 3, dilation=2, pad=2), Dim(6, 2, dilation=3))),
    Conv(2, 9, 1, 1, (Dim(7, 3, pad=1), Dim(9, 3, stride=2, pad=1))),
    Conv(1, 2, 3, 4, (Dim(5, 2), Dim(4, 3, pad=1), Dim(6, 2, stride=2))),
]


def plain_layouts(conv):
    spatial = SPATIAL[len(conv.dims)]
    return (f"n{spatial}c", f"{spatial}cf", f"n{spatial}f")


def expect_equal(conv, direction, type, layouts, threads=1, target="cpu"):
    kernel = convoy.compile(
        conv.text(),
        direction=direction,
        type=type,
        layouts=",".join(layouts),
        threads=threads,
        target=target,
    )
    first, second = kernel.generate(seed=3)
    result = kernel(first, second)
    dtype = np.int64 if type == "i8" else np.float64
    expected = conv.compute(direction, first, second, layouts, dtype)
    assert result.shape == expected.shape
    assert result.dtype == kernel.arguments[-1].dtype
    assert np.any(expected != 0)
    np.testing.assert_array_equal(result.astype(dtype), expected)
    np.testing.assert_array_equal(convoy.reference(kernel, first, second), expected)


@pytest.mark.parametrize("conv", CONVOLUTIONS, ids=Conv.text)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_directions(conv, direction):
    expect_equal(conv, direction, "f32", plain_layouts(conv))


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_types(type, direction):
    conv = CONVOLUTIONS[1]
    expect_equal(conv, direction, type, plain_layouts(conv))


@pytest.mark.parametrize("seed", range(12))
def test_drawn_layouts(seed):
    draw = random.Random(seed)
    conv = CONVOLUTIONS[seed % len(CONVOLUTIONS)]
    spatial = SPATIAL[len(conv.dims)]

    def shuffle(letters):
        word = list(spatial + letters + draw.choice(["", "g"]))
        draw.shuffle(word)
        return "".join(word)

    layouts = (shuffle("nc"), shuffle("cf"), shuffle("nf"))
    expect_equal(conv, DIRECTIONS[seed % 3], "f32", layouts)


def test_threads():
    expect_equal(CONVOLUTIONS[2], "FWD_D", "f32", plain_layouts(CONVOLUTIONS[2]), threads=2)


@pytest.mark.parametrize("target", ("rocm-sim", "rocm-sim:gfx1100", "vulkan"))
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_gpus(target, direction):
    conv = Conv(1, 1, 3, 5, (Dim(5, 3, pad=1), Dim(4, 2)))
    expect_equal(conv, direction, "f32", plain_layouts(conv), target=target)


@pytest.mark.parametrize("type", ("f32", "f16", "i8"))
def test_bias(type):
    conv = CONVOLUTIONS[3]
    layouts = plain_layouts(conv)
    kernel = convoy.compile(conv.text(), direction="FWD_B", type=type)
    x, w, bias = kernel.generate()
    assert kernel.arguments[2].name == "bias"
    dtype = np.int64 if type == "i8" else np.float64
    expected = conv.compute("FWD_D", x, w, layouts, dtype) + bias.astype(dtype)
    np.testing.assert_array_equal(kernel(x, w, bias).astype(dtype), expected)


def test_signs_and_zero_points():
    conv = Conv(2, 1, 4, 3, (Dim(6, 3, pad=1), Dim(5, 2)))
    kernel = convoy.compile("--signs=u8:s8 --zero-points=128:-3 " + conv.text(), type="i8")
    x, w = kernel.generate()
    assert (x.dtype, w.dtype) == (np.uint8, np.int8)
    values = x.astype(np.int64) - 128, w.astype(np.int64) + 3
    expected = conv.compute("FWD_D", *values, plain_layouts(conv), np.int64)
    np.testing.assert_array_equal(kernel(x, w), expected)


@pytest.mark.parametrize("target", ("cpu", "vulkan"))
@pytest.mark.parametrize("direction", ("FWD_D", "BWD_D"))
def test_zero_points_of_channels(direction, target):
    conv = Conv(2, 2, 4, 3, (Dim(6, 3, pad=1), Dim(5, 2)))
    text = "--signs=u8:s8 --attr-zero-points=src:common:128+wei:per_oc " + conv.text()
    kernel = convoy.compile(text, type="i8", direction=direction, target=target)
    x, w, zero_points = kernel.generate()
    argument = kernel.arguments[2]
    is_forward = direction == "FWD_D"
    assert (argument.name, argument.layout) == ("filter_zero_points", "f" if is_forward else "c")
    assert zero_points.dtype == np.int32
    assert -128 <= zero_points.min() < 0 < zero_points.max() <= 127
    # The filter's dimensions are h, w, c and f, all groups' channels in f.
    by_group = zero_points.reshape(2, -1)
    by_channel = zero_points if is_forward else np.repeat(by_group.T, conv.f, axis=1)
    values = x.astype(np.int64) - 128, w.astype(np.int64) - by_channel
    expected = conv.compute(direction, *values, plain_layouts(conv), np.int64)
    np.testing.assert_array_equal(kernel(x, w, zero_points), expected)
    np.testing.assert_array_equal(convoy.reference(kernel, x, w, zero_points), expected)
    assert kernel.check("int").verdict == "exact"


def test_empty_batch():
    kernel = convoy.compile("mb0_ic2iw5oc3kw2")
    assert kernel(*kernel.generate()).shape == (0, 4, 3)
