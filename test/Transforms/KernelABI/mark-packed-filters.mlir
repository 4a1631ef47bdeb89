// RUN: convoy-opt %s --convoy-mark-packed-filters --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %{{.*}}: tensor<1x7x3xf32>, %{{.*}}: tensor<2x3x5xf32> {convoy.name = "weights", convoy.prepacked}, %{{.*}}: tensor<1x6x5xf32>)
func.func @forward(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32> {convoy.name = "weights"}, %init: tensor<1x6x5xf32>) -> tensor<1x6x5xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x6x5xf32>
}

// -----

// One filter of two convolutions.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %{{.*}}: tensor<1x6x5xf32>, %{{.*}}: tensor<2x3x5xf32> {convoy.prepacked}, %{{.*}}: tensor<1x7x3xf32>)
func.func @backward(%dy: tensor<1x6x5xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x7x3xf32>) -> tensor<1x7x3xf32> {
  %a = convoy.conv_backward_data ins(%dy, %w : tensor<1x6x5xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x7x3xf32>) layout(nwc x wcf -> nwf)
  %b = convoy.conv_backward_data ins(%dy, %w : tensor<1x6x5xf32>, tensor<2x3x5xf32>) outs(%a : tensor<1x7x3xf32>) layout(nwc x wcf -> nwf)
  return %b : tensor<1x7x3xf32>
}

// -----

// Groups are a dimension of their own for the convolution alone.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %{{.*}}: tensor<1x7x4xf32>, %{{.*}}: tensor<2x2x6xf32> {convoy.prepacked}, %{{.*}}: tensor<1x6x2x3xf32>)
func.func @groups(%x: tensor<1x7x4xf32>, %w: tensor<2x2x6xf32>, %init: tensor<1x6x2x3xf32>) -> tensor<1x6x2x3xf32> {
  %xg = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [1, 7, 2, 2] : tensor<1x7x4xf32> into tensor<1x7x2x2xf32>
  %wg = tensor.expand_shape %w [[0], [1], [2, 3]] output_shape [2, 2, 2, 3] : tensor<2x2x6xf32> into tensor<2x2x2x3xf32>
  %y = convoy.conv ins(%xg, %wg : tensor<1x7x2x2xf32>, tensor<2x2x2x3xf32>) outs(%init : tensor<1x6x2x3xf32>) layout(nwgc x wcgf -> nwgf)
  return %y : tensor<1x6x2x3xf32>
}

// -----

// Parts of the filter, the products with which are summed by themselves.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[X:.*]]: tensor<1x7x5xf32>, %[[W:.*]]: tensor<2x5x3xf32> {convoy.prepacked}
func.func @blocks(%x: tensor<1x7x5xf32>, %w: tensor<2x5x3xf32>, %init: tensor<1x6x3xf32>) -> tensor<1x6x3xf32> {
  %x0 = tensor.extract_slice %x[0, 0, 0] [1, 7, 3] [1, 1, 1] : tensor<1x7x5xf32> to tensor<1x7x3xf32>
  %x1 = tensor.extract_slice %x[0, 0, 3] [1, 7, 2] [1, 1, 1] : tensor<1x7x5xf32> to tensor<1x7x2xf32>
  %w0 = tensor.extract_slice %w[0, 0, 0] [2, 3, 3] [1, 1, 1] : tensor<2x5x3xf32> to tensor<2x3x3xf32>
  %w1 = tensor.extract_slice %w[0, 3, 0] [2, 2, 3] [1, 1, 1] : tensor<2x5x3xf32> to tensor<2x2x3xf32>
  %y0 = convoy.conv ins(%x0, %w0 : tensor<1x7x3xf32>, tensor<2x3x3xf32>) outs(%init : tensor<1x6x3xf32>) layout(nwc x wcf -> nwf)
  %y1 = convoy.conv ins(%x1, %w1 : tensor<1x7x2xf32>, tensor<2x2x3xf32>) outs(%y0 : tensor<1x6x3xf32>) layout(nwc x wcf -> nwf)
  return %y1 : tensor<1x6x3xf32>
}

// -----

// A part that only the call decides on.
func.func @any_part(%x: tensor<1x7x3xf32>, %w: tensor<9x3x5xf32>, %i: index, %init: tensor<1x6x5xf32>) -> tensor<1x6x5xf32> {
  %part = tensor.extract_slice %w[%i, 0, 0] [2, 3, 5] [1, 1, 1] : tensor<9x3x5xf32> to tensor<2x3x5xf32>
  // expected-error @below {{cannot take its filter packed: it is no argument of the function}}
  %y = convoy.conv ins(%x, %part : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x6x5xf32>
}

// -----

// The gradient of a filter reads none.
// CHECK-LABEL: func.func @no_filter(
// CHECK-NOT:     convoy.prepacked
// expected-remark @below {{no filter is packed: no convolution in 'no_filter' reads one}}
func.func @no_filter(%x: tensor<1x7x3xf32>, %dy: tensor<1x6x5xf32>, %init: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %dw = convoy.conv_backward_filter ins(%x, %dy : tensor<1x7x3xf32>, tensor<1x6x5xf32>) outs(%init : tensor<2x3x5xf32>) layout(nwc x wcf -> nwf)
  return %dw : tensor<2x3x5xf32>
}

// -----

func.func @dynamic(%x: tensor<1x7x?xf32>, %w: tensor<2x?x5xf32>, %init: tensor<1x6x5xf32>) -> tensor<1x6x5xf32> {
  // expected-error @below {{cannot take its filter packed: it has dynamic sizes}}
  %y = convoy.conv ins(%x, %w : tensor<1x7x?xf32>, tensor<2x?x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x6x5xf32>
}

// -----

func.func @square(%x: tensor<3x3x3xf32>, %init: tensor<3x1x3xf32>) -> tensor<3x1x3xf32> {
  // expected-error @below {{cannot take its filter packed: it has other uses}}
  %y = convoy.conv ins(%x, %x : tensor<3x3x3xf32>, tensor<3x3x3xf32>) outs(%init : tensor<3x1x3xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<3x1x3xf32>
}

// -----

func.func @constant(%x: tensor<1x7x3xf32>, %init: tensor<1x6x5xf32>) -> tensor<1x6x5xf32> {
  %w = arith.constant dense<1.0> : tensor<2x3x5xf32>
  // expected-error @below {{cannot take its filter packed: it is no argument of the function}}
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x6x5xf32>
}

// -----

func.func @zero_points(%x: tensor<1x7x3xi8>, %w: tensor<2x3x5xi8>, %zx: i32, %zw: tensor<5xi32>, %init: tensor<1x6x5xi32>) -> tensor<1x6x5xi32> {
  // expected-error @below {{cannot take its filter packed: each of its channels has a zero point}}
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xi8>, tensor<2x3x5xi8>) outs(%init : tensor<1x6x5xi32>) zero_points(%zx, %zw : i32, tensor<5xi32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x6x5xi32>
}
