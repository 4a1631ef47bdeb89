"""Modules on two sides, step by step."""

import copy
import ctypes

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import convoy
import convoy.torch
from convoy.torch import _diff
from networks import make_resnet18

SHAPES = {"x": (2, 3, 8, 7)}


class Network(nn.Module):
    """A stem with a normalization, a residual, a pool that is left, and a last layer."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.stem = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.normalization = nn.BatchNorm2d(6)
        self.normalization.running_mean += torch.randn(6)
        self.middle = nn.Conv2d(6, 6, 3, padding=1)
        self.last = nn.ConvTranspose2d(6, 5, 3, 2)

    def forward(self, x):
        y = F.silu(self.normalization(self.stem(x)))
        y = F.dropout(F.max_pool2d((self.middle(y) + y).relu(), 2), training=self.training)
        return self.last(y)


def make_network():
    return Network().eval()


def expect(text, call):
    with pytest.raises(convoy.Error) as caught:
        call()
    assert str(caught.value) == text


def break_kernel(monkeypatch, text, target="cpu:x86-64"):
    """Lets functions for one side, whose IR has a text, add 1 to what they compute."""
    made = convoy.Module.compile

    def compile(module, **options):
        function = made(module, **options)
        if f"{options['target']}:{options['cpu']}" == target and text in str(module):
            run_at = function.run_at

            def run(addresses, sizes=()):
                run_at(addresses, sizes)
                ctypes.c_float.from_address(addresses[-1]).value += 1

            function.run_at = run
        return function

    monkeypatch.setattr(convoy.Module, "compile", compile)


def test_a_right_module():
    found = convoy.diff(make_network(), "torch", "cpu", shapes=SHAPES)
    assert found.passed and found.first_diverging is None
    assert found.sides == ("torch", "cpu")
    assert [row.title for row in found.rows] == [
        "stem",
        "middle",
        "max_pool2d_with_indices (left, 2 nodes)",
        "last",
    ]
    assert found.rows[0].ops == ("conv", "mul", "add", "silu")
    for row in found.rows:
        if row.is_kernel:
            assert all(side.report.passed and side.report.worst_ratio > 0 for side in row.sides)
        assert row.total <= (row.introduced + row.inherited) * 1.0001 < 1e-4 < row.largest


def test_values_are_those_of_the_module():
    model, x = make_network(), torch.randn(2, 3, 8, 7)
    found = convoy.torch.diff(model, inputs={"x": x})
    with torch.no_grad():
        expected = model(x)
    for side in found.rows[-1].sides:
        (value,) = side.values.values()
        torch.testing.assert_close(value, expected, rtol=1e-5, atol=1e-5)
    again = convoy.torch.diff(model, inputs={"x": x.numpy()})
    assert again.to_json() == found.to_json()


@pytest.mark.parametrize("dtype", (torch.float64, torch.bfloat16, torch.float16))
def test_types(dtype):
    found = convoy.diff(make_network().to(dtype), "torch", "cpu", shapes=SHAPES)
    assert found.passed and found.first_diverging is None
    assert [len(row.sides[0].values) for row in found.rows] == [1] * 4


def test_targets():
    for a, b in (("cpu", "vulkan"), ("vulkan", "torch"), ("cpu:haswell", "cpu:x86-64")):
        found = convoy.diff(make_network(), a, b, shapes=SHAPES, threads=2)
        assert found.passed and found.sides == (a, b)


def test_a_broken_kernel(monkeypatch):
    break_kernel(monkeypatch, '"operand1"')
    found = convoy.diff(make_network(), "torch", "cpu:x86-64", shapes=SHAPES)
    assert found.first_wrong is found.first_diverging is found.rows[0]
    assert [row.is_right for row in found.rows] == [False, True, True, True]
    lines = str(found).splitlines()
    assert lines[-3] == "first step outside its bound: stem (cpu:x86-64)"
    assert lines[-2].startswith("    wrong; ")
    other = convoy.diff(make_network(), "cpu:x86-64", "cpu", shapes=SHAPES)
    assert [side.is_right for side in other.first_wrong.sides] == [False, True]


def test_a_kernel_that_does_not_mean_its_nodes(monkeypatch):
    """PyTorch differs from what the IR says, and from who computes that."""
    made = _diff.emit

    def emit(group):
        text = made(group)
        object.__setattr__(text, "code", text.code.replace("arith.addf", "arith.subf"))
        return text

    monkeypatch.setattr(_diff, "emit", emit)
    found = convoy.diff(make_network(), "torch", "cpu", shapes=SHAPES)
    assert [side.is_right for side in found.first_wrong.sides] == [False, True]


def test_what_has_no_bound():
    x = torch.full((2, 3, 8, 7), float("nan"))
    found = convoy.diff(make_network(), "torch", "cpu", inputs={"x": x})
    assert found.passed and found.first_diverging is None
    assert "not compared with bounds: 3 steps: cannot check " in str(found)


def test_training():
    """Statistics are those of the batch, and the module stays as it was; what is drawn
    is drawn alike."""
    model = Network()
    before = copy.deepcopy(model.state_dict())
    found = convoy.diff(model, "torch", "cpu", shapes=SHAPES)
    assert found.passed and found.first_diverging is None
    assert "native_dropout" in str(found.rows[-2].nodes)
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name])


def test_resnet():
    found = convoy.diff(make_resnet18().eval(), "torch", "cpu", shapes={"input": (1, 3, 33, 33)})
    assert found.passed and found.first_diverging is None
    names = [row.name for row in found.rows if row.is_kernel]
    assert len(names) == 20 and names[:3] == ["0", "4.conv1", "4.conv2"]


def test_layers_that_run_twice():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Conv1d(3, 3, 3, padding=1)

        def forward(self, x, scale, *, bias=None):
            y = self.layer(self.layer(x) * scale)
            return F.conv1d(y, self.layer.weight, bias).argmax(1), x

    inputs = {"scale": torch.tensor(2.0)}
    found = convoy.diff(Twice(), "torch", "cpu", shapes={"x": (2, 3, 9)}, inputs=inputs)
    assert found.passed
    assert [row.name for row in found.rows] == ["layer", "convolution_1", "convolution_2", "argmax"]


def test_fx_graphs():
    module = torch.fx.symbolic_trace(make_network())
    assert convoy.diff(module, "torch", "cpu", shapes=SHAPES).passed


def test_reports(tmp_path):
    found = convoy.diff(make_network(), "torch", "cpu", shapes=SHAPES)
    assert found._repr_html_().count("<tr") == 5
    described = found.to_json()
    assert [step["name"] for step in described["steps"]][:2] == ["stem", "middle"]
    assert described["steps"][0]["sides"][1]["verdict"] in ("exact", "explained")


def test_drawn_inputs():
    first, same, other = (
        convoy.torch.diff(make_network(), shapes=SHAPES, seed=seed).to_json() for seed in (1, 1, 2)
    )
    assert first == same != other


def test_errors():
    model = make_network()
    expect("expected a target for 'a' or 'b', but got torch twice", lambda: convoy.diff(model, "torch", "torch"))
    expect(
        "expected a target or torch for 'b' of a module, but got 'onnxruntime'",
        lambda: convoy.diff(model, "torch", "onnxruntime", shapes=SHAPES),
    )
    expect("expected a target or torch for 'a', but got 5", lambda: convoy.diff(model, 5))
    expect("expected a target or torch for 'b', but got 5", lambda: convoy.torch.diff(model, b=5))
    expect("expected a torch.nn.Module, but got 'a.onnx'", lambda: convoy.torch.diff("a.onnx"))
    expect("expected the inputs x, but got none", lambda: convoy.diff(model, "torch", "cpu"))
    expect(
        "expected the inputs x, but got x, y",
        lambda: convoy.torch.diff(model, inputs={"x": torch.ones(1), "y": torch.ones(1)}),
    )
    expect("expected a tensor for 'x', but got 'a'", lambda: convoy.torch.diff(model, inputs={"x": "a"}))
    expect("expected a dictionary for 'shapes', but got 5", lambda: convoy.torch.diff(model, shapes=5))
    expect("expected a dictionary for 'inputs', but got 5", lambda: convoy.torch.diff(model, inputs=5))
    with pytest.raises(convoy.Error, match="^torch.export refuses the module: [^\n]*$"):
        convoy.torch.diff(model, shapes={"x": (2, 4, 8, 7)})
    with pytest.raises(convoy.Error, match="^stem on cpu:nonsense: "):
        convoy.torch.diff(model, b="cpu:nonsense", shapes=SHAPES)
    with pytest.raises(convoy.DeviceError, match="^stem on vulkan:77: "):
        convoy.torch.diff(model, b="vulkan:77", shapes=SHAPES)


def test_graphs_of_graphs():
    class Branch(nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    with pytest.raises(convoy.Error, match="^expected a module of ops, but 'true_graph_0' runs another graph$"):
        convoy.torch.diff(Branch(), inputs={"x": torch.ones(3)})


def test_modules_without_kernels():
    found = convoy.torch.diff(nn.Linear(3, 4), inputs={"input": torch.ones(2, 3)})
    assert found.passed and not any(row.is_kernel for row in found.rows)
