// Upstream's tiling, then its vectorization.
// PIPELINE: builtin.module(transform-interpreter{entry-point=tile},transform-interpreter{entry-point=vectorize},canonicalize)

module attributes {transform.with_named_sequence} {
  func.func @conv(%x: tensor<1x9x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x8x5xf32>) -> tensor<1x8x5xf32> {
    %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x5xf32>)
        outs(%init : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
    return %y : tensor<1x8x5xf32>
  }
  transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @vectorize(%root: !transform.any_op {transform.readonly}) {
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %function : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
