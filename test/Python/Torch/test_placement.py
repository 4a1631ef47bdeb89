"""How results lie: as PyTorch's do, and so do gradients, above all where a size is 1."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import convoy.torch
from beside import compile, get_ops, make_integers

LAST = torch.channels_last


def run(model, x, is_training):
    """The result, and the gradients where it trains."""
    leaf = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x)
    if not is_training:
        with torch.no_grad():
            return [model(leaf)]
    result = model(leaf.requires_grad_())
    result.sum().backward()
    return [result.detach(), leaf.grad, *(one.grad for one in model.parameters())]


def expect_same_strides(layers, x, is_training):
    """Compares how the results of layers and their gradients lie with PyTorch's."""
    model = nn.Sequential(*layers).to(x.dtype).eval()
    for number, one in enumerate(model.parameters()):
        one.data = make_integers(*one.shape, dtype=x.dtype, seed=number)
    expected = run(copy.deepcopy(model), x, is_training)
    found = run(compile(model), x, is_training)
    assert [one.stride() for one in found] == [one.stride() for one in expected]
    for one, other in zip(found, expected):
        torch.testing.assert_close(one, other)
    assert not any(plan.left for plan in convoy.torch.plans())


#: Layers for 3 channels, which lie in either order where there is one channel, or one
#: element of an image.
NETWORKS = {
    "one channel": lambda: (nn.Conv2d(3, 1, 1), nn.ReLU(), nn.ConvTranspose2d(1, 2, 3)),
    "one channel and a number": lambda: (nn.Conv2d(3, 1, 1), nn.Hardtanh(), nn.Conv2d(1, 2, 3)),
    "a node that is left": lambda: (nn.Conv2d(3, 1, 1), nn.Softsign(), nn.Conv2d(1, 2, 3)),
    "groups": lambda: (nn.Conv2d(3, 1, 1), nn.GroupNorm(1, 1), nn.Conv2d(1, 2, 3)),
    "a normalization": lambda: (nn.Conv2d(3, 1, 1), nn.BatchNorm2d(1), nn.Conv2d(1, 2, 3)),
    "one element": lambda: (nn.Conv2d(3, 4, (7, 5)), nn.SiLU(), nn.ConvTranspose2d(4, 2, 3)),
    "one tap": lambda: (nn.Conv2d(3, 4, 1), nn.ReLU(), nn.Conv2d(4, 4, 3, groups=4)),
    "one batch": lambda: (nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 1)),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("is_training", (False, True))
@pytest.mark.parametrize("format", (torch.contiguous_format, LAST))
def test_sizes_of_one(name, format, is_training):
    batch = 1 if name == "one batch" else 2
    x = make_integers(batch, 3, 7, 5, seed=3).to(memory_format=format)
    expect_same_strides(NETWORKS[name](), x, is_training)


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16, torch.float64))
def test_sizes_of_one_in_other_types(dtype):
    x = make_integers(2, 3, 7, 5, seed=3, dtype=dtype).to(memory_format=LAST)
    expect_same_strides(NETWORKS["one channel"](), x, is_training=False)


def test_views_of_results():
    """A view that only PyTorch's strides allow."""
    torch.manual_seed(0)
    model = nn.Sequential(*NETWORKS["one channel"]())
    x = torch.randn(2, 3, 8, 9).to(memory_format=LAST)
    with torch.no_grad():
        found, expected = compile(model)(x).view(2, -1), model(x).view(2, -1)
    torch.testing.assert_close(found, expected)


def test_operands_that_say_how_results_lie():
    """What comes first in a sum; a kernel then writes in its order."""
    x, w = make_integers(2, 4, 7, 6, seed=1), make_integers(6, 4, 3, 2, seed=2)
    y = make_integers(2, 6, 5, 5, seed=3).to(memory_format=LAST)
    turned = make_integers(2, 6, 5, 5, seed=4).transpose(0, 2).contiguous().transpose(0, 2)
    for function in (
        lambda x, w, y: y + F.conv2d(x, w),
        lambda x, w, y: F.conv2d(x, w) + y,
        lambda x, w, y: (y * F.conv2d(x, w)).relu(),
    ):
        for one in (y, turned):
            with torch.no_grad():
                found, expected = compile(function)(x, w, one), function(x, w, one)
            assert torch.equal(found, expected) and found.stride() == expected.stride()
            (kernel,) = convoy.torch.plans()[0].kernels
            assert len(kernel.ops) > 1


def test_batches_of_any_size():
    """Strides are found for all batches at once, where a batch lies outermost."""
    w, v = make_integers(1, 4, 3, 2, seed=1), make_integers(2, 1, 2, 2, seed=2)

    def function(x, w, v):
        return F.conv2d(F.conv2d(x, w).relu(), v)

    model = compile(function)
    for batch in (2, 5, 3, 17):
        for format in (LAST, torch.contiguous_format):
            x = make_integers(batch, 4, 7, 6, seed=batch).to(memory_format=format)
            with torch.no_grad():
                found, expected = model(x, w, v), function(x, w, v)
            assert torch.equal(found, expected) and found.stride() == expected.stride()
    assert "tensor<?x" in convoy.torch.plans()[-1].kernels[0].text


def test_batches_that_lie_innermost():
    w = make_integers(6, 4, 3, 2, seed=2)

    def function(x, w, y):
        return y + F.conv2d(x, w)

    model = compile(function)
    for batch in (2, 5, 3, 17, 5):
        x = make_integers(batch, 4, 7, 6, seed=batch)
        y = make_integers(6, 5, 5, batch, seed=3).permute(3, 0, 1, 2)
        with torch.no_grad():
            found, expected = model(x, w, y), function(x, w, y)
        assert torch.equal(found, expected) and found.stride() == expected.stride()
    assert get_ops(convoy.torch.plans()[-1]) == ["conv + add"]
