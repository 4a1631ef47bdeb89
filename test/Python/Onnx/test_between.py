"""What stands between kernels, and is a kernel, too: beside ONNX Runtime."""

import itertools

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, make_model
from onnx import helper

import convoy.onnx

# Images of 1, 2 and 3 dimensions, all of other sizes.
SHAPES = {1: (2, 3, 13), 2: (2, 3, 9, 7), 3: (1, 3, 6, 9, 7)}


def node(op, reads, made, name="", **attributes):
    return helper.make_node(op, reads.split(), made.split(), name, **attributes)


def make(nodes, rank=2, outputs=("y",), dtype=np.float32, opset=None, **constants):
    """A convolution `x` with a result `a` of eleven channels, and what `nodes` do."""
    shape = SHAPES[rank]
    constants["w"] = draw_integers((11, 3, *[1] * rank), 1, dtype=dtype)
    first = helper.make_node("Conv", ["x", "w"], ["a"], "first")
    kinds = dict.fromkeys(outputs, dtype)
    return make_model([first, *nodes], {"x": (dtype, shape)}, constants, kinds, opset)


def surround(nodes, rank=2, channels=11, **constants):
    """The same between two convolutions, so that channels lie last; `nodes` make `b` of
    so many channels."""
    constants["v"] = draw_integers((5, channels, *[1] * rank), 2, most=1)
    return make([*nodes, helper.make_node("Conv", ["b", "v"], ["y"], "last")], rank, **constants)


def check(nodes, rank=2, channels=11, steps=1, compare=check_equal, **constants):
    """Runs `nodes`, which make `b` of `a`, in front of a convolution and alone."""
    for network in (
        surround(nodes, rank, channels, **constants),
        make(nodes, rank, outputs=["b"], **constants),
    ):
        plan = compare(network)
        assert not plan.parts and not plan.transpositions
        orders = {kernel.result.value: kernel.result.order for kernel in plan.kernels}
        assert orders["a"] == "last" and orders["b"] == ("last" if "y" in orders else "first")
        assert len(plan.kernels) == 1 + steps + ("y" in orders)
    return plan


@pytest.mark.parametrize("rank", SHAPES)
@pytest.mark.parametrize("op", ("MaxPool", "GlobalMaxPool", "AveragePool", "GlobalAveragePool"))
def test_pools(op, rank):
    taps = {} if op.startswith("Global") else {"kernel_shape": (2, 4, 2)[-rank:]}
    compare = check_within_bounds if op == "GlobalAveragePool" else check_equal
    plan = check([node(op, "a", "b", "pool", **taps)], rank, compare=compare)
    assert str(plan.steps[1]) == f"pool: {op}"


WINDOWS = (
    {"strides": [2, 3]},
    {"pads": [1, 0, 2, 1]},
    {"strides": [2, 2], "pads": [1, 1, 1, 1]},
    {"strides": [3, 2], "ceil_mode": 1},
    {"strides": [3, 2], "pads": [2, 1, 0, 1], "ceil_mode": 1},
    {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
    {"auto_pad": "SAME_LOWER", "strides": [2, 3]},
    {"auto_pad": "VALID", "strides": [2, 1]},
)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("op", ("MaxPool", "AveragePool"))
def test_windows(op, window):
    # Means of 3 x 3 elements are rounded, and at borders there are fewer.
    compare = check_equal if op == "MaxPool" else check_within_bounds
    check([node(op, "a", "b", kernel_shape=[3, 3], **window)], compare=compare)


def test_holes():
    check([node("MaxPool", "a", "b", kernel_shape=[3, 2], dilations=[2, 3], pads=[1, 1, 0, 1])])
    nodes = [node("AveragePool", "a", "b", kernel_shape=[2, 2], dilations=[2, 3], pads=[1, 1, 0, 1])]
    check(nodes)


def test_means_over_pads():
    window = {"kernel_shape": [2, 4], "pads": [1, 2, 1, 1], "count_include_pad": 1}
    check([node("AveragePool", "a", "b", **window)])
    # Of what lies behind the pads nobody says whether it counts.
    plan = check_equal(make([node("AveragePool", "a", "y", ceil_mode=1, strides=[3, 3], **window)]))
    assert [part.ops for part in plan.parts] == [("AveragePool",)]


def test_elements_that_are_not_finite():
    divisors = np.ones((2, 1, 9, 7), np.float32)
    # Where all of a window are -inf, ONNX Runtime has the least finite number.
    divisors[0, :, 3], divisors[1, :, 1, :2] = 0, 0
    nodes = [
        node("Max", "a one", "m"),
        node("Div", "m divisors", "i"),
        node("Neg", "i", "n"),
        node("MaxPool", "n", "b", kernel_shape=[2, 2], pads=[1, 1, 1, 1]),
        node("MaxPool", "i", "c", kernel_shape=[2, 2], pads=[1, 1, 1, 1]),
        node("Add", "b c", "y"),
    ]
    constants = {"one": np.array(1, np.float32), "divisors": divisors}
    for outputs in (["b"], ["c"]):
        assert not check_equal(make(nodes[:5], outputs=outputs, **constants)).parts


def test_other_results_of_pools_are_left():
    nodes = [node("MaxPool", "a", "y places", kernel_shape=[2, 2])]
    assert [part.ops for part in convoy.onnx.load(make(nodes)).plan.parts] == [("MaxPool",)]


@pytest.mark.parametrize("axis, rank", list(itertools.product((1, -1, 0, 2), SHAPES)))
def test_concatenations(axis, rank):
    sizes = {1: 33, 1 - 2 - rank: 33}
    nodes = [node("Relu", "a", "r"), node("Neg", "a", "n"), node("Concat", "r a n", "b", "joint", axis=axis)]
    check(nodes, rank, sizes.get(axis, 11), steps=3)


def test_what_follows_concatenations():
    nodes = [
        node("Relu", "a", "r"),
        node("Concat", "r a", "c", axis=1),
        node("BatchNormalization", "c scale shift mean variance", "d", epsilon=0.0),
        node("Relu", "d", "b"),
    ]
    values = {
        "scale": draw_integers((22,), 1),
        "shift": draw_integers((22,), 2),
        "mean": draw_integers((22,), 3),
        "variance": np.full(22, 0.25, np.float32),
    }
    plan = check(nodes, channels=22, steps=2, **values)
    assert plan.kernels[2].ops == ("Concat", "BatchNormalization", "Relu")


def test_elements():
    # Of another kernel's channels, of the batch, of constants.
    nodes = [
        node("GlobalMaxPool", "a", "g"),
        node("Mul", "a g", "m"),
        node("Sub", "c m", "n"),
        node("Max", "n one a", "b"),
    ]
    constants = {"c": draw_integers((11, 1, 1), 4), "one": np.array(1, np.float32)}
    plan = check(nodes, steps=2, **constants)
    assert plan.kernels[2].ops == ("Mul", "Sub", "Max")


@pytest.mark.parametrize("shape", ((), (7,), (9, 1), (11, 1, 1), (11, 9, 7)))
def test_operands_of_lower_rank_that_onnx_runtime_makes(shape):
    constants = {"w": draw_integers((11, 3, 1, 1), 1), "v": draw_integers((5, 11, 1, 1), 2)}
    nodes = [
        node("Conv", "x w", "a"),
        node("LpPool", "a", "unread", kernel_shape=[1, 1], p=1),
        node("Add", "a z", "b"),
        node("Conv", "b v", "y"),
    ]
    plan = check_equal(make_model(nodes, {"x": SHAPES[2], "z": shape}, constants, ["y"]))
    assert plan.transpositions == (len(shape) == 3 and shape[1] > 1)


def test_elements_of_what_is_not_compiled_are_left():
    for other in ("x", "z"):
        nodes = [node("LpPool", "a", "z", kernel_shape=[1, 1], p=1), node("Relu", other, "y")]
        plan = convoy.onnx.load(make(nodes)).plan
        assert "Relu" in {op for part in plan.parts for op in part.ops}


@pytest.mark.parametrize("numbers", ({"size": 5}, {"size": 1, "alpha": 2.0, "beta": 0.5, "bias": 3.0}))
def test_normalizations(numbers):
    check([node("LRN", "a", "b", "layer", **numbers)], compare=check_within_bounds)


def test_normalizations_without_a_positive_base_are_left():
    plan = convoy.onnx.load(make([node("LRN", "a", "y", size=3, bias=0.0)])).plan
    assert [part.ops for part in plan.parts] == [("LRN",)]


@pytest.mark.parametrize("rank", SHAPES)
def test_shuffles(rank):
    shape = SHAPES[rank]
    spatial = list(shape[2:])
    nodes = [
        node("Concat", "a a", "c", axis=1),
        node("Reshape", "c split", "d", "shuffle"),
        node("Transpose", "d", "e", perm=[0, 2, 1, *range(3, 3 + rank)]),
        node("Reshape", "e whole", "f"),
        node("Relu", "f", "b"),
    ]
    values = {
        "split": np.array([shape[0], 2, 11, *spatial]),
        "whole": np.array([shape[0], 22, *spatial]),
    }
    plan = check(nodes, rank, 22, steps=2, **values)
    assert plan.kernels[2].ops == ("Reshape", "Transpose", "Reshape", "Relu")


def test_reshapes_that_shuffle_nothing_are_left():
    values = {"split": np.array([2, 11, 3, 21]), "whole": np.array([2, 11, 9, 7])}
    for perm in ([0, 1, 3, 2], [0, 3, 1, 2]):
        nodes = [
            node("Reshape", "a split", "d"),
            node("Transpose", "d", "e", perm=perm),
            node("Reshape", "e whole", "y"),
        ]
        plan = check_equal(make(nodes, **values))
        assert [part.ops for part in plan.parts] == [("Reshape", "Transpose", "Reshape")]


def test_types():
    nodes = [
        node("MaxPool", "a", "p", kernel_shape=[2, 2]),
        node("Neg", "p", "n"),
        node("Concat", "p n", "y", axis=1),
    ]
    x = draw_integers(SHAPES[2], 1)
    expected = convoy.onnx.compile(make(nodes)).run({"x": x})["y"]
    for dtype in (np.float16, np.float64):
        session = convoy.onnx.compile(make(nodes, dtype=dtype))
        assert not session.plan.parts
        np.testing.assert_array_equal(session.run({"x": x.astype(dtype)})["y"], expected)


def test_means_of_f16_are_left():
    nodes = [node("AveragePool", "a", "y", kernel_shape=[2, 2])]
    plan = convoy.onnx.load(make(nodes, dtype=np.float16)).plan
    assert [part.ops for part in plan.parts] == [("AveragePool",)]


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_targets(target):
    nodes = [
        node("MaxPool", "a", "p", kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1]),
        node("AveragePool", "a", "q", kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1]),
        node("Concat", "p q", "c", axis=1),
        node("GlobalAveragePool", "c", "g"),
        node("Mul", "c g", "b"),
    ]
    plan = check_within_bounds(surround(nodes, channels=22), target=target)
    # The Concat has the MaxPool in its kernel.
    assert len(plan.kernels) == 6 and not plan.parts


def test_opsets():
    nodes = [node("MaxPool", "a", "p", kernel_shape=[2, 2]), node("Concat", "p p", "y", axis=1)]
    for opset in convoy.onnx.OPSETS:
        assert not check_equal(make(nodes, opset=opset)).parts
