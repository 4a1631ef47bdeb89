"""Convolutions that are padded with their own input, beside NumPy's padding."""

import numpy as np
import pytest

import convoy

SHAPE = "mb2_ic3ih5iw4_oc4kh3kw4_ph2pw3"
LAYOUTS = "nchw,fchw,nfhw"
#: In NumPy's words.
MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
PADS = ((0, 0), (0, 0), (2, 2), (3, 3))


def pad(x, mode):
    return np.pad(x, PADS, MODES[mode])


def convolve(x, w):
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    return np.einsum("nchwkl,fckl->nfhw", windows, w)


def make(mode, direction="FWD_D", **options):
    line = f"--padding-mode={mode} {SHAPE}"
    return convoy.compile(line, direction=direction, layouts=LAYOUTS, **options)


def test_description():
    kernel = make("wrap", "BWD_D")
    assert kernel.problem.startswith("--padding-mode=circular --dir=BWD_D --type=f32")
    described = [(one.name, one.layout, one.shape) for one in kernel.arguments]
    assert described == [
        ("output_gradient", "nfhw", (2, 4, 7, 7)),
        ("filter", "fchw", (4, 3, 3, 4)),
        ("input_gradient", "nchw", (2, 3, 5, 4)),
    ]


@pytest.mark.parametrize("mode", MODES)
def test_forward(mode):
    kernel = make(mode)
    x, w = kernel.generate("int", seed=1)
    expected = convolve(pad(x, mode), w)
    np.testing.assert_array_equal(kernel(x, w), expected)
    np.testing.assert_array_equal(convoy.reference(kernel.problem, x, w), expected)


@pytest.mark.parametrize("mode", MODES)
def test_gradients(mode):
    """Both are adjoints: the product of y and conv(x) is that of a gradient and what
    it is the gradient of."""
    x, w = make(mode).generate("int", seed=2)
    of_input, of_filter = make(mode, "BWD_D"), make(mode, "BWD_W")
    dy, _ = of_input.generate("int", seed=3)
    product = np.vdot(dy, convolve(pad(x, mode), w))
    assert np.vdot(of_input(dy, w), x) == product
    assert np.vdot(of_filter(x, dy), w) == product


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("type", ("f32", "f16", "bf16", "i8"))
@pytest.mark.parametrize("direction", ("FWD_D", "BWD_D", "BWD_W"))
def test_types(target, type, direction):
    kernel = make("reflect", direction, type=type, target=target)
    assert kernel.check("int").verdict == "exact"
    assert kernel.check("normal").passed


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("direction", ("FWD_D", "BWD_D", "BWD_W"))
def test_certificates(mode, direction):
    line = f"--padding-mode={mode} mb2_ic3iw6_oc2_kw3_pw2"
    kernel = convoy.compile(line, direction=direction, layouts="ncw,fcw,nfw")
    assert kernel.certificate.verdict == "certified"


def test_causal():
    kernel = convoy.compile("--padding-mode=causal mb1_ic2iw9_oc3kw3dw1", layouts="ncw,fcw,nfw")
    x, w = kernel.generate("int", seed=4)
    y = kernel(x, w)
    assert y.shape == (1, 3, 9)
    # What comes later changes nothing before it.
    later = x.copy()
    later[..., 6:] += 1
    changed = kernel(later, w)
    np.testing.assert_array_equal(changed[..., :6], y[..., :6])
    assert not np.array_equal(changed[..., 6:], y[..., 6:])
    np.testing.assert_array_equal(y[..., 0], np.einsum("nc,fc->nf", x[..., 0], w[..., 2]))
