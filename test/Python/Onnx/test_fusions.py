"""What is computed with a convolution."""

import numpy as np
import onnx
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, draw_normal, make_model
from onnx import helper

import convoy.onnx

LATEST = convoy.onnx.OPSETS[-1]
SHAPE, FILTER, RESULT = (1, 3, 6, 7), (4, 3, 3, 2), (1, 4, 4, 6)


def make(nodes, constants=None, inputs=None, outputs=("y",), opset=None, draw=draw_integers, bias=True):
    """A Conv with the result `c`, and what follows it. `nodes` are an op, what it
    reads, what it makes, and attributes."""
    names = ["x", "w", "b"] if bias else ["x", "w"]
    conv = helper.make_node("Conv", names, ["c"], "conv")
    others = [
        helper.make_node(op, reads.split(), made.split(), f"node{number}", **attributes)
        for number, (op, reads, made, attributes) in enumerate(nodes)
    ]
    constants = {name: np.asarray(value, np.float32) for name, value in (constants or {}).items()}
    constants |= {"w": draw(FILTER, 7)}
    if bias:
        constants["b"] = draw((4,), 8)
    return make_model([conv, *others], {"x": SHAPE} | (inputs or {}), constants, outputs, opset)


def get_kernel(plan):
    """The only kernel, beside which nothing is left."""
    assert not plan.parts and len(plan.kernels) == 1
    return str(plan.kernels[0])


EXACT = {
    "Relu": [("Relu", "c", "y", {})],
    "LeakyRelu": [("LeakyRelu", "c", "y", {"alpha": 0.25})],
    "Abs": [("Abs", "c", "y", {})],
    "Neg": [("Neg", "c", "y", {})],
    "Identity": [("Identity", "c", "y", {})],
    "two": [("Relu", "c", "d", {}), ("Neg", "d", "y", {})],
    "twice": [("Relu", "c", "d", {}), ("Mul", "c d", "y", {})],
    "itself": [("Mul", "c c", "y", {})],
    "Max": [("Neg", "c", "d", {}), ("Max", "c d", "y", {})],
    "Min": [("Neg", "c", "d", {}), ("Min", "c d", "y", {})],
    "Sum": [("Neg", "c", "d", {}), ("Abs", "c", "e", {}), ("Sum", "c d e", "y", {})],
    "one": [("Sum", "c", "d", {}), ("Max", "d", "y", {})],
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_functions(name):
    plan = check_equal(make(EXACT[name]))
    assert get_kernel(plan).startswith("conv: Conv + ")


ROUNDED = {
    "Elu": [("Elu", "c", "y", {"alpha": 0.7})],
    "Erf": [("Erf", "c", "y", {})],
    "Exp": [("Exp", "c", "y", {})],
    "Gelu": [("Gelu", "c", "y", {})],
    "HardSigmoid": [("HardSigmoid", "c", "y", {"alpha": 0.3, "beta": 0.4})],
    "HardSwish": [("HardSwish", "c", "y", {})],
    "Mish": [("Mish", "c", "y", {})],
    "Sigmoid": [("Sigmoid", "c", "y", {})],
    "SiLU": [("Sigmoid", "c", "d", {}), ("Mul", "c d", "y", {})],
    "Softplus": [("Softplus", "c", "y", {})],
    "Sqrt": [("Abs", "c", "d", {}), ("Sqrt", "d", "y", {})],
    "Tanh": [("Tanh", "c", "y", {})],
}


@pytest.mark.parametrize("name", ROUNDED)
def test_functions(name):
    plan = check_within_bounds(make(ROUNDED[name], draw=draw_normal))
    assert get_kernel(plan).startswith("conv: Conv + ")


def test_swish():
    # ONNX Runtime does not have it itself.
    parts = [("Mul", "c k", "d", {}), ("Sigmoid", "d", "e", {}), ("Mul", "c e", "y", {})]
    x = {"x": draw_normal(SHAPE, 1)}
    for alpha in (1.0, 0.5):
        swish = convoy.onnx.compile(make([("Swish", "c", "y", {"alpha": alpha})], draw=draw_normal))
        assert get_kernel(swish.plan) == "conv: Conv + Swish"
        other = convoy.onnx.compile(make(parts, {"k": alpha}, draw=draw_normal))
        np.testing.assert_array_equal(swish.run(x)["y"], other.run(x)["y"])


@pytest.mark.parametrize("opset", convoy.onnx.OPSETS)
def test_clips(opset):
    if opset < 11:
        nodes, constants = [("Clip", "c", "y", {"min": -2.0, "max": 3.5})], {}
    else:
        nodes, constants = [("Clip", "c low high", "y", {})], {"low": -2, "high": 3.5}
    assert get_kernel(check_equal(make(nodes, constants, opset=opset))) == "conv: Conv + Clip"


def test_clips_on_one_side():
    assert check_equal(make([("Clip", "c low", "y", {})], {"low": -2})).kernels
    node = helper.make_node("Clip", ["c", "", "high"], ["y"])
    model = make([], {"high": 1.5})
    model.graph.node.append(node)
    assert get_kernel(check_equal(model)) == "conv: Conv + Clip"


def test_clips_by_what_is_computed():
    model = make([("Clip", "c low", "y", {})], inputs={"low": ()})
    plan = check_equal(model)
    assert [part.ops for part in plan.parts] == [("Clip",)]


@pytest.mark.parametrize("last", ("Div", "Mul"))
def test_hard_swish_in_four_nodes(last):
    factor = 8 if last == "Div" else 0.125  # a power of two, to be exact
    nodes = [
        ("Add", "c three", "d", {}),
        ("Clip", "d zero six", "e", {}),
        ("Mul", "c e", "f", {}),
        (last, "f factor", "y", {}),
    ]
    constants = {"three": 3, "zero": 0, "six": 6, "factor": factor}
    plan = check_equal(make(nodes, constants))
    assert get_kernel(plan) == f"conv: Conv + Add + Clip + Mul + {last}"


@pytest.mark.parametrize("opset", (7, 9, 14, 15, LATEST))
def test_normalizations_are_folded(opset):
    constants = {
        "scale": draw_normal(4, 1),
        "shift": draw_normal(4, 2),
        "mean": draw_normal(4, 3),
        "variance": np.abs(draw_normal(4, 4)),
    }
    nodes = [("BatchNormalization", "c scale shift mean variance", "d", {"epsilon": 1e-3}), ("Relu", "d", "y", {})]
    for bias in (True, False):
        model = make(nodes, constants, opset=opset, draw=draw_normal, bias=bias)
        assert get_kernel(check_within_bounds(model)) == "conv: Conv + BatchNormalization (folded) + Relu"


def test_exact_normalizations():
    constants = {"scale": [1, 2, -4, 0.5], "shift": [1, 0, 2, -3], "mean": [0, 1, 2, 3], "variance": [1, 4, 16, 0.25]}
    nodes = [("BatchNormalization", "c scale shift mean variance", "y", {"epsilon": 0.0})]
    assert "folded" in get_kernel(check_equal(make(nodes, constants)))


def test_normalizations_behind_others():
    constants = {"scale": [1, 2, -4, 0.5], "shift": [1, 0, 2, -3], "mean": [0, 1, 2, 3], "variance": [1, 4, 16, 0.25]}
    nodes = [
        ("Relu", "c", "d", {}),
        ("BatchNormalization", "d scale shift mean variance", "y", {"epsilon": 0.0}),
    ]
    assert get_kernel(check_equal(make(nodes, constants))) == "conv: Conv + Relu + BatchNormalization"


CHANNELS = np.array([1, -2, 4, 0.5]).reshape(4, 1, 1)


@pytest.mark.parametrize(
    "nodes",
    (
        [("Add", "c k", "y", {})],
        [("Add", "k c", "y", {})],
        [("Sub", "c k", "y", {})],
        [("Sub", "k c", "y", {})],
        [("Mul", "c k", "y", {})],
        [("Div", "c k", "y", {})],
        [("Mul", "c k", "d", {}), ("Add", "d k", "y", {})],
        [("Add", "c k", "d", {}), ("Mul", "d k", "y", {})],
    ),
    ids=lambda nodes: "-".join(f"{op}({reads})" for op, reads, *_ in nodes),
)
@pytest.mark.parametrize("shape", ((4, 1, 1), (1, 4, 1, 1), (1,), ()))
def test_constants_are_folded(nodes, shape):
    value = CHANNELS.reshape(shape) if np.prod(shape) == 4 else np.full(shape, 2.0)
    kernel = get_kernel(check_equal(make(nodes, {"k": value})))
    assert kernel.count("(folded)") == len(nodes)


def test_constants_that_are_not_folded():
    for op, shape in (("Div", "k c"), ("PRelu", "c k"), ("Max", "c k")):
        model = make([(op, shape, "y", {})], {"k": CHANNELS}, draw=draw_normal)
        assert get_kernel(check_within_bounds(model)) == f"conv: Conv + {op}"
    rows = np.arange(1, 5).reshape(4, 1)
    for value in (rows, np.arange(24).reshape(4, 6)):
        assert get_kernel(check_equal(make([("Add", "c k", "y", {})], {"k": value}))) == "conv: Conv + Add"


@pytest.mark.parametrize("group", (1, 2))
def test_transposed_convolutions(group):
    shape = (4, 6 // group, 2, 3)
    constants = {
        "w": draw_integers(shape, 7),
        "k": np.array([1, -2, 4, 0.5, 3, 8], np.float32).reshape(6, 1, 1),
    }
    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["c"], "layer", group=group, strides=[2, 2]),
        helper.make_node("Mul", ["c", "k"], ["d"]),
        helper.make_node("Add", ["d", "k"], ["e"]),
        helper.make_node("Relu", ["e"], ["y"]),
    ]
    plan = check_equal(make_model(nodes, {"x": (1, 4, 3, 5)}, constants, ["y"]))
    assert get_kernel(plan) == "layer: ConvTranspose + Mul (folded) + Add (folded) + Relu"


@pytest.mark.parametrize("shape", (RESULT, (4, 1, 1), (1, 4, 1, 1), (4, 6), (1, 1, 1, 1), ()))
def test_other_operands(shape):
    for reads in ("c r", "r c"):
        plan = check_equal(make([("Sub", reads, "d", {}), ("Relu", "d", "y", {})], inputs={"r": shape}))
        assert get_kernel(plan) == "conv: Conv + Sub + Relu"


@pytest.mark.parametrize("group", (1, 2, 4))
def test_residuals(group):
    constants = {"w": draw_integers((4, 4 // group, 3, 3), 7), "v": draw_integers((4, 4 // group, 3, 3), 9)}
    window = {"pads": [1, 1, 1, 1], "group": group}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "first", **window),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "v"], ["c"], "second", **window),
        helper.make_node("Add", ["c", "b"], ["d"]),
        helper.make_node("Conv", ["d", "v"], ["e"], "third", **window),
        helper.make_node("Add", ["x", "e"], ["y"]),
    ]
    plan = check_equal(make_model(nodes, {"x": (1, 4, 5, 6)}, constants, ["y"]))
    assert [str(kernel) for kernel in plan.kernels] == [
        "first: Conv + Relu",
        "second: Conv + Add",
        "third: Conv + Add",
    ]
    assert plan.transpositions == 0


def test_two_convolutions_that_are_added():
    constants = {"w": draw_integers(FILTER, 7), "v": draw_integers(FILTER, 9)}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "first"),
        helper.make_node("Conv", ["x", "v"], ["b"], "second"),
        helper.make_node("Add", ["a", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    plan = check_equal(make_model(nodes, {"x": SHAPE}, constants, ["y"]))
    assert [str(kernel) for kernel in plan.kernels] == ["second: Conv", "first: Conv + Add + Relu"]


@pytest.mark.parametrize("dtype", (np.float64, np.float16))
def test_other_types(dtype):
    node = helper.make_node("Conv", ["x", "w"], ["c"], "layer")
    relu = helper.make_node("Relu", ["c"], ["y"])
    constants = {"w": draw_integers(FILTER, 7, dtype=dtype)}
    model = make_model([node, relu], {"x": (dtype, SHAPE)}, constants, [])
    number = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    model.graph.output.append(helper.make_tensor_value_info("y", number, None))
    single = make_model([node, relu], {"x": SHAPE}, {"w": constants["w"].astype(np.float32)}, ["y"])
    x = draw_integers(SHAPE, 1)
    found = convoy.onnx.compile(model).run({"x": x.astype(dtype)})["y"]
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, convoy.onnx.compile(single).run({"x": x})["y"])


def make_half(nodes, constants, opset=None, scale=1.0):
    """A Conv of f16 with the result `c`, whose filter is around `scale`, and nodes."""
    conv = helper.make_node("Conv", ["x", "w"], ["c"], "conv")
    constants = {name: np.asarray(value, np.float16) for name, value in constants.items()}
    constants["w"] = (draw_normal(FILTER, 7) * scale).astype(np.float16)
    model = make_model([conv, *nodes], {"x": (np.float16, SHAPE)}, constants, ["y"], opset)
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    return model


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("op", ("Mul", "Div"))
@pytest.mark.parametrize("filter, factor, x", ((1e-3, 3e-5, 1e4), (10, 1e4, 1e-3)))
def test_what_f16_cannot_hold_is_not_folded(op, filter, factor, x):
    node = helper.make_node(op, ["c", "k"], ["y"])
    model = make_half([node], {"k": factor if op == "Mul" else 1 / factor}, scale=filter)
    session = convoy.onnx.compile(model)
    assert get_kernel(session.plan) == f"conv: Conv + {op}"
    inputs = {"x": (draw_normal(SHAPE, 1) * x).astype(np.float16)}
    found, expected = session.run(inputs)["y"], session.run_reference(inputs)["y"]
    assert expected.any() and np.isfinite(expected).all()
    np.testing.assert_allclose(found, expected, rtol=2**-9, atol=np.abs(expected).max() * 2**-9)


@pytest.mark.filterwarnings("error")
def test_normalizations_that_f16_cannot_hold():
    for variance in (1e-8, 1e4):
        names = ["c", "scale", "shift", "mean", "variance"]
        node = helper.make_node("BatchNormalization", names, ["y"], epsilon=1e-9)
        scale = 100 if variance < 1 else 1e-5
        constants = {"scale": [scale] * 4, "shift": [0] * 4, "mean": [0] * 4, "variance": [variance] * 4}
        plan = convoy.onnx.load(make_half([node], constants)).plan
        assert [kernel.ops for kernel in plan.kernels] == [("Conv",)]
        assert [part.ops for part in plan.parts] == [("BatchNormalization",)]


def test_infinite_factors():
    constants = {"scale": [1] * 4, "shift": [0] * 4, "mean": [0] * 4, "variance": [0] * 4}
    nodes = [("BatchNormalization", "c scale shift mean variance", "y", {"epsilon": 0.0})]
    plan = convoy.onnx.load(make(nodes, constants)).plan
    assert [part.ops for part in plan.parts] == [("BatchNormalization",)]


def test_clips_of_f16_at_the_largest_number_of_f32():
    node = helper.make_node("Clip", ["c"], ["y"], min=0.0, max=3.4028235e38)
    model = make_half([node], {}, opset=10)
    x = {"x": draw_integers(SHAPE, 1, dtype=np.float16)}
    session = convoy.onnx.compile(model)
    assert get_kernel(session.plan) == "conv: Conv + Clip"
    (report,) = session.check(x)
    assert report.passed and session.run(x)["y"].min() == 0


@pytest.mark.parametrize("alpha", (1e6, 1e-6))
def test_attributes_that_f16_cannot_hold(alpha):
    model = make_half([helper.make_node("LeakyRelu", ["c"], ["y"], alpha=alpha)], {}, scale=0.01)
    x = {"x": draw_normal(SHAPE, 1, dtype=np.float16)}
    session = convoy.onnx.compile(model)
    assert [kernel.ops for kernel in session.plan.kernels] == [("Conv",)]
    assert session.run(x)["y"].shape == RESULT


@pytest.mark.parametrize("shape", ((4, 4, 6), (3,)))
def test_normalizations_of_other_than_channels(shape):
    constants = {name: np.abs(draw_normal(shape, seed)) + 0.5 for seed, name in enumerate(("s", "t", "m", "v"))}
    attributes = {"spatial": 0} if len(shape) == 3 else {}
    nodes = [("BatchNormalization", "c s t m v", "y", attributes)]
    plan = convoy.onnx.load(make(nodes, constants, opset=7)).plan
    assert [str(step) for step in plan.steps] == ["conv: Conv", "left: BatchNormalization"]
