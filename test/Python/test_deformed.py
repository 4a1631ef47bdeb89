"""Problems of deformable convolutions: that their directions fit together."""

import numpy as np
import pytest

import convoy

PROBLEMS = (
    "--deform-conv --mask mb2_ic6ih7iw8_oc5kh3kw2ph1",
    "--deform-conv --mask --offset-groups=3 --input-layout=nchw --filter-layout=gfchw --output-layout=nfhw "
    "--offset-layout=nchw g3mb1_ic6ih9iw5_oc9kh2kw3sh2dw1pw2",
)


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("problem", PROBLEMS)
def test_gradients_are_adjoint(problem, target):
    """The output is linear in input, filter and mask. So <y, dy> = <x, dx> = <w, dw> = <mask, dmask>: of integers and
    binary fractions exactly."""
    forward = convoy.compile(problem, target=target)
    x, w, offset, mask = forward.generate("int", seed=3)
    dy, *_ = convoy.compile(problem, target=target, direction="BWD_D").generate("int", seed=3)
    products = [np.vdot(forward(x, w, offset, mask).astype(np.float64), dy)]
    arrays = {"output_gradient": dy, "input": x, "filter": w, "offset": offset, "mask": mask}
    for direction, name in (("BWD_D", "input"), ("BWD_W", "filter"), ("BWD_MASK", "mask")):
        kernel = convoy.compile(problem, target=target, direction=direction)
        *read, made = (one.name for one in kernel.arguments)
        assert made == f"{name}_gradient"
        gradient = kernel(*(arrays[one] for one in read))
        products.append(np.vdot(gradient.astype(np.float64), arrays[name]))
    assert len(set(products)) == 1 and products[0] != 0
