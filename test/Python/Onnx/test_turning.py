"""Transposes that bring channels behind the other dimensions, and in front of them."""

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, make_model
from onnx import helper

import convoy.onnx

#: By how many spatial dimensions: sizes with channels last, and orders.
SHAPES = {1: (2, 9, 3), 2: (2, 7, 9, 3), 3: (1, 4, 5, 6, 3)}
FIRST = {1: [0, 2, 1], 2: [0, 3, 1, 2], 3: [0, 4, 1, 2, 3]}
LAST = {1: [0, 2, 1], 2: [0, 2, 3, 1], 3: [0, 2, 3, 4, 1]}


def node(op, reads, made, name="", **attributes):
    return helper.make_node(op, reads.split(), made.split(), name, **attributes)


def make(nodes, outputs=("y",), rank=2, dtype=np.float32, **constants):
    taps = (3, 2, 3)[:rank]
    known = {
        "w": draw_integers((4, 3, *taps), 1, dtype=dtype),
        "w4": draw_integers((4, 4, *[1] * rank), 2, dtype=dtype),
        "b": draw_integers((4,), 3, dtype=dtype),
        "axis": np.array(-1),
    }
    outputs = dict.fromkeys(outputs, dtype)
    return make_model(nodes, {"x": (dtype, SHAPES[rank])}, known | constants, outputs)


def check(proto, *steps, **options):
    """The steps of the plan, and that its numbers are right."""
    plan = check_equal(proto, **options)
    assert tuple(str(step) for step in plan.steps) == steps
    assert plan.transpositions == 0
    return plan


@pytest.mark.parametrize("rank", SHAPES)
@pytest.mark.parametrize("dtype", (np.float32, np.float16))
def test_models_with_channels_last(rank, dtype):
    """As exporters of TensorFlow and Keras write them."""
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[rank]),
        node("Conv", "t w b", "c", "layer"),
        node("Relu", "c", "r"),
        node("Transpose", "r", "y", perm=LAST[rank]),
    ]
    proto = make(nodes, rank=rank, dtype=dtype)
    inputs = {"x": draw_integers(SHAPES[rank], 5, dtype=dtype)}
    plan = check(proto, "layer: Conv + Relu + Transpose + Transpose", inputs=inputs)
    assert 'layout(n' in plan.kernels[0].text and "c x" in plan.kernels[0].text


BLOCK = [
    node("Transpose", "x", "t", perm=FIRST[2]),
    node("Conv", "t w b", "c", "layer"),
    node("Transpose", "c", "u", perm=LAST[2]),
    node("CumSum", "u axis", "s", "left"),
    node("Transpose", "s", "v", perm=FIRST[2]),
    node("Mul", "v g", "m", "scale"),
    node("Add", "m c2", "y", "sum"),
    node("Conv", "t w", "c2", "other"),
]
BLOCK_STEPS = (
    "layer: Conv + Transpose + Transpose",
    "other: Conv",
    "left: CumSum",
    "scale: Mul + Add + Transpose",
)


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
def test_between_parts(target, tmp_path):
    """As in ConvNeXt, where normalization and products of matrices have channels last."""
    proto = make(BLOCK, g=draw_integers((1, 4, 1, 1), 6))
    found = check_equal(proto, target=target)
    assert sorted(str(step) for step in found.steps) == sorted(BLOCK_STEPS)
    check_within_bounds(proto, target=target)
    session = convoy.onnx.compile(proto, target=target)
    inputs = {"x": draw_integers(SHAPES[2], 7)}
    assert convoy.onnx.diff(proto, session, "onnxruntime", inputs=inputs).passed
    names = ["u", "s", "y"]
    traced = session.trace(inputs, names)
    assert [traced[name].shape for name in names] == [(2, 5, 8, 4), (2, 5, 8, 4), (2, 4, 5, 8)]
    if target == "cpu":
        session.save(tmp_path / "n.so", manifest=tmp_path / "n.json")
        again = convoy.onnx.load_compiled(tmp_path / "n.so", tmp_path / "n.json").run(inputs)
        np.testing.assert_array_equal(again["y"], session.run(inputs)["y"])


def test_others_that_read_them():
    """The Transpose stays for these; what the kernel writes lies as ONNX has it."""
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[2]),
        node("CumSum", "t axis", "y", "first"),
        node("Conv", "t w", "c", "layer"),
        node("Transpose", "c", "u", perm=LAST[2]),
        node("CumSum", "u axis", "z", "second"),
        node("CumSum", "c axis", "a", "third"),
    ]
    check(
        make(nodes, ("y", "z", "a")),
        "left: Transpose, CumSum",
        "layer: Conv",
        "left: Transpose, 2 CumSum",
    )


def test_outputs():
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[2]),
        node("Conv", "t w", "c", "layer"),
        node("Transpose", "c", "y", perm=LAST[2]),
    ]
    proto = make(nodes, ("t", "c", "y"))
    plan = check(proto, "left: Transpose", "layer: Conv", "left: Transpose")
    assert plan.kernels[0].operands[0].value == "x"


@pytest.mark.parametrize("order", ([0, 3, 2, 1], [3, 0, 1, 2], [0, 2, 3, 1], None))
def test_other_orders(order):
    words = {} if order is None else {"perm": order}
    nodes = [node("Transpose", "x", "t", **words), node("Conv", "t v", "y", "layer")]
    shape = np.transpose(np.empty(SHAPES[2]), order).shape
    proto = make(nodes, v=draw_integers((4, shape[1], 1, 1), 8))
    check(proto, "left: Transpose", "layer: Conv")


def test_pads_and_more_kernels():
    """A Pad and a convolution read it, and what kernels make is turned once more."""
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[2]),
        node("Pad", "t pads", "p"),
        node("Conv", "p w", "a", "padded"),
        node("Conv", "t w", "b1", "plain"),
        node("Conv", "a w4", "c", "next"),
        node("Transpose", "c", "u", perm=LAST[2]),
        node("Transpose", "u", "v", perm=FIRST[2]),
        node("Conv", "v w4", "y", "last"),
        node("Relu", "b1", "z"),
    ]
    check_equal(make(nodes, ("y", "z"), pads=np.array([0, 0, 1, 1, 0, 0, 2, 0])))


def test_operands_of_other_kinds():
    """A grid has no channels, and what is broadcast to more dimensions has others."""
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[2]),
        node("Transpose", "g", "h", perm=FIRST[2]),
        node("GridSample", "t h", "s", "sample"),
        node("Conv", "s w4", "c", "layer"),
        node("Transpose", "k", "l", perm=FIRST[1]),
        node("Add", "c l", "y", "sum"),
    ]
    constants = {"w4": draw_integers((4, 3, 1, 1), 2)}
    inputs = {
        "x": SHAPES[2],
        "g": (2, 5, 2, 6),
        "k": (4, 5, 6),  # 4x6x5 when turned
    }
    proto = make_model(nodes, inputs, constants, ["y"], opset=20)
    rng = np.random.default_rng(3)
    drawn = {name: rng.integers(-2, 3, shape).astype(np.float32) for name, shape in inputs.items()}
    check_within_bounds(proto, drawn)
    session = convoy.onnx.compile(proto)
    found, expected = session.run(drawn)["y"], session.run_reference(drawn)["y"]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_integers():
    nodes = [
        node("Transpose", "x", "t", perm=FIRST[2]),
        node("QLinearConv", "t s z w s zw s z", "c", "layer"),
        node("Transpose", "c", "y", perm=LAST[2]),
    ]
    constants = {
        "w": draw_integers((4, 3, 3, 3), 1, dtype=np.int8),
        "s": np.float32(0.5),
        "z": np.uint8(7),
        "zw": np.int8(0),
    }
    proto = make_model(nodes, {"x": (np.uint8, SHAPES[2])}, constants, {"y": np.uint8})
    inputs = {"x": np.abs(draw_integers(SHAPES[2], 4, most=9)).astype(np.uint8)}
    check(proto, "layer: QLinearConv + Transpose + Transpose", inputs=inputs)
