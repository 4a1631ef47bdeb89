// RUN: convoy-opt %s --convoy-conv-to-im2col --split-input-file --verify-diagnostics

func.func @input_dilation(%x: tensor<1x3x4xf32>, %w: tensor<2x4x6xf32>,
                          %init: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  // expected-error @below {{'convoy.conv' op was not turned into im2col}}
  // expected-note @below {{input is dilated}}
  %r = convoy.conv ins(%x, %w : tensor<1x3x4xf32>, tensor<2x4x6xf32>)
      outs(%init : tensor<1x4x6xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [2])
  return %r : tensor<1x4x6xf32>
}

// -----

func.func @winograd(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x5xf32>,
                    %init: tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32> {
  // expected-error @below {{does not fit its plan, array<i64: 2, 2>: convoy-apply-winograd computes it so}}
  %r = convoy.conv ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3x4x5xf32>)
      outs(%init : tensor<1x4x4x5xf32>) layout(nhwc x hwcf -> nhwf)
      {convoy.winograd = array<i64: 2, 2>}
  return %r : tensor<1x4x4x5xf32>
}

// -----

func.func @panel(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: convoy-split-borders pads it so}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
  return %r : tensor<1x9x1x16xf32>
}

// -----

func.func @zero_points_of_channels(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x7x6xi32>, %zx: i32, %zw: tensor<6xi32>) -> tensor<1x7x6xi32> {
  // expected-error @below {{'convoy.conv' op was not turned into im2col}}
  // expected-note @below {{each channel of the filter has a zero point of its own (convoy-subtract-zero-points)}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, tensor<6xi32>)
      layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x6xi32>
}
