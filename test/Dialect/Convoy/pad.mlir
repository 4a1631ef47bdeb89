// RUN: convoy-opt %s --verify-roundtrip
// RUN: convoy-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reflect
// CHECK: convoy.pad %{{.*}} mode(reflect) low[0, 1, 2, 0] high[0, 1, 3, 0] : tensor<2x9x7x4xf32> -> tensor<2x11x12x4xf32>
func.func @reflect(%x: tensor<2x9x7x4xf32>) -> tensor<2x11x12x4xf32> {
  %0 = convoy.pad %x mode(reflect) low[0, 1, 2, 0] high[0, 1, 3, 0]
      : tensor<2x9x7x4xf32> -> tensor<2x11x12x4xf32>
  return %0 : tensor<2x11x12x4xf32>
}

// What is not padded may have a size that is not known.
// CHECK-LABEL: func.func @replicate
// CHECK: convoy.pad %{{.*}} mode(replicate) low[0, 5] high[0, 0] : tensor<?x3xi8> -> tensor<?x8xi8>
func.func @replicate(%x: tensor<?x3xi8>) -> tensor<?x8xi8> {
  %0 = convoy.pad %x mode(replicate) low[0, 5] high[0, 0] : tensor<?x3xi8> -> tensor<?x8xi8>
  return %0 : tensor<?x8xi8>
}

// CHECK-LABEL: func.func @circular_backward
// CHECK: convoy.pad_backward %{{.*}} mode(circular) low[0, 4] high[0, 7] : tensor<?x14xf32> -> tensor<?x3xbf16>
func.func @circular_backward(%y: tensor<?x14xf32>) -> tensor<?x3xbf16> {
  %0 = convoy.pad_backward %y mode(circular) low[0, 4] high[0, 7]
      : tensor<?x14xf32> -> tensor<?x3xbf16>
  return %0 : tensor<?x3xbf16>
}

// CHECK-LABEL: func.func @nothing_is_padded
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @nothing_is_padded(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = convoy.pad %x mode(circular) low[0, 0] high[0, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = convoy.pad_backward %x mode(reflect) low[0, 0] high[0, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
