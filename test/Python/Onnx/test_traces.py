"""Values in the middle of models."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from graphs import draw_normal, make_model
from onnx import helper
from test_errors import expect

import convoy
import convoy.onnx
from convoy.onnx._values import show_values, summarize

PAD = {"pads": [1, 1, 1, 1]}
X = draw_normal((1, 3, 8, 7), 5)


def make_network():
    """Two convolutions, between which channels lie last, and what is left."""
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["a"], "stem", **PAD),
        helper.make_node("Relu", ["a"], ["r/0"], "stem_relu"),
        helper.make_node("Conv", ["r/0", "w1"], ["c"], "middle", **PAD),
        helper.make_node("LpPool", ["c"], ["p"], "pool", kernel_shape=[2, 2], p=1),
        helper.make_node("ArgMax", ["p"], ["i"], "argmax", axis=1, keepdims=0),
        helper.make_node("Cast", ["i"], ["y"], "cast", to=onnx.TensorProto.FLOAT),
    ]
    constants = {"w0": draw_normal((6, 3, 3, 3), 1), "w1": draw_normal((5, 6, 3, 3), 2)}
    return make_model(nodes, {"x": (1, 3, 8, 7)}, constants, ["y"])


def compute(names):
    """What ONNX Runtime alone has of values."""
    model = make_network()
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    return convoy.onnx.compile(model).run_reference({"x": X})


@pytest.mark.parametrize("target", ("cpu", "vulkan"))
def test_values(target):
    session = convoy.onnx.compile(make_network(), target=target)
    plan = str(session.plan)
    found = session.trace({"x": X}, ["r/0", "middle", "argmax", "y", "x", "pool"])
    assert list(found) == ["r/0", "c", "i", "y", "x", "p"]
    expected = compute(["r/0", "c", "i", "p"])
    for name in ("r/0", "c", "p"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(found["i"], expected["i"])
    np.testing.assert_array_equal(found["x"], X)
    # What is read for what is left lies inside of one part.
    assert str(session.plan) == plan == str(convoy.onnx.load(make_network()).plan)


def test_values_are_copies():
    session = convoy.onnx.compile(make_network())
    found = session.trace({"x": X}, ["all"])
    assert list(found) == ["r/0", "c", "y"]
    before = found["r/0"].copy()
    session.run({"x": -X})
    np.testing.assert_array_equal(found["r/0"], before)


def test_two_sides():
    found = convoy.onnx.diff(make_network(), "cpu", "onnxruntime", inputs={"x": X}, trace=("stem", "p"))
    a, b = found.traces
    assert list(a) == list(b) == ["r/0", "p"]
    np.testing.assert_array_equal(a["r/0"], found.rows[0].sides[0].values["r/0"])
    expected = compute(["r/0", "p"])
    np.testing.assert_array_equal(b["r/0"], expected["r/0"])
    np.testing.assert_array_equal(b["p"], expected["p"])
    assert convoy.onnx.diff(make_network(), "cpu", "cpu").traces == ({}, {})


def test_errors(tmp_path):
    session = convoy.onnx.compile(make_network())
    trace = session.trace
    expect("^expected a list of names for 'trace', but got 'stem'$", trace, {"x": X}, "stem")
    expect("^expected a text for 'trace', but got 5$", trace, {"x": X}, [5])
    sentence = "^expected a value, a node or a kernel of the model, but got 'pol', to which 'pool' is nearest$"
    expect(sentence, trace, {"x": X}, ["pol"])
    expect(sentence, convoy.onnx.diff, make_network(), "cpu", "cpu", trace=["pol"])
    sentence = "^expected a value that is written, but 'a' is inside of the kernel 'stem', which writes 'r/0'$"
    expect(sentence, trace, {"x": X}, ["a"])


@pytest.mark.parametrize(
    "value, text",
    (
        (np.float32([[1, 3]]), "1x2xf32  min 1, max 3, mean 2, 0 nan, 0 inf, histogram 1 0 0 0 0 0 0 0 0 1"),
        (np.int8([2, 2]), "2xi8  min 2, max 2, mean 2, 0 nan, 0 inf, histogram 2 0 0 0 0 0 0 0 0 0"),
        (np.array(True), "bool  min 1, max 1, mean 1, 0 nan, 0 inf, histogram 1 0 0 0 0 0 0 0 0 0"),
        (np.float16([np.nan, -np.inf, 3]), "3xf16  min 3, max 3, mean 3, 1 nan, 1 inf, histogram 1 0 0 0 0 0 0 0 0 0"),
        (np.zeros((0, 2)), "0x2xf64  min nan, max nan, mean nan, 0 nan, 0 inf, histogram 0 0 0 0 0 0 0 0 0 0"),
        (np.float64([-1e308, 1e308]), "2xf64  min -1e+308, max 1e+308, mean 0, 0 nan, 0 inf, histogram 1 0 0 0 0 0 0 0 0 1"),
        ([np.zeros(1)], "[array([0.])]"),
    ),
)
def test_summaries(value, text):
    assert summarize(value) == text
    assert show_values({"a": value, "long": value}) == [f"    a     {text}", f"    long  {text}"]


def run(*words):
    done = subprocess.run([sys.executable, "-m", "convoy.onnx", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(make_network(), path)
    return path


def test_run(path, tmp_path):
    code, out, error = run("run", path)
    assert (code, error) == (0, "")
    assert out.splitlines()[0] == f"ran  cpu {path}"
    assert out.splitlines()[1].startswith("    y  1x7x6xf32  min 0, max ")
    np.save(tmp_path / "x.npy", X)
    words = ["run", path, f"--input=x={tmp_path}/x.npy", "--target=cpu:haswell", "--trace=stem,c", "--trace=p"]
    code, out, error = run(*words, f"--trace-dir={tmp_path}/new/values")
    assert (code, error) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["r/0", "c", "p"]
    assert sorted(file.name for file in (tmp_path / "new/values").iterdir()) == ["c.npy", "p.npy", "r_0.npy"]
    expected = compute(["r/0"])
    np.testing.assert_allclose(np.load(tmp_path / "new/values/r_0.npy"), expected["r/0"], rtol=1e-5, atol=1e-5)


def test_inputs_have_sizes(tmp_path):
    model = make_network()
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_param = "h"
    onnx.save(model, tmp_path / "free.onnx")
    np.save(tmp_path / "x.npy", X)
    words = [tmp_path / "free.onnx", f"--input=x={tmp_path}/x.npy"]
    assert run("run", *words)[::2] == (0, "")
    assert run("diff", *words, "--targets=cpu,onnxruntime")[::2] == (0, "")
    assert "--shape x=1x3x224x224" in run("run", words[0])[2]


def test_run_draws_inputs(path, tmp_path):
    for seed in (1, 2):
        assert run("run", path, f"--seed={seed}", "--trace=x", f"--trace-dir={tmp_path}/{seed}")[0] == 0
    one, other = (np.load(tmp_path / seed / "x.npy") for seed in "12")
    np.testing.assert_array_equal(one, convoy.onnx.load(make_network()).generate(1)["x"])
    assert (one != other).any()


def test_diff(path, tmp_path):
    words = ["diff", path, "--targets=cpu,onnxruntime"]
    code, out, error = run(*words, "--trace=stem,i")
    assert (code, error) == (0, "")
    lines = out.splitlines()[-6:]
    assert lines[0] == "a: cpu" and lines[3] == "b: onnxruntime"
    assert [line.split()[0] for line in (*lines[1:3], *lines[4:])] == ["r/0", "i"] * 2
    code, out, error = run(*words, f"--trace-dir={tmp_path}")
    assert (code, error) == (0, "")
    for side in "ab":
        assert sorted(file.name for file in (tmp_path / side).iterdir()) == ["c.npy", "r_0.npy", "y.npy"]
    code, out, error = run(*words, "--json=-", "--trace=stem")
    assert (code, error) == (0, "") and out.startswith("{") and out.endswith("}\n")


def test_names_that_are_the_same_for_files(tmp_path):
    from convoy.onnx._values import write_values

    write_values({"a/b": X, "a.b": -X}, str(tmp_path))
    np.testing.assert_array_equal(np.load(tmp_path / "a_b.npy"), X)
    np.testing.assert_array_equal(np.load(tmp_path / "a_b_2.npy"), -X)
    sentence = r"^expected numbers to write, but 's' is \[\]$"
    expect(sentence, write_values, {"s": []}, str(tmp_path))
    expect("^cannot write ", write_values, {"a": X}, str(tmp_path / "a_b.npy"))


@pytest.mark.parametrize(
    "words, code, sentence",
    (
        (["none.onnx"], 1, "cannot read 'none.onnx': "),
        ([], 1, "the following arguments are required: MODEL.onnx"),
        (["MODEL", "--trace=pol"], 1, "expected a value, a node or a kernel of the model, but got 'pol', "),
        (["MODEL", "--input=x"], 1, "expected an input as in x=x.npy for '--input', but got 'x'"),
        (["MODEL", "--shape=x=1x2", "--shape=x=1x2"], 1, "expected one shape for 'x' for '--shape', but got two"),
        (["MODEL", "--seed=-1"], 1, "expected a number from 0 to "),
        (["MODEL", "--target=none"], 1, "stem: "),
        (["MODEL", "--target=vulkan:77"], 3, "stem: "),
        (["MODEL", "--trace-dir=MODEL/values"], 1, "cannot write "),
    ),
)
def test_errors_of_the_tool(path, words, code, sentence):
    found = run("run", *(word.replace("MODEL", str(path)) for word in words))
    assert found[:2] == (code, "")
    assert found[2].startswith(f"convoy-run-onnx: {sentence}") and found[2].count("\n") == 1
