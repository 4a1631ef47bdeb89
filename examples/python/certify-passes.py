"""A gradient becomes a contraction by two passes; then an index is edited by hand."""

import convoy

GRADIENT = """
func.func @gradient(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>,
                    %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
"""

before = convoy.Module.parse(GRADIENT, name="gradient.mlir")
after = convoy.Module.parse(GRADIENT).run("convoy-decompose-backward,convoy-conv-to-im2col")
print(convoy.certify(before, after))

# The filter, read transposed.
edited = convoy.Module.parse(
    str(after).replace("(d2, d3, d4)", "(d4, d3, d2)"), name="edited.mlir"
)
print(convoy.certify(before, edited))
