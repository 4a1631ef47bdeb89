// A zero point that is no element of its tensor is subtracted like any other. (It
// is no convolution of the dialect, which fills padding with zero points.)
// RUN: convoy-run %s --target=cpu --input=1x2x2x1xi8=1,2,3,4 --input=2x2x1x1xi8=5,6,7,-8 --output=- | FileCheck %s
// RUN: convoy-run %s --target=vulkan --input=1x2x2x1xi8=1,2,3,4 --input=2x2x1x1xi8=5,6,7,-8 --output=- | FileCheck %s
// RUN: convoy-run %s --target=rocm-sim --input=1x2x2x1xi8=1,2,3,4 --input=2x2x1x1xi8=5,6,7,-8 --output=- | FileCheck %s

// -299 * 12 - 298 * 13 - 297 * 14 - 296 * -1
// CHECK: 1x1x1x1xi32={{\[*}}-11324{{\]*$}}
func.func @conv(%x: tensor<1x2x2x1xi8>, %w: tensor<2x2x1x1xi8>) -> tensor<1x1x1x1xi32> {
  %zero = arith.constant 0 : i32
  %input_zero_point = arith.constant 300 : i32
  %filter_zero_point = arith.constant -7 : i32
  %empty = tensor.empty() : tensor<1x1x1x1xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  %y = linalg.conv_2d_nhwc_hwcf_q
      ins(%x, %w, %input_zero_point, %filter_zero_point : tensor<1x2x2x1xi8>, tensor<2x2x1x1xi8>, i32, i32)
      outs(%init : tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  return %y : tensor<1x1x1x1xi32>
}
