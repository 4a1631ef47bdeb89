"""What the tests here share: functions that are compiled, beside PyTorch's own."""

import torch

import convoy.torch


def compile(function, **options):
    """`function` by this backend, after which plans are those of this alone."""
    torch._dynamo.reset()
    convoy.torch.reset()
    return torch.compile(function, backend="convoy", options={"threads": 1}, **options)


def make_integers(*shape, dtype=torch.float32, limit=2, seed=0):
    """A tensor of small integers, whose sums are exact in any order."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-limit, limit + 1, shape, generator=generator).to(dtype)


def differentiate(function, tensors, gradient, dtype):
    """The result of `function` of copies of `tensors` in a type, and the gradients of
    these, where `gradient` is that of the result."""
    leaves = [one.detach().to(dtype).requires_grad_(one.requires_grad) for one in tensors]
    result = function(*leaves)
    result.backward(gradient.to(dtype))
    return [result.detach(), *(one.grad for one in leaves if one.requires_grad)]


def expect_equal(function, *tensors, **options):
    """Compares a function of integers and its gradients, element by element and bit by
    bit, with what PyTorch has in float64. Returns the plans."""
    dtype = tensors[0].dtype
    expected_result = function(*(one.detach().double() for one in tensors))
    gradient = make_integers(*expected_result.shape, seed=7)
    expected = differentiate(function, tensors, gradient, torch.float64)
    compiled = compile(function, **options)
    with convoy.torch.record_checks() as reports:
        found = differentiate(compiled, tensors, gradient, dtype)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one.dtype == dtype
        torch.testing.assert_close(one, other.to(dtype), rtol=0, atol=0)
    assert reports and all(report.passed for report in reports), [*map(str, reports)]
    return convoy.torch.plans()


def get_ops(plan):
    """The ops of each kernel of a plan."""
    return [" + ".join(kernel.ops) for kernel in plan.kernels]
