"""Steps of training: kernels within their bounds, gradients those of PyTorch."""

import copy

import torch
import torch.nn.functional as F

import convoy.torch
from beside import compile, get_ops
from networks import make_resnet18


def step(model, images, labels):
    """The gradients of all parameters."""
    F.cross_entropy(model(images), labels).backward()
    return [parameter.grad for parameter in model.parameters()]


def get_error(found, expected):
    """The largest difference, in units of the largest element."""
    difference = (found.double() - expected).abs().max() / expected.abs().max()
    return float(difference)


def make_case(format):
    """A network, images and labels, and the gradients that PyTorch has of them in its
    two types."""
    torch.manual_seed(0)
    model = make_resnet18().to(memory_format=format)
    images = torch.randn(4, 3, 32, 32).to(memory_format=format)
    labels = torch.tensor([3, 999, 0, 17])
    exact = step(copy.deepcopy(model).double(), images.double(), labels)
    return model, images, labels, exact, step(copy.deepcopy(model), images, labels)


def expect_gradients(found, exact, plain):
    """Compares gradients with those of float64: half of the digits are right, where a
    sum may cancel as much."""
    assert len(found) == len(exact) == 62
    for one, expected, other in zip(found, exact, plain):
        assert get_error(one, expected) <= torch.finfo(torch.float32).eps ** 0.5
        assert one.stride() == other.stride()


def test_kernels_of_resnet18():
    """Each kernel is within its bounds on what it is fed."""
    model, images, labels, exact, plain = make_case(torch.contiguous_format)
    with convoy.torch.record_checks() as reports:
        found = step(compile(model), images, labels)
    forward, backward = convoy.torch.plans()
    assert (forward.left, backward.left) == ({}, {})
    # No gradient of the images is wanted.
    assert len(forward.kernels) == 20 and len(backward.kernels) == 39
    assert "conv_backward_data + add + threshold_backward" in get_ops(backward)
    assert len(reports) == 59 and all(report.passed for report in reports)
    expect_gradients(found, exact, plain)


def test_channels_last_in_resnet18():
    model, images, labels, exact, plain = make_case(torch.channels_last)
    expect_gradients(step(compile(model), images, labels), exact, plain)
    forward, backward = convoy.torch.plans()
    assert (forward.left, backward.left) == ({}, {})
    # Three convolutions are of images of one element, which lie in either order.
    assert sum("layout(nhwc" in kernel.text for kernel in forward.kernels) == 17


def test_training_with_batches_of_any_size():
    """A loss falls as PyTorch's does, and one graph is for all batches but the first."""
    torch.manual_seed(0)
    losses = []
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, 2), torch.nn.ReLU(), torch.nn.Conv2d(8, 6, 3, 2), torch.nn.Flatten(2)
    )
    plain = copy.deepcopy(model)
    for one in (plain, compile(model)):
        torch.manual_seed(1)
        optimizer = torch.optim.SGD(one.parameters(), lr=0.05)
        losses.append([])
        for batch in (8, 5, 9, 3, 20, 7, 11):
            images = torch.randn(batch, 3, 13, 11)
            optimizer.zero_grad()
            loss = (one(images).mean(2) - images.mean((1, 2, 3))[:, None]).square().mean()
            loss.backward()
            optimizer.step()
            losses[-1].append(loss.item())
    torch.testing.assert_close(losses[0], losses[1])
    assert [plan.graph for plan in convoy.torch.plans()] == ["forward", "backward"] * 2
