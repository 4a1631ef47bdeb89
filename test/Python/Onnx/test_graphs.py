"""Graphs: what is fused, what is left, and what is between."""

import concurrent.futures
import re

import numpy as np
import onnx
import pytest
from graphs import check_equal, draw_inputs, draw_integers, make_model, run_both
from onnx import TensorProto, helper, numpy_helper

import convoy
import convoy.onnx
from convoy.onnx import _fuse, _plan

PAD = {"pads": [1, 1, 1, 1]}


def conv(reads, made, name="", **attributes):
    return helper.make_node("Conv", reads.split(), [made], name, **(PAD | attributes))


def node(op, reads, made, name="", **attributes):
    return helper.make_node(op, reads.split(), made.split(), name, **attributes)


def weights(*names, shape=(3, 3, 3, 3)):
    return {name: draw_integers(shape, number, most=1) for number, name in enumerate(names)}


def make(nodes, names, inputs=None, outputs=("y",), **options):
    return make_model(nodes, inputs or {"x": (1, 3, 6, 7)}, weights(*names), outputs, **options)


def test_a_model_without_convolutions():
    plan = check_equal(make([node("Relu", "x", "y")], ""))
    assert not plan.kernels and [part.ops for part in plan.parts] == [("Relu",)]


def test_what_stands_between():
    nodes = [
        conv("x w", "a", "first"),
        node("LpPool", "a", "b", kernel_shape=[2, 2], p=1),
        conv("b v", "c", "second"),
        node("LpPool", "c", "y", kernel_shape=[2, 2], p=1),
    ]
    plan = check_equal(make(nodes, "wv", inputs={"x": (1, 3, 3, 3)}))
    assert [str(step) for step in plan.steps] == [
        "first: Conv",
        "left: LpPool",
        "second: Conv",
        "left: LpPool",
    ]
    assert str(plan).endswith("2 nodes in 2 kernels, 2 left in 2 parts, 0 transpositions")


def test_channels_lie_last_between_kernels():
    nodes = [conv("x w", "a"), node("Relu", "a", "b"), conv("b v", "c"), conv("c u", "y")]
    plan = check_equal(make(nodes, "wvu"))
    orders = [(kernel.operands[0].order, kernel.result.order) for kernel in plan.kernels]
    assert orders == [("first", "last"), ("last", "last"), ("last", "first")]


def test_operands_that_lie_otherwise():
    nodes = [conv("x w", "a"), node("Add", "a x", "b"), conv("b v", "y")]
    assert check_equal(make(nodes, "wv")).transpositions == 1


def test_filters_that_a_kernel_makes():
    # Those are read as ONNX has them, and so they lie.
    nodes = [conv("x w", "a", "first"), conv("z a", "y", "second")]
    plan = check_equal(make(nodes, "w", inputs={"x": (4, 3, 3, 3), "z": (1, 3, 8, 7)}))
    first, second = plan.kernels
    assert (first.result.order, second.operands[1].order) == ("first", "first")


def test_results_that_are_filters_and_more():
    nodes = [conv("x w", "a", "first"), conv("a v", "b", "second"), conv("b a", "y", "third")]
    check_equal(make(nodes, "wv", inputs={"x": (3, 3, 5, 7)}))


@pytest.mark.parametrize("batch", (4, 1))
def test_operands_of_lower_rank(batch):
    # A result of three dimensions is broadcast to one of four.
    constants = {"w": draw_integers((7 if batch == 1 else 5, 3, 1)), "v": draw_integers((4, 2, 1, 1))}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "line"),
        helper.make_node("Conv", ["z", "v"], ["b"], "image"),
        helper.make_node("Add", ["b", "a"], ["y"]),
    ]
    inputs = {"x": (batch, 3, 6), "z": (2, 2, 7 if batch == 1 else 5, 6)}
    plan = check_equal(make_model(nodes, inputs, constants, ["y"]))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",), ("Conv", "Add")]


def test_values_that_are_outputs_too():
    nodes = [conv("x w", "a"), node("Relu", "a", "b"), conv("b v", "y")]
    plan = check_equal(make(nodes, "wv", outputs=("a", "b", "y")))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",), ("Relu",), ("Conv",)]
    plan = check_equal(make(nodes, "wv", outputs=("b", "y")))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv", "Relu"), ("Conv",)]


def test_two_readers_of_one_result():
    nodes = [conv("x w", "a"), node("Relu", "a", "b"), node("Neg", "a", "c"), node("Concat", "b c", "y", axis=1)]
    plan = check_equal(make(nodes, "w"))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",), ("Relu",), ("Neg",), ("Concat",)]


def test_groups_do_not_wait_for_each_other():
    # Were both sums fused with the convolutions before them, each would need the other.
    nodes = [
        conv("x w", "a", "first"),
        conv("x v", "b", "second"),
        node("Relu", "a", "c"),
        node("LpPool", "c", "d", kernel_shape=[1, 1], p=1),
        node("Add", "b d", "e"),
        node("Relu", "e", "f"),
        node("LpPool", "f", "g", kernel_shape=[1, 1], p=1),
        node("Add", "c g", "y"),
    ]
    check_equal(make(nodes, "wv"))


def test_what_depends_on_its_own_result_is_not_fused():
    nodes = [
        conv("x w", "a", "first"),
        node("LpPool", "a", "b", kernel_shape=[1, 1], p=1),
        node("Add", "a b", "y"),
    ]
    plan = check_equal(make(nodes, "w"))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",)]


def test_nodes_in_another_order():
    nodes = [node("Relu", "a", "y"), conv("x w", "a")]
    assert check_equal(make(nodes, "w")).kernels[0].ops == ("Conv", "Relu")


def test_captured_values():
    inner = helper.make_graph(
        [node("Add", "a a", "t")], "then", [], [helper.make_tensor_value_info("t", TensorProto.FLOAT, None)]
    )
    other = helper.make_graph(
        [node("Neg", "a", "e")], "else", [], [helper.make_tensor_value_info("e", TensorProto.FLOAT, None)]
    )
    nodes = [conv("x w", "a"), node("Relu", "a", "r"), node("If", "p", "i", then_branch=inner, else_branch=other)]
    nodes.append(node("Concat", "r i", "y", axis=1))
    model = make(nodes, "w", inputs={"x": (1, 3, 6, 7), "p": (np.bool_, ())})
    for truth in (True, False):
        x = draw_integers((1, 3, 6, 7), 5)
        plan = check_equal(model, {"x": x, "p": np.array(truth)})
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",), ("Relu",)]


def test_sequences_between():
    nodes = [
        node("SplitToSequence", "x", "s", axis=0, keepdims=1),
        node("SequenceAt", "s zero", "a"),
        conv("a w", "b"),
        node("SequenceInsert", "s b", "t"),
        node("ConcatFromSequence", "t", "y", axis=0),
    ]
    model = make(nodes, "w", inputs={"x": (2, 3, 6, 7)})
    model.graph.initializer.append(numpy_helper.from_array(np.array(0), "zero"))
    check_equal(model)


def test_ops_that_are_not_onnx():
    # Of this one ONNX knows no type.
    nodes = [
        conv("x w", "a"),
        helper.make_node("BiasGelu", ["a", "k"], ["b"], domain="com.microsoft"),
        conv("b v", "c"),
        node("Add", "b c", "y"),
    ]
    model = make(nodes, "wv", domains=("com.microsoft",))
    model.graph.initializer.append(numpy_helper.from_array(np.zeros(7, np.float32), "k"))
    _, found, expected = run_both(model)
    assert found["y"].shape == expected["y"].shape
    plan = convoy.onnx.load(model).plan
    assert "BiasGelu" in {op for part in plan.parts for op in part.ops}


def test_functions_of_the_model():
    body = [node("Relu", "a", "b"), conv("b w", "y")]
    imports = [helper.make_opsetid("", 17)]
    function = helper.make_function("own", "Layer", ["a", "w"], ["y"], body, imports)
    nodes = [helper.make_node("Layer", ["x", "w"], ["y"], domain="own")]
    model = make(nodes, "w", opset=17, domains=("own",))
    model.functions.append(function)
    assert len(check_equal(model).kernels) == 1


def test_constants_are_computed():
    shape = np.array([3, 3, 3, 3])
    nodes = [
        helper.make_node("Constant", [], ["s"], value=numpy_helper.from_array(shape)),
        node("ConstantOfShape", "s", "k", value=numpy_helper.from_array(np.array([2], np.float32))),
        node("Add", "k w", "sum"),
        conv("x sum", "y"),
    ]
    plan = check_equal(make(nodes, "w"))
    assert [kernel.ops for kernel in plan.kernels] == [("Conv",)] and not plan.parts


def test_shapes_are_computed():
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s two", "h", axis=0),
        node("Concat", "batch h rest", "shape", axis=0),
        node("Reshape", "x shape", "r"),
        conv("r w", "y"),
    ]
    model = make(nodes, "w", inputs={"x": (1, 3, 6, 7)}, opset=13)
    for name, value in (("two", [2]), ("batch", [1, 3]), ("rest", [7])):
        model.graph.initializer.append(numpy_helper.from_array(np.array(value), name))
    assert not check_equal(model).refusals


def test_outputs_that_are_inputs_or_constants():
    model = make([conv("x w", "y")], "w", outputs=("y", "x", "w"))
    assert check_equal(model).kernels
    session = convoy.onnx.compile(model)
    inputs = draw_inputs(convoy.onnx.load(model))
    for run in (session.run, session.run_reference):
        found = run(inputs)
        assert not np.shares_memory(found["x"], inputs["x"])
        before = {name: value.copy() for name, value in found.items()}
        for value in found.values():
            value += 1
        for name, value in run(inputs).items():
            np.testing.assert_array_equal(value, before[name])


def test_nodes_that_no_output_needs(tmp_path):
    nodes = [
        conv("x w", "y", "layer"),
        node("Relu", "y", "unread"),
        conv("x v", "a", "other"),
        node("LpPool", "a", "pooled", kernel_shape=[2, 2], p=1),
        node("Shape", "pooled", "sizes"),
        node("Add", "sizes sizes", "more"),
    ]
    model = make(nodes, "wv")
    plan = check_equal(model)
    assert [str(step) for step in plan.steps] == ["layer: Conv"]
    convoy.onnx.load(model).export(tmp_path)
    assert not list(tmp_path.glob("part*"))


def test_outputs_that_need_no_node():
    assert not check_equal(make([conv("x w", "a")], "w", outputs=("x", "w"))).steps


def test_free_sizes():
    nodes = [conv("x w", "a"), conv("z w", "b"), node("Add", "a b", "y")]
    model = make(nodes, "w", inputs={"x": ("n", 3, "h", "w"), "z": ("n", 3, "h", "w")})
    plan = check_equal(model, shapes={"x": (2, 3, 4, 5)})
    assert len(plan.kernels) == 2
    loaded = convoy.onnx.load(model, shapes={"x": (2, 3, 4, 5)})
    assert loaded.inputs == {"x": (2, 3, 4, 5), "z": (2, 3, 4, 5)} and loaded.outputs == ("y",)


def test_convolutions_that_are_left():
    nodes = [
        node("NonZero", "x", "i"),
        node("Cast", "i", "j", to=TensorProto.FLOAT),
        node("Unsqueeze", "j axes", "k"),
        helper.make_node("Conv", ["k", "one"], ["y"], "dynamic"),
    ]
    model = make(nodes, "", inputs={"x": (3, 5)})
    model.graph.initializer.append(numpy_helper.from_array(np.array([0]), "axes"))
    model.graph.initializer.append(numpy_helper.from_array(np.ones((1, 2, 1), np.float32), "one"))
    plan = check_equal(model)
    assert plan.refusals == {"dynamic": "its sizes are not known before it runs"}
    assert "left: dynamic, since its sizes are not known before it runs" in str(plan)


@pytest.mark.parametrize(
    "op, reason",
    (
        ("ConvInteger", "its elements are int16, uint8"),
        ("four", "it has 4 spatial dimensions"),
        ("none", "it has no elements"),
    ),
)
def test_reasons(op, reason):
    if op == "ConvInteger":
        inputs, one = {"x": (np.uint8, (1, 1, 2, 2))}, np.ones((1, 1, 1, 1), np.int16)
        nodes = [helper.make_node("ConvInteger", ["x", "one"], ["y"], "layer")]
    else:
        shape = (1, 1, 2, 2, 2, 2) if op == "four" else (1, 1, 2, 2)
        filters = (0 if op == "none" else 1, *[1] * (len(shape) - 1))
        inputs, one = {"x": shape}, np.ones(filters, np.float32)
        nodes = [helper.make_node("Conv", ["x", "one"], ["y"], "layer")]
    model = make_model(nodes, inputs, {"one": one}, {"y": np.int32 if op == "ConvInteger" else np.float32})
    assert convoy.onnx.load(model).plan.refusals == {"layer": reason}


def test_names():
    nodes = [conv("x w", "a", "block/1.conv"), conv("a w", "b", "block/1 conv"), conv("b w", "c", "free"), conv("c w", "y")]
    plan = convoy.onnx.load(make(nodes, "w")).plan
    names = [kernel.name for kernel in plan.kernels]
    assert names == ["block_1_conv", "block_1_conv_2", "conv_free", "y"]
    assert [kernel.nodes for kernel in plan.kernels][:2] == [("block/1.conv",), ("block/1 conv",)]


def test_equal_layers_are_compiled_once():
    nodes = [conv("x w", "a"), *(conv(f"{a} {w}", b) for a, w, b in ("avb", "buc", "cwd"))]
    session = convoy.onnx.compile(make([*nodes, conv("d w", "y")], "wvu"))
    assert len(session.plan.kernels) == 5 and session.functions == 3


def test_the_model_stays_as_it_is():
    model = make([node("Relu", "a", "y"), conv("x w", "a")], "w")
    before = model.SerializeToString()
    convoy.onnx.compile(model)
    assert model.SerializeToString() == before


@pytest.mark.parametrize("op", (None, "Identity", "Reshape"))
def test_results_stay_as_they_are(op):
    nodes = [conv("x w", "a" if op else "y"), *([node("Reshape", "a s", "y")] if op == "Reshape" else [])]
    nodes += [node("LpPool", "a", "p", kernel_shape=[1, 1], p=1), node(op, "p", "y")] if op == "Identity" else []
    model = make(nodes, "w")
    model.graph.initializer.append(numpy_helper.from_array(np.array([3, -1]), "s"))
    session = convoy.onnx.compile(model)
    first = session.run({"x": draw_integers((1, 3, 6, 7), 1)})["y"]
    copy = first.copy()
    session.run({"x": draw_integers((1, 3, 6, 7), 2)})
    np.testing.assert_array_equal(first, copy)


def test_threads():
    model = make([conv("x w", "a"), node("LpPool", "a", "b", kernel_shape=[1, 1], p=1), conv("b w", "y")], "w")
    session = convoy.onnx.compile(model, threads=2)
    inputs = [{"x": draw_integers((1, 3, 6, 7), seed)} for seed in range(20)]
    expected = [session.run_reference(one)["y"] for one in inputs]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found, right in zip(pool.map(session.run, inputs), expected):
            np.testing.assert_array_equal(found["y"], right)


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_other_targets(target):
    nodes = [conv("x w", "a"), node("Relu", "a", "b"), conv("b v", "c"), node("LpPool", "c", "y", kernel_shape=[2, 2], p=1)]
    model = make(nodes, "wv")
    session = convoy.onnx.compile(model, target=target)
    inputs = draw_inputs(convoy.onnx.load(model))
    np.testing.assert_array_equal(session.run(inputs)["y"], session.run_reference(inputs)["y"])
    assert all(report.passed for report in session.check(inputs))


def test_checks():
    session = convoy.onnx.compile(make([conv("x w", "a", "first"), conv("a w", "y", "second")], "w"))
    inputs = {"x": draw_integers((1, 3, 6, 7))}
    reports = session.check(inputs, kernels=("second",))
    assert [report.kernel for report in reports] == ["second"]
    assert reports[0].convoy.verdict == reports[0].runtime.verdict == "exact"
    assert str(reports[0]) == "second: exact, error/bound 0.0000 (ONNX Runtime: exact, 0.0000)"
    with pytest.raises(convoy.Error, match="^expected one of the kernels first, second, but got 'third'$"):
        session.check(inputs, kernels=("third",))


def test_checks_of_folded_nodes():
    nodes = [conv("x w", "a", "layer"), node("Mul", "a k", "y")]
    model = make(nodes, "w")
    model.graph.initializer.append(numpy_helper.from_array(np.float32([0.3]), "k"))
    (report,) = convoy.onnx.compile(model).check({"x": draw_integers((1, 3, 6, 7))})
    assert report.passed and report.runtime is None
    assert str(report) == f"layer: {report.convoy.verdict}, error/bound {report.convoy.worst_ratio:.4f}"


def test_checks_of_small_sigmoids():
    # Of some 1e-8, of which ONNX Runtime has few digits; with a filter that is folded,
    # so that nothing else says that it agrees.
    nodes = [conv("x w", "a", "layer"), node("Mul", "a k", "b"), node("Add", "b m", "c"), node("Sigmoid", "c", "y")]
    model = make(nodes, "w")
    model.graph.initializer.append(numpy_helper.from_array(np.float32([0.5]), "k"))
    model.graph.initializer.append(numpy_helper.from_array(np.float32([-17]), "m"))
    session = convoy.onnx.compile(model)
    inputs = {"x": draw_integers((1, 3, 6, 7)) / 8}
    (report,) = session.check(inputs)
    assert 0 < session.run(inputs)["y"].max() < 1e-5
    assert report.passed and report.difference > 3.5e-4


def test_checks_find_another_meaning(monkeypatch):
    # The kernel is what its IR says, but that reads the filter transposed.
    nodes = [conv("x w", "a", "first"), conv("z a", "y", "second")]
    model = make(nodes, "w", inputs={"x": (4, 3, 3, 3), "z": (1, 3, 8, 7)})
    inputs = draw_inputs(convoy.onnx.load(model))
    assert all(report.passed for report in convoy.onnx.compile(model).check(inputs))
    monkeypatch.setattr(_plan, "choose_orders", lambda *_: {"a": "last", "y": "first"})
    first, second = convoy.onnx.compile(model).check(inputs)
    assert first.passed and second.convoy.passed and not second.runtime.passed
    assert not second.agrees and not second.passed
    assert re.search(r"\), but differs from the nodes: [0-9.]+ of the largest element$", str(second))


def test_checks_find_wrong_folding(monkeypatch):
    nodes = [conv("x w", "a", "layer"), node("Mul", "a k", "y")]
    model = make(nodes, "w")
    model.graph.initializer.append(numpy_helper.from_array(np.float32([0.3]), "k"))
    inputs = {"x": draw_integers((1, 3, 6, 7))}
    (report,) = convoy.onnx.compile(model).check(inputs)
    assert report.passed and report.difference < 1e-6
    monkeypatch.setattr(_fuse, "as_channels", lambda value, convolution: np.full(3, 0.31))
    (report,) = convoy.onnx.compile(model).check(inputs)
    assert report.convoy.passed and report.runtime is None and not report.passed
    assert report.difference == pytest.approx(1 / 30, rel=1e-3)
