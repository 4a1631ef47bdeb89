// The sum of one term is that term, without a rounding.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK: certified: @one_tap:
func.func @one_tap(%x: tensor<2x3x4x1x1x5xf16>) -> tensor<2x3x4x5xf16> {
  %r = convoy.col2im %x layout(nhwc, nhw|hwc) : tensor<2x3x4x1x1x5xf16> -> tensor<2x3x4x5xf16>
  return %r : tensor<2x3x4x5xf16>
}
// Every other place has one, the others none.
// CHECK: certified: @strided:
func.func @strided(%x: tensor<2x4x1x5xf16>) -> tensor<2x7x5xf16> {
  %r = convoy.col2im %x layout(nwc, nw|wc) window(stride = [2]) : tensor<2x4x1x5xf16> -> tensor<2x7x5xf16>
  return %r : tensor<2x7x5xf16>
}
// CHECK: different: @shifted: element [1, 5, 4]: only the second function has argument0[1, 2, 0, 4]
func.func @shifted(%x: tensor<2x4x1x5xf16>) -> tensor<2x7x5xf16> {
  %r = convoy.col2im %x layout(nwc, nw|wc) window(stride = [2]) : tensor<2x4x1x5xf16> -> tensor<2x7x5xf16>
  return %r : tensor<2x7x5xf16>
}
// Two taps are added in f32, and rounded once.
// CHECK: different: @two_taps: sums are formed in f16 instead of f32
func.func @two_taps(%x: tensor<2x3x2x5xf16>) -> tensor<2x4x5xf16> {
  %r = convoy.col2im %x layout(nwc, nw|wc) : tensor<2x3x2x5xf16> -> tensor<2x4x5xf16>
  return %r : tensor<2x4x5xf16>
}

//--- after.mlir
func.func @one_tap(%x: tensor<2x3x4x1x1x5xf16>) -> tensor<2x3x4x5xf16> {
  %r = tensor.collapse_shape %x [[0], [1], [2, 3, 4], [5]] : tensor<2x3x4x1x1x5xf16> into tensor<2x3x4x5xf16>
  return %r : tensor<2x3x4x5xf16>
}
func.func @strided(%x: tensor<2x4x1x5xf16>) -> tensor<2x7x5xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x7x5xf16>
  %0 = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<2x4x1x5xf16> into tensor<2x4x5xf16>
  %r = tensor.insert_slice %0 into %zero[0, 0, 0] [2, 4, 5] [1, 2, 1] : tensor<2x4x5xf16> into tensor<2x7x5xf16>
  return %r : tensor<2x7x5xf16>
}
func.func @shifted(%x: tensor<2x4x1x5xf16>) -> tensor<2x7x5xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x7x5xf16>
  %0 = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 1, 5] [1, 1, 1, 1] : tensor<2x4x1x5xf16> to tensor<2x3x5xf16>
  %r = tensor.insert_slice %0 into %zero[0, 1, 0] [2, 3, 5] [1, 2, 1] : tensor<2x3x5xf16> into tensor<2x7x5xf16>
  return %r : tensor<2x7x5xf16>
}
func.func @two_taps(%x: tensor<2x3x2x5xf16>) -> tensor<2x4x5xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x4x5xf16>
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 1, 5] [1, 1, 1, 1] : tensor<2x3x2x5xf16> to tensor<2x3x5xf16>
  %b = tensor.extract_slice %x[0, 0, 1, 0] [2, 3, 1, 5] [1, 1, 1, 1] : tensor<2x3x2x5xf16> to tensor<2x3x5xf16>
  %0 = tensor.insert_slice %a into %zero[0, 0, 0] [2, 3, 5] [1, 1, 1] : tensor<2x3x5xf16> into tensor<2x4x5xf16>
  %1 = tensor.insert_slice %b into %zero[0, 1, 0] [2, 3, 5] [1, 1, 1] : tensor<2x3x5xf16> into tensor<2x4x5xf16>
  %r = arith.addf %0, %1 : tensor<2x4x5xf16>
  return %r : tensor<2x4x5xf16>
}
