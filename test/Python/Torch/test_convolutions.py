"""Convolutions of all kinds, with their gradients: every bit on integers."""

import pytest
import torch
import torch.nn.functional as F

import convoy.torch
from beside import expect_equal, get_ops, make_integers

ALL = ["conv", "conv_backward_data", "conv_backward_filter"]
FORWARD = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
SIZES, TAPS = (9, 7, 6), (3, 2, 4)


def make_case(rank, dtype, groups=1, is_transposed=False):
    """An input, a filter and a bias, all of which need gradients."""
    x = make_integers(2, 2 * groups, *SIZES[:rank], dtype=dtype, seed=1)
    shape = (2 * groups, 3) if is_transposed else (3 * groups, 2)
    w = make_integers(*shape, *TAPS[:rank], dtype=dtype, seed=2)
    b = make_integers(3 * groups, dtype=dtype, seed=3)
    return [one.requires_grad_() for one in (x, w, b)]


@pytest.mark.parametrize("dtype", (torch.float64, torch.float32, torch.float16, torch.bfloat16))
@pytest.mark.parametrize("rank", (1, 2, 3))
def test_all_types(rank, dtype):
    forward, backward = expect_equal(FORWARD[rank], *make_case(rank, dtype))
    assert (forward.graph, backward.graph) == ("forward", "backward")
    assert get_ops(forward) + get_ops(backward) == ALL
    assert (forward.left, backward.left) == ({}, {})
    assert dict(backward.rest) == {"sum": 1}


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize(
    "options",
    (
        {"stride": 2},
        {"stride": (3, 2), "padding": (2, 1)},
        {"dilation": (2, 3), "padding": 2},
        {"padding": "same"},
        {"padding": "valid"},
        {"groups": 3},
        {"groups": 3, "stride": 2, "padding": 1},
        {"stride": 4, "dilation": 2, "padding": (3, 0)},
    ),
    ids=str,
)
def test_windows(options):
    forward, backward = expect_equal(
        lambda x, w, b: F.conv2d(x, w, b, **options),
        *make_case(2, torch.float32, options.get("groups", 1)),
    )
    assert get_ops(forward) + get_ops(backward) == ALL


@pytest.mark.parametrize("dtype", (torch.float32, torch.bfloat16))
@pytest.mark.parametrize("last", (False, True))
def test_depthwise(dtype, last):
    format = torch.channels_last if last else torch.contiguous_format
    x = make_integers(2, 5, 9, 8, dtype=dtype).to(memory_format=format).requires_grad_()
    w = make_integers(10, 1, 3, 3, dtype=dtype, seed=1).to(memory_format=format).requires_grad_()
    forward, backward = expect_equal(lambda x, w: F.conv2d(x, w, None, 1, 1, 1, 5), x, w)
    assert get_ops(forward) + get_ops(backward) == ALL


@pytest.mark.parametrize(
    "options",
    (
        {},
        {"stride": 2, "output_padding": 1},
        {"stride": (3, 2), "padding": (1, 0), "output_padding": (2, 0), "dilation": (1, 2)},
        {"groups": 2, "stride": 2, "padding": 1},
    ),
    ids=str,
)
@pytest.mark.parametrize("rank", (1, 2, 3))
def test_transposed(rank, options):
    options = {
        name: value[0] if isinstance(value, tuple) and rank != 2 else value
        for name, value in options.items()
    }
    forward, backward = expect_equal(
        lambda x, w, b: TRANSPOSED[rank](x, w, b, **options),
        *make_case(rank, torch.float32, options.get("groups", 1), is_transposed=True),
    )
    # What goes forward is the gradient of a convolution, and the other way round.
    assert get_ops(forward) == ["conv_backward_data"]
    assert get_ops(backward) == ["conv", "conv_backward_filter"]


def test_transposed_of_narrow_numbers():
    expect_equal(F.conv_transpose2d, *make_case(2, torch.float16, is_transposed=True))


@pytest.mark.parametrize(
    "needed, ops, rest",
    (
        ((True, False, False), ["conv_backward_data"], {}),
        ((False, True, False), ["conv_backward_filter"], {}),
        ((False, False, True), [], {"sum": 1}),
        ((True, False, True), ["conv_backward_data"], {"sum": 1}),
        ((False, True, True), ["conv_backward_filter"], {"sum": 1}),
    ),
)
def test_gradients_that_are_needed(needed, ops, rest):
    tensors = [one.detach().requires_grad_(is_needed) for one, is_needed in zip(make_case(2, torch.float32), needed)]
    forward, backward = expect_equal(F.conv2d, *tensors)
    assert get_ops(forward) == ["conv"] and get_ops(backward) == ops
    assert dict(backward.rest) == rest


def test_input_without_a_batch():
    x, w, b = make_case(2, torch.float32)
    forward, _ = expect_equal(F.conv2d, x.detach()[0].requires_grad_(), w, b)
    assert get_ops(forward) == ["conv"]


def test_filter_that_is_computed():
    x, w, b = make_case(2, torch.float32)
    expect_equal(lambda x, w, b: F.conv2d(x, (w + w).flip(2), b - 1), x, w, b)


def test_kernels_check_themselves():
    expect_equal(F.conv2d, *make_case(2, torch.float32))
    for plan in convoy.torch.plans():
        for kernel in plan.kernels:
            assert kernel.check().passed
            assert kernel.check("int", seed=3).verdict == "exact"
            assert kernel.text.startswith("func.func @kernel(%")
