"""Convolutions between DequantizeLinear and QuantizeLinear, and quantized networks."""

import numpy as np
import onnx
import pytest
from graphs import check_equal, draw_integers, draw_normal, make_model, run_both
from integers import BYTES, as_channels, convolve, draw_bytes, draw_scales, quantize
from onnx import helper

import convoy.onnx

PAD = {"pads": (1, 1, 1, 1)}
SHAPE = (1, 6, 7, 5)


class Network:
    """Nodes and constants, added one by one."""

    def __init__(self):
        self.nodes, self.constants, self.inputs = [], {}, {}

    def node(self, op, *operands, name="", **attributes):
        """The result of a node of values and of arrays."""
        names = [one if isinstance(one, str) else self.constant(one) for one in operands]
        made = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, names, [made], name, **attributes))
        return made

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def input(self, name, dtype, shape=SHAPE):
        self.inputs[name] = (dtype, shape)
        return name

    def dequantize(self, value, scale, zero, axis=1):
        return self.node("DequantizeLinear", value, scale, zero, axis=axis)

    def quantize(self, value, scale=0.05, zero=np.uint8(100)):
        return self.node("QuantizeLinear", value, np.float32(scale), zero)

    def compile(self, result, dtype):
        """The session of a model with one result."""
        return convoy.onnx.compile(make_model(self.nodes, self.inputs, self.constants, {result: dtype}))


def check_layer(network, result, inputs, dtype=np.uint8, most=1):
    """Runs a network; all of it is in one kernel, and at most a step from what ONNX
    Runtime has of floats. Returns the result, and the kernel."""
    session = network.compile(result, dtype)
    assert len(session.plan.kernels) == 1 and not session.plan.parts, str(session.plan)
    (report,) = session.check(inputs)
    assert report.passed and report.difference <= most, str(report)
    found = session.run(inputs)[result]
    assert found.dtype == dtype
    return found, session.plan.kernels[0]


@pytest.mark.parametrize("types", ((np.uint8, np.int8), (np.int8, np.int8), (np.uint8, np.uint8)))
@pytest.mark.parametrize("channels", ((), (4,)))
@pytest.mark.parametrize("bias", ("", "integers", "floats", "other scale"))
def test_layers(types, channels, bias):
    network = Network()
    x, w = draw_bytes(SHAPE, types[0], 1), draw_bytes((4, 6, 3, 2), types[1], 2)
    x_scale, w_scale = draw_scales((), 3, 0.02), draw_scales(channels, 4, 0.01)
    x_zero = draw_bytes((), types[0], 5)
    w_zero = np.full(channels, 3 if types[1] == np.int8 else 120, types[1])
    b = draw_integers((4,), 6, most=9000, dtype=np.int32)
    operands = [
        network.dequantize(network.input("x", types[0]), x_scale, x_zero),
        network.dequantize(w, w_scale, w_zero, axis=0),
    ]
    scale = x_scale * w_scale
    if bias == "integers":
        operands.append(network.dequantize(b, scale, np.zeros(channels, np.int32), axis=0))
    elif bias == "floats":
        operands.append((b * scale).astype(np.float32))
    elif bias:
        operands.append(network.dequantize(b, np.float32(0.0002), np.int32(0)))
    y = network.quantize(network.node("Conv", *operands, **PAD))
    found, kernel = check_layer(network, y, {"x": x})
    start = {"integers": b, "": 0}.get(bias, 0)
    numbers = convolve(x, w, x_zero, w_zero, start, **PAD) * as_channels(scale, 4)
    if bias == "floats":
        numbers = numbers + as_channels((b * scale).astype(np.float32), 4)
    if bias == "other scale":
        numbers = numbers + as_channels(b * np.float32(0.0002), 4)
    np.testing.assert_array_equal(found, quantize(numbers.astype(np.float32) / np.float32(0.05), 100, np.uint8))
    assert kernel.operands[0].value == "x"


def test_no_float_is_between():
    network, scale = Network(), draw_scales((), 1, 0.3)
    x = network.dequantize(network.input("x", np.int8), np.float32(0.03), np.int8(-7))
    for number in range(4):
        w = network.dequantize(draw_bytes((6, 6, 3, 3), np.int8, number), np.float32(0.01), np.int8(0))
        y = network.quantize(network.node("Relu", network.node("Conv", x, w, **PAD)), scale, np.int8(-128))
        x = network.dequantize(y, scale, np.int8(-128))
    session = network.compile(y, np.int8)
    assert [kernel.ops[:3] for kernel in session.plan.kernels] == 4 * [("Conv", "Relu", "QuantizeLinear")]
    assert not session.plan.parts and session.functions == 3
    assert str(session.plan.kernels[1]).endswith("Conv + Relu + QuantizeLinear + 2 DequantizeLinear")
    assert [kernel.operands[0].order for kernel in session.plan.kernels] == ["first", "last", "last", "last"]
    inputs = {"x": draw_bytes(SHAPE, np.int8, 9)}
    assert all(report.passed for report in session.check(inputs))
    steps = session.run(inputs)[y].astype(int) - session.run_reference(inputs)[y]
    assert np.abs(steps).max() <= 1


def test_residuals():
    network = Network()
    x = network.dequantize(network.input("x", np.uint8), np.float32(0.04), np.uint8(120))
    w = network.dequantize(draw_bytes((6, 6, 3, 3), np.int8, 2), np.float32(0.002), np.int8(0))
    a = network.quantize(network.node("Conv", x, w, **PAD), 0.04)
    a = network.dequantize(a, np.float32(0.04), np.uint8(100))
    y = network.quantize(network.node("Add", a, x), 0.05, np.uint8(90))
    found, kernel = check_layer(network, y, {"x": draw_bytes(SHAPE, np.uint8, 9)}, most=2)
    assert kernel.ops[:4] == ("Conv", "QuantizeLinear", "Add", "QuantizeLinear")
    assert kernel.steps == pytest.approx((0.04, 0.05)) and len(np.unique(found)) > 50


def test_read_as_numbers_and_as_integers():
    """A convolution of floats reads what a node behind it reads as integers, and waits
    until the numbers are there."""
    network, scale = Network(), (np.float32(0.5), np.uint8(3))
    image = network.input("x", np.float32)
    first = network.node("Conv", image, draw_integers((6, 6, 1, 1), 1), name="first")
    numbers = network.dequantize(network.quantize(first, *scale), *scale)
    second = network.node("Conv", numbers, draw_integers((6, 6, 3, 3), 2), name="second", **PAD)
    result = network.node("Add", second, numbers)
    model = make_model(network.nodes, network.inputs, network.constants, {result: np.float32})
    plan = check_equal(model)
    steps = ["first: Conv + QuantizeLinear", "left: DequantizeLinear", "second: Conv + Add"]
    assert [str(step) for step in plan.steps] == steps


def test_scales_for_each_channel_of_a_result():
    network = Network()
    x = network.dequantize(network.input("x", np.uint8), np.float32(0.04), np.uint8(120))
    w = network.dequantize(draw_bytes((3, 6, 1, 1), np.int8, 2), np.float32(0.002), np.int8(0))
    zeros = np.array([1, -2, 3], np.int8)
    y = network.node("QuantizeLinear", network.node("Conv", x, w), draw_scales((3,), 1, 0.1), zeros)
    _, kernel = check_layer(network, y, {"x": draw_bytes(SHAPE, np.uint8, 9)}, np.int8)
    assert kernel.ops[:2] == ("Conv", "QuantizeLinear")


@pytest.mark.parametrize("groups", (1, 2))
def test_transposed(groups):
    network = Network()
    x, w = draw_bytes(SHAPE, np.uint8, 1), draw_bytes((6, 4, 3, 2), np.uint8, 2)
    x_scale, w_scale = np.float32(0.02), draw_scales((4,) if groups == 1 else (), 4, 0.01)
    zeros = np.full(w_scale.shape, 131, np.uint8)
    operands = [
        network.dequantize(network.input("x", np.uint8), x_scale, np.uint8(9)),
        network.dequantize(w, w_scale, zeros),
    ]
    attributes = {"strides": (2, 1), "pads": (1, 0, 0, 1), "group": groups}
    y = network.quantize(network.node("ConvTranspose", *operands, **attributes), 0.1)
    found, kernel = check_layer(network, y, {"x": x})
    sums = convolve(x, w, 9, 131, op="ConvTranspose", **attributes)
    numbers = sums.astype(np.float32) * as_channels(x_scale * w_scale, 4)
    np.testing.assert_array_equal(found, quantize(numbers / np.float32(0.1), 100, np.uint8))
    assert kernel.operands[0].value == "x"


def test_a_network_of_dynamic_scales():
    # As onnxruntime.quantization.quantize_dynamic has it.
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        helper.make_node("ConvInteger", ["q", "w", "z", "wz"], ["a"], "layer", **PAD),
        helper.make_node("Cast", ["a"], ["f"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Mul", ["s", "ws"], ["sws"]),
        helper.make_node("Mul", ["f", "sws"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["n"]),
        helper.make_node("Relu", ["n"], ["y"]),
    ]
    constants = {"w": draw_bytes((4, 6, 3, 3), np.uint8, 1), "wz": np.asarray(np.uint8(111))}
    constants |= {"ws": np.asarray(np.float32(0.01)), "b": draw_normal((1, 4, 1, 1), 2)}
    model = make_model(nodes, {"x": SHAPE}, constants, ["y"])
    session, found, expected = run_both(model, draw=draw_normal)
    assert [str(step) for step in session.plan.steps] == [
        "left: DynamicQuantizeLinear, Mul",
        "layer: ConvInteger + Cast + Mul + Add + Relu",
    ]
    np.testing.assert_allclose(found["y"], expected["y"], rtol=1e-6, atol=1e-6)
    (report,) = session.check({"x": draw_normal(SHAPE, 1)})
    assert report.passed and report.runtime.passed


def test_a_bias_that_does_not_fit():
    network = Network()
    x = network.dequantize(network.input("x", np.uint8), np.float32(0.04), np.uint8(120))
    w = network.dequantize(draw_bytes((4, 6, 1, 1), np.int8, 2), np.float32(0.002), np.int8(0))
    y = network.node("Conv", x, w, draw_normal((3,), 1), name="layer")
    model = make_model(network.nodes, network.inputs, network.constants, [y])
    refusals = convoy.onnx.load(model).plan.refusals
    assert refusals == {"layer": "its operands and attributes do not fit each other"}


@pytest.mark.parametrize("case", ("16 bits", "scale", "long sums", "filter", "f16"))
def test_what_is_a_convolution_of_floats(case):
    network = Network()
    dtype = np.uint16 if case == "16 bits" else np.uint8
    number = np.float16 if case == "f16" else np.float32
    shape = (1, 33100, 1, 1) if case == "long sums" else SHAPE
    scale = number(0.01)
    if case == "scale":
        scale = network.input("scale", np.float32, ())
    x = network.dequantize(network.input("x", dtype, shape), scale, dtype(0))
    w = np.full((3, shape[1], 1, 1), 255, np.uint8)
    if case == "filter":
        network.inputs["w"], w = (np.uint8, w.shape), "w"
    y = network.node("Conv", x, network.dequantize(w, number(0.01), np.uint8(0)), name="layer")
    session = network.compile(y, number)
    layer = session.plan.kernels[0]
    assert layer.ops == ("Conv",) and layer.operands[0].value != "x"
    # A filter that is known is one of floats.
    assert (layer.operands[1].constant is None) == (case == "filter")


def make_network():
    """A small network of floats, with an image as its input."""
    network = Network()

    def conv(x, filters, ins, size=3, bias=True, **attributes):
        taps = draw_normal((filters, ins, size, size), len(network.constants))
        taps *= np.float32(np.sqrt(2 / taps[0].size))
        more = [draw_normal((filters,), len(network.constants)) / 10] if bias else []
        return network.node("Conv", x, taps, *more, name=f"conv{len(network.nodes)}", **attributes)

    network.inputs["x"] = (1, 3, 20, 18)
    stem = network.node("Relu", conv("x", 16, 3, strides=(2, 2), **PAD))
    depthwise = conv(stem, 16, 1, group=16, **PAD)
    limited = network.node("Clip", depthwise, np.float32(0), np.float32(6))
    joined = network.node("Relu", network.node("Add", conv(limited, 16, 16, 1, bias=False), stem))
    pooled = network.node("MaxPool", joined, kernel_shape=(2, 2), strides=(2, 2))
    grouped = conv(pooled, 24, 8, group=2, pads=(0, 1, 1, 0))
    swish = network.node("Mul", grouped, network.node("Sigmoid", grouped))
    y = network.node("Flatten", network.node("GlobalAveragePool", conv(swish, 5, 24, 1)))
    return make_model(network.nodes, network.inputs, network.constants, [y], opset=17)


def quantize_network(folder, format, types, per_channel):
    """The network as ONNX Runtime quantizes it."""
    from onnxruntime import quantization

    class Images(quantization.CalibrationDataReader):
        def __init__(self):
            self._images = iter([{"x": draw_normal((1, 3, 20, 18), seed)} for seed in range(4)])

        def get_next(self):
            return next(self._images, None)

    onnx.save(make_network(), folder / "floats.onnx")
    quantization.quantize_static(
        folder / "floats.onnx",
        folder / "integers.onnx",
        Images(),
        quant_format=quantization.QuantFormat[format],
        activation_type=quantization.QuantType["Q" + types[0]],
        weight_type=quantization.QuantType["Q" + types[1]],
        per_channel=per_channel,
    )
    return folder / "integers.onnx"


@pytest.mark.filterwarnings("ignore")  # of the package
@pytest.mark.parametrize("format", ("QDQ", "QOperator"))
@pytest.mark.parametrize("types", (("UInt8", "Int8"), ("Int8", "Int8"), ("UInt8", "UInt8")))
@pytest.mark.parametrize("per_channel", (True, False))
def test_networks(tmp_path, format, types, per_channel):
    session = convoy.onnx.compile(quantize_network(tmp_path, format, types, per_channel))
    assert len(session.plan.kernels) == 5 and not session.plan.refusals
    assert all(" i8" in kernel.text or "xi8>" in kernel.text for kernel in session.plan.kernels)
    inputs = {"x": draw_normal((1, 3, 20, 18), 9)}
    for report in session.check(inputs):
        assert report.passed, str(report)
    (found,), (expected,) = (one(inputs).values() for one in (session.run, session.run_reference))
    # QOperator's ops are those of the kernels; of QDQ a step may differ, and then more.
    most = 0 if format == "QOperator" else 0.02
    assert np.abs(found - expected).max() <= most * np.abs(expected).max()
    session.save(tmp_path / "network.so", manifest=tmp_path / "network.json")
    loaded = convoy.onnx.load_compiled(tmp_path / "network.so", tmp_path / "network.json")
    np.testing.assert_array_equal(*loaded.run(inputs).values(), found)


@pytest.mark.parametrize("seed", range(8))
def test_bytes_that_may_be_off_by_one(seed):
    """Where that is between 127 and 128, which as bytes with signs lie far apart."""
    scale, factor = np.float32(np.random.default_rng(seed).uniform(0.01, 1, 2))
    result = np.float32(2 * scale * factor)  # half of all sums are in the middle
    model = Network()
    x = model.dequantize(model.input("x", np.uint8), scale, np.uint8(0))
    w = np.eye(6, dtype=np.int8).reshape(6, 6, 1, 1)
    c = model.node("Conv", x, model.dequantize(w, factor, np.int8(0)), name="layer")
    model.node("QuantizeLinear", c, result, np.uint8(126))
    proto = make_model(model.nodes, model.inputs, model.constants, {"v3": np.uint8})
    (report,) = convoy.onnx.compile(proto).check({"x": draw_bytes(SHAPE, np.uint8, seed) % 9})
    assert report.passed, str(report)
