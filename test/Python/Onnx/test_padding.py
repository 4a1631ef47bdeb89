"""Pad in front of Conv, bit for bit as ONNX Runtime has both."""

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, make_model
from onnx import helper

import convoy.onnx

NEWEST = convoy.onnx.OPSETS[-1]
SHAPES = {1: (2, 3, 9), 2: (2, 3, 7, 5), 3: (1, 2, 4, 3, 5)}
#: By rank: in front of each dimension, then behind it.
PADS = {1: [0, 0, 3, 0, 0, 2], 2: [0, 0, 1, 2, 0, 0, 3, 0], 3: [0, 0, 1, 2, 0, 0, 0, 3, 2, 4]}
NUMPY = {"reflect": "reflect", "edge": "edge", "wrap": "wrap"}


def make_nodes(mode, opset, pads, fill=None, axes=None, conv=None):
    """A Pad and a Conv, and the constants that the Pad reads."""
    numbers = {"pads": np.array(pads, np.int64)}
    if opset < 11:
        value = {} if fill is None else {"value": float(fill)}
        pad = helper.make_node("Pad", ["x"], ["p"], "pad", mode=mode, pads=pads, **value)
        return [pad, helper.make_node("Conv", ["p", "w"], ["y"], "layer", **conv or {})], {}
    if fill is not None:
        numbers["fill"] = fill
    if axes is not None:
        numbers["axes"] = np.array(axes, np.int64)
    names = ["x", "pads", "fill" if fill is not None else "", "axes" if axes is not None else ""]
    while not names[-1]:
        names.pop()
    pad = helper.make_node("Pad", names, ["p"], "pad", mode=mode)
    return [pad, helper.make_node("Conv", ["p", "w"], ["y"], "layer", **conv or {})], numbers


def make(mode, rank=2, opset=NEWEST, pads=None, dtype=np.float32, **options):
    """A model of a Pad and a Conv."""
    nodes, constants = make_nodes(mode, opset, pads or PADS[rank], **options)
    groups = (options.get("conv") or {}).get("group", 1)
    shape = SHAPES[rank]
    taps = (2, 3, 1)[:rank]
    constants["w"] = draw_integers((6, shape[1] // groups, *taps), 2, dtype=dtype)
    return make_model(nodes, {"x": (dtype, shape)}, constants, {"y": dtype}, opset)


def check(model, steps=("layer: Pad + Conv",)):
    """The model is compiled into `steps`, and computes what ONNX Runtime does."""
    plan = check_equal(model)
    assert [str(step) for step in plan.steps] == list(steps)
    return plan


@pytest.mark.parametrize("opset", (7, 10, 11, 13, 18, 19, 21, NEWEST))
@pytest.mark.parametrize("mode", ("constant", "reflect", "edge", "wrap"))
def test_opsets(mode, opset):
    if mode != "wrap" or opset >= 19:
        check(make(mode, opset=opset))


@pytest.mark.parametrize("rank", SHAPES)
@pytest.mark.parametrize("mode", ("constant", "reflect", "edge", "wrap"))
def test_ranks(mode, rank):
    check(make(mode, rank))
    check(make(mode, rank, conv={"pads": [1] * rank + [2] * rank, "strides": [2, 1, 3][:rank]}))


@pytest.mark.parametrize("mode", ("constant", "reflect", "edge", "wrap"))
def test_windows(mode):
    check(make(mode, conv={"group": 3}))
    check(make(mode, conv={"dilations": [2, 1], "strides": [1, 2]}))
    check(make(mode, conv={"auto_pad": "SAME_UPPER", "strides": [2, 3]}))
    check(make(mode, conv={"auto_pad": "VALID"}))


@pytest.mark.parametrize("dtype", (np.float16, np.float64))
@pytest.mark.parametrize("mode", ("constant", "reflect", "edge", "wrap"))
def test_types(mode, dtype):
    for fill in (None, 1.5) if mode == "constant" else (None,):
        narrow, wide = (
            convoy.onnx.compile(make(mode, dtype=one, fill=None if fill is None else one(fill)))
            for one in (dtype, np.float32)
        )
        assert [str(step) for step in narrow.plan.steps] == ["layer: Pad + Conv"]
        x = draw_integers(SHAPES[2], 1)
        # ONNX Runtime has no convolutions of these types.
        expected = wide.run_reference({"x": x})["y"].astype(dtype)
        np.testing.assert_array_equal(narrow.run({"x": x.astype(dtype)})["y"], expected)


def test_axes():
    check(make("reflect", pads=[2, 1, 3, 0], axes=[-1, 2]))
    check(make("constant", pads=[2, 1, 3, 0], axes=[3, -2]))
    check(make("edge", pads=[2, 1], axes=[2]))


@pytest.mark.parametrize("opset", (10, NEWEST))
def test_numbers(opset):
    """A constant is zero, or is computed around the input."""
    plan = check(make("constant", opset=opset, fill=np.float32(0)))
    assert "pad = [[1, 3], [2, 0]]" in plan.kernels[0].text
    plan = check(make("constant", opset=opset, fill=np.float32(-2)))
    assert "tensor.pad" in plan.kernels[0].text
    plan = check(make("constant", opset=opset, fill=np.float32(-2), conv={"pads": [1, 2, 0, 1]}))
    assert "pad = [[1, 0], [2, 1]]" in plan.kernels[0].text


def test_cuts():
    """Negative padding cuts off what a window may leave out, too."""
    plan = check(make("constant", pads=[0, 0, -1, 2, 0, 0, 3, -2]))
    assert "pad = [[-1, 3], [2, -2]]" in plan.kernels[0].text
    check(make("constant", pads=[0, 0, -1, 2, 0, 0, 3, -2], conv={"pads": [0, 1, 1, 0]}))


@pytest.mark.parametrize("mode", NUMPY)
def test_far(mode):
    """Padding that is larger than the input, which ONNX Runtime may refuse."""
    model = make(mode, pads=[0, 0, 8, 11, 0, 0, 15, 6])
    assert [str(step) for step in convoy.onnx.compile(model).plan.steps] == ["layer: Pad + Conv"]
    x = draw_integers(SHAPES[2], 1)
    padded = np.pad(x, ((0, 0), (0, 0), (8, 15), (11, 6)), NUMPY[mode])
    plain = make("edge", pads=[0] * 8)
    plain.graph.input[0].CopyFrom(
        helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), padded.shape)
    )
    (expected,) = convoy.onnx.compile(plain).run_reference({"x": padded}).values()
    np.testing.assert_array_equal(convoy.onnx.compile(model).run({"x": x})["y"], expected)


@pytest.mark.parametrize("mode", NUMPY)
def test_one_element(mode):
    nodes, constants = make_nodes(mode, NEWEST, [0, 0, 2, 0, 0, 1])
    w = draw_integers((2, 3, 3), 2)
    model = make_model(nodes, {"x": (1, 3, 1)}, {"w": w, **constants}, ["y"])
    x = draw_integers((1, 3, 1), 1)
    expected = np.einsum("nc,fck->nf", x[..., 0], w)[..., None].repeat(2, -1)
    np.testing.assert_array_equal(convoy.onnx.compile(model).run({"x": x})["y"], expected)


def test_computed_pads():
    """Padding as PyTorch's exporter computes it, of constants."""
    nodes, _ = make_nodes("reflect", NEWEST, [])
    constants = {
        "w": draw_integers((4, 3, 3, 3), 2),
        # Last dimension first, as PyTorch has padding.
        "given": np.array([2, 1, 1, 3], np.int64),
        "zeros": np.zeros(4, np.int64),
        "shape": np.array([-1, 2], np.int64),
        "start": np.array([-1], np.int64),
        "end": np.array([-(2**63) + 1], np.int64),
        "axis": np.array([0], np.int64),
        "step": np.array([-1], np.int64),
        "flat": np.array([-1], np.int64),
    }
    computed = [
        helper.make_node("Concat", ["given", "zeros"], ["all"], axis=0),
        helper.make_node("Reshape", ["all", "shape"], ["pairs"]),
        helper.make_node("Slice", ["pairs", "start", "end", "axis", "step"], ["reversed"]),
        helper.make_node("Transpose", ["reversed"], ["columns"], perm=[1, 0]),
        helper.make_node("Reshape", ["columns", "flat"], ["numbers"]),
        helper.make_node("Cast", ["numbers"], ["pads"], to=7),
    ]
    check(make_model([*computed, *nodes], {"x": SHAPES[2]}, constants, ["y"]))


# ---------------------------------------------------------------------------
# In networks
# ---------------------------------------------------------------------------


def make_network(nodes, outputs=("y",), opset=NEWEST, **constants):
    """A model of an input of 2x4x6x5, and filters that take 3 channels, v of 1x1 taps
    from 4 channels, and w of 3x3."""
    constants = {
        "v": draw_integers((3, 4, 1, 1), 5),
        "w": draw_integers((3, 3, 3, 3), 6),
        "pads": np.array([0, 0, 1, 2, 0, 0, 2, 1], np.int64),
        "even": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64),
        **constants,
    }
    read = {name for node in nodes for name in node.input}
    used = {name: value for name, value in constants.items() if name in read}
    return make_model(nodes, {"x": (2, 4, 6, 5)}, used, dict.fromkeys(outputs, np.float32), opset)


def pad(source, result, pads="pads", mode="reflect"):
    return helper.make_node("Pad", [source, pads], [result], f"pad_{result}", mode=mode)


def conv(source, result, filter="w", name="", **attributes):
    return helper.make_node("Conv", [source, filter], [result], name or f"conv_{result}", **attributes)


def test_channels_last():
    """Between kernels channels lie last, also where what lies there is padded."""
    model = make_network([conv("x", "a", "v"), pad("a", "p"), conv("p", "y")])
    plan = check(model, ["conv_a: Conv", "conv_y: Pad + Conv"])
    assert plan.kernels[1].operands[0].order == "last"


def test_what_follows():
    """Of a chain as networks for style have it."""
    nodes = [
        conv("x", "a", "v"),
        pad("a", "p", "even"),
        conv("p", "b"),
        helper.make_node("Relu", ["b"], ["r"]),
        pad("r", "q", "even", "edge"),
        conv("q", "c"),
        helper.make_node("Add", ["c", "a"], ["y"]),
    ]
    check(make_network(nodes), ["conv_a: Conv", "conv_b: Pad + Conv + Relu", "conv_c: Pad + Conv + Add"])


def test_one_for_two():
    """What two convolutions read is padded by both."""
    nodes = [pad("x", "p"), conv("p", "a", "v"), conv("p", "b", "v"), helper.make_node("Add", ["a", "b"], ["y"])]
    check(make_network(nodes), ["conv_b: Pad + Conv", "conv_a: Conv + Add"])


def test_read_by_others():
    """Where others read what is padded, it is there, too."""
    nodes = [pad("x", "p"), conv("p", "y", "v")]
    plan = check_equal(make_network(nodes, ("y", "p")))
    assert sorted(map(str, plan.steps)) == ["conv_y: Conv", "left: Pad"]
    nodes.append(helper.make_node("LpPool", ["p"], ["z"], kernel_shape=[2, 2], p=1))
    plan = check_equal(make_network(nodes, ("y", "z")))
    assert sorted(map(str, plan.steps)) == ["conv_y: Conv", "left: Pad, LpPool"]


def test_read_again():
    """What follows the convolution reads what it padded: that has to be there first."""
    nodes = [
        conv("x", "a", "v"),
        pad("a", "p", "even"),
        conv("p", "b", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["b", "p"], ["y"]),
    ]
    plan = check(make_network(nodes), ["conv_a: Conv", "left: Pad", "conv_b: Conv + Add"])
    assert plan.kernels[0].result.order == "first"


def test_two_pads():
    """The second pads what the first made."""
    nodes = [pad("x", "p"), pad("p", "q", "even", "edge"), conv("q", "y", "v")]
    check(make_network(nodes), ["left: Pad", "conv_y: Pad + Conv"])


def test_filter_is_padded():
    """What is padded is the filter, or input and filter at once."""
    nodes = [pad("w", "p", "even"), conv("x", "y", "p")]
    x = helper.make_tensor_value_info("w", 1, (2, 4, 3, 3))
    model = make_network(nodes)
    del model.graph.initializer[[one.name for one in model.graph.initializer].index("w")]
    model.graph.input.append(x)
    check(model, ["left: Pad", "conv_y: Conv"])
    square = make_model(
        [pad("x", "p", "even"), conv("p", "y", "p")],
        {"x": (3, 3, 4, 4)},
        {"even": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64)},
        ["y"],
    )
    check(square, ["left: Pad", "conv_y: Conv"])


@pytest.mark.parametrize(
    "mode, pads, options",
    (
        # Channels, and the batch.
        ("constant", [0, 1, 0, 0, 0, 2, 0, 0], {}),
        ("reflect", [1, 0, 1, 1, 0, 0, 1, 1], {}),
        # What is cut off, where ONNX does not say what is reflected.
        ("reflect", [0, 0, -1, 1, 0, 0, 1, 1], {}),
        ("constant", [0, 0, -1, 1, 0, 0, 1, 1], {"fill": np.float32(3)}),
        # The zeros of the Conv take the place of what is cut off.
        ("constant", [0, 0, -1, 1, 0, 0, 1, 1], {"conv": {"pads": [1, 0, 0, 0]}}),
        ("constant", [0, 0, 1, 1, 0, 0, 1, -1], {"conv": {"auto_pad": "SAME_UPPER"}}),
    ),
)
def test_left(mode, pads, options):
    """What is no such padding stays a node of its own."""
    nodes, constants = make_nodes(mode, NEWEST, pads, **options)
    constants["w"] = draw_integers((4, 3 + pads[1] + pads[5], 3, 2), 2)
    check(make_model(nodes, {"x": (2, 3, 7, 5)}, constants, ["y"]), ["left: Pad", "layer: Conv"])


def test_unknown():
    """Padding, or a number around, that is known when the model runs."""
    nodes, _ = make_nodes("edge", NEWEST, [])
    w = draw_integers((4, 3, 3, 3), 2)
    model = make_model(nodes, {"x": (1, 3, 5, 6), "pads": (np.int64, (8,))}, {"w": w}, ["y"])
    plan = convoy.onnx.load(model).plan
    assert not plan.kernels and plan.refusals == {"layer": "its sizes are not known before it runs"}
    nodes, constants = make_nodes("constant", NEWEST, PADS[2], fill=np.float32(1))
    del constants["fill"]
    inputs = {"x": (1, 3, 5, 6), "fill": (np.float32, ())}
    check(make_model(nodes, inputs, {"w": w, **constants}, ["y"]), ["left: Pad", "layer: Conv"])


def test_bytes():
    """The integers between Pad and Conv are those of what is padded."""
    scale = {"s": np.float32(0.5), "z": np.uint8(3)}
    names = ["s", "z"]
    w = {"wq": draw_integers((4, 3, 3, 3), 2, dtype=np.int8), "ws": np.float32(0.25)}
    nodes = [
        pad("x", "p"),
        helper.make_node("QuantizeLinear", ["p", *names], ["q"]),
        helper.make_node("DequantizeLinear", ["q", *names], ["d"]),
        helper.make_node("DequantizeLinear", ["wq", "ws"], ["w"]),
        conv("d", "y"),
    ]
    constants = {**scale, **w, "pads": np.array(PADS[2], np.int64)}
    model = make_model(nodes, {"x": SHAPES[2]}, constants, ["y"])
    steps = ["left: Pad, QuantizeLinear", "conv_y: Conv + 2 DequantizeLinear"]
    check(model, steps)
    # A Pad of dequantized numbers pads floats.
    nodes = [nodes[1], nodes[2], pad("d", "e"), nodes[3], conv("e", "y")]
    nodes[0] = helper.make_node("QuantizeLinear", ["x", *names], ["q"])
    model = make_model(nodes, {"x": SHAPES[2]}, constants, ["y"])
    check(model, ["left: QuantizeLinear, DequantizeLinear", "conv_y: Pad + Conv"])


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
def test_targets(target):
    for mode in ("constant", "reflect", "edge", "wrap"):
        check_equal(make(mode), target=target)
    check_equal(make("constant", fill=np.float32(2)), target=target)


def test_threads():
    check_equal(make("reflect"), threads=2)


def test_checks():
    nodes = [conv("x", "a", "v"), pad("a", "p"), conv("p", "y")]
    check_within_bounds(make_network(nodes))


def test_ahead_of_time(tmp_path):
    """A chain of kernels, with what is between them in its workspace."""
    nodes = [conv("x", "a", "v"), pad("a", "p"), conv("p", "b"), pad("b", "q", "even", "wrap"), conv("q", "y")]
    session = convoy.onnx.compile(make_network(nodes))
    x = draw_integers((2, 4, 6, 5), 1)
    session.save(tmp_path / "n.so", header=tmp_path / "n.h", manifest=tmp_path / "n.json")
    saved = convoy.onnx.load_compiled(tmp_path / "n.so", tmp_path / "n.json")
    np.testing.assert_array_equal(saved.run({"x": x})["y"], session.run_reference({"x": x})["y"])
