// What a convolution starts from is a result, too: before its own, behind it,
// and twice.
// RUN: convoy-run %s --check --target=cpu,rocm-sim,vulkan | FileCheck %s
// RUN: convoy-run %s --check --target=cpu --threads=2 | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: 0 failed

func.func @behind(%x: tensor<1x5x5x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<4xf32>) -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) {
  %empty = tensor.empty() : tensor<1x3x3x4xf32>
  %init = linalg.broadcast ins(%b : tensor<4xf32>) outs(%empty : tensor<1x3x3x4xf32>) dimensions = [0, 1, 2]
  %sum = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x5x5x3xf32>, tensor<3x3x3x4xf32>) outs(%init : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %sum, %init : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>
}

func.func @before(%x: tensor<1x5x5x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<4xf32>) -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) {
  %empty = tensor.empty() : tensor<1x3x3x4xf32>
  %init = linalg.broadcast ins(%b : tensor<4xf32>) outs(%empty : tensor<1x3x3x4xf32>) dimensions = [0, 1, 2]
  %sum = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x5x5x3xf32>, tensor<3x3x3x4xf32>) outs(%init : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %init, %sum : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>
}

func.func @chain(%x: tensor<1x5x5x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<1x3x3x4xf32>) -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) {
  %first = convoy.conv ins(%x, %w : tensor<1x5x5x3xf32>, tensor<3x3x3x4xf32>)
      outs(%b : tensor<1x3x3x4xf32>) layout(nhwc x hwcf -> nhwf)
  %second = convoy.conv ins(%x, %w : tensor<1x5x5x3xf32>, tensor<3x3x3x4xf32>)
      outs(%first : tensor<1x3x3x4xf32>) layout(nhwc x hwcf -> nhwf)
  return %second, %first, %second, %b : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>
}
