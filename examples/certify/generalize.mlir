// Named convolutions as generic ops, without dimensions of one element, with
// what follows fused.
// PIPELINE: builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops,linalg-fold-unit-extent-dims),canonicalize,linalg-specialize-generic-ops)

func.func @conv_1d(%x: tensor<1x9x3xf32>, %w: tensor<2x3x5xf32>, %bias: tensor<5xf32>) -> tensor<1x8x5xf32> {
  %e = tensor.empty() : tensor<1x8x5xf32>
  %b = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%e : tensor<1x8x5xf32>) dimensions = [0, 1]
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x5xf32>)
      outs(%b : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  %r = linalg.exp ins(%y : tensor<1x8x5xf32>) outs(%e : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  %s = linalg.add ins(%r, %y : tensor<1x8x5xf32>, tensor<1x8x5xf32>) outs(%e : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  return %s : tensor<1x8x5xf32>
}
func.func @quantized(%x: tensor<1x6x5x2xi8>, %w: tensor<3x2x2x4xi8>, %zx: i32, %zw: i32, %init: tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32> {
  %y = linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %zx, %zw : tensor<1x6x5x2xi8>, tensor<3x2x2x4xi8>, i32, i32)
      outs(%init : tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
  return %y : tensor<1x4x4x4xi32>
}
