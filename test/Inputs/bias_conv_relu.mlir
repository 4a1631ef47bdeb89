// What a network has at each of its layers.
func.func @layer(%x: tensor<2x7x9x5xf32>, %w: tensor<3x2x5x4xf32>, %b: tensor<4xf32>) -> tensor<2x5x8x4xf32> {
  %e = tensor.empty() : tensor<2x5x8x4xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x5x8x4xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x7x9x5xf32>, tensor<3x2x5x4xf32>) outs(%bias : tensor<2x5x8x4xf32>) -> tensor<2x5x8x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x5x8x4xf32>
  %relu = arith.maximumf %y, %zeros : tensor<2x5x8x4xf32>
  return %relu : tensor<2x5x8x4xf32>
}
