// RUN: convoy-opt %s --convoy-pad-im2col --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<1x7x4xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 1, 0] high[0, 1, 0]
// CHECK:           tensor.yield %[[ZERO]]
// CHECK:         convoy.im2col %[[PADDED]] layout(nwc, nw|wc) : tensor<1x9x4xf32> -> tensor<1x7x3x4xf32>
func.func @padded(%x: tensor<1x7x4xf32>) -> tensor<1x7x3x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]])
      : tensor<1x7x4xf32> -> tensor<1x7x3x4xf32>
  return %rows : tensor<1x7x3x4xf32>
}

// -----

// CHECK-LABEL: func @zero_point(
// CHECK-SAME:    %[[X:.*]]: tensor<1x7x4xi8>, %[[ZERO:.*]]: i8
// CHECK:         tensor.pad %[[X]] low[0, 1, 0] high[0, 1, 0]
// CHECK:           tensor.yield %[[ZERO]]
func.func @zero_point(%x: tensor<1x7x4xi8>,
                      %zero: i8) -> tensor<1x7x3x4xi8> {
  %rows = convoy.im2col %x pad_value(%zero : i8) layout(nwc, nw|wc)
      window(pad = [[1, 1]]) : tensor<1x7x4xi8> -> tensor<1x7x3x4xi8>
  return %rows : tensor<1x7x3x4xi8>
}

// -----

// What no window reads is not copied.
// CHECK-LABEL: func @unread_end(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x4xf32>
// CHECK:         %[[READ:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 7, 4] [1, 1, 1]
// CHECK:         tensor.pad %[[READ]] low[0, 1, 0] high[0, 0, 0]
func.func @unread_end(%x: tensor<1x8x4xf32>) -> tensor<1x4x2x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      window(stride = [2], pad = [[1, -1]])
      : tensor<1x8x4xf32> -> tensor<1x4x2x4xf32>
  return %rows : tensor<1x4x2x4xf32>
}

// -----

// CHECK-LABEL: func @cropped(
// CHECK-NEXT:    convoy.im2col %{{.*}} layout(nwc, nw|wc) window(pad = {{\[}}[-1, -1]])
// CHECK-NOT:     tensor.pad
func.func @cropped(%x: tensor<1x9x4xf32>) -> tensor<1x5x3x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[-1, -1]])
      : tensor<1x9x4xf32> -> tensor<1x5x3x4xf32>
  return %rows : tensor<1x5x3x4xf32>
}
