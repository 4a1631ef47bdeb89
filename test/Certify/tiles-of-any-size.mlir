// Upstream's tilings of dynamic sizes, with tiles that do not divide them, are
// right for all sizes, or for all but 0: an op of linalg that runs nowhere
// takes nothing for granted of its input, of which a tile is made all the same.
// RUN: convoy-certify %s --pipeline='builtin.module(transform-interpreter{entry-point=tile_results},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,TILE-RESULTS
// RUN: convoy-certify %s --pipeline='builtin.module(transform-interpreter{entry-point=tile_in_parallel},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,TILE-IN-PARALLEL
// RUN: convoy-certify %s --pipeline='builtin.module(transform-interpreter{entry-point=tile_taps},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,TILE-TAPS
// RUN: convoy-certify %s --pipeline='builtin.module(transform-interpreter{entry-point=take_taps_apart},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,TAKE-TAPS-APART

// CHECK: 12 changes of functions: 12 certified
// TILE-RESULTS-NEXT: 2 of them: equal for all finite values where no argument is empty
// TILE-IN-PARALLEL-NEXT: 4 of them: equal for all finite values where no argument is empty
// TILE-TAPS-NEXT: 6 of them: equal for all finite values where no argument is empty
// TAKE-TAPS-APART-NEXT: 5 of them: equal for all finite values where no argument is empty

module attributes {transform.with_named_sequence} {
  func.func @nchw(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x3x3xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
    %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x3x3xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    return %r : tensor<?x?x?x?xf32>
  }
  func.func @nhwc(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
    %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    return %r : tensor<?x?x?x?xf32>
  }
  func.func @depthwise(%x: tensor<?x?x?x?xf32>, %w: tensor<3x3x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
    %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : vector<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<3x3x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    return %r : tensor<?x?x?x?xf32>
  }
  func.func @pool(%x: tensor<?x?x?x?xf32>, %w: tensor<3x3xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
    %r = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<3x3xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    return %r : tensor<?x?x?x?xf32>
  }
  func.func @groups(%x: tensor<?x?x?x?x?xf32>, %w: tensor<?x?x?x3x3xf32>, %o: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
    %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<?x?x?x?x?xf32>, tensor<?x?x?x3x3xf32>) outs(%o : tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32>
    return %r : tensor<?x?x?x?x?xf32>
  }
  func.func @zero_points(%x: tensor<?x?x?x?xi8>, %w: tensor<3x3x?x?xi8>, %zx: i32, %zw: i32, %o: tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32> {
    %r = linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %zx, %zw : tensor<?x?x?x?xi8>, tensor<3x3x?x?xi8>, i32, i32) outs(%o : tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
    return %r : tensor<?x?x?x?xi32>
  }
  transform.named_sequence @tile_results(%root: !transform.any_op) {
    %nchw = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %nchw_tiles:5 = transform.structured.tile_using_for %nchw tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %nhwc = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %nhwc_tiles:5 = transform.structured.tile_using_for %nhwc tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %dw = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %dw_tiles:5 = transform.structured.tile_using_for %dw tile_sizes [1, 5, 7, 3, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %pool = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool_tiles:5 = transform.structured.tile_using_for %pool tile_sizes [1, 5, 7, 3, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %g = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %g_tiles:5 = transform.structured.tile_using_for %g tile_sizes [1, 5, 7, 3, 0, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %q = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf_q"]} in %root : (!transform.any_op) -> !transform.any_op
    %q_tiles:5 = transform.structured.tile_using_for %q tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_in_parallel(%root: !transform.any_op) {
    %nchw = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %nchw_tiles:2 = transform.structured.tile_using_forall %nchw tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %nhwc = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %nhwc_tiles:2 = transform.structured.tile_using_forall %nhwc tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %dw = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %dw_tiles:2 = transform.structured.tile_using_forall %dw tile_sizes [1, 5, 7, 3, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %pool = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool_tiles:2 = transform.structured.tile_using_forall %pool tile_sizes [1, 5, 7, 3, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %g = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %g_tiles:2 = transform.structured.tile_using_forall %g tile_sizes [1, 5, 7, 3, 0, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %q = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf_q"]} in %root : (!transform.any_op) -> !transform.any_op
    %q_tiles:2 = transform.structured.tile_using_forall %q tile_sizes [1, 5, 7, 3, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_taps(%root: !transform.any_op) {
    %nchw = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %nchw_tiles:6 = transform.structured.tile_using_for %nchw tile_sizes [0, 3, 4, 0, 2, 2, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %nhwc = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %nhwc_tiles:6 = transform.structured.tile_using_for %nhwc tile_sizes [0, 3, 4, 0, 2, 2, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %dw = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %dw_tiles:5 = transform.structured.tile_using_for %dw tile_sizes [0, 3, 4, 0, 2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %pool = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool_tiles:5 = transform.structured.tile_using_for %pool tile_sizes [0, 3, 4, 0, 2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %g = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %g_tiles:6 = transform.structured.tile_using_for %g tile_sizes [0, 3, 4, 0, 2, 2, 5, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %q = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf_q"]} in %root : (!transform.any_op) -> !transform.any_op
    %q_tiles:6 = transform.structured.tile_using_for %q tile_sizes [0, 3, 4, 0, 2, 2, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @take_taps_apart(%root: !transform.any_op) {
    %nchw = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %nchw_tiles:4 = transform.structured.tile_using_for %nchw tile_sizes [2, 0, 0, 0, 1, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %nhwc = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %nhwc_tiles:4 = transform.structured.tile_using_for %nhwc tile_sizes [2, 0, 0, 0, 1, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %dw = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %dw_tiles:4 = transform.structured.tile_using_for %dw tile_sizes [2, 0, 0, 0, 1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %pool = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool_tiles:4 = transform.structured.tile_using_for %pool tile_sizes [2, 0, 0, 0, 1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %g = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %g_tiles:4 = transform.structured.tile_using_for %g tile_sizes [2, 0, 0, 0, 1, 1, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %q = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf_q"]} in %root : (!transform.any_op) -> !transform.any_op
    %q_tiles:4 = transform.structured.tile_using_for %q tile_sizes [2, 0, 0, 0, 1, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
