// RUN: convoy-opt %s --convoy-choose-algorithms=algorithm=winograd:2 --split-input-file | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: convoy-opt %s --convoy-choose-algorithms=algorithm=winograd --split-input-file | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: convoy-opt %s --convoy-choose-algorithms=algorithm=direct --split-input-file | FileCheck %s --check-prefix=DIRECT
// RUN: convoy-opt %s --convoy-choose-algorithms="algorithm=auto explain" --split-input-file 2>&1 | FileCheck %s --check-prefix=AUTO

// Tiles of four waste nothing.
// CHECK-LABEL: @forward
// TWO: convoy.conv {{.*}} {convoy.winograd = array<i64: 2, 2>}
// ANY: convoy.conv {{.*}} {convoy.winograd = array<i64: 4, 4>}
// AUTO: remark: Winograd's algorithm computes tiles of 4x4 results, in an estimated {{[0-9]+}} % of the time of its products
func.func @forward(%x: tensor<1x10x10x32xf32>, %w: tensor<3x3x32x32xf32>, %init: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x10x10x32xf32>, tensor<3x3x32x32xf32>) outs(%init : tensor<1x8x8x32xf32>) layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x8x8x32xf32>
}

// -----

// A gradient of the input, of any batch; three results are one tile of four, or
// two of two.
// CHECK-LABEL: @backward_data
// TWO: convoy.conv_backward_data {{.*}} {convoy.winograd = array<i64: 2>}
// ANY: convoy.conv_backward_data {{.*}} {convoy.winograd = array<i64: 4>}
func.func @backward_data(%dy: tensor<?x16x3xf32>, %w: tensor<16x16x3xf32>, %init: tensor<?x16x3xf32>) -> tensor<?x16x3xf32> {
  %r = convoy.conv_backward_data ins(%dy, %w : tensor<?x16x3xf32>, tensor<16x16x3xf32>) outs(%init : tensor<?x16x3xf32>) layout(ncw x fcw -> nfw) window(pad = [[1, 1]])
  return %r : tensor<?x16x3xf32>
}

// -----

// Of few channels the transforms take longer than the products.
// AUTO: remark: sums its products: Winograd's algorithm is estimated to take longer
// CHECK-LABEL: @few_channels
// CHECK: convoy.conv {{.*}} {convoy.winograd
func.func @few_channels(%x: tensor<1x10x10x1xf32>, %w: tensor<3x3x1x1xf32>, %init: tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x10x10x1xf32>, tensor<3x3x1x1xf32>) outs(%init : tensor<1x8x8x1xf32>) layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x8x8x1xf32>
}

// -----

// Only policy low takes tiles of six.
// CHECK-LABEL: @low
// TWO: array<i64: 2, 2>
// ANY: array<i64: 6, 6>
func.func @low(%x: tensor<1x38x38x64xf32>, %w: tensor<3x3x64x64xf32>, %init: tensor<1x36x36x64xf32>) -> tensor<1x36x36x64xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x38x38x64xf32>, tensor<3x3x64x64xf32>) outs(%init : tensor<1x36x36x64xf32>) layout(nhwc x hwcf -> nhwf) numerics(policy = low)
  return %r : tensor<1x36x36x64xf32>
}

// -----

// What is there already stays, and nothing else is there.
// DIRECT-COUNT-1: convoy.winograd
// DIRECT-NOT: convoy.winograd
// CHECK-LABEL: @chosen
// CHECK: array<i64: 3>
func.func @chosen(%x: tensor<1x14x64xf32>, %w: tensor<3x64x64xf32>, %init: tensor<1x12x64xf32>) -> tensor<1x12x64xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x14x64xf32>, tensor<3x64x64xf32>) outs(%init : tensor<1x12x64xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 3>}
  return %r : tensor<1x12x64xf32>
}

// -----

// A target error says how large tiles may be, whatever the policy, and leaves nothing
// behind.
// CHECK-LABEL: @target_error
// TWO: convoy.conv {{.*}} numerics(policy = high) {convoy.winograd = array<i64: 2, 2>}
// ANY: convoy.conv {{.*}} numerics(policy = high) {convoy.winograd = array<i64: 2, 2>}
// AUTO: remark: Winograd's algorithm computes tiles of 2x2 results
func.func @target_error(%x: tensor<1x10x10x64xf32>, %w: tensor<3x3x64x64xf32>, %init: tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x10x10x64xf32>, tensor<3x3x64x64xf32>) outs(%init : tensor<1x8x8x64xf32>) layout(nhwc x hwcf -> nhwf) numerics(policy = high) {convoy.most_winograd = 2 : i64}
  return %r : tensor<1x8x8x64xf32>
}

// -----

// Nothing is computed of what has no elements.
// CHECK-LABEL: @empty
// CHECK-NOT: convoy.winograd
// AUTO: remark: sums its products: it has no elements
func.func @empty(%x: tensor<0x10x32xf32>, %w: tensor<3x32x32xf32>, %init: tensor<0x8x32xf32>) -> tensor<0x8x32xf32> {
  %r = convoy.conv ins(%x, %w : tensor<0x10x32xf32>, tensor<3x32x32xf32>) outs(%init : tensor<0x8x32xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<0x8x32xf32>
}

// -----

// AUTO: remark: sums its products: each of its results samples the input elsewhere
func.func @deform(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>, %offset: tensor<1x24x7x6xf32>, %init: tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32> {
  %r = convoy.deform_conv ins(%x, %w, %offset : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %r : tensor<1x6x7x6xf32>
}
