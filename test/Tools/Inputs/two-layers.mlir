// Two convolutions, a bias and what stands between them, with two results.
func.func @network(%x: tensor<2x9x8x3xf32>, %w0: tensor<3x2x3x5xf32>, %b: tensor<5xf32>, %w1: tensor<2x3x5x4xf32>)
    -> (tensor<2x6x5x4xf32>, tensor<2x7x7x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x7x7x5xf32>
  %init0 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e0 : tensor<2x7x7x5xf32>) dimensions = [0, 1, 2]
  %y0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<2x9x8x3xf32>, tensor<3x2x3x5xf32>)
      outs(%init0 : tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32>
  %relu = arith.maximumf %y0, %zeros : tensor<2x7x7x5xf32>
  %half = arith.constant dense<0.5> : tensor<2x7x7x5xf32>
  %scaled = arith.mulf %relu, %half : tensor<2x7x7x5xf32>
  %e1 = tensor.empty() : tensor<2x6x5x4xf32>
  %init1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x6x5x4xf32>) -> tensor<2x6x5x4xf32>
  %y1 = linalg.conv_2d_nhwc_hwcf ins(%scaled, %w1 : tensor<2x7x7x5xf32>, tensor<2x3x5x4xf32>)
      outs(%init1 : tensor<2x6x5x4xf32>) -> tensor<2x6x5x4xf32>
  return %y1, %relu : tensor<2x6x5x4xf32>, tensor<2x7x7x5xf32>
}
