"""Graphs: batches of any size, what is left and why, how tensors lie, threads."""

import concurrent.futures
import subprocess
import sys
import types

import pytest
import torch
import torch.nn.functional as F

import convoy.torch
from beside import compile, expect_equal, get_ops, make_integers
from convoy.torch._fuse import Fuser
from convoy.torch._kernel import Call, Operand

X = make_integers(2, 4, 7, 6, seed=1)
W = make_integers(6, 4, 3, 2, seed=2)


def run(function, *tensors, **options):
    with torch.no_grad():
        return compile(function, **options)(*tensors)


def get_left():
    """Why convolutions of the only plan are left."""
    (plan,) = convoy.torch.plans()
    assert str(plan).count("left: convolution") == len(plan.left)
    return list(plan.left.values())


def test_batches_of_any_size():
    """The second size makes one graph for all that follow, forward and backward."""
    model = compile(lambda x, w, y: (F.conv2d(x, w, stride=2) + y).relu())
    for batch in (2, 5, 3, 17, 4):
        x = make_integers(batch, 4, 7, 6, seed=batch).requires_grad_()
        w = W.clone().requires_grad_()
        y = make_integers(batch, 6, 3, 1, seed=9)
        with convoy.torch.record_checks() as reports:
            model(x, w, y).sum().backward()
        assert len(reports) == 3 and all(report.passed for report in reports)
        other, filter = x.detach().clone().requires_grad_(), W.clone().requires_grad_()
        (F.conv2d(other, filter, stride=2) + y).relu().sum().backward()
        assert torch.equal(x.grad, other.grad) and torch.equal(w.grad, filter.grad)
    plans = convoy.torch.plans()
    assert [plan.graph for plan in plans] == ["forward", "backward"] * 2
    assert get_ops(plans[2]) == ["conv + add + relu"]
    for kernel in (*plans[2].kernels, *plans[3].kernels):
        assert "tensor<?x" in kernel.text
        assert kernel.check("int", batch=3).verdict == "exact"


def test_batches_that_pytorch_tells_apart():
    """Its guards for a window without strides ask for 16 images, whatever the backend."""
    model = compile(F.conv2d)
    with torch.no_grad():
        for batch, graphs in ((2, 1), (5, 2), (15, 2), (16, 3), (30, 3), (9, 3)):
            x = make_integers(batch, 4, 7, 6, seed=batch)
            assert torch.equal(model(x, W), F.conv2d(x, W))
            assert len(convoy.torch.plans()) == graphs


@pytest.mark.parametrize("dtype", (torch.float32, torch.bfloat16))
@pytest.mark.parametrize("groups", (1, 4))
def test_batches_that_are_marked(groups, dtype):
    x, w = X.clone().to(dtype), W[:, : 4 // groups].repeat(2, 1, 1, 1)[:8].to(dtype).contiguous()
    torch._dynamo.mark_dynamic(x, 0)
    model = compile(lambda x, w: F.conv2d(x, w, groups=groups, padding=1, stride=2))
    for batch in (2, 6, 9):
        with torch.no_grad():
            y = make_integers(batch, 4, 7, 6, seed=batch, dtype=dtype)
            found = model(x if batch == 2 else y, w)
        expected = F.conv2d((x if batch == 2 else y).double(), w.double(), groups=groups, padding=1, stride=2)
        assert torch.equal(found, expected.to(dtype))
    assert len(convoy.torch.plans()) == 1


def test_batch_that_is_computed():
    model = compile(lambda x, w: F.conv2d(torch.cat([x, x]), w, stride=2))
    with torch.no_grad():
        for batch in (2, 7, 5):
            x = make_integers(batch, 4, 7, 6, seed=batch)
            assert torch.equal(model(x, W), F.conv2d(torch.cat([x, x]), W, stride=2))
    assert len(convoy.torch.plans()) == 2 and convoy.torch.plans()[1].kernels


def test_sizes_that_are_not_known():
    run(F.conv2d, make_integers(5, 4, 8, 9), W, dynamic=True)
    assert get_left() == ["size 3 of its input is not known before it runs"]


@pytest.mark.parametrize(
    "function, tensors, reason",
    (
        (F.conv2d, (X.long(), W.long()), "its elements are int64"),
        (F.conv2d, (X[:0], W), "it has no elements"),
    ),
)
def test_convolutions_that_are_left(function, tensors, reason):
    assert torch.equal(run(function, *tensors), function(*tensors))
    assert get_left() == [reason]


@pytest.mark.parametrize(
    "change, reason",
    (
        ({"w": W.bfloat16()}, "its elements are bfloat16 and float32"),
        ({"b": torch.ones(6).double()}, "its elements are float32 and float64"),
        ({"x": X.to_sparse()}, "its tensors are sparse_coo"),
        (
            {name: torch.ones((1,) * 6) for name in ("x", "w", "y")},
            "it has 4 spatial dimensions",
        ),
    ),
)
def test_reasons(change, reason):
    """PyTorch has no such convolutions of its own."""
    graph = torch.fx.Graph()
    tensors = {"x": X, "w": W, "b": torch.ones(6), "y": F.conv2d(X, W)} | change
    x, w, b = (graph.placeholder(name) for name in ("x", "w", "b"))
    rank = tensors["x"].dim() - 2
    attributes = [1] * rank, [0] * rank, [1] * rank, False, [0] * rank, 1
    y = graph.call_function(torch.ops.aten.convolution.default, (x, w, b, *attributes))
    for name, node in zip("xwby", (x, w, b, y)):
        node.meta["val"] = tensors[name]
    fuser = Fuser(graph)
    fuser.run()
    assert fuser.refusals == {y: reason} and not fuser.groups


def test_other_devices():
    assert run(F.conv2d, X.to("meta"), W.to("meta")).shape == (2, 6, 5, 5)
    assert get_left() == ["its tensors are on meta"]


@pytest.fixture
def refusal(monkeypatch):
    """What the compiler says of each kernel."""
    compile = convoy.Module.compile

    def refuse(module, *arguments, **options):
        if "@kernel" in str(module):
            raise convoy.Error("it is refused")
        return compile(module, *arguments, **options)

    monkeypatch.setattr(convoy.Module, "compile", refuse)
    return "it is refused"


def test_kernels_that_do_not_compile(refusal):
    """The reason is the compiler's; what else is in the graph is compiled."""
    assert torch.equal(run(F.conv2d, X, W), F.conv2d(X, W))
    (reason,) = get_left()
    assert reason == refusal
    (plan,) = convoy.torch.plans()
    assert not plan.kernels and dict(plan.rest) == {"convolution": 1}
    assert str(plan).splitlines()[:2] == [
        "inference: 0 kernels, 1 node left",
        f"  left: convolution, since {reason}",
    ]


def test_gradients_that_are_left(refusal):
    x = make_integers(2, 4, 7, 6).requires_grad_()
    compile(F.conv2d)(x, W).sum().backward()
    plans = convoy.torch.plans()
    assert [list(plan.left) for plan in plans] == [["convolution"], ["convolution_backward"]]
    assert not any(plan.kernels for plan in plans)


def test_plans_in_words():
    expect_equal(
        lambda x, w: F.conv2d(F.conv2d(x, w, padding=1).relu()[:, :4], w).sum(1),
        X.clone().requires_grad_(),
        W.clone().requires_grad_(),
    )
    forward, backward = convoy.torch.plans()
    assert str(forward).splitlines()[:3] == [
        "forward: 2 kernels, 3 nodes left",
        "  convolution: conv + relu",
        "  convolution_1: conv",
    ]
    assert str(backward).splitlines()[-1].startswith("  rest: ")
    convoy.torch.reset()
    assert convoy.torch.plans() == ()


def test_equal_kernels_are_compiled_once():
    run(lambda x, w, v: F.conv2d(x, w) + F.conv2d(x, v).relu() + F.conv2d(x, w).relu(), X, W, W + 1)
    (plan,) = convoy.torch.plans()
    functions = {id(kernel.function) for kernel in plan.kernels}
    assert len(plan.kernels) == 3 and len(functions) == 2, [kernel.text for kernel in plan.kernels]


LAST = torch.channels_last


@pytest.mark.parametrize(
    "change",
    (
        lambda x: x.to(memory_format=LAST),
        lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
        lambda x: torch.stack([x, x + 1], -1)[..., 0],
        lambda x: x[:1].expand(2, -1, -1, -1),
        lambda x: x.flip(0),
        lambda x: torch.cat([x, x], 3)[..., ::2],
    ),
)
def test_tensors_that_lie_otherwise(change):
    x = change(X)
    found, expected = run(F.conv2d, x, W), F.conv2d(x, W)
    assert torch.equal(found, expected)
    assert found.stride() == expected.stride()


def test_channels_last():
    """Kernels read and write tensors as they lie."""
    x = X.to(memory_format=LAST).requires_grad_()
    w = W.to(memory_format=LAST).requires_grad_()
    expect_equal(lambda x, w: F.conv2d(x, w).relu(), x, w)
    forward, backward = convoy.torch.plans()
    assert "layout(nhwc x fhwc -> nhwf)" in forward.kernels[0].text
    assert all("layout(nhwc x fhwc -> nhwf)" in kernel.text for kernel in backward.kernels)
    x = make_integers(2, 4, 5, 7, 6, seed=1).to(memory_format=torch.channels_last_3d)
    w = make_integers(3, 4, 2, 3, 2, seed=1).to(memory_format=torch.channels_last_3d)
    found = run(F.conv3d, x, w)
    assert torch.equal(found, F.conv3d(x, w)) and found.stride() == F.conv3d(x, w).stride()
    assert "layout(ndhwc x fdhwc -> ndhwf)" in convoy.torch.plans()[0].kernels[0].text


def test_gradients_that_lie_otherwise():
    """That of a sum is one number, read again and again."""
    for format in (torch.contiguous_format, LAST):
        x = X.clone().to(memory_format=format).requires_grad_()
        compile(F.conv2d)(x, W).sum().backward()
        y = X.clone().requires_grad_()
        F.conv2d(y, W).sum().backward()
        assert torch.equal(x.grad, y.grad)


def test_inputs_that_lie_otherwise_later():
    model = compile(F.conv2d)
    with torch.no_grad():
        for x in (X, X.to(memory_format=LAST), X.transpose(2, 3).contiguous().transpose(2, 3), X):
            assert torch.equal(model(x, W), F.conv2d(x, W))


def test_negated_views():
    x = torch.view_as_complex(torch.stack([X, X + 1], -1)).conj().imag
    assert x.is_neg()
    assert torch.equal(run(F.conv2d, x, W), F.conv2d(x, W))


def test_complex_numbers():
    """PyTorch makes convolutions of real numbers of them."""
    x, w = torch.complex(X, X + 1), torch.complex(W, W - 1)
    assert torch.equal(run(F.conv2d, x, w), F.conv2d(x, w))
    assert len(convoy.torch.plans()[0].kernels) == 3


def test_autocast():
    def function(x, w):
        with torch.autocast("cpu", torch.bfloat16):
            return F.conv2d(x, w)

    found = run(function, X, W)
    assert found.dtype == torch.bfloat16 and torch.equal(found, function(X, W))
    (plan,) = convoy.torch.plans()
    assert get_ops(plan) == ["conv"] and "bf16" in plan.kernels[0].text


def test_inputs_that_are_changed():
    def function(x, w):
        y = F.conv2d(x, w)
        x.add_(1)
        return y + F.conv2d(x, w)

    x, y = X.clone(), X.clone()
    assert torch.equal(run(function, x, W), function(y, W)) and torch.equal(x, y)


def test_many_threads():
    model = compile(lambda x, w: F.conv2d(x, w).relu())
    expected = [F.conv2d(X * number, W).relu() for number in range(8)]

    def call(number):
        with torch.no_grad():
            return model(X * (number % 8), W)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(call, range(100))):
            assert torch.equal(result, expected[number % 8])


def test_checks_are_recorded_while_asked_for():
    model = compile(F.conv2d)
    with torch.no_grad():
        model(X, W)
        with convoy.torch.record_checks() as outer:
            model(X, W)
            with convoy.torch.record_checks() as inner:
                model(X, W)
        model(X, W)
    assert (len(outer), len(inner)) == (2, 1)
    assert str(inner[0]) == "convolution: exact, error/bound 0.0000"


def test_wrong_numbers_are_found(monkeypatch):
    model = compile(F.conv2d)
    with torch.no_grad():
        model(X, W)
        run_at = convoy.Function.run_at
        monkeypatch.setattr(convoy.Function, "run_at", lambda self, addresses, sizes: None)
        with convoy.torch.record_checks() as reports:
            model(X, W)
        monkeypatch.setattr(convoy.Function, "run_at", run_at)
    assert not reports[0].passed and "wrong" in str(reports[0])


def test_tensors_that_do_not_fit():
    """PyTorch guards graphs against such: memory is safe all the same."""
    run(F.conv2d, X, W)
    (kernel,) = convoy.torch.plans()[0].kernels
    order = (0, 1, 2, 3)
    operands = (Operand((2, 4, 7, 6), order), Operand((6, 4, 3, 2), order))
    placement = types.SimpleNamespace(find=lambda tensors: (150, 25, 5, 1))
    call = Call(kernel, operands, Operand((2, 6, 5, 5), order), torch.float32, placement)
    assert torch.equal(call(X, W), F.conv2d(X, W))
    sentence = r"^expected a tensor of torch.float32 and \(2, 4, 7, 6\), but got one of torch.float"
    for wrong in (X[:1], X.double(), X[0]):
        with pytest.raises(convoy.Error, match=sentence):
            call(wrong, W)


def test_package_without_pytorch():
    program = (
        "import sys; sys.modules['torch'] = None; import convoy.torch\n"
        "try: convoy.torch.backend\nexcept convoy.Error as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == (
        "expected the package torch, but there is no torch (pip install 'convoy[torch]')\n"
    )


def test_name_of_an_installed_backend(tmp_path):
    """PyTorch finds it by its entry point, without an import of convoy.torch."""
    folder = tmp_path / "convoy-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: convoy\nVersion: 0.1.0\n")
    (folder / "entry_points.txt").write_text("[torch_dynamo_backends]\nconvoy = convoy.torch:backend\n")
    program = (
        f"import sys; sys.path.append({str(tmp_path)!r}); import torch\n"
        "model = torch.compile(torch.nn.Conv2d(2, 3, 2), backend='convoy')\n"
        "model(torch.ones(1, 2, 4, 4))\n"
        "import convoy.torch; print(len(convoy.torch.plans()))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "1\n", found.stderr
    # What is not there any more when the process ends is nothing to complain about.
    assert "leaked" not in found.stderr
