// RUN: convoy-opt %s --convoy-attach-target="vector-bytes=64 registers=32" --convoy-decompose-backward --convoy-split-phases --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s

// Where both factors have lanes, as in depthwise convolutions, rows read at one
// term what others read at the next: some terms of a loop are one step.
// Of 32 registers at most 27 hold sums, and 3 the taps of a row of the filter.
// CHECK-LABEL: @forward(
// CHECK: lanes = [3, 16], vector_lanes = 16, masked = true, rows = {{\[}}[2, 19]], terms = [6, 3], cycles
func.func @forward(%a: tensor<1x30x58x16x1xf32>, %b: tensor<3x3x1x16x1xf32>, %init: tensor<1x28x56x16x1xf32>) -> tensor<1x28x56x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x30x58x16x1xf32>, tensor<3x3x1x16x1xf32>) outs(%init : tensor<1x28x56x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
  return %0 : tensor<1x28x56x16x1xf32>
}

// -----

// Three taps that are two apart share one with the next.
// CHECK-LABEL: @stride(
// CHECK: lanes = [3, 16], vector_lanes = 16, masked = true, rows = {{\[}}[2, 14]], terms = [6, 3], cycles
func.func @stride(%a: tensor<1x1x57x16x1xf32>, %b: tensor<1x3x1x16x1xf32>, %init: tensor<1x1x28x16x1xf32>) -> tensor<1x1x28x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x1x57x16x1xf32>, tensor<1x3x1x16x1xf32>) outs(%init : tensor<1x1x28x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf) window(stride = [1, 2])
  return %0 : tensor<1x1x28x16x1xf32>
}

// -----

// The second tap of a row is the first of the fourth after it.
// CHECK-LABEL: @dilation(
// CHECK: lanes = [3, 16], vector_lanes = 16, masked = true, rows = {{\[}}[2, 26]], terms = [6, 3], cycles
func.func @dilation(%a: tensor<1x28x60x16x1xf32>, %b: tensor<1x3x1x16x1xf32>, %init: tensor<1x28x52x16x1xf32>) -> tensor<1x28x52x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x28x60x16x1xf32>, tensor<1x3x1x16x1xf32>) outs(%init : tensor<1x28x52x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf) window(dilation = [1, 4])
  return %0 : tensor<1x28x52x16x1xf32>
}

// -----

// Windows that do not meet share nothing.
// CHECK-LABEL: @windows_apart(
// CHECK: #convoy.register_tile<lanes = [3, 16]
// CHECK-NOT: terms
func.func @windows_apart(%a: tensor<1x28x168x16x1xf32>, %b: tensor<1x3x1x16x1xf32>, %init: tensor<1x28x56x16x1xf32>) -> tensor<1x28x56x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x28x168x16x1xf32>, tensor<1x3x1x16x1xf32>) outs(%init : tensor<1x28x56x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf) window(stride = [1, 3])
  return %0 : tensor<1x28x56x16x1xf32>
}

// -----

// The gradient of the input reads its taps from the other end.
// CHECK-LABEL: @reversed(
// CHECK: lanes = [3, 16], vector_lanes = 16, masked = true, rows = {{\[}}[1, 15]], terms = [5, 3], cycles
func.func @reversed(%a: tensor<1x28x56x16x1xf32>, %b: tensor<3x3x1x16x1xf32>, %init: tensor<1x30x58x16x1xf32>) -> tensor<1x30x58x16x1xf32> {
  %0 = convoy.conv_backward_data ins(%a, %b : tensor<1x28x56x16x1xf32>, tensor<3x3x1x16x1xf32>) outs(%init : tensor<1x30x58x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
  return %0 : tensor<1x30x58x16x1xf32>
}

// -----

// Rows are taps, and pixels are summed: three taps of eight pixels read ten.
// CHECK-LABEL: @filter(
// CHECK: lanes = [3, 16], vector_lanes = 16, masked = true, rows = {{\[}}[0, 3], [1, 3]], terms = [7, 8], cycles
func.func @filter(%a: tensor<1x30x58x16x1xf32>, %b: tensor<1x28x56x16x1xf32>, %init: tensor<3x3x1x16x1xf32>) -> tensor<3x3x1x16x1xf32> {
  %0 = convoy.conv_backward_filter ins(%a, %b : tensor<1x30x58x16x1xf32>, tensor<1x28x56x16x1xf32>) outs(%init : tensor<3x3x1x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
  return %0 : tensor<3x3x1x16x1xf32>
}

// -----

// More steps at a time are too much code.
// CHECK-LABEL: @prime(
// CHECK: #convoy.register_tile<lanes = [3, 16]
// CHECK-NOT: terms
func.func @prime(%a: tensor<1x1x70x16x1xf32>, %b: tensor<1x17x1x16x1xf32>, %init: tensor<1x1x54x16x1xf32>) -> tensor<1x1x54x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x1x70x16x1xf32>, tensor<1x17x1x16x1xf32>) outs(%init : tensor<1x1x54x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
  return %0 : tensor<1x1x54x16x1xf32>
}

// -----

// One element of the input is in all lanes: it is read beside a multiply-add.
// CHECK-LABEL: @all_channels(
// CHECK: #convoy.register_tile<lanes = [3, 16]
// CHECK-NOT: terms
func.func @all_channels(%a: tensor<1x30x58x16xf32>, %b: tensor<3x3x16x16xf32>, %init: tensor<1x28x56x16xf32>) -> tensor<1x28x56x16xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x30x58x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x28x56x16xf32>) layout(nhwc x hwcf -> nhwf)
  return %0 : tensor<1x28x56x16xf32>
}

// -----

// How far apart rows are is not known.
// CHECK-LABEL: @dynamic(
// CHECK: #convoy.register_tile<lanes = [3, 16]
// CHECK-NOT: terms
func.func @dynamic(%a: tensor<1x?x?x16x1xf32>, %b: tensor<3x3x1x16x1xf32>, %init: tensor<1x?x?x16x1xf32>) -> tensor<1x?x?x16x1xf32> {
  %0 = convoy.conv ins(%a, %b : tensor<1x?x?x16x1xf32>, tensor<3x3x1x16x1xf32>) outs(%init : tensor<1x?x?x16x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
  return %0 : tensor<1x?x?x16x1xf32>
}
