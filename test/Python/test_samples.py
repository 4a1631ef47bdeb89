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
        "--grid-sample --alg=linear --padding-mode=border --type=f32 --grid-type=f32 "
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


def test_flags_are_defaults():
    kernel = convoy.compile("--grid-sample --grid-type=bf16 mb1_ic1ih2iw3_oh4", type="f16")
    assert [one.dtype.name for one in kernel.arguments] == ["float16", "bfloat16", "float16"]
    assert kernel.check("int").verdict == "exact"


def test_threads_have_the_same_bits():
    problem = "--grid-sample --alg=cubic mb1_ic5ih20iw30_oh31ow17"
    one, two = (convoy.compile(problem, threads=threads) for threads in (1, 2))
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
        ({"direction": "BWD_D"}, "expected FWD_D for '--dir' of samples, of which there are no gradients"),
        ({"type": "i8"}, "expected f32, f16 or bf16 for '--type' of samples, but got 'i8'"),
    ),
)
def test_refused(arguments, sentence):
    with pytest.raises(convoy.Error) as error:
        convoy.compile(PROBLEM, **arguments)
    assert str(error.value) == sentence
