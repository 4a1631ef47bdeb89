// RUN: convoy-opt %s --convoy-import-pipeline | FileCheck %s

// CHECK-LABEL: @named
// CHECK-NOT: linalg.conv
// CHECK: convoy.conv ins
func.func @named(%x: tensor<1x7x2xf32>, %w: tensor<3x2x4xf32>, %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x7x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %0 : tensor<1x5x4xf32>
}
