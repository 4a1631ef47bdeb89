"""Models whose convolutions Winograd's algorithm computes."""

import numpy as np
import pytest
from graphs import check_within_bounds, draw_inputs, draw_normal, make_model
from onnx import helper

import convoy.onnx
from convoy.onnx._run_tool import main as run
from convoy.onnx._tool import main as import_model

SHAPE = (1, 16, 24, 24)
PAD = {"pads": [1, 1, 1, 1]}


def make_network():
    """A residual, a convolution that only products can make, and a Concat."""
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b"], ["a"], "first", **PAD),
        helper.make_node("Relu", ["a"], ["r"], "relu"),
        helper.make_node("Conv", ["r", "w1"], ["c"], "second", **PAD),
        helper.make_node("Add", ["c", "a"], ["s"], "sum"),
        helper.make_node("Conv", ["s", "w2"], ["d"], "strided", strides=[2, 2], **PAD),
        helper.make_node("Conv", ["d", "w3"], ["e"], "left", **PAD),
        helper.make_node("Conv", ["d", "w4"], ["f"], "right"),
        helper.make_node("Concat", ["e", "f"], ["y"], "whole", axis=1),
    ]
    shapes = {
        "w0": (32, 16, 3, 3),
        "w1": (32, 32, 3, 3),
        "w2": (32, 32, 3, 3),
        "w3": (48, 32, 3, 3),
        "w4": (16, 32, 1, 1),
    }
    constants = {name: draw_normal(shape, number) for number, (name, shape) in enumerate(shapes.items())}
    constants["b"] = draw_normal((32,), 9)
    return make_model(nodes, {"x": SHAPE}, constants, ["y"])


def explain(session):
    """By kernel, what its convolutions are computed by."""
    calls = {step.kernel.name: step for step in session.steps}
    return {
        name: "".join(line for line in call._source.explain().splitlines() if "Winograd" in line)
        for name, call in calls.items()
    }


@pytest.mark.parametrize("threads", (1, 2))
def test_auto(threads):
    proto = make_network()
    plan = check_within_bounds(proto, threads=threads, algorithm="auto")
    assert [kernel.name for kernel in plan.kernels] == ["first", "relu", "second", "strided", "whole"]
    session = convoy.onnx.compile(proto, algorithm="auto", threads=threads)
    found = explain(session)
    assert "computes tiles" in found["first"] and "computes tiles" in found["second"]
    assert "computes tiles" not in found["strided"]
    inputs = draw_inputs(convoy.onnx.load(proto), draw_normal)
    (expected,) = session.run_reference(inputs).values()
    (result,) = session.run(inputs).values()
    direct = convoy.onnx.compile(proto, threads=threads).run(inputs)["y"]
    largest = np.abs(expected).max()
    assert np.abs(result - expected).max() < 1e-4 * largest
    assert (result != direct).any()


def test_saved(tmp_path):
    session = convoy.onnx.compile(make_network(), algorithm="auto")
    inputs = draw_inputs(convoy.onnx.load(make_network()), draw_normal)
    (result,) = session.run(inputs).values()
    for number, one in enumerate((session, convoy.onnx.load(make_network()))):
        paths = tmp_path / f"{number}.so", tmp_path / f"{number}.json"
        options = {} if one is session else {"algorithm": "auto"}
        one.save(paths[0], manifest=paths[1], **options)
        (again,) = convoy.onnx.load_compiled(*paths).run(inputs).values()
        np.testing.assert_array_equal(again, result)


def test_what_is_refused(tmp_path):
    with pytest.raises(convoy.Error, match="^first: expected direct, .* or auto for '--algorithm', but got 'fast'$"):
        convoy.onnx.compile(make_network(), algorithm="fast")
    model = convoy.onnx.load(make_network())
    with pytest.raises(convoy.Error, match="^expected direct, .* or auto for '--algorithm', but got 'fast'$"):
        model.save(tmp_path / "n.so", algorithm="fast")
    with pytest.raises(convoy.Error, match="^strided: cannot compile: .*its stride along 'h' is 2, not 1"):
        with pytest.warns(UserWarning, match="no algorithm is chosen: there is no convolution"):
            model.compile(algorithm="winograd")


def test_programs(tmp_path, capsys):
    path = tmp_path / "net.onnx"
    path.write_bytes(make_network().SerializeToString())
    assert run([str(path), "--algorithm=auto"]) == 0
    assert import_model([str(path), "-o", str(tmp_path / "net.so"), "--algorithm=auto"]) == 0
    capsys.readouterr()
    assert import_model([str(path), "-o", str(tmp_path), "--algorithm=auto"]) == 1
    assert "with '--algorithm', but got" in capsys.readouterr().err
