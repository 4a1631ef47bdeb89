"""Problems that hypothesis draws, the same each time: every bit against NumPy."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import convoy
from convolution import Conv, Dim


@st.composite
def draw_dims(draw):
    """One spatial dimension with at least one output."""
    taps, stride, dilation, pad = (draw(st.integers(*limits)) for limits in ((1, 3), (1, 3), (1, 2), (0, 2)))
    reach = (taps - 1) * dilation + 1
    size = draw(st.integers(max(1, reach - 2 * pad), reach + 6))
    return Dim(size, taps, stride, dilation, pad)


@st.composite
def draw_convolutions(draw):
    """A convolution with layouts in any order, which have a `g` where there are groups."""
    dims = tuple(draw(st.lists(draw_dims(), min_size=1, max_size=3)))
    groups = draw(st.sampled_from((1, 1, 3)))
    n, c, f = (draw(st.integers(1, limit)) for limit in (2, 4, 5))
    spatial = "dhw"[3 - len(dims) :]
    words = (letters.replace("g", "g" if groups > 1 else "") for letters in ("ngc", "gfc", "ngf"))
    layouts = tuple("".join(draw(st.permutations(word + spatial))) for word in words)
    return Conv(n, groups, c, f, dims, layouts)


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],  # on a busy machine
)
@given(
    draw_convolutions(),
    st.sampled_from(("FWD_D", "BWD_D", "BWD_W")),
    st.sampled_from(("f64", "f32", "f16", "bf16", "i8")),
    st.integers(0, 2**64 - 1),
)
def test_drawn_problems(conv, direction, type, seed):
    kernel = convoy.compile(
        conv.text(), direction=direction, type=type, layouts=",".join(conv.layouts)
    )
    first, second = kernel.generate("int", seed)
    dtype = np.int64 if type == "i8" else np.float64
    expected = conv.compute(direction, first, second, conv.layouts, dtype)
    result = kernel(first, second)
    assert result.shape == expected.shape == kernel.arguments[-1].shape
    np.testing.assert_array_equal(result.astype(dtype), expected)
    np.testing.assert_array_equal(convoy.reference(kernel, first, second), expected)
    assert kernel.check("normal", seed).passed
    assert convoy.compile(kernel.problem).problem == kernel.problem
