"""Concatenations that are one kernel with what they put together."""

import numpy as np
import onnx
import pytest
from graphs import check_equal, check_within_bounds, draw_inputs, draw_integers, make_model
from onnx import helper

import convoy.onnx

SHAPE = (2, 3, 9, 7)


def node(op, reads, made, name="", **attributes):
    return helper.make_node(op, reads.split(), made.split(), name, **attributes)


def make(nodes, outputs=("y",), dtype=np.float32):
    """A convolution `a`, what `nodes` make of it, and one of the result, `c`."""
    constants = {
        "w": draw_integers((5, 3, 1, 1), 1, dtype=dtype),
        "w1": draw_integers((7, 5, 1, 1), 2, most=1, dtype=dtype),
        "w3": draw_integers((4, 5, 3, 3), 3, most=1, dtype=dtype),
        "wt": draw_integers((5, 6, 3, 3), 4, most=1, dtype=dtype),
        "b3": draw_integers((4,), 5, dtype=dtype),
    }
    first = node("Conv", "x w", "a", "first")
    return make_model([first, *nodes], {"x": (dtype, SHAPE)}, constants, dict.fromkeys(outputs, dtype))


BRANCHES = [
    node("Conv", "a w1", "p", "one"),
    node("Relu", "p", "pr", "relu"),
    node("Conv", "a w3 b3", "q", "three", pads=[1, 1, 1, 1]),
    node("MaxPool", "a", "r", "pool", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    node("ConvTranspose", "a wt", "s", "turned", pads=[1, 1, 1, 1]),
]
WHOLE = node("Concat", "pr q a r s", "y", "whole", axis=1)


@pytest.mark.parametrize("threads", (1, 2))
def test_joined(threads):
    plan = check_equal(make([*BRANCHES, WHOLE]), threads=threads)
    assert [str(step) for step in plan.steps] == [
        "first: Conv",
        "whole: Conv + Relu + Conv + MaxPool + ConvTranspose + Concat",
    ]
    assert plan.kernels[1].nodes == ("one", "relu", "three", "pool", "turned", "whole")
    assert plan.kernels[1].filters == ("filter_0", "filter_1", "filter_4")
    check_within_bounds(make([*BRANCHES, WHOLE]), threads=threads)


def test_halves():
    inputs = {"x": draw_integers(SHAPE, 1, dtype=np.float16)}
    assert len(check_equal(make([*BRANCHES, WHOLE], dtype=np.float16), inputs).kernels) == 2


@pytest.mark.parametrize("axis", (0, 2, -1))
def test_axes(axis):
    nodes = [
        node("Conv", "a w3", "q", "three", pads=[1, 1, 1, 1]),
        node("Conv", "a w3", "p", "other", pads=[1, 1, 1, 1]),
        node("Concat", "q p", "y", "whole", axis=axis),
    ]
    assert len(check_equal(make(nodes)).kernels) == 2


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_targets(target):
    assert len(check_equal(make([*BRANCHES, WHOLE]), target=target).kernels) == 2


def test_left_alone():
    """What others read, too, what is read twice, sums of pools, and more behind it."""
    read = [*BRANCHES[:2], node("Concat", "pr a", "c", axis=1), node("Add", "pr pr", "z")]
    assert len(check_equal(make([*read, node("Neg", "c", "y")], ["y", "z"])).kernels) == 4
    assert len(check_equal(make([*BRANCHES[:2], node("Concat", "pr pr", "y", axis=1)])).kernels) == 3
    given = [*BRANCHES[:2], node("Concat", "pr a", "y", axis=1)]
    assert len(check_equal(make(given, ["y", "pr"])).kernels) == 3
    means = [node("GlobalAveragePool", "a", "m"), node("Concat", "m m", "y", axis=1)]
    assert len(check_within_bounds(make(means)).kernels) == 3
    relu = [*BRANCHES[:1], node("Concat", "p a", "c", axis=1), node("Relu", "c", "y")]
    assert len(check_equal(make(relu)).kernels) == 3


def test_values_of_their_own(tmp_path):
    """What is compared, or traced, is computed by itself."""
    proto = make([*BRANCHES, WHOLE])
    model = convoy.onnx.load(proto, joins=False)
    inputs = draw_inputs(model)
    session = model.compile()
    assert len(session.plan.kernels) == 6
    found = session.trace(inputs, ["pr", "q"])
    assert found["pr"].shape == (2, 7, 9, 7) and found["q"].shape == (2, 4, 9, 7)
    names = [step.name for step in convoy.diff(proto, "cpu", "onnxruntime").rows]
    assert {"one", "three", "pool", "turned", "whole"} <= set(names)
    joined = convoy.onnx.compile(proto)
    with pytest.raises(convoy.Error, match="^expected a value that is written, but 'pr' is inside of"):
        joined.trace(inputs, ["pr"])
    compared = convoy.diff(proto, joined, "onnxruntime")
    assert [step.name for step in compared.rows] == ["first", "whole"]
    with pytest.raises(convoy.Error, match="^expected True or False for 'joins', but got 1$"):
        convoy.onnx.load(proto, joins=1)


def test_sigmoids():
    """ONNX Runtime's Sigmoid has digits of 1 alone."""
    nodes = [
        node("Conv", "a w1 b1", "p", "one"),
        node("Sigmoid", "p", "s"),
        node("Concat", "s a", "y", "whole", axis=1),
    ]
    proto = make(nodes)
    proto.graph.initializer.append(
        onnx.numpy_helper.from_array(np.full(7, -40, np.float32), "b1")
    )
    plan = check_within_bounds(proto)
    assert [kernel.ends for kernel in plan.kernels] == [("Conv",), ("Sigmoid",)]


def test_two_sessions():
    proto = make([*BRANCHES, WHOLE])
    apart = convoy.onnx.load(proto, joins=False).compile()
    with pytest.raises(convoy.Error, match="^expected a session for 'b' of a model that was loaded"):
        convoy.diff(proto, convoy.onnx.compile(proto), apart)


@pytest.mark.threshold
def test_small_kernels_have_one_thread():
    threads = []
    compile = convoy.Module.compile

    def record(self, **options):
        threads.append(options["threads"])
        return compile(self, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convoy.Module, "compile", record)
        convoy.onnx.compile(make([*BRANCHES, WHOLE]), threads=2)
        large = {"x": (np.float32, (1, 64, 40, 40))}
        filters = {"w": draw_integers((64, 64, 3, 3))}
        convoy.onnx.compile(
            make_model([node("Conv", "x w", "y", "large")], large, filters, ["y"]), threads=2
        )
    assert threads == [1, 1, 2]


def test_saved(tmp_path):
    proto = make([*BRANCHES, WHOLE])
    model = convoy.onnx.load(proto)
    files = tmp_path / "net.so", tmp_path / "net.json"
    model.save(files[0], manifest=files[1])
    inputs = draw_inputs(model)
    expected = model.compile().run_reference(inputs)
    np.testing.assert_array_equal(convoy.onnx.load_compiled(*files).run(inputs)["y"], expected["y"])
