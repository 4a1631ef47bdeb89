// RUN: convoy-opt %s --convoy-check-batch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @batch(
// CHECK:         convoy.conv
func.func @batch(%x: tensor<?x9x7x5xf32>, %w: tensor<3x2x5x6xf32>) -> tensor<?x7x6x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x9x7x5xf32>
  %empty = tensor.empty(%n) : tensor<?x7x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x7x6x6xf32>) -> tensor<?x7x6x6xf32>
  %y = convoy.conv ins(%x, %w : tensor<?x9x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x7x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %y : tensor<?x7x6x6xf32>
}

// -----

func.func @height(%x: tensor<1x?x7x5xf32>, %w: tensor<3x2x5x6xf32>, %init: tensor<1x?x6x6xf32>) -> tensor<1x?x6x6xf32> {
  // expected-error @below {{expected a known size of h in the input, since kernels of GPUs take no dynamic size but the batch}}
  %y = convoy.conv ins(%x, %w : tensor<1x?x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<1x?x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x?x6x6xf32>
}

// -----

// expected-error @below {{expected no dynamic size but the batch, but got an argument 'tensor<?x?xf32>'}}
func.func @two(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

// -----

func.func @half(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %half = arith.divui %n, %c2 : index
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %y = tensor.extract_slice %x[0, 0] [%half, 5] [1, 1] : tensor<?x5xf32> to tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// -----

func.func @together(%x: tensor<?x5xf32>) -> tensor<?xf32> {
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<?x5xf32> into tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// The size of samples is that of the image or the grid, or there are as many of
// them as nobody knows.
func.func @samples(%x: tensor<?x9x7x3xf32>, %g: tensor<2x?x4x2xf32>)
    -> tensor<2x?x4x3xf32> {
  %y = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<?x9x7x3xf32>, tensor<2x?x4x2xf32> -> tensor<2x?x4x3xf32>
  return %y : tensor<2x?x4x3xf32>
}

// -----

func.func @samples_of_another_size(%x: tensor<1x9x7x3xf32>, %g: tensor<1x5x4x2xf32>)
    -> tensor<1x?x4x3xf32> {
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %y = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<1x9x7x3xf32>, tensor<1x5x4x2xf32> -> tensor<1x?x4x3xf32>
  return %y : tensor<1x?x4x3xf32>
}

// -----

func.func @padded(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %y = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%n: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x5xf32> to tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// -----

func.func @appended(%x: tensor<?x5xf32>, %y: tensor<4x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %z = tensor.pad %y low[0, 0] high[%n, 0] {
  ^bb0(%i: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<4x5xf32> to tensor<?x5xf32>
  return %z : tensor<?x5xf32>
}

// -----

func.func @square(%x: tensor<?x5xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %square = tensor.empty(%n, %n) : tensor<?x?xf32>
  %m = tensor.dim %square, %c0 : tensor<?x?xf32>
  return %m : index
}

// -----

func.func @dimension_below_0(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = arith.constant -2147483648 : index
  %n = tensor.dim %x, %c : tensor<?x3xf32>
  // expected-error @below {{expected no dynamic size but the batch, but its result may have another one}}
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  return %empty : tensor<?x3xf32>
}
