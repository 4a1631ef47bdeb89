"""Convolutions of integers: small models, and what their results have to be."""

import numpy as np
import onnxruntime
from graphs import make_model
from onnx import helper

BYTES = (np.uint8, np.int8)


def draw_bytes(shape, dtype, seed=0):
    """All bytes of a type."""
    limits = np.iinfo(dtype)
    drawn = np.random.default_rng(seed).integers(limits.min, limits.max + 1, shape)
    return np.asarray(drawn, dtype)


def draw_scales(shape, seed=0, largest=1.0):
    """Scales, all of them different."""
    drawn = np.random.default_rng(seed).uniform(largest / 2, largest, shape)
    return np.asarray(drawn, np.float32)


def convolve(x, w, x_zero=0, w_zero=0, bias=0, op="Conv", **attributes):
    """The sums of ConvInteger, by ONNX Runtime's convolution of f32, of sums that it
    has exactly. Zero points of a filter, and a bias, may be one for each channel."""
    shape = [1] * w.ndim
    shape[1 if op == "ConvTranspose" else 0] = -1
    zeros = np.asarray(w_zero, np.float32).reshape(shape)
    x, w = x.astype(np.float32) - np.float32(x_zero), w.astype(np.float32) - zeros
    assert w.shape[0] * np.prod(w.shape[1:]) * np.abs(x).max() * np.abs(w).max() < 2**24
    node = helper.make_node(op, ["x", "w"], ["y"], **attributes)
    model = make_model([node], {"x": x.shape, "w": w.shape}, {}, ["y"])
    provider = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=provider)
    (sums,) = session.run(None, {"x": x, "w": w})
    return sums.astype(np.int32) + as_channels(np.asarray(bias, np.int32), x.ndim)


def as_channels(value, rank):
    """What is one for each channel, to be broadcast to a result."""
    value = np.asarray(value)
    return value.reshape(-1, *(1,) * (rank - 2)) if value.size > 1 else value.reshape(())


def quantize(numbers, zero, dtype):
    """Numbers of f32, in units of the scale, as integers: rounded to nearest, ties to
    even, and saturated."""
    limits = np.iinfo(dtype)
    moved = np.rint(numbers.astype(np.float32)).astype(np.float64) + float(zero)
    return np.clip(moved, limits.min, limits.max).astype(dtype)


def requantize(sums, factor, zero, dtype):
    """What QLinearConv makes of sums, as ONNX Runtime rounds: in f32."""
    factor = as_channels(np.asarray(factor, np.float32), sums.ndim)
    return quantize(sums.astype(np.float32) * factor, zero, dtype)
