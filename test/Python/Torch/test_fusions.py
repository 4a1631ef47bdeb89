"""What follows a convolution is computed with it."""

import pytest
import torch
import torch.nn.functional as F

import convoy.torch
from beside import compile, expect_equal, get_ops, make_integers

X = make_integers(2, 3, 7, 6, seed=1)
W = make_integers(4, 3, 3, 2, seed=2)
B = make_integers(4, seed=3)
Y = make_integers(2, 4, 5, 5, seed=4)

EXACT = {
    "abs": torch.abs,
    "add": lambda y: y + 2,
    "add + relu": lambda y: (y + Y).relu(),
    "sub + mul": lambda y: (y - B.view(4, 1, 1)) * 3,
    "rsub": lambda y: 5 - y,
    "div": lambda y: y / 4,
    "mul + add": lambda y: y * Y[:, :1] + Y[0, 0, 0],
    "add + add": lambda y: torch.add(torch.add(y, Y, alpha=3), 1.5),
    "clamp": lambda y: y.clamp(-3, 4),
    "clamp_min": lambda y: y.clamp_min(-3),
    "clamp_max + neg": lambda y: -y.clamp_max(4),
    "hardtanh": F.relu6,
    "leaky_relu": lambda y: F.leaky_relu(y, 0.25),
    "maximum": lambda y: torch.maximum(y, Y),
    "minimum": lambda y: torch.minimum(Y, y),
    "mul": lambda y: y * torch.tensor(3.0),
    "mul + mul": lambda y: y * y * y,
}
CLOSE = {
    "elu": F.elu,
    "erf": torch.erf,
    "exp": lambda y: (y / 8).exp(),
    "gelu": F.gelu,
    "hardsigmoid": F.hardsigmoid,
    "hardswish": F.hardswish,
    "mish": F.mish,
    "sigmoid": torch.sigmoid,
    "sigmoid + mul": lambda y: y * torch.sigmoid(y),
    "silu": F.silu,
    "softplus": F.softplus,
    "sqrt": lambda y: (y * y + 1).sqrt(),
    "tanh": torch.tanh,
}


def run(function, *tensors):
    """The result of a function without gradients, by this backend, where each kernel is
    within its bounds."""
    with torch.no_grad(), convoy.torch.record_checks() as reports:
        result = compile(function)(*tensors)
    assert reports and all(report.passed for report in reports), [*map(str, reports)]
    return result


def get_only_ops():
    """The ops of the only kernel."""
    (plan,) = convoy.torch.plans()
    (ops,) = get_ops(plan)
    return ops, dict(plan.rest)


@pytest.mark.parametrize("name", EXACT)
def test_exact_ops(name):
    result = run(lambda x, w, b: EXACT[name](F.conv2d(x, w, b)), X, W, B)
    torch.testing.assert_close(result, EXACT[name](F.conv2d(X, W, B)), rtol=0, atol=0)
    ops, rest = get_only_ops()
    assert ops == f"conv + {name}" and rest.keys() <= {"lift_fresh_copy", "select", "slice", "view"}


@pytest.mark.parametrize("dtype", (torch.float32, torch.float64, torch.bfloat16, torch.float16))
@pytest.mark.parametrize("name", CLOSE)
def test_other_ops(name, dtype):
    x, w, b = (one.to(dtype) for one in (X, W, B))
    result = run(lambda x, w, b: CLOSE[name](F.conv2d(x, w, b)), x, w, b)
    expected = CLOSE[name](F.conv2d(X.double(), W.double(), B.double()))
    assert result.dtype == dtype
    # Half of the digits: each element is within its bound, as was checked.
    limit = torch.finfo(dtype).eps ** 0.5 * expected.abs().max()
    assert (result.double() - expected).abs().max() <= limit
    ops, rest = get_only_ops()
    assert ops.startswith("conv + ") and ops.endswith(name) and not rest


@pytest.mark.parametrize(
    "op, function",
    (
        ("threshold_backward", F.relu),
        ("hardtanh_backward", F.relu6),
        ("leaky_relu_backward", lambda x: F.leaky_relu(x, 0.5)),
    ),
)
def test_gradients_of_what_stands_before(op, function):
    """The gradient of an activation is computed with that of the convolution behind it."""
    tensors = [X.clone().requires_grad_(), W.clone().requires_grad_()]
    forward, backward = expect_equal(lambda x, w: F.conv2d(function(x), w), *tensors)
    assert get_ops(forward) == ["conv"]
    assert get_ops(backward) == [f"conv_backward_data + {op}", "conv_backward_filter"]


@pytest.mark.parametrize("name, function", (("sigmoid", torch.sigmoid), ("tanh", torch.tanh), ("silu", F.silu)))
def test_other_gradients_of_what_stands_before(name, function):
    x, w = X.clone().requires_grad_(), W.clone().requires_grad_()
    other = X.clone().requires_grad_()
    with convoy.torch.record_checks() as reports:
        compile(lambda x, w: F.conv2d(function(x), w))(x, w).square().sum().backward()
    F.conv2d(function(other), W).square().sum().backward()
    assert all(report.passed for report in reports)
    assert get_ops(convoy.torch.plans()[1])[0] == f"conv_backward_data + {name}_backward"
    torch.testing.assert_close(x.grad, other.grad)


def test_relu_of_a_training_step():
    """What follows is computed with the convolution where its result is all that the
    gradient needs."""
    tensors = [one.clone().requires_grad_() for one in (X, W, B)]
    forward, backward = expect_equal(lambda x, w, b: F.conv2d(x, w, b).relu(), *tensors)
    assert get_ops(forward) == ["conv + relu"]
    assert get_ops(backward) == ["conv_backward_data", "conv_backward_filter"]


def test_value_that_others_read():
    def function(x, w):
        y = F.conv2d(x, w)
        z = y.relu() + 1
        return z * 2, z.sum()

    first, second = run(function, X, W)
    expected = F.conv2d(X, W).relu() + 1
    assert torch.equal(first, expected * 2) and torch.equal(second, expected.sum())
    assert get_only_ops() == ("conv + relu + add", {"mul": 1, "sum": 1})


def test_residual_of_two_convolutions():
    result = run(lambda x, w: F.conv2d(x, w).relu() + F.conv2d(x, w + 1), X, W)
    assert torch.equal(result, F.conv2d(X, W).relu() + F.conv2d(X, W + 1))
    (plan,) = convoy.torch.plans()
    assert get_ops(plan) == ["conv + relu + add", "conv"]


def test_operands_in_other_orders():
    other = Y.to(memory_format=torch.channels_last)
    turned = Y.transpose(2, 3).contiguous().transpose(2, 3)
    result = run(lambda x, w, y, z: F.conv2d(x, w) * y + z, X, W, other, turned)
    assert torch.equal(result, F.conv2d(X, W) * Y + Y)
    assert get_only_ops() == ("conv + mul + add", {})


@pytest.mark.parametrize("groups", (1, 2))
@pytest.mark.parametrize("rank", (1, 2, 3))
def test_operands_of_groups(rank, groups):
    convolve = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
    x = make_integers(2, 4, *(5, 6, 4)[:rank], seed=1)
    w = make_integers(6, 4 // groups, *(2, 3, 2)[:rank], seed=2)
    scale, shift = make_integers(6, *(1,) * rank, seed=3), make_integers(2, 6, *(1,) * rank, seed=4)
    result = run(lambda x, w: (convolve(x, w, groups=groups) * scale + shift).relu(), x, w)
    assert torch.equal(result, (convolve(x, w, groups=groups) * scale + shift).relu())
    assert get_only_ops() == ("conv + mul + add + relu", {})


@pytest.mark.parametrize("affine", (False, True))
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64))
def test_normalization(affine, dtype):
    norm = torch.nn.BatchNorm2d(4, affine=affine, dtype=dtype).eval()
    norm.running_mean.copy_(B)
    norm.running_var.copy_(B.abs() + 0.5)
    if affine:
        norm.weight.data.copy_(B + 0.25)
        norm.bias.data.copy_(B * 2)
    result = run(lambda x, w: norm(F.conv2d(x, w)).relu(), X.to(dtype), W.to(dtype))
    torch.testing.assert_close(result, norm(F.conv2d(X.to(dtype), W.to(dtype))).relu())
    ops, rest = get_only_ops()
    assert ops == "conv + mul + add + relu" and "_native_batch_norm_legit_no_training" not in rest


def test_normalization_that_stays():
    """Of another type, behind a convolution that is left, or of what others read."""
    norm = torch.nn.BatchNorm2d(4).eval()
    x, w = X.bfloat16(), W.bfloat16()
    run(lambda x, w: norm(F.conv2d(x, w)), x, w)
    assert get_only_ops() == ("conv", {"_native_batch_norm_legit_no_training": 1})

    def both(x, w):
        y = F.conv2d(x, w)
        return y, norm(y)

    run(both, X, W)
    assert get_only_ops() == ("conv", {"_native_batch_norm_legit_no_training": 1})


@pytest.mark.parametrize(
    "function",
    (
        lambda y: F.gelu(y, approximate="tanh"),
        lambda y: F.softplus(y, beta=2),
        F.selu,
        lambda y: y.double(),
        lambda y: y + Y.double(),
        lambda y: y.view(1, 2, 4, 5, 5) + Y,
        lambda y: y[:1] + Y,
        lambda y: y.clamp(min=Y),
        lambda y: y > 0,
        lambda y: y.cumsum(1),
    ),
)
def test_what_is_not_computed_with_it(function):
    result = run(lambda x, w: function(F.conv2d(x, w)), X, W)
    torch.testing.assert_close(result, function(F.conv2d(X, W)))
    ops, rest = get_only_ops()
    assert ops == "conv" and rest


def test_numbers_that_are_not_finite():
    x = X.clone()
    x[0, 0, 2, 2], x[1, 1, 1, 1] = float("nan"), float("inf")
    for function in (torch.relu, F.relu6, F.hardswish, F.leaky_relu):
        with torch.no_grad():
            result = compile(lambda x, w: function(F.conv2d(x, w)))(x, W)
        torch.testing.assert_close(result, function(F.conv2d(x, W)), equal_nan=True)
