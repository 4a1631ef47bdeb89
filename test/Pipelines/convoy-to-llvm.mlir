// RUN: convoy-opt %s --convoy-to-tiles-pipeline | FileCheck %s --check-prefix=TILES
// RUN: convoy-opt %s --convoy-to-llvm-pipeline=cpu=x86-64 | FileCheck %s

// Down to the tiles nothing but slices reads the input: no im2col, no copy.
// TILES-LABEL: func.func @strided
// TILES: tensor.pad
// TILES: scf.for
// TILES: tensor.extract_slice
// TILES: linalg.generic
// TILES-NOT: convoy.im2col
// TILES-NOT: linalg.transpose

// The workspace is the padded input alone: 11x9x4 elements of 4 bytes.
// CHECK-LABEL: llvm.func @strided
// CHECK-SAME: -> i32
// CHECK-SAME: convoy.workspace = 1600 : i64
// CHECK-NOT: llvm.call @malloc
// CHECK: llvm.func internal @strided.body
// CHECK-NOT: unrealized_conversion_cast
func.func @strided(%x: tensor<1x9x7x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<1x5x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x5x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x4x6xf32>) -> tensor<1x5x4x6xf32>
  %0 = convoy.conv ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x3x4x6xf32>) outs(%init : tensor<1x5x4x6xf32>) layout(nhwc x hwcf -> nhwf) window(stride = [2, 2], pad = [[1, 1], [1, 1]])
  return %0 : tensor<1x5x4x6xf32>
}

// The result of backward-data is written phase by phase into the caller's
// buffer; dy needs no padding.
// CHECK-LABEL: llvm.func @phases
// CHECK-SAME: convoy.workspace = 0 : i64
func.func @phases(%dy: tensor<1x3x5xf32>, %w: tensor<1x2x5xf32>) -> tensor<1x6x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x6x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %0 = convoy.conv_backward_data ins(%dy, %w : tensor<1x3x5xf32>, tensor<1x2x5xf32>) outs(%init : tensor<1x6x2xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %0 : tensor<1x6x2xf32>
}

// Rows that are the result are written where the caller wants them.
// CHECK-LABEL: llvm.func @rows
// CHECK-SAME: convoy.workspace = 0 : i64
func.func @rows(%x: tensor<1x9x7x4xf32>) -> tensor<1x7x3x3x3x4xf32> {
  %0 = convoy.im2col %x layout(nhwc, nhw|hwc) window(stride = [1, 2]) : tensor<1x9x7x4xf32> -> tensor<1x7x3x3x3x4xf32>
  return %0 : tensor<1x7x3x3x3x4xf32>
}

// So are the rows of an image that is padded: the workspace is that of the
// image.
// CHECK-LABEL: llvm.func @padded_rows
// CHECK-SAME: convoy.workspace = 384 : i64
func.func @padded_rows(%x: tensor<1x9x8xf32>) -> tensor<1x9x3x8xf32> {
  %0 = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]]) : tensor<1x9x8xf32> -> tensor<1x9x3x8xf32>
  return %0 : tensor<1x9x3x8xf32>
}
