// RUN: convoy-opt %s --convoy-conv-to-im2col -o /dev/null 2>&1 | FileCheck %s --check-prefix=IM2COL
// RUN: convoy-opt %s --convoy-choose-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: convoy-opt %s --convoy-tile-contraction -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: convoy-opt %s --convoy-attach-vulkan-profile --convoy-tile-workgroups -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: convoy-opt %s --convoy-to-llvm-pipeline -o /dev/null 2>&1 | count 0

// A pass that another should have run before says which.
// IM2COL: remark: is not turned into im2col: convoy-raise-linalg makes a convoy.conv of it
// IM2COL-NOT: remark:
func.func @foreign(%x: tensor<1x9x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x8x5xf32>) -> tensor<1x8x5xf32> {
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  return %y : tensor<1x8x5xf32>
}

// TILES: remark: no tile is chosen: there is no contraction before convoy-conv-to-im2col
// TILES: remark: no tile is chosen: there is no contraction before convoy-conv-to-im2col
// TILES-NOT: remark:
func.func @ours(%x: tensor<1x9x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x8x5xf32>) -> (tensor<1x8x5xf32>, tensor<2x3x5xf32>) {
  %y = convoy.conv ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x8x5xf32>) layout(nwc x wcf -> nwf)
  %dw = convoy.conv_backward_filter ins(%x, %init : tensor<1x9x3xf32>, tensor<1x8x5xf32>) outs(%w : tensor<2x3x5xf32>) layout(nwc x wcf -> nwf)
  return %y, %dw : tensor<1x8x5xf32>, tensor<2x3x5xf32>
}

// No convolution, and none that was expected.
func.func @pool(%x: tensor<1x9x3xf32>, %w: tensor<2xf32>, %init: tensor<1x8x3xf32>) -> tensor<1x8x3xf32> {
  %y = linalg.pooling_nwc_max ins(%x, %w : tensor<1x9x3xf32>, tensor<2xf32>) outs(%init : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
  return %y : tensor<1x8x3xf32>
}
