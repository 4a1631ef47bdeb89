// Upstream's tiling of a convolution of dynamic sizes.
// PIPELINE: builtin.module(transform-interpreter,canonicalize)

module attributes {transform.with_named_sequence} {
  func.func @conv(%x: tensor<?x?x?x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32> {
    %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x?x3xf32>, tensor<3x2x3x5xf32>)
        outs(%init : tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32>
    return %y : tensor<?x?x?x5xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %conv tile_sizes [1, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
