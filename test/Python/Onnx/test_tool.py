"""convoy-import-onnx, and the files that it writes."""

import json
import os
import subprocess
import sys

import numpy as np
import onnx
import pytest
from graphs import draw_integers, make_model
from onnx import helper

import convoy
import convoy.onnx


def run(*words):
    done = subprocess.run([sys.executable, "-m", "convoy.onnx", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_version():
    assert run("--version") == (0, f"{convoy.__version__}\n", "")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["a"], "block/conv", group=2),
        helper.make_node("Relu", ["a"], ["r"], "relu"),
        helper.make_node("LpPool", ["r"], ["m"], "pool", kernel_shape=[2, 2], p=1),
        helper.make_node("ConvTranspose", ["m", "v"], ["c"], "up", strides=[2, 2]),
    ]
    constants = {
        "w": draw_integers((6, 2, 3, 2), 1),
        "b": draw_integers((6,), 2),
        "v": draw_integers((6, 1, 2, 2), 3),
    }
    model = make_model(nodes, {"x": ("n", 4, "h", 7)}, constants, ["c"])
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(model, path)
    return path


def test_plan(path):
    code, out, error = run(path, "--shape", "x=1x4x8x7")
    assert (code, error) == (0, "")
    assert out.splitlines() == [
        "block_conv: Conv + Relu",
        "left: LpPool",
        "up: ConvTranspose",
        "3 nodes in 2 kernels, 1 left in 1 parts, 0 transpositions",
    ]


def test_files(path, tmp_path):
    folder = tmp_path / "new" / "folder"
    code, _, error = run(path, "--shape", "x=1x4x8x7", "-o", folder)
    assert (code, error) == (0, "")
    assert sorted(file.name for file in folder.iterdir()) == [
        "block_conv.bias.npy",
        "block_conv.filter.npy",
        "block_conv.mlir",
        "part0.onnx",
        "plan.json",
        "up.filter.npy",
        "up.mlir",
    ]
    for name in ("block_conv", "up"):
        command = ["convoy-run", folder / f"{name}.mlir", "--check", "--data=int"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "1 passed, 0 failed" in done.stdout
    plan = json.loads((folder / "plan.json").read_text())
    assert plan["model"] == "model.onnx" and plan["outputs"] == ["c"]
    assert plan["inputs"] == {"x": [1, 4, 8, 7]} and plan["left"] == {}
    first, part, last = plan["steps"]
    assert first["nodes"] == ["block/conv", "relu"] and first["kernel"] == "block_conv"
    assert part["file"] == "part0.onnx" and part["nodes"] == ["pool"]
    assert last["operands"][0] == {"name": "input", "shape": [1, 6, 5, 5], "value": "m", "channels": "first"}


def test_files_run(path, tmp_path):
    """What is written is the whole network."""
    model = convoy.onnx.load(path, shapes={"x": (1, 4, 8, 7)})
    model.export(tmp_path)
    x = draw_integers((1, 4, 8, 7), 5)
    values = {"x": x}
    for step in json.loads((tmp_path / "plan.json").read_text())["steps"]:
        if "kernel" not in step:
            import onnxruntime

            session = onnxruntime.InferenceSession(tmp_path / step["file"])
            values |= dict(zip(step["outputs"], session.run(step["outputs"], {n: values[n] for n in step["inputs"]})))
            continue
        operands = [
            np.load(tmp_path / one["file"]) if "file" in one else values[one["value"]].reshape(one["shape"])
            for one in step["operands"]
        ]
        result = convoy.Module.read(tmp_path / step["file"]).compile()(*operands)
        value = step["result"]["value"]
        values[value] = result.reshape(model.plan.kernels[len(values) > 2].shape)
    (expected,) = model.compile().run_reference({"x": x}).values()
    np.testing.assert_array_equal(values["c"], expected)


def test_libraries(path, tmp_path):
    files = {end: tmp_path / f"net.{end}" for end in ("o", "a", "so", "h", "json")}
    words = ["--shape", "x=1x4x8x7", "--header", files["h"], "--manifest", files["json"]]
    for end in ("o", "a", "so"):
        code, out, error = run(path, "-o", files[end], *words, "--cpu", "x86-64", "--threads", "2")
        assert (code, error) == (0, "") and out.endswith("0 transpositions\n")
        assert files[end].stat().st_size
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "net.a",
        "net.h",
        "net.json",
        "net.o",
        "net.part0.onnx",
        "net.so",
    ]
    model = convoy.onnx.load_compiled(files["so"], files["json"])
    x = draw_integers((1, 4, 8, 7), 5)
    expected = convoy.onnx.compile(path, shapes={"x": x.shape}).run_reference({"x": x})
    np.testing.assert_array_equal(model.run({"x": x})["c"], expected["c"])


@pytest.mark.parametrize(
    "words, sentence",
    (
        (["none.onnx"], "cannot read 'none.onnx': "),
        ([], "the following arguments are required: MODEL.onnx"),
        (["MODEL"], "expected sizes for the input 'x' of shape (n, 4, h, 7), as in "),
        (["MODEL", "--shape", "x"], "expected a shape as in x=1x3x640x640 for '--shape', but got 'x'"),
        (["MODEL", "--shape", "x=1xax2"], "expected a shape as in x=1x3x640x640 for '--shape', but got 'x=1xax2'"),
        (["MODEL", "--other"], "unrecognized arguments: --other"),
        (["MODEL", "--shape", "x=1x4x8x7", "-o", "MODEL"], "cannot write '"),
        (
            ["MODEL", "--shape", "x=1x4x8x7", "--header", "net.h"],
            "expected a name that ends in .o, .a or .so for '-o' with '--header', but got none",
        ),
        (
            ["MODEL", "--shape", "x=1x4x8x7", "-o", "net", "--cpu", "host"],
            "expected a name that ends in .o, .a or .so for '-o' with '--cpu', but got 'net'",
        ),
        (["MODEL", "--shape", "x=1x4x8x7", "-o", "net.o", "--threads", "0"], "expected a number from 1 to "),
        (["MODEL", "--threads", "x"], "argument --threads: "),
    ),
)
def test_errors(path, words, sentence):
    code, out, error = run(*(path if word == "MODEL" else word for word in words))
    assert (code, out) == (1, "")
    assert error.startswith(f"convoy-import-onnx: {sentence}") and error.count("\n") == 1


@pytest.mark.parametrize("package", ("onnx", "onnxruntime"))
def test_without_the_packages(package, tmp_path):
    (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})\n")
    paths = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    sentence = f"expected the packages onnx and onnxruntime, but there is no {package} (pip install 'convoy[onnx]')"

    def call(*words):
        command = [sys.executable, *words]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths})

    start = "import sys, convoy.onnx._tool; sys.exit(convoy.onnx._tool.main(['model.onnx']))"
    for words in (["-m", "convoy.onnx", "model.onnx"], ["-c", start]):
        done = call(*words)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"convoy-import-onnx: {sentence}\n"
    done = call("-m", "convoy.onnx", "diff", "model.onnx")
    assert (done.returncode, done.stderr) == (1, f"convoy-diff-onnx: {sentence}\n")
    uses = ["import convoy.onnx; convoy.onnx.load('model.onnx')", "from convoy.onnx import compile"]
    for use in (*uses, "import convoy; convoy.diff('model.onnx')"):
        assert call("-c", use).stderr.splitlines()[-1] == f"convoy.Error: {sentence}"
    assert call("-m", "convoy.onnx", "--help").returncode == 0
