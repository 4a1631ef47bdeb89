// Padding by elements of the tensor, and its adjoint, beside slices and sums.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

// And in all modes, several times around, as gathers.
// RUN: convoy-opt %t/modes.mlir --convoy-decompose-padding -o %t/gathers.mlir
// RUN: convoy-certify %t/modes.mlir %t/gathers.mlir | FileCheck %s --check-prefix=MODES
// MODES-COUNT-10: certified: @
// MODES-NOT: undecided

//--- before.mlir
// CHECK: certified: @circular:
func.func @circular(%x: tensor<?x5xf32>) -> tensor<?x8xf32> {
  %r = convoy.pad %x mode(circular) low[0, 2] high[0, 1] : tensor<?x5xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// One element off at the reflection.
// CHECK: different: @reflected_edge: element [{{[0-9]}}, {{[01]}}]: the first function has argument0
func.func @reflected_edge(%x: tensor<2x3xf32>) -> tensor<2x5xf32> {
  %r = convoy.pad %x mode(reflect) low[0, 2] high[0, 0] : tensor<2x3xf32> -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
// CHECK: certified: @replicate_backward:
func.func @replicate_backward(%y: tensor<4x3xf32>) -> tensor<3x3xf32> {
  %r = convoy.pad_backward %y mode(replicate) low[1, 0] high[0, 0] : tensor<4x3xf32> -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
// The element that was replicated is lost.
// CHECK: different: @lost: element [0, {{[0-9]}}]
func.func @lost(%y: tensor<4x3xf32>) -> tensor<3x3xf32> {
  %r = convoy.pad_backward %y mode(replicate) low[1, 0] high[0, 0] : tensor<4x3xf32> -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
// Sums are rounded once.
// CHECK: different: @rounded: sums are formed in f16 instead of f32
func.func @rounded(%y: tensor<4x3xf16>) -> tensor<3x3xf16> {
  %r = convoy.pad_backward %y mode(replicate) low[1, 0] high[0, 0] : tensor<4x3xf16> -> tensor<3x3xf16>
  return %r : tensor<3x3xf16>
}

//--- after.mlir
func.func @circular(%x: tensor<?x5xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %low = tensor.extract_slice %x[0, 3] [%n, 2] [1, 1] : tensor<?x5xf32> to tensor<?x2xf32>
  %high = tensor.extract_slice %x[0, 0] [%n, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
  %0 = tensor.insert_slice %low into %e[0, 0] [%n, 2] [1, 1] : tensor<?x2xf32> into tensor<?x8xf32>
  %1 = tensor.insert_slice %x into %0[0, 2] [%n, 5] [1, 1] : tensor<?x5xf32> into tensor<?x8xf32>
  %r = tensor.insert_slice %high into %1[0, 7] [%n, 1] [1, 1] : tensor<?x1xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
func.func @reflected_edge(%x: tensor<2x3xf32>) -> tensor<2x5xf32> {
  %e = tensor.empty() : tensor<2x5xf32>
  %edge = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
  %next = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
  %0 = tensor.insert_slice %next into %e[0, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x5xf32>
  %1 = tensor.insert_slice %edge into %0[0, 1] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x5xf32>
  %r = tensor.insert_slice %x into %1[0, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
func.func @replicate_backward(%y: tensor<4x3xf32>) -> tensor<3x3xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x3xf32>
  %first = tensor.extract_slice %y[0, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
  %rest = tensor.extract_slice %y[1, 0] [3, 3] [1, 1] : tensor<4x3xf32> to tensor<3x3xf32>
  %0 = tensor.insert_slice %first into %zeros[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<3x3xf32>
  %r = arith.addf %0, %rest : tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
func.func @lost(%y: tensor<4x3xf32>) -> tensor<3x3xf32> {
  %rest = tensor.extract_slice %y[1, 0] [3, 3] [1, 1] : tensor<4x3xf32> to tensor<3x3xf32>
  return %rest : tensor<3x3xf32>
}
func.func @rounded(%y: tensor<4x3xf16>) -> tensor<3x3xf16> {
  %zeros = arith.constant dense<0.0> : tensor<3x3xf16>
  %first = tensor.extract_slice %y[0, 0] [1, 3] [1, 1] : tensor<4x3xf16> to tensor<1x3xf16>
  %rest = tensor.extract_slice %y[1, 0] [3, 3] [1, 1] : tensor<4x3xf16> to tensor<3x3xf16>
  %0 = tensor.insert_slice %first into %zeros[0, 0] [1, 3] [1, 1] : tensor<1x3xf16> into tensor<3x3xf16>
  %r = arith.addf %0, %rest : tensor<3x3xf16>
  return %r : tensor<3x3xf16>
}

//--- modes.mlir
func.func @reflect(%x: tensor<?x5x4xf32>) -> tensor<?x9x10xf32> {
  %r = convoy.pad %x mode(reflect) low[0, 3, 2] high[0, 1, 4] : tensor<?x5x4xf32> -> tensor<?x9x10xf32>
  return %r : tensor<?x9x10xf32>
}
func.func @reflect_often(%x: tensor<3x2xf32>) -> tensor<14x2xf32> {
  %r = convoy.pad %x mode(reflect) low[5, 0] high[6, 0] : tensor<3x2xf32> -> tensor<14x2xf32>
  return %r : tensor<14x2xf32>
}
func.func @replicate(%x: tensor<5x4xi8>) -> tensor<9x10xi8> {
  %r = convoy.pad %x mode(replicate) low[3, 2] high[1, 4] : tensor<5x4xi8> -> tensor<9x10xi8>
  return %r : tensor<9x10xi8>
}
func.func @circular_often(%x: tensor<3x?xf32>) -> tensor<14x?xf32> {
  %r = convoy.pad %x mode(circular) low[5, 0] high[6, 0] : tensor<3x?xf32> -> tensor<14x?xf32>
  return %r : tensor<14x?xf32>
}
func.func @one(%x: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %r = convoy.pad %x mode(reflect) low[1, 0] high[2, 0] : tensor<1x2xf32> -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @reflect_backward(%y: tensor<?x9x10xf32>) -> tensor<?x5x4xf32> {
  %r = convoy.pad_backward %y mode(reflect) low[0, 3, 3] high[0, 1, 3] : tensor<?x9x10xf32> -> tensor<?x5x4xf32>
  return %r : tensor<?x5x4xf32>
}
func.func @reflect_often_backward(%y: tensor<14x2xbf16>) -> tensor<3x2xbf16> {
  %r = convoy.pad_backward %y mode(reflect) low[5, 0] high[6, 0] : tensor<14x2xbf16> -> tensor<3x2xbf16>
  return %r : tensor<3x2xbf16>
}
func.func @replicate_backward(%y: tensor<9x10xi32>) -> tensor<5x4xi32> {
  %r = convoy.pad_backward %y mode(replicate) low[3, 2] high[1, 4] : tensor<9x10xi32> -> tensor<5x4xi32>
  return %r : tensor<5x4xi32>
}
func.func @circular_backward(%y: tensor<14x?xf32>) -> tensor<3x?xf32> {
  %r = convoy.pad_backward %y mode(circular) low[5, 0] high[6, 0] : tensor<14x?xf32> -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}
func.func @one_backward(%y: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %r = convoy.pad_backward %y mode(circular) low[1, 0] high[2, 0] : tensor<4x2xf32> -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
