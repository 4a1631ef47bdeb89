// Upstream's tiling, with tiles that do not divide the sizes: loops in order, in
// parallel, and partial sums that are added at the end.
// PIPELINE: builtin.module(transform-interpreter,canonicalize,func.func(scf-for-loop-peeling),cse)

module attributes {transform.with_named_sequence} {
  func.func @in_order(%x: tensor<2x9x8x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32> {
    %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x8x3xf32>, tensor<3x2x3x5xf32>)
        outs(%init : tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32>
    return %y : tensor<2x7x7x5xf32>
  }
  func.func @in_parallel(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %init: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %y = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>)
        outs(%init : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %y : tensor<2x5x8xf32>
  }
  func.func @partial_sums(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %y = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>)
        outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
    return %y : tensor<4x5xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %in_order = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:4 = transform.structured.tile_using_for %in_order tile_sizes [1, 2, 3, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %in_parallel = transform.structured.match ops{["linalg.conv_1d_ncw_fcw"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %in_parallel tile_sizes [0, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %sum = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %part, %added, %loop = transform.structured.tile_reduction_using_for %sum by tile_sizes = [0, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
