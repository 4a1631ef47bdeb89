// RUN: convoy-opt --convoy-raise-linalg %s --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=convoy.

// CHECK-LABEL: func @memrefs(
// CHECK: linalg.conv_1d
func.func @memrefs(%input: memref<9xf32>, %filter: memref<3xf32>,
    %init: memref<7xf32>) {
  // expected-warning @below {{'linalg.conv_1d' op was not raised}}
  // expected-note @below {{expected tensors, but got memrefs}}
  linalg.conv_1d ins(%input, %filter : memref<9xf32>, memref<3xf32>)
      outs(%init : memref<7xf32>)
  return
}

// -----

#sparse = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

// CHECK-LABEL: func @encoded_filter(
// CHECK: linalg.conv_1d
func.func @encoded_filter(%input: tensor<9xf32>, %filter: tensor<3xf32, #sparse>,
    %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.conv_1d' op was not raised}}
  // expected-note @below {{expected tensors without encoding, but got #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>}}
  %r = linalg.conv_1d ins(%input, %filter : tensor<9xf32>, tensor<3xf32, #sparse>)
      outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

#input = affine_map<(o, k) -> (o + k)>
#filter = affine_map<(o, k) -> (k)>
#output = affine_map<(o, k) -> (o)>

// CHECK-LABEL: func @two_outputs(
// CHECK: linalg.generic
func.func @two_outputs(%input: tensor<9xf32>, %filter: tensor<3xf32>,
    %init: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected 1 output, but got 2}}
  %r:2 = linalg.generic {indexing_maps = [#input, #filter, #output, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init, %init : tensor<7xf32>, tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32, %other: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum, %sum : f32, f32
  } -> (tensor<7xf32>, tensor<7xf32>)
  return %r#0, %r#1 : tensor<7xf32>, tensor<7xf32>
}

// -----

// Booleans are added by `or`, complex numbers in two parts.
// CHECK-LABEL: func @unusual_elements(
// CHECK: linalg.conv_1d
// CHECK: linalg.conv_1d
func.func @unusual_elements(%bits: tensor<9xi1>, %bit_filter: tensor<3xi1>,
    %bit_init: tensor<7xi1>, %input: tensor<9xcomplex<f32>>,
    %filter: tensor<3xcomplex<f32>>, %init: tensor<7xcomplex<f32>>)
    -> (tensor<7xi1>, tensor<7xcomplex<f32>>) {
  // expected-warning @below {{'linalg.conv_1d' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it yields arith.ori}}
  %a = linalg.conv_1d ins(%bits, %bit_filter : tensor<9xi1>, tensor<3xi1>)
      outs(%bit_init : tensor<7xi1>) -> tensor<7xi1>
  // expected-warning @below {{'linalg.conv_1d' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it yields complex.add}}
  %b = linalg.conv_1d
      ins(%input, %filter : tensor<9xcomplex<f32>>, tensor<3xcomplex<f32>>)
      outs(%init : tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
  return %a, %b : tensor<7xi1>, tensor<7xcomplex<f32>>
}

// -----

// What is not a convolution is left alone without a word.
// CHECK-LABEL: func @not_convolutions(
// CHECK: linalg.pooling_nwc_sum
// CHECK: linalg.matmul
// CHECK: linalg.add
func.func @not_convolutions(%image: tensor<1x9x4xf32>, %window: tensor<3xf32>,
    %pooled: tensor<1x7x4xf32>, %a: tensor<2x3xf32>, %b: tensor<3x5xf32>,
    %c: tensor<2x5xf32>)
    -> (tensor<1x7x4xf32>, tensor<2x5xf32>, tensor<2x3xf32>) {
  %0 = linalg.pooling_nwc_sum
      ins(%image, %window : tensor<1x9x4xf32>, tensor<3xf32>)
      outs(%pooled : tensor<1x7x4xf32>) -> tensor<1x7x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x5xf32>)
      outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
  %2 = linalg.add ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>)
      outs(%a : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<1x7x4xf32>, tensor<2x5xf32>, tensor<2x3xf32>
}
