"""What options of torch.compile say."""

import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import convoy.torch
from beside import get_ops, make_integers

X = make_integers(2, 4, 7, 6, seed=1)
W = make_integers(6, 4, 3, 2, seed=2)


def compile_with(function, **options):
    torch._dynamo.reset()
    convoy.torch.reset()
    return torch.compile(function, backend="convoy", **options)


def test_threads_of_kernels():
    x, w = make_integers(2, 16, 20, 20, seed=1), make_integers(32, 16, 3, 3, seed=2)
    results = []
    for threads in (1, 2):
        model = compile_with(F.conv2d, options={"threads": threads})
        with torch.no_grad():
            results.append(model(x, w))
        assert convoy.torch.plans()[0].left == {}
    assert torch.equal(results[0], results[1]) and torch.equal(results[0], F.conv2d(x, w))


def make_network():
    """Of its convolutions Winograd's algorithm can compute the first two."""
    torch.manual_seed(0)
    layers = [nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 48, 3, padding=1), nn.Conv2d(48, 8, 3, 2)]
    return nn.Sequential(*layers), torch.randn(2, 16, 24, 20)


def step(model, images):
    """The result for images, and its gradients."""
    leaf = images.clone().requires_grad_()
    model.zero_grad()
    result = model(leaf)
    result.square().mean().backward()
    return [result.detach(), leaf.grad, *(one.grad.clone() for one in model.parameters())]


def find_winograd(plan):
    """What kernels begin with that Winograd's algorithm computes."""
    kernels = [one for one in plan.kernels if "computes tiles" in one.function.explain()]
    return [kernel.ops[0] for kernel in kernels]


@pytest.mark.parametrize("algorithm", ("auto", "winograd", "winograd:2"))
def test_algorithms_in_training(algorithm):
    """Plans are the same, and results close to those of sums of products."""
    model, images = make_network()
    direct = step(compile_with(model), images)
    expected = convoy.torch.plans()
    compiled = compile_with(model, options={"algorithm": algorithm})
    with convoy.torch.record_checks() as reports:
        found = step(compiled, images)
    assert len(reports) == 9 and all(report.passed for report in reports)
    plans = convoy.torch.plans()
    assert [*map(str, plans)] == [*map(str, expected)] and not any(plan.left for plan in plans)
    assert list(map(get_ops, plans)) == list(map(get_ops, expected))
    assert [find_winograd(plan) for plan in expected] == [[], []]
    assert [find_winograd(plan) for plan in plans] == [["conv"] * 2, ["conv_backward_data"] * 2]
    assert (found[0] != direct[0]).any()
    digits = torch.finfo(torch.float32).eps ** 0.5
    for one, other in zip(found, direct):
        assert one.stride() == other.stride()
        assert (one - other).abs().max() <= digits * other.abs().max()


def test_algorithms_in_inference():
    """Filters are packed for it; one kernel is for batches of any size."""
    model, images = make_network()
    compiled = compile_with(model, options={"algorithm": "auto"})
    with torch.no_grad(), convoy.torch.record_checks() as reports:
        for batch in (images, images.repeat(2, 1, 1, 1), images.repeat(3, 1, 1, 1)):
            compiled(batch)
    assert len(reports) == 9 and all(report.passed for report in reports)
    first, second = convoy.torch.plans()
    assert find_winograd(first) == find_winograd(second) == ["conv", "conv"]
    assert all(kernel.function.packed for kernel in first.kernels)


@pytest.mark.parametrize(
    "options, sentence",
    (
        ({"thread": 1}, "expected algorithm, cpu or threads among 'options', but got 'thread'"),
        ({5: 1}, "expected algorithm, cpu or threads among 'options', but got 5"),
        ({"threads": 0}, "expected a number from 1 to [0-9]+ for 'threads', but got 0"),
        ({"threads": True}, "expected a number from 1 to [0-9]+ for 'threads', but got True"),
        ({"threads": X}, "expected a number from 1 to [0-9]+ for 'threads', but got tensor.*"),
        ({"cpu": 5}, "expected a text for 'cpu', but got 5"),
        ({"cpu": X}, "expected a text for 'cpu', but got tensor.*"),
        ({"cpu": "none"}, "expected a CPU of .*, but got none"),
        ({"cpu": "two\nlines"}, "expected a CPU of .*, but got two lines"),
        ({"algorithm": None}, "expected a text for 'algorithm', but got None"),
        ({"algorithm": "fast"}, "expected direct, .* or auto for '--algorithm', but got 'fast'"),
        ({"algorithm": "winograd:3"}, "expected direct, .* or auto for '--algorithm', but got 'winograd:3'"),
        (5, "expected a dictionary for 'options', but got 5"),
    ),
)
def test_options_that_are_wrong(options, sentence):
    """No graph is compiled, as it is when only a kernel is refused."""
    convoy.torch.reset()
    with pytest.raises(convoy.Error) as caught:
        convoy.torch.backend(None, [], options=options)
    assert re.fullmatch(sentence, str(caught.value))
    assert convoy.torch.plans() == ()


@pytest.mark.parametrize(
    "options, sentence",
    (
        ({"options": {"cpu": "none"}}, "expected a CPU of .*, but got none"),
        ({"mode": "max-autotune"}, "expected no 'mode', but got 'max-autotune'"),
    ),
)
def test_errors_of_torch_compile(options, sentence):
    model = compile_with(F.conv2d, **options)
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=f"\nError: {sentence}") as caught:
        model(X, W)
    assert isinstance(caught.value.inner_exception, convoy.Error)
