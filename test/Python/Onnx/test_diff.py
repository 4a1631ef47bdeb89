"""Networks on two sides, step by step."""

import json
import subprocess
import sys

import numpy as np
import onnx
import pytest
from graphs import draw_integers, draw_normal, make_model
from onnx import helper
from test_errors import expect

import convoy
import convoy.onnx

PAD = {"pads": [1, 1, 1, 1]}


def make_network(bias=False):
    """A stem, a residual, a pool that is left, and a last layer with a normalization
    that is in its filter."""
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["a"], "stem", **PAD),
        helper.make_node("Relu", ["a"], ["r"], "stem_relu"),
        helper.make_node("Conv", ["r", "w1"], ["c"], "middle", **PAD),
        helper.make_node("Add", ["c", "r"], ["s"], "sum"),
        helper.make_node("Relu", ["s"], ["d"], "middle_relu"),
        helper.make_node("LpPool", ["d"], ["p"], "pool", kernel_shape=[2, 2], p=1),
        helper.make_node("Conv", ["p", "w2"], ["e"], "last", **PAD),
        helper.make_node("BatchNormalization", ["e", *"gbmv"], ["y"], "normalization"),
    ]
    shapes = {"w0": (6, 3, 3, 3), "w1": (6, 6, 3, 3), "w2": (5, 6, 3, 3)}
    constants = {name: draw_normal(shape, seed) for seed, (name, shape) in enumerate(shapes.items())}
    constants |= {name: draw_normal((5,), seed) for seed, name in enumerate("gbm")}
    constants["v"] = np.abs(draw_normal((5,), 7)) + 1
    return make_model(nodes, {"x": (1, 3, 8, 7)}, constants, ["y"])


def break_kernel(session, name, old="arith.maximumf", new="arith.minimumf"):
    (kernel,) = [kernel for kernel in session.plan.kernels if kernel.name == name]
    assert old in kernel.text
    session.replace(name, convoy.Module.parse(kernel.text.replace(old, new, 1)))


def make_broken(target="cpu"):
    session = convoy.onnx.compile(make_network(), target=target)
    break_kernel(session, "middle")
    return session


def test_a_right_model():
    found = convoy.diff(make_network(), "cpu", "vulkan")
    assert found.passed and found.first_wrong is None and found.first_diverging is None
    assert found.sides == ("cpu", "vulkan")
    assert [row.name for row in found.rows] == ["stem", "middle", "pool", "last"]
    stem, middle, pool, last = found.rows
    assert stem.inherited == pool.introduced == 0 and pool.sides[0].report is None
    for row in (stem, middle, last):
        assert all(side.report.passed and side.report.worst_ratio > 0 for side in row.sides)
    for row in found.rows:
        assert row.total <= (row.introduced + row.inherited) * 1.0001 < 1e-4 < row.largest
    assert str(found).endswith(
        "first step outside its bound: none\nfirst step with half of its digits lost: none"
    )


def test_a_broken_kernel():
    found = convoy.diff(make_network(), "cpu", make_broken("vulkan"))
    assert [row.is_right for row in found.rows] == [True, False, True, True]
    assert found.first_wrong is found.first_diverging is found.rows[1]
    assert not found.passed and found.sides[1] == "vulkan with middle replaced"
    stem, middle, pool, last = found.rows
    assert middle.introduced > 0.1 > 1e-4 > middle.inherited
    assert last.inherited > 0.01 > last.introduced and pool.inherited > 0.01
    assert middle.sides[0].report.passed and not middle.sides[1].report.passed
    lines = str(found).splitlines()
    assert lines[0] == "a: cpu, b: vulkan with middle replaced"
    assert lines[-3] == "first step outside its bound: middle (vulkan with middle replaced)"
    assert lines[-2].startswith("    wrong; ")
    assert lines[-1] == "first step with half of its digits lost: middle (introduced)"


def test_what_comes_of_a_broken_kernel():
    """Others are right for what they read."""
    session = convoy.onnx.compile(make_network())
    break_kernel(session, "stem")
    found = convoy.diff(make_network(), session, "cpu")
    assert found.first_wrong.name == "stem" and not found.first_wrong.sides[0].is_right
    assert found.rows[1].is_right and found.rows[1].diverges
    assert found.rows[1].inherited > 1e-3 > found.rows[1].introduced


def test_what_has_no_bound():
    """A comparison goes on behind what cannot be judged, and what is still wrong is
    found."""
    x = np.full((1, 3, 8, 7), np.nan, np.float32)
    found = convoy.diff(make_network(), "cpu", "onnxruntime", inputs={"x": x})
    assert found.passed and found.first_diverging is None
    reason = "cannot check 'stem': nothing was checked: the reference has 336 nan, and no other element"
    assert f"not compared with bounds: 3 steps: {reason}\n" in str(found)
    for side, described in zip(found.rows[0].sides, found.to_json()["steps"][0]["sides"]):
        assert side.report is None and side.refusal == reason
        assert described == {"right": True, "refusal": reason}
    session = convoy.onnx.compile(make_network())
    break_kernel(session, "stem", "arith.maximumf", "arith.maxnumf")
    found = convoy.diff(make_network(), "cpu", session, inputs={"x": x})
    assert found.first_wrong is found.rows[0]
    assert [side.is_right for side in found.rows[0].sides] == [True, False]


def test_what_has_no_bound_and_differs(monkeypatch):
    def refuse(*_):
        raise convoy.Error("there is no memory")

    monkeypatch.setattr("convoy.onnx._call.Call.check_result", refuse)
    found = convoy.diff(make_network(), "cpu", make_broken())
    assert [side.is_right for side in found.first_wrong.sides] == [True, False]
    lines = str(found).splitlines()
    assert lines[-4] == "not compared with bounds: 3 steps: there is no memory"
    assert lines[-3] == "first step outside its bound: middle (cpu with middle replaced)"
    assert lines[-2].startswith("    differs by ") and lines[-2].endswith(" from the other side")


def test_values():
    x = draw_normal((1, 3, 8, 7), 5)
    model = make_network()
    found = convoy.diff(model, "cpu", "onnxruntime", inputs={"x": x})
    session = convoy.onnx.compile(model)
    last = found.rows[-1]
    np.testing.assert_array_equal(last.sides[0].values["y"], session.run({"x": x})["y"])
    expected = session.run_reference({"x": x})["y"]
    np.testing.assert_allclose(last.sides[1].values["y"], expected, rtol=1e-5, atol=1e-5)
    assert found.rows[0].sides[0].values["r"].shape == (1, 6, 8, 7)


def test_onnx_runtime():
    found = convoy.diff(make_network(), "onnxruntime", "cpu")
    assert found.passed and found.sides == ("onnxruntime", "cpu")
    stem, _, _, last = found.rows
    assert stem.sides[0].report.passed and stem.sides[1].report.passed
    # Its filter is another one where the normalization is in it.
    assert last.sides[0].report is None and last.sides[0].is_right
    found = convoy.diff(make_network(), make_broken(), "onnxruntime")
    assert found.first_wrong.name == "middle"
    assert [side.is_right for side in found.first_wrong.sides] == [False, True]


def test_nodes_that_a_kernel_does_not_mean():
    """A kernel may be as its IR says, and that not mean what its nodes do."""
    loaded = convoy.onnx.load(make_network())
    session = loaded.compile()
    filter = session.plan.kernels[-1].operands[1].constant
    filter *= 2
    found = convoy.diff(make_network(), loaded.compile(), "onnxruntime")
    row = found.first_wrong
    assert row.name == "last" and row.sides[0].is_right and row.sides[1].report is None
    assert " from the other side, which computes what its IR says\n" in str(found)


def test_integers():
    nodes = [
        helper.make_node("QLinearConv", ["x", "xs", "z", "w", "ws", "z", "ys", "z"], ["a"], "first", **PAD),
        helper.make_node("QLinearConv", ["a", "xs", "z", "v", "ws", "z", "ys", "z"], ["y"], "second"),
    ]
    constants = {
        "w": draw_integers((6, 3, 3, 3), 1, 60, np.int8),
        "v": draw_integers((4, 6, 3, 3), 2, 60, np.int8),
        "xs": np.float32(0.5),
        "ws": np.float32(0.01),
        "ys": np.float32(2),
        "z": np.int8(0),
    }
    model = make_model(nodes, {"x": (np.int8, (1, 3, 6, 5))}, constants, ["y"])
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.INT8
    inputs = {"x": draw_integers((1, 3, 6, 5), 3, 100, np.int8)}
    for other in ("vulkan", "onnxruntime"):
        found = convoy.diff(model, "cpu", other, inputs=inputs)
        assert found.passed and all(row.total == 0 for row in found.rows)


def test_cpus_and_threads():
    found = convoy.diff(make_network(), "cpu:x86-64", "cpu", threads=2)
    assert found.passed and found.sides == ("cpu:x86-64", "cpu")


def test_drawn_inputs():
    first, same, other = (convoy.diff(make_network(), "cpu", "cpu", seed=seed) for seed in (1, 1, 2))
    values = [found.rows[0].sides[0].values["r"] for found in (first, same, other)]
    np.testing.assert_array_equal(values[0], values[1])
    assert (values[0] != values[2]).any()
    assert all(row.total == 0 for row in first.rows)


def test_values_that_are_lists():
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("SplitToSequence", ["a"], ["s"], "split", axis=2),
        helper.make_node("ConcatFromSequence", ["s"], ["y"], "concat", axis=3),
        helper.make_node("ArgMax", ["a"], ["i"], "argmax", axis=1),
    ]
    model = make_model(nodes, {"x": (1, 3, 6, 7)}, {"w": draw_normal((2, 3, 3, 3))}, ["y", "s", "i"])
    del model.graph.output[1:]
    model.graph.output.append(onnx.ValueInfoProto(name="i"))
    session = convoy.onnx.compile(model)
    found = convoy.diff(model, session, "onnxruntime")
    assert found.passed and found.first_diverging is None


def test_replaced_kernels_are_checked():
    session = make_broken()
    x = draw_normal((1, 3, 8, 7))
    assert session.replaced == ("middle",)
    assert [report.passed for report in session.check({"x": x})] == [True, False, True]
    expected = convoy.onnx.compile(make_network()).run({"x": x})["y"]
    assert (session.run({"x": x})["y"] != expected).any()
    (kernel,) = [one for one in session.plan.kernels if one.name == "middle"]
    session.replace("middle", convoy.Module.parse(kernel.text).run("canonicalize"))
    np.testing.assert_array_equal(session.run({"x": x})["y"], expected)


def test_replacements_that_do_not_fit(tmp_path):
    session = convoy.onnx.compile(make_network())
    first, second, *_ = (convoy.Module.parse(kernel.text) for kernel in session.plan.kernels)
    expect("^expected one of the kernels stem, middle, last, but got 'none'$", session.replace, "none", first)
    expect("^expected a convoy.Module for 'stem', but got 5$", session.replace, "stem", 5)
    sentence = r"^expected a function of float32 \(1, 3, 8, 7\), .* for 'stem', but got float32 "
    expect(sentence, session.replace, "stem", second)
    session.replace("stem", first)
    sentence = "^expected a session with its own kernels to save, but 'stem' is replaced$"
    expect(sentence, session.save, tmp_path / "net.o")


def test_errors():
    model = make_network()
    sentence = "^expected a target or a session for 'a' or 'b', but got onnxruntime twice$"
    expect(sentence, convoy.diff, model, "onnxruntime", "onnxruntime")
    expect("^expected a target or a session for 'b', but got 5$", convoy.diff, model, "cpu", 5)
    expect("^expected a torch.nn.Module for the side .torch., but got .model.onnx.$", convoy.diff, "model.onnx", "torch", "cpu")
    other = convoy.onnx.compile(make_model(model.graph.node[:2], {"x": (1, 3, 8, 7)}, {"w0": draw_normal((6, 3, 3, 3))}, ["r"]))
    expect("^expected a session of the model for 'a', but got one of another$", convoy.diff, model, other)
    expect("^expected the inputs x, but got none$", convoy.diff, model, "cpu", "cpu", inputs={})
    expect("^expected a number from 0 to 18446744073709551615 for 'seed', but got -1$", convoy.diff, model, seed=-1)
    expect("^expected a number from 1 to 1024 for 'threads', but got 0$", convoy.diff, model, threads=0)
    expect("gpu", convoy.diff, model, "cpu", "gpu")
    found = convoy.diff(model, "cpu", "cpu")
    expect("^expected a path for 'path', but got NoneType$", found.save_html, None)
    nodes = [helper.make_node("StringNormalizer", ["x"], ["y"], "strings")]
    model = make_model(nodes, {"x": (4,)}, {}, ["y"])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = onnx.TensorProto.STRING
    expect("^expected 'inputs', since 'x' is no tensor of numbers$", convoy.diff, model, "cpu", "cpu")


def test_json():
    found = convoy.diff(make_network(), "cpu", make_broken()).to_json()
    found = json.loads(json.dumps(found, allow_nan=False))
    assert found["sides"] == ["cpu", "cpu with middle replaced"]
    assert found["first_wrong"] == {"step": "middle", "side": "cpu with middle replaced"}
    assert found["first_diverging"] == {"step": "middle"}
    middle = found["steps"][1]
    assert middle["nodes"] == ["middle", "sum", "middle_relu"] and middle["diverges"]
    assert middle["ops"] == "Conv, Add, Relu"
    assert middle["sides"][0]["verdict"] == "explained" and middle["sides"][0]["right"]
    assert middle["sides"][1]["wrong"] > 0 and middle["sides"][1]["worst"].startswith("result 0 [")
    assert found["steps"][2]["sides"] == [{"right": True}] * 2


def test_notebooks():
    found = convoy.diff(make_network(), "cpu", make_broken())
    text = found._repr_html_()
    assert text.count("<tr") == 5 and "first step outside its bound: middle" in text


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    model = make_network()
    for size, name in zip(model.graph.input[0].type.tensor_type.shape.dim, ("n", "", "h", "w")):
        if name:
            size.dim_param = name
    onnx.save(model, path)
    return path


def run(*words):
    done = subprocess.run(
        [sys.executable, "-m", "convoy.onnx", "diff", *map(str, words)], capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_tool(path, tmp_path):
    shape = "--shape=x=1x3x8x7"
    code, out, error = run(path, shape, "--targets=cpu,onnxruntime")
    assert (code, error) == (0, "")
    assert out.startswith("a: cpu, b: onnxruntime\nstep ")
    np.save(tmp_path / "x.npy", np.full((1, 3, 8, 7), np.nan, np.float32))
    code, out, error = run(path, shape, "--targets=cpu,vulkan", "--json=-", f"--input=x={tmp_path}/x.npy")
    assert (code, error) == (0, "") and json.loads(out)["sides"] == ["cpu", "vulkan"]
    code, out, error = run(path, shape, "--targets=cpu,cpu", f"--json={tmp_path}/diff.json")
    assert (code, error) == (0, "") and out.startswith("a: cpu, b: cpu\n")
    assert json.loads((tmp_path / "diff.json").read_text())["first_wrong"] is None


def test_what_the_tool_exits_with(path, monkeypatch, capsys):
    from convoy.onnx import _diff_tool

    words = [str(path), "--shape=x=1x3x8x7"]
    broken = make_broken()
    compare = convoy.onnx.diff
    monkeypatch.setattr(convoy.onnx, "diff", lambda model, a, b, **options: compare(model, a, broken, **options))
    assert _diff_tool.main(words) == 2
    assert "first step outside its bound: middle" in capsys.readouterr().out

    def lose(*_, **__):
        raise convoy.DeviceError("there is no such device")

    monkeypatch.setattr(convoy.onnx, "diff", lose)
    assert _diff_tool.main(words) == 3
    assert capsys.readouterr() == ("", "convoy-diff-onnx: there is no such device\n")


@pytest.mark.parametrize(
    "words, sentence",
    (
        (["none.onnx"], "cannot read 'none.onnx': "),
        ([], "the following arguments are required: MODEL.onnx"),
        (["MODEL", "--targets=cpu"], "expected two targets for '--targets', but got 'cpu'"),
        (["MODEL", "--targets=cpu,"], "expected two targets for '--targets', but got 'cpu,'"),
        (["MODEL", "--input=x"], "expected an input as in x=x.npy for '--input', but got 'x'"),
        (["MODEL", "--input=x=none.npy"], "cannot read 'none.npy': No such file or directory"),
        (["MODEL", "--input=x=MODEL"], "cannot read "),
        (["MODEL", "--shape=x=1x3x8x7", "--targets=cpu,cpu", "--json=none/a.json"], "cannot write 'none/a.json': "),
    ),
)
def test_errors_of_the_tool(path, words, sentence):
    code, out, error = run(*(word.replace("MODEL", str(path)) for word in words))
    assert (code, out) == (1, "")
    assert error.startswith(f"convoy-diff-onnx: {sentence}") and error.count("\n") == 1
