"""Stands in for PyTorch with CUDA: what utils/bench_cudnn.py calls of it, by NumPy.

STAND_IN says what is different: no-device, no-cuda, no-cudnn, other-device, large-cache,
refuses (what cuDNN does), native (whom PyTorch chooses for gradients), tf32, late (to
queue calls), or wrong.
"""

import itertools
import os
import time
import types

import numpy as np

__version__ = "2.0-stand-in"
different = os.environ.get("STAND_IN", "")
version = types.SimpleNamespace(cuda=None if different == "no-cuda" else "12.0")

float64, float32, float16, bfloat16 = "float64", "float32", "float16", "bfloat16"
contiguous_format, channels_last, channels_last_3d = "plain", "last", "last 3-D"


def cut(values, bits):
    """f32 with as many bits of the fraction, the last one even where in doubt."""
    words = values.astype(np.float32).view(np.uint32)
    unit = 23 - bits
    words = words + ((1 << (unit - 1)) - 1 + ((words >> unit) & 1))
    return (words >> unit << unit).astype(np.uint32).view(np.float32)


class Tensor:
    def __init__(self, values, dtype):
        self.dtype = dtype
        self.values = cut(values, 7) if dtype == bfloat16 else values.astype(dtype)

    def to(self, dtype, device="cuda"):
        assert device == "cuda"
        return Tensor(self.values, dtype)

    def contiguous(self, memory_format):
        last = {channels_last: 4, channels_last_3d: 5}
        assert self.values.ndim == last.get(memory_format, self.values.ndim)
        return self

    def clone(self):
        return Tensor(self.values.copy(), self.dtype)

    def cpu(self):
        return self

    def numpy(self):
        assert self.dtype != bfloat16
        return self.values

    def numel(self):
        return self.values.size

    def element_size(self):
        return {float64: 8, float32: 4}.get(self.dtype, 2)


def from_numpy(values):
    return Tensor(values, values.dtype.name)


def windows(shape, taps, outputs, stride, padding, dilation):
    """For each tap its index, and where in the padded input the outputs read."""
    for tap in itertools.product(*map(range, taps)):
        starts = [t * d for t, d in zip(tap, dilation)]
        yield tap, tuple(
            slice(first, first + (o - 1) * s + 1, s)
            for first, o, s in zip(starts, outputs, stride)
        )


def convolve(mode, x, w, y, stride, padding, dilation, groups):
    """Computes the one of input, filter and output that `mode` names into it."""
    pads = [(0, 0), (0, 0)] + [(p, p) for p in padding]
    padded = np.pad(x, pads)
    n, gf = y.shape[:2]
    inputs = padded.reshape(n, groups, -1, *padded.shape[2:])
    filters = w.reshape(groups, gf // groups, *w.shape[1:])
    outputs = y.reshape(n, groups, gf // groups, *y.shape[2:])
    for tap, read in windows(x.shape, w.shape[2:], y.shape[2:], stride, padding, dilation):
        part = (..., *read)
        if mode == "output":
            outputs += np.einsum("ngc...,gfc->ngf...", inputs[part], filters[(..., *tap)])
        elif mode == "input":
            inputs[part] += np.einsum("ngf...,gfc->ngc...", outputs, filters[(..., *tap)])
        else:
            flat = inputs[part].reshape(*inputs.shape[:3], -1)
            terms = outputs.reshape(*outputs.shape[:3], -1)
            filters[(..., *tap)] = np.einsum("ngfo,ngco->gfc", terms, flat)
    inside = tuple(slice(p, p + size) for p, size in zip(padding, x.shape[2:]))
    return {"output": y, "input": padded[(..., *inside)], "filter": w}[mode]


def factors(*tensors):
    if different == "refuses":
        raise RuntimeError("cuDNN error: CUDNN_STATUS_NOT_SUPPORTED")
    values = [tensor.values.astype(np.float64) for tensor in tensors]
    return [cut(one, 10).astype(np.float64) for one in values] if different == "tf32" else values


def cudnn_convolution(
    x, w, padding, stride, dilation, groups, benchmark, deterministic, allow_tf32
):
    assert benchmark and not deterministic and not allow_tf32
    inputs, filters = factors(x, w)
    spatial = [
        (i + 2 * p - d * (k - 1) - 1) // s + 1
        for i, k, s, p, d in zip(x.values.shape[2:], w.values.shape[2:], stride, padding, dilation)
    ]
    y = np.zeros((inputs.shape[0], filters.shape[0], *spatial))
    result = convolve("output", inputs, filters, y, stride, padding, dilation, groups)
    return Tensor(result if different != "wrong" else -result, x.dtype)


def convolution_backward(
    y, x, w, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, mask
):
    assert bias_sizes is None and not transposed and not any(output_padding)
    assert not backends.cudnn.allow_tf32 and backends.cudnn.benchmark
    outputs, inputs, filters = factors(y, x, w)
    mode = "input" if mask[0] else "filter"
    assert mask == [mode == "input", mode == "filter", False]
    if mode == "input":
        inputs = np.zeros_like(inputs)
    result = convolve(mode, inputs, filters.copy(), outputs, stride, padding, dilation, groups)
    gradient = Tensor(result, x.dtype)
    return (gradient, None, None) if mask[0] else (None, gradient, None)


ops = types.SimpleNamespace(
    aten=types.SimpleNamespace(
        cudnn_convolution=cudnn_convolution, convolution_backward=convolution_backward
    )
)


def select(
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, bias_sizes
):
    return "ConvBackend." + ("CudaDepthwise2d" if different == "native" else "Cudnn")


_C = types.SimpleNamespace(_select_conv_backend=select)


class Event:
    late = 2 if different == "late" else 0

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.when = time.perf_counter()

    def query(self):
        Event.late -= 1
        return Event.late >= 0

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return 1e3 * (end.when - self.when)


cuda = types.SimpleNamespace(
    Event=Event,
    _sleep=lambda ticks: None,
    device_count=lambda: 1,
    empty_cache=lambda: None,
    get_device_name=lambda number: "GeForce" if different == "other-device" else "NVIDIA llvmpipe",
    get_device_properties=lambda number: types.SimpleNamespace(
        L2_cache_size=2**20 * (1000 if different == "large-cache" else 1)
    ),
    is_available=lambda: different not in ("no-device", "no-cuda"),
    set_device=lambda number: None,
    synchronize=lambda: None,
)
backends = types.SimpleNamespace(
    cudnn=types.SimpleNamespace(
        is_available=lambda: different != "no-cudnn", version=lambda: 91000, allow_tf32=True
    ),
    cuda=types.SimpleNamespace(matmul=types.SimpleNamespace(allow_tf32=True)),
)
