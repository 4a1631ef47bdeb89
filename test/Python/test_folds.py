"""Windows of images: problems that read them and that add them up, and that each is
the adjoint of the other."""

import numpy as np
import pytest

import convoy

PROBLEM = "--col2im mb2_ic3ih9iw7_oh5ow4_kh3kw2_sh2sw2_ph1pw1"


def fold(rows, sizes, strides, pads):
    """By loops: rows are (n, oh, ow, kh, kw, c)."""
    batch, heights, widths, high, wide, channels = rows.shape
    padded = np.zeros((batch, *(size + 2 * max(high, wide) + 2 * sum(strides) for size in sizes), channels))
    for oh, ow, kh, kw in np.ndindex(heights, widths, high, wide):
        padded[:, oh * strides[0] + kh, ow * strides[1] + kw] += rows[:, oh, ow, kh, kw]
    return padded[:, pads[0] : pads[0] + sizes[0], pads[1] : pads[1] + sizes[1]]


def test_description():
    kernel = convoy.compile(PROBLEM)
    assert kernel.problem == (
        "--col2im --type=f32 --image-layout=nhwc --rows-layout=nhw|hwc "
        "mb2_ic3ih9iw7_oh5ow4_kh3kw2_sh2sw2_ph1pw1"
    )
    described = [(one.name, one.layout, one.shape) for one in kernel.arguments]
    assert described == [("input", "", (2, 5, 4, 3, 2, 3)), ("output", "nhwc", (2, 9, 7, 3))]


def test_calls():
    kernel = convoy.compile(PROBLEM)
    (rows,) = kernel.generate("int", seed=2)
    expected = fold(rows, (9, 7), (2, 2), (1, 1))
    np.testing.assert_array_equal(kernel(rows), expected)
    np.testing.assert_array_equal(convoy.reference(PROBLEM, rows), expected)


def test_the_other_direction():
    problem = PROBLEM.replace("--col2im", "--im2col")
    kernel = convoy.compile(problem)
    described = [(one.name, one.layout, one.shape) for one in kernel.arguments]
    assert described == [("input", "nhwc", (2, 9, 7, 3)), ("output", "", (2, 5, 4, 3, 2, 3))]
    (image,) = kernel.generate("int", seed=2)
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), axis=(1, 2))
    expected = windows[:, ::2, ::2].transpose(0, 1, 2, 4, 5, 3)
    np.testing.assert_array_equal(kernel(image), expected)
    np.testing.assert_array_equal(convoy.reference(problem, image), expected)


def test_columns_as_pytorch_has_them():
    """PyTorch's `unfold` and `fold`: channels and taps before positions."""
    unfold = convoy.compile("--im2col --image-layout=nchw --rows-layout=n|chw|hw mb2_ic3ih9iw7_kh3kw2_sh2sw2_ph1pw1")
    (image,) = unfold.generate("int", seed=2)
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), axis=(2, 3))
    np.testing.assert_array_equal(unfold(image), windows[:, :, ::2, ::2].transpose(0, 1, 4, 5, 2, 3))


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("type", ("f32", "f16", "bf16", "i8"))
@pytest.mark.parametrize("op", ("--col2im", "--im2col"))
@pytest.mark.parametrize("rows", ("nhw|chw", "n|chw|hw"))
def test_types(target, type, op, rows):
    problem = PROBLEM.replace("--col2im", op) + f" --image-layout=nchw --rows-layout={rows}"
    kernel = convoy.compile(problem, type=type, target=target)
    assert kernel.check("int").verdict == "exact"
    assert kernel.check("normal").passed
    if target == "cpu":
        assert kernel.certificate.verdict == "certified"


def test_bytes_wrap_around():
    problem = "--col2im --type=i8 mb1_ic5iw9_kw7_pw3"
    kernel = convoy.compile(problem)
    (rows,) = kernel.generate("int")
    expected = convoy.reference(problem, rows)
    assert expected.dtype == np.int32 and np.abs(expected).max() <= 128
    np.testing.assert_array_equal(kernel(rows), expected)


def test_threads_have_the_same_bits():
    problem = "--col2im mb2_ic5ih20iw30_kh5kw3_ph2"
    one, two = (convoy.compile(problem, threads=threads) for threads in (1, 2))
    operands = one.generate("normal")
    np.testing.assert_array_equal(one(*operands), two(*operands))


ADJOINT = """
func.func @unfold(%x: {image}) -> {rows} {{
  %0 = convoy.im2col %x layout({layout}) {window} : {image} -> {rows}
  return %0 : {rows}
}}
func.func @fold(%y: {rows}) -> {image} {{
  %0 = convoy.col2im %y layout({layout}) {window} : {rows} -> {image}
  return %0 : {image}
}}
"""

CASES = (
    ("nwc, nw|wc", "window(pad = [[1, 1]])", "1x9x4", "1x9x3x4"),
    ("ncw, wn|cw", "window(stride = [3], pad = [[-1, 3]])", "2x5x13", "5x2x5x3"),
    ("hnwc, nhw|wch", "window(dilation = [2, 1], reverse = [true, false])", "9x2x5x3", "2x5x4x2x3x3"),
    ("ngcw, gnw|wc", "window(stride = [2])", "2x3x4x6", "3x2x3x2x4"),
    ("ngcw, gn|wc|w", "window(stride = [2])", "2x3x4x6", "3x2x2x4x3"),
    ("nhwc, n|chw|hw", "window(stride = [1, 3], pad = [[1, 1], [0, 1]])", "2x3x8x9", "2x9x2x3x4x3"),
    ("ndhwc, ndhw|dhwc", "window(stride = [2, 1, 1], pad = [[1, 1], [0, 0], [0, 0]])", "1x5x4x3x2", "1x3x4x2x3x1x2x2"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_is_the_adjoint_of_im2col(case):
    """<im2col(x), y> = <x, col2im(y)>, with integers, of which sums are exact."""
    layout, window, image, rows = case
    text = ADJOINT.format(layout=layout, window=window, image=f"tensor<{image}xf32>", rows=f"tensor<{rows}xf32>")
    module = convoy.Module.parse(text)
    unfold, folded = (module.compile(function=name) for name in ("unfold", "fold"))
    random = np.random.default_rng(0)
    x, y = (
        random.integers(-9, 10, tuple(map(int, sizes.split("x")))).astype(np.float32) for sizes in (image, rows)
    )
    assert np.vdot(unfold(x), y) == np.vdot(x, folded(y)) != 0
