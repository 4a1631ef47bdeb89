// RUN: convoy-opt --convoy-raise-tosa %s 2>&1 | FileCheck %s
// RUN: convoy-opt --convoy-raise-tosa=report=false %s 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=warning --implicit-check-not=note

// CHECK: warning: 'tosa.conv2d' op was not raised
// CHECK: note: expected a bias of static size
// QUIET-LABEL: func @dynamic_bias(
// QUIET: tosa.conv2d
func.func @dynamic_bias(%input: tensor<1x8x8x4xf32>,
    %filter: tensor<5x3x2x4xf32>, %bias: tensor<?xf32>) -> tensor<1x6x7x5xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<5x3x2x4xf32>, tensor<?xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}
