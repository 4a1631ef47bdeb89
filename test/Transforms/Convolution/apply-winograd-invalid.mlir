// RUN: convoy-opt %s --convoy-apply-winograd --split-input-file --verify-diagnostics

func.func @rank(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected 1 sizes in convoy.winograd, but got 2}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2, 2>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @size(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected stride 1, no dilation and taps for tiles of 7 results along 'w'}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 7>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @stride(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x3x6xf32>) -> tensor<1x3x6xf32> {
  // expected-error @below {{expected stride 1, no dilation and taps for tiles of 2 results along 'w'}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x3x6xf32>) layout(nwc x wcf -> nwf) window(stride = [2]) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x3x6xf32>
}

// -----

func.func @type(%x: tensor<1x8x4xf64>, %w: tensor<3x4x6xf64>, %init: tensor<1x6x6xf64>) -> tensor<1x6x6xf64> {
  // expected-error @below {{expected f32, no groups, and static sizes but the batch's for Winograd's algorithm}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf64>, tensor<3x4x6xf64>) outs(%init : tensor<1x6x6xf64>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x6x6xf64>
}

// -----

func.func @packed(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32> {convoy.prepacked}, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected a filter that is not packed beforehand for Winograd's algorithm}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x6x6xf32>
}
