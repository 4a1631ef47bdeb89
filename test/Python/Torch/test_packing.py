"""Filters of inference, which are packed once."""

import concurrent.futures

import pytest
import torch
import torch.nn.functional as F

import convoy.torch
from beside import compile, make_integers

X = make_integers(2, 4, 7, 6, seed=1)
LAST = torch.channels_last


@pytest.fixture
def packs(monkeypatch):
    """The filters that were packed."""
    found = []
    pack = convoy.Function.pack

    def count(self, name, value):
        found.append(name)
        return pack(self, name, value)

    monkeypatch.setattr(convoy.Function, "pack", count)
    return found


def check_layer(model, compiled, x=X):
    """Compares the results of a module, bit by bit."""
    with torch.no_grad():
        assert torch.equal(compiled(x), model(x))


def make_layer(dtype=torch.float32, **options):
    model = torch.nn.Conv2d(4, 6, 3, dtype=dtype, bias=False, **options)
    with torch.no_grad():
        model.weight.copy_(make_integers(*model.weight.shape, seed=3))
    return model


def test_filters_are_packed_once(packs):
    model = make_layer()
    compiled = compile(model)
    for _ in range(3):
        check_layer(model, compiled)
    assert packs == ["filter"]
    assert convoy.torch.plans()[0].kernels[0].function.packed == ("filter",)


@pytest.mark.parametrize("dtype", (torch.float64, torch.float16, torch.bfloat16))
@pytest.mark.parametrize("order", (torch.contiguous_format, LAST))
def test_packed_filters_of_types(packs, dtype, order):
    model = make_layer(dtype).to(memory_format=order)
    x = X.to(dtype)
    with torch.no_grad(), convoy.torch.record_checks() as reports:
        compiled = compile(model)
        for _ in range(2):
            expected = F.conv2d(x.double(), model.weight.double()).to(dtype)
            assert torch.equal(compiled(x), expected)
    assert packs == ["filter"] and all(report.passed for report in reports)


def test_packed_filters_of_groups_and_transposed(packs):
    for model in (
        torch.nn.Conv2d(4, 6, 3, groups=2, bias=False),
        torch.nn.ConvTranspose2d(4, 6, 3, stride=2, bias=False),
        torch.nn.ConvTranspose2d(4, 6, 3, groups=2, bias=False),
        torch.nn.Conv2d(4, 4, 3, groups=4, bias=False),
    ):
        packs.clear()
        with torch.no_grad():
            model.weight.copy_(make_integers(*model.weight.shape, seed=3))
        compiled = compile(model)
        check_layer(model, compiled)
        check_layer(model, compiled)
        assert len(packs) <= 1


def test_filters_that_are_changed(packs):
    model = make_layer()
    compiled = compile(model)
    check_layer(model, compiled)
    with torch.no_grad():
        model.weight.add_(1)
    check_layer(model, compiled)
    check_layer(model, compiled)
    assert len(packs) == 2
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    model.weight.grad = torch.ones_like(model.weight)
    optimizer.step()
    check_layer(model, compiled)
    assert len(packs) == 3
    model.load_state_dict({"weight": make_integers(6, 4, 3, 3, seed=5)})
    check_layer(model, compiled)
    assert len(packs) == 4
    model.weight.data = make_integers(6, 4, 3, 3, seed=6)
    check_layer(model, compiled)
    assert len(packs) == 5


def test_changes_that_pytorch_does_not_count(packs):
    model = make_layer()
    compiled = compile(model)
    check_layer(model, compiled)
    model.weight.data.add_(1)
    convoy.torch.reset()
    check_layer(model, compiled)
    assert len(packs) == 2


def test_filters_that_are_new_in_each_call(packs):
    """Memory of one may be where that of the last was."""
    model = compile(F.conv2d)
    with torch.no_grad():
        for seed in range(4):
            w = make_integers(6, 4, 3, 2, seed=seed)
            assert torch.equal(model(X, w), F.conv2d(X, w))
            del w
    assert len(packs) == 4


def test_filters_without_a_count_of_changes(packs):
    with torch.inference_mode():
        model = make_layer()
        compiled = compile(model)
        for step in range(3):
            model.weight.add_(step)
            assert torch.equal(compiled(X), model(X))
    assert len(packs) == 3


def test_packed_filters_for_batches_of_any_size(packs):
    model = make_layer(stride=2)
    compiled = compile(model)
    for batch in (2, 5, 3, 9):
        check_layer(model, compiled, make_integers(batch, 4, 7, 6, seed=batch))
    assert len(packs) == 2 and len(convoy.torch.plans()) == 2


def test_filters_of_training_are_not_packed(packs):
    model = make_layer()
    compile(model)(X).sum().backward()
    assert not packs


def test_many_threads_pack():
    model = make_layer()
    compiled = compile(model)
    with torch.no_grad():
        expected = model(X)

    def call(_):
        with torch.no_grad():
            return torch.equal(compiled(X), expected)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(50)))
