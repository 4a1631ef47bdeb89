// Upstream's bufferization of a function, then its loops of affine.
// PIPELINE: builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4},affine-super-vectorize{virtual-vector-size=4}),lower-affine)

func.func @conv(%x: tensor<1x9x8x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>)
      outs(%init : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %y : tensor<1x7x7x5xf32>
}
