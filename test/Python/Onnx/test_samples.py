"""GridSample in all its forms, beside ONNX Runtime's."""

import itertools

import numpy as np
import pytest
from graphs import check_equal, check_within_bounds, draw_integers, draw_normal, make_model
from onnx import helper

import convoy.onnx

OPSETS = [opset for opset in convoy.onnx.OPSETS if opset >= 16]
OLD_MODES = {"linear": "bilinear", "nearest": "nearest", "cubic": "bicubic"}
PADDINGS = ("zeros", "border", "reflection")
IMAGE, VOLUME = (2, 3, 4, 8), (2, 3, 2, 4, 8)
# Where these are sampled.
GRID, VOLUMES = (2, 5, 6, 2), (2, 3, 5, 2, 3)


def make_grid(shape, align_corners, seed=0):
    """Coordinates within and around images of 2, 4 and 8 elements, for which positions
    are multiples of a quarter, so that samples of integers are exact."""
    random = np.random.default_rng(seed)
    sizes = np.array((8, 4, 2)[: shape[-1]])
    quarters = random.integers(-8, 4 * sizes + 8, shape)
    if not align_corners:
        return ((quarters / 4 * 2 + 1) / sizes - 1).astype(np.float32)
    # Those of the corners and the middle.
    return random.choice(np.array((-1, 0, 1, -3, 3), np.float32), shape)


def make(image=IMAGE, grid=GRID, opset=OPSETS[-1], types=(np.float32, np.float32), constants=None, extra=(), made="y", outputs=("y",), **attributes):
    constants = constants or {}
    inputs = {"x": (types[0], image), "g": (types[1], grid)}
    node = helper.make_node("GridSample", ["x", "g"], [made], "layer", **attributes)
    inputs = {name: one for name, one in inputs.items() if name not in constants}
    return make_model([node, *extra], inputs, constants, {name: types[0] for name in outputs}, opset)


def check_plan(plan, text="layer: GridSample"):
    assert [str(step) for step in plan.steps] == [text]
    assert not plan.refusals and not plan.transpositions


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("mode", OLD_MODES)
def test_opsets(opset, mode):
    name = mode if opset >= 20 else OLD_MODES[mode]
    model = make(opset=opset, mode=name, align_corners=1)
    check_plan(check_within_bounds(model, {"x": draw_normal(IMAGE, 1), "g": draw_normal(GRID, 2) / 2}))


@pytest.mark.parametrize("opset", OPSETS)
def test_what_is_not_said(opset):
    check_plan(check_within_bounds(make(opset=opset), {"x": draw_normal(IMAGE, 1), "g": draw_normal(GRID, 2)}))


@pytest.mark.parametrize("mode, padding, align_corners", list(itertools.product(OLD_MODES, PADDINGS, (0, 1))))
def test_images(mode, padding, align_corners):
    model = make(mode=mode, padding_mode=padding, align_corners=align_corners)
    inputs = {"x": draw_integers(IMAGE, 1), "g": make_grid(GRID, align_corners)}
    if mode == "nearest":
        # Reflections of points halfway between elements are others in ONNX Runtime.
        inputs["g"] += np.float32(0.001)
    check_plan(check_within_bounds(model, inputs))
    if mode != "cubic" and (align_corners == 0 or mode == "nearest"):
        check_equal(model, inputs)


@pytest.mark.parametrize("mode, padding, align_corners", list(itertools.product(("linear", "nearest"), PADDINGS, (0, 1))))
def test_volumes(mode, padding, align_corners):
    model = make(VOLUME, VOLUMES, mode=mode, padding_mode=padding, align_corners=align_corners)
    grid = make_grid(VOLUMES, align_corners) + np.float32(0.001 if mode == "nearest" else 0)
    check_plan(check_within_bounds(model, {"x": draw_integers(VOLUME, 1), "g": grid}))


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
@pytest.mark.parametrize("mode", OLD_MODES)
def test_targets(target, mode):
    model = make(mode=mode, padding_mode="reflection", extra=[helper.make_node("Relu", ["a"], ["y"])], made="a")
    inputs = {"x": draw_integers(IMAGE, 1), "g": make_grid(GRID, 0) + np.float32(0.001)}
    check_plan(check_within_bounds(model, inputs, target=target), "layer: GridSample + Relu")


@pytest.mark.parametrize("types", ((np.float16, np.float32), (np.float32, np.float16), (np.float16, np.float16)))
def test_types(types):
    model = make(types=types)
    inputs = {"x": draw_integers(IMAGE, 1, dtype=types[0]), "g": make_grid(GRID, 0).astype(types[1])}
    session = convoy.onnx.compile(model)
    check_plan(session.plan)
    # ONNX Runtime samples f32 alone.
    wide = convoy.onnx.compile(make()).run({name: value.astype(np.float32) for name, value in inputs.items()})
    np.testing.assert_array_equal(session.run(inputs)["y"], wide["y"].astype(types[0]))


def test_constants():
    inputs = {"x": draw_integers(IMAGE, 1), "g": make_grid(GRID, 0)}
    for name in inputs:
        given = {other: value for other, value in inputs.items() if other != name}
        check_plan(check_equal(make(constants={name: inputs[name]}), given))


def test_what_follows():
    constants = {"r": draw_integers((3, 1, 1), 5)}
    nodes = [
        helper.make_node("Mul", ["a", "r"], ["b"]),
        helper.make_node("Add", ["b", "z"], ["c"]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    node = helper.make_node("GridSample", ["x", "g"], ["a"], "layer")
    shapes = {"x": IMAGE, "g": GRID, "z": (2, 3, 5, 6)}
    model = make_model([node, *nodes], shapes, constants, ["y"])
    inputs = {"x": draw_integers(IMAGE, 1), "g": make_grid(GRID, 0), "z": draw_integers((2, 3, 5, 6), 2)}
    check_plan(check_equal(model, inputs), "layer: GridSample + Mul + Add + Relu")


def make_warp():
    """Samples of what a convolution makes, at positions that another one makes, and a
    convolution of these: as in spatial transformers, and in optical flow."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "features", pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["x", "v"], ["b"], "flow", pads=[1, 1, 1, 1]),
        helper.make_node("Tanh", ["b"], ["c"]),
        helper.make_node("Transpose", ["c"], ["d"], "turn", perm=[0, 2, 3, 1]),
        helper.make_node("GridSample", ["a", "d"], ["e"], "warp", padding_mode="border"),
        helper.make_node("Conv", ["e", "u"], ["y"], "result", pads=[1, 1, 1, 1]),
    ]
    filters = {"w": (5, 3, 3, 3), "v": (2, 3, 3, 3), "u": (4, 5, 3, 3)}
    constants = {name: draw_normal(shape, seed) for seed, (name, shape) in enumerate(filters.items())}
    return make_model(nodes, {"x": (2, 3, 7, 6)}, constants, ["y"])


def test_between_convolutions():
    plan = check_within_bounds(make_warp())
    assert [str(step) for step in plan.steps] == [
        "features: Conv",
        "flow: Conv + Tanh + Transpose",
        "warp: GridSample",
        "result: Conv",
    ]
    orders = {kernel.name: (kernel.operands[0].order, kernel.result.order) for kernel in plan.kernels}
    # Channels lie last from one kernel to the next.
    assert (orders["warp"], orders["flow"]) == (("last", "last"), ("first", "first"))
    assert plan.transpositions == 0


def test_ahead_of_time(tmp_path):
    inputs = {"x": draw_normal((2, 3, 7, 6), 9)}
    session = convoy.onnx.compile(make_warp())
    paths = {end: tmp_path / f"warp.{end}" for end in ("so", "h", "json")}
    session.save(paths["so"], header=paths["h"], manifest=paths["json"])
    found = convoy.onnx.load_compiled(paths["so"], paths["json"]).run(inputs)["y"]
    np.testing.assert_array_equal(found, session.run(inputs)["y"])
    # Samples alone are a library, too.
    convoy.onnx.load(make()).save(tmp_path / "samples.o")


def test_export(tmp_path):
    grid = make_grid(GRID, 0)
    convoy.onnx.load(make(constants={"g": grid})).export(tmp_path)
    text = (tmp_path / "layer.mlir").read_text()
    assert "convoy.grid_sample %input, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(zeros)" in text
    np.testing.assert_array_equal(np.load(tmp_path / "layer.grid.npy"), grid)


@pytest.mark.parametrize(
    "options, reason",
    (
        ({"types": (np.float64, np.float32)}, "its elements are float32, float64"),
        ({"types": (np.float32, np.float64)}, "its elements are float32, float64"),
        ({"image": (2, 3, 4), "grid": (2, 5, 1)}, "it has 1 spatial dimensions"),
        ({"image": VOLUME, "grid": VOLUMES, "mode": "cubic"}, "it has 3 spatial dimensions"),
        ({"image": (2, 0, 4, 8)}, "it has no elements"),
        ({"image": (2, 1, 1, 2**24 + 1)}, "its image has more than 16777216 elements along a dimension"),
        ({"mode": "bilinear"}, "its mode is 'bilinear'"),
        ({"mode": "linear", "opset": 19}, "its mode is 'linear'"),
        ({"padding_mode": "circular"}, "its padding mode is 'circular'"),
        ({"grid": (1, 5, 6, 2)}, "its operands and attributes do not fit each other"),
        ({"grid": (2, 5, 6, 3)}, "its operands and attributes do not fit each other"),
    ),
    ids=str,
)
def test_what_is_left(options, reason):
    try:
        plan = convoy.onnx.load(make(**options)).plan
    except convoy.Error as error:
        # ONNX's own inference refuses some of these.
        assert "\n" not in str(error)
    else:
        assert plan.refusals == {"layer": reason}


def test_unknown_sizes():
    nodes = [
        helper.make_node("NonZero", ["z"], ["i"]),
        helper.make_node("Cast", ["i"], ["j"], to=1),
        helper.make_node("Reshape", ["j", "shape"], ["g"]),
        helper.make_node("GridSample", ["x", "g"], ["y"], "layer"),
    ]
    constants = {"shape": np.array([1, 1, -1, 2])}
    plan = convoy.onnx.load(make_model(nodes, {"x": (1, 3, 4, 8), "z": (3, 5)}, constants, ["y"])).plan
    assert plan.refusals == {"layer": "its sizes are not known before it runs"}
