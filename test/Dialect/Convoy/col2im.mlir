// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @overlapping(
// CHECK:         convoy.col2im %{{[^ ]*}} layout(nhwc, nhw|hwc) window(pad = {{\[}}[1, 1], [0, 0]]) : tensor<1x9x5x3x3x4xf32> -> tensor<1x9x7x4xf32>
func.func @overlapping(%y: tensor<1x9x5x3x3x4xf32>) -> tensor<1x9x7x4xf32> {
  %0 = convoy.col2im %y layout(nhwc, nhw|hwc) window(pad = [[1, 1], [0, 0]])
      : tensor<1x9x5x3x3x4xf32> -> tensor<1x9x7x4xf32>
  return %0 : tensor<1x9x7x4xf32>
}

// Batches and channels of any size, with groups.
// CHECK-LABEL: func @dynamic(
// CHECK:         convoy.col2im %{{[^ ]*}} layout(gncw, gnw|wc) window(stride = [2], dilation = [3], reverse = [true])
// CHECK-SAME:        : tensor<2x?x3x2x?xi8> -> tensor<2x?x?x8xi8>
func.func @dynamic(%y: tensor<2x?x3x2x?xi8>) -> tensor<2x?x?x8xi8> {
  %0 = convoy.col2im %y layout(gncw, gnw|wc)
      window(stride = [2], dilation = [3], reverse = [true])
      : tensor<2x?x3x2x?xi8> -> tensor<2x?x?x8xi8>
  return %0 : tensor<2x?x?x8xi8>
}

// CHECK-LABEL: func @volume(
// CHECK:         convoy.col2im %{{[^ ]*}} layout(ndhwc, ndhw|dhwc) : tensor<1x2x3x4x2x1x2x5xf16> -> tensor<1x3x3x5x5xf16>
func.func @volume(%y: tensor<1x2x3x4x2x1x2x5xf16>) -> tensor<1x3x3x5x5xf16> {
  %0 = convoy.col2im %y layout(ndhwc, ndhw|dhwc)
      : tensor<1x2x3x4x2x1x2x5xf16> -> tensor<1x3x3x5x5xf16>
  return %0 : tensor<1x3x3x5x5xf16>
}
