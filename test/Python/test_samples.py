"""Problems of samples: compiled, called, checked."""

import json

import numpy as np
import pytest

import convoy

PROBLEM = "--grid-sample --padding-mode=border mb2_ic3ih9iw7_oh5ow4"
VOLUMES = "--grid-sample --alg=nearest --align-corners mb1_ic2id3ih4iw5_od2oh3ow4"


@pytest.fixture(scope="module")
def kernel():
    return convoy.compile(PROBLEM)


def test_description(kernel):
    assert kernel.problem == (
        "--grid-sample --dir=FWD_D --alg=linear --padding-mode=border --type=f32 --grid-type=f32 "
        "--input-layout=nhwc --grid-layout=nhwc --output-layout=nhwf mb2_ic3ih9iw7_oh5ow4"
    )
    described = [(one.name, one.dtype, one.layout, one.shape) for one in kernel.arguments]
    assert described == [
        ("input", np.float32, "nhwc", (2, 9, 7, 3)),
        ("grid", np.float32, "nhwc", (2, 5, 4, 2)),
        ("output", np.float32, "nhwc", (2, 5, 4, 3)),
    ]
    assert "<td>grid</td>" in kernel._repr_html_()


def test_calls(kernel):
    x = np.arange(2 * 9 * 7 * 3, dtype=np.float32).reshape(2, 9, 7, 3)
    grid = np.empty((2, 5, 4, 2), np.float32)
    # Between the four elements around the middle, and far to the right of the top.
    grid[:, :, :2] = 0, 1 / 9
    grid[:, :, 2:] = 7, -9
    y = kernel(x, grid)
    np.testing.assert_allclose(y[:, :, :2], np.broadcast_to((x[:, 4, 3] + x[:, 5, 3])[:, None, None] / 2, (2, 5, 2, 3)))
    np.testing.assert_array_equal(y[:, :, 2:], np.broadcast_to(x[:, 0, 6][:, None, None], (2, 5, 2, 3)))
    out = np.empty_like(y)
    assert kernel(x, grid, out=out) is out
    np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("problem", (PROBLEM, VOLUMES))
def test_checks(problem, target):
    kernel = convoy.compile(problem, target=target)
    assert kernel.check("int").verdict == "exact"
    assert kernel.check("normal", seed=3).passed
    assert kernel.check("edge").passed


@pytest.mark.parametrize("problem", (PROBLEM, VOLUMES, PROBLEM.replace("border", "reflection --alg=cubic")))
def test_reference(problem):
    kernel = convoy.compile(problem)
    operands = kernel.generate("int", seed=1)
    expected = convoy.reference(problem, *operands)
    assert expected.dtype == np.float64
    np.testing.assert_array_equal(kernel(*operands), expected)
    for one, other in zip(operands, convoy.generate(problem, data="int", seed=1)):
        np.testing.assert_array_equal(one, other)


def test_gradients_are_described():
    described = [
        [(one.name, one.layout, one.shape) for one in convoy.compile(PROBLEM, direction=direction).arguments]
        for direction in ("BWD_D", "BWD_W")
    ]
    gradient, image, grid = (
        ("output_gradient", "nhwc", (2, 5, 4, 3)),
        ("input", "nhwc", (2, 9, 7, 3)),
        ("grid", "nhwc", (2, 5, 4, 2)),
    )
    assert described[0] == [gradient, grid, ("input_gradient", *image[1:])]
    assert described[1] == [gradient, image, grid, ("grid_gradient", *grid[1:])]


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("padding", ("zeros", "border", "reflection"))
@pytest.mark.parametrize("mode", ("linear", "nearest", "cubic"))
def test_is_the_adjoint(mode, padding, target):
    """<grid_sample(x, g), y> = <x, grid_sample_backward_input(y, g)>: of integers and binary fractions exactly."""
    problem = f"--grid-sample --alg={mode} --padding-mode={padding} mb2_ic5ih6iw8_oh3ow4"
    forward = convoy.compile(problem, target=target)
    backward = convoy.compile(problem, target=target, direction="BWD_D")
    x, _ = forward.generate("int", seed=5)
    y, grid = backward.generate("int", seed=5)
    samples, gradient = (one.astype(np.float64) for one in (forward(x, grid), backward(y, grid)))
    assert np.vdot(samples, y) == np.vdot(x, gradient) != 0


@pytest.mark.parametrize("mode", ("linear", "cubic"))
def test_is_the_derivative(mode):
    """As the difference of samples beside a position has it, within a piece.

    That is off by step^2/6 times the third derivative: of numbers up to 1 and steps of up to 2.5 elements for a
    coordinate of 1, in 3 channels, by at most 2^-11 (docs/Sampling.md has the weights).
    """
    problem = f"--grid-sample --alg={mode} --padding-mode=reflection --align-corners mb1_ic3ih6iw5_oh3ow4"
    forward, backward = convoy.compile(problem), convoy.compile(problem, direction="BWD_W")
    y, x, grid = backward.generate("uniform", seed=1)
    slopes = backward(y, x, grid)
    step = 2.0**-10
    for index in np.ndindex(grid.shape):
        moved = [grid.copy(), grid.copy()]
        moved[0][index] -= step
        moved[1][index] += step
        # Pieces meet at whole positions.
        places = [(one[index] + 1) / 2 * (4 if index[-1] == 0 else 5) for one in moved]
        if np.floor(places[0]) != np.floor(places[1]):
            continue
        low, high = (convoy.reference(problem, x, one) for one in moved)
        assert abs(np.vdot(high - low, y) / (2 * step) - slopes[index]) < 2.0**-11


def test_flags_are_defaults():
    kernel = convoy.compile("--grid-sample --grid-type=bf16 mb1_ic1ih2iw3_oh4", type="f16")
    assert [one.dtype.name for one in kernel.arguments] == ["float16", "bfloat16", "float16"]
    assert kernel.check("int").verdict == "exact"


def test_threads_have_the_same_bits():
    problem = "--grid-sample --alg=cubic mb1_ic40ih20iw30_oh31ow17"
    for direction in ("FWD_D", "BWD_D", "BWD_W"):
        one, two = (convoy.compile(problem, threads=threads, direction=direction) for threads in (1, 2))
        operands = one.generate("normal")
        np.testing.assert_array_equal(one(*operands), two(*operands))


def test_saves(kernel, tmp_path):
    kernel.save(tmp_path / "warp.so", manifest=tmp_path / "warp.json", name="warp")
    (described,) = json.loads((tmp_path / "warp.json").read_text())["kernels"]
    assert described["problem"] == kernel.problem
    loaded = convoy.load(tmp_path / "warp.so", tmp_path / "warp.json")["warp"]
    operands = kernel.generate("normal")
    np.testing.assert_array_equal(loaded(*operands), kernel(*operands))


@pytest.mark.parametrize(
    "arguments, sentence",
    (
        ({"layouts": "nchw,fchw,nfhw"}, "'--filter-layout' is for convolutions, not for samples"),
        (
            {"direction": "FWD_B"},
            "expected FWD_D, BWD_D, BWD_W or all for '--dir' of samples, which have no bias",
        ),
        ({"type": "i8"}, "expected f32, f16 or bf16 for '--type' of samples, but got 'i8'"),
    ),
)
def test_refused(arguments, sentence):
    with pytest.raises(convoy.Error) as error:
        convoy.compile(PROBLEM, **arguments)
    assert str(error.value) == sentence
