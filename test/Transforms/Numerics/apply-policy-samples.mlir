// RUN: convoy-opt %s --convoy-apply-policy=policy=low --verify-diagnostics

// Sums of samples are in f32 with any policy, and nothing is summed of nearest
// elements.
func.func @samples(%x: tensor<1x2x4x3xf16>, %wide: tensor<1x2x4x3xf32>, %grid: tensor<1x5x6x2xf32>, %dy: tensor<1x2x5x6xf16>) -> (tensor<1x2x5x6xf16>, tensor<1x2x5x6xf16>, tensor<1x2x5x6xf32>, tensor<1x2x4x3xf16>) {
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': samples always do}}
  %0 = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<1x2x4x3xf16>, tensor<1x5x6x2xf32> -> tensor<1x2x5x6xf16>
  %1 = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(nearest) padding(border) : tensor<1x2x4x3xf16>, tensor<1x5x6x2xf32> -> tensor<1x2x5x6xf16>
  %2 = convoy.grid_sample %wide, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<1x2x4x3xf32>, tensor<1x5x6x2xf32> -> tensor<1x2x5x6xf32>
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': samples always do}}
  %3 = convoy.grid_sample_backward_input %dy, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<1x2x5x6xf16>, tensor<1x5x6x2xf32> -> tensor<1x2x4x3xf16>
  return %0, %1, %2, %3 : tensor<1x2x5x6xf16>, tensor<1x2x5x6xf16>, tensor<1x2x5x6xf32>, tensor<1x2x4x3xf16>
}

func.func @deformed(%x: tensor<1x4x9x7xbf16>, %w: tensor<6x4x3x2xbf16>, %offset: tensor<1x24x7x6xf32>, %init: tensor<1x6x7x6xbf16>) -> tensor<1x6x7x6xbf16> {
  // expected-remark @below {{sums in 'f32' with policy low, not in 'bf16': samples always do}}
  %0 = convoy.deform_conv ins(%x, %w, %offset : tensor<1x4x9x7xbf16>, tensor<6x4x3x2xbf16>, tensor<1x24x7x6xf32>) outs(%init : tensor<1x6x7x6xbf16>) layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xbf16>
}
