// RUN: convoy-run %s --check --data=int | FileCheck %s
// CHECK: passed

func.func @conv2d(%input: tensor<1x5x4x3xf32>, %filter: tensor<6x2x3x3xf32>, %bias: tensor<6xf32>) -> tensor<1x4x2x6xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %result = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x5x4x3xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x2x6xf32>
  return %result : tensor<1x4x2x6xf32>
}
