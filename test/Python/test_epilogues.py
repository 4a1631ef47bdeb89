"""What post-ops compute, by formulas of NumPy's."""

import math

import numpy as np
import pytest

import convoy

SHAPE = "mb2_ic3ih7iw9_oc5_kh3kw2"
ERF = np.vectorize(math.erf)


def logistic(x):
    return 1 / (1 + np.exp(-x))


def soft_relu(x):
    return np.log(1 + np.exp(x))


# As oneDNN's documentation has them (doc/primitives/eltwise.md).
FUNCTIONS = {
    "abs": np.abs,
    "clip:-2:6": lambda x: np.minimum(np.maximum(x, -2), 6),
    "elu:1.5": lambda x: np.where(x > 0, x, 1.5 * (np.exp(np.minimum(x, 0)) - 1)),
    "exp": np.exp,
    "gelu_erf": lambda x: 0.5 * x * (1 + ERF(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "hardsigmoid:0.2:0.5": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hardswish:0.2:0.3": lambda x: x * np.clip(0.2 * x + 0.3, 0, 1),
    "linear:3:-2": lambda x: 3 * x - 2,
    "abs+linear:1:1+log": lambda x: np.log(np.abs(x) + 1),
    "logistic": logistic,
    "mish": lambda x: x * np.tanh(soft_relu(x)),
    "relu": lambda x: np.maximum(x, 0),
    "relu:0.1": lambda x: np.where(x > 0, x, 0.1 * x),
    "linear:1:0.25+round": lambda x: np.rint(x + 0.25),
    "soft_relu:2": lambda x: soft_relu(2 * x) / 2,
    "abs+sqrt": lambda x: np.sqrt(np.abs(x)),
    "square": np.square,
    "swish:1": lambda x: x * logistic(x),
    "swish:-0.5": lambda x: x * logistic(-0.5 * x),
    "tanh": np.tanh,
}
OPERATIONS = {
    "add": np.add,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "mul": np.multiply,
    "sub": np.subtract,
}


def draw(*shape):
    return np.array(np.random.default_rng(sum(shape)).normal(3, 0.5, shape), np.float32)


@pytest.mark.parametrize("chain", FUNCTIONS)
def test_functions(chain):
    kernel = convoy.compile(f"--attr-post-ops={chain} {SHAPE}")
    # Integers, whose sums are exact, below 9 in magnitude.
    x, w = kernel.generate("int", seed=3)
    x, w = np.sign(x), np.clip(w, -1, 1)
    sums = convoy.reference(SHAPE, x, w)
    expected = FUNCTIONS[chain](sums)
    np.testing.assert_allclose(kernel(x, w), expected, rtol=3e-6, atol=1e-6)
    np.testing.assert_allclose(convoy.reference(kernel, x, w), expected, rtol=1e-6, atol=1e-7)
    assert kernel.check().passed


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(
    "mask, shape",
    [("common", ()), ("per_oc", (5,)), ("per_tensor", (2, 5, 8, 5)), ("9", (2, 8)), ("12", (5, 8))],
)
def test_operands(name, mask, shape):
    line = f"--attr-post-ops={name}:f32:{mask} {SHAPE} --output-layout=nhwf"
    kernel = convoy.compile(line)
    operand = kernel.arguments[2]
    assert (operand.name, operand.shape) == (f"{name}_operand", shape)
    x, w = kernel.generate("int", seed=1)[:2]
    values = draw(*shape)
    sums = convoy.reference(SHAPE, x, w)
    # To the dimensions n, h, w and channels.
    places = {"common": (1, 1, 1, 1), "per_oc": (1, 1, 1, 5), "9": (2, 1, 8, 1), "12": (1, 5, 8, 1)}
    values = values.reshape(places.get(mask, shape))
    expected = OPERATIONS[name](sums, values.astype(np.float64))
    np.testing.assert_allclose(kernel(x, w, values.reshape(shape)), expected, rtol=1e-6)


def test_chains_go_from_left_to_right():
    kernel = convoy.compile(
        f"--dir=FWD_B --attr-post-ops=mul:f32:per_oc+relu+sum:0.5+add:f32+linear:2:1 {SHAPE}"
    )
    assert [a.name for a in kernel.arguments] == [
        "input", "filter", "bias", "mul_operand", "former_result", "add_operand", "output",
    ]  # fmt: skip
    x, w, bias, scales, former, number = kernel.generate("int", seed=2)
    assert number.shape == () and former.shape == kernel.arguments[-1].shape
    sums = convoy.reference(SHAPE, x, w) + bias
    expected = 2 * (np.maximum(sums * scales, 0) + 0.5 * former + number) + 1
    np.testing.assert_array_equal(kernel(x, w, bias, scales, former, number), expected)
    assert kernel.check("int").verdict == "exact"
    assert kernel.certificate.verdict == "certified"


def test_gradients_of_inputs_have_post_ops():
    kernel = convoy.compile(f"--attr-post-ops=add:f32:per_tensor:abx {SHAPE}", direction="BWD_D")
    dy, w, residual = kernel.generate("int", seed=4)
    assert kernel.arguments[2].layout == "nchw"
    expected = convoy.reference(SHAPE, dy, w, direction="BWD_D") + residual.transpose(0, 2, 3, 1)
    np.testing.assert_array_equal(kernel(dy, w, residual), expected)


@pytest.mark.parametrize("result", ("s8", "u8", "s32", "f32"))
def test_integers_are_requantized(result):
    kernel = convoy.compile(
        f"--dt=u8:s8:{result} --dir=FWD_B --attr-scales=src:common:0.25+wei:per_oc+dst:common:2 "
        + ("" if result == "f32" else "--attr-zero-points=dst:common:3 ")
        + f"--attr-post-ops=relu:0.5 {SHAPE}"
    )
    names = [argument.name for argument in kernel.arguments]
    assert names == ["input", "filter", "bias", "filter_scales", "output"]
    x, w, bias, scales = kernel.generate("int", seed=5)
    sums = convoy.reference(f"--dt=u8:s8:s32 {SHAPE}", x, w)
    value = sums * 0.25 * scales.astype(np.float64) + bias
    value = np.where(value > 0, value, 0.5 * value) / 2
    if result != "f32":
        limits = np.iinfo({"s8": np.int8, "u8": np.uint8, "s32": np.int32}[result])
        value = np.clip(np.rint(value + 3), limits.min, limits.max)
    # Powers of 2 and small integers: all exact but ties, which are even.
    np.testing.assert_array_equal(kernel(x, w, bias, scales), value)
    np.testing.assert_array_equal(convoy.reference(kernel, x, w, bias, scales), value)
    assert kernel.check("int").passed


def test_what_cannot_be_is_refused():
    with pytest.raises(convoy.Error, match="^expected one of abs, .* but got 'prelu'$"):
        convoy.compile(f"--attr-post-ops=prelu {SHAPE}")
    kernel = convoy.compile(f"--attr-post-ops=relu {SHAPE}")
    with pytest.raises(convoy.Error, match="special data is for problems without an epilogue"):
        kernel.check("special")


def test_option():
    line = f"--dir=FWD_B --attr-post-ops=relu+mul:f32:per_oc {SHAPE}"
    assert convoy.compile(SHAPE, epilogue="bias+relu+mul:f32:per_oc").problem == convoy.compile(line).problem
    assert convoy.compile(SHAPE, epilogue="relu").problem == convoy.compile(f"--attr-post-ops=relu {SHAPE}").problem
    assert convoy.compile(SHAPE, epilogue="bias").problem == convoy.compile(SHAPE, direction="FWD_B").problem
    with pytest.raises(convoy.Error, match="expected the direction FWD_B for an epilogue with a bias, but got 'BWD_D'"):
        convoy.compile(SHAPE, epilogue="bias", direction="BWD_D")


def test_reports_show_themselves(capsys):
    report = convoy.compile(SHAPE, epilogue="relu").check()
    report.show()
    assert str(report) in capsys.readouterr().out
