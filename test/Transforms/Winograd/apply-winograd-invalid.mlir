// RUN: convoy-opt %s --convoy-apply-winograd --split-input-file --verify-diagnostics

func.func @rank(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected 1 sizes in convoy.winograd, but got 2}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2, 2>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @size(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected tiles that Winograd's algorithm has for 3 taps, but got 7 results along 'w'}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 7>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @stride(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x3x6xf32>) -> tensor<1x3x6xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its stride along 'w' is 2, not 1}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x3x6xf32>) layout(nwc x wcf -> nwf) window(stride = [2]) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x3x6xf32>
}

// -----

func.func @type(%x: tensor<1x8x4xf64>, %w: tensor<3x4x6xf64>, %init: tensor<1x6x6xf64>) -> tensor<1x6x6xf64> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: it has numbers of f64, not f32 alone}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf64>, tensor<3x4x6xf64>) outs(%init : tensor<1x6x6xf64>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x6x6xf64>
}

// -----

func.func @panel(%x: tensor<1x8x1x4xf32>, %w: tensor<3x1x1x4xf32>, %init: tensor<1x6x1x4xf32>) -> tensor<1x6x1x4xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 4>: Winograd's algorithm has no panels}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x1x4xf32>, tensor<3x1x1x4xf32>) outs(%init : tensor<1x6x1x4xf32>) layout(nwcg x wcfg -> nwfg) {convoy.group_panel = #convoy.group_panel<groups = 4>, convoy.winograd = array<i64: 2>}
  return %r : tensor<1x6x1x4xf32>
}
