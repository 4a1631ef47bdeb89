// A network of ten layers, each of which is traced.
func.func @network(%image: tensor<1x12x11x3xf32>, %w0: tensor<3x3x3x8xf32>, %w: tensor<3x3x8x8xf32>, %b: tensor<8xf32>)
    -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<1x8x7x8xf32>

  %e0 = tensor.empty() : tensor<1x10x9x8xf32>
  %init0 = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e0 : tensor<1x10x9x8xf32>) dimensions = [0, 1, 2]
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %w0 : tensor<1x12x11x3xf32>, tensor<3x3x3x8xf32>)
      outs(%init0 : tensor<1x10x9x8xf32>) -> tensor<1x10x9x8xf32>
  %conv0 = convoy.trace "conv0" %0 : tensor<1x10x9x8xf32>
  %zeros0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x10x9x8xf32>) -> tensor<1x10x9x8xf32>
  %1 = arith.maximumf %conv0, %zeros0 : tensor<1x10x9x8xf32>
  %relu0 = convoy.trace "relu0" %1 : tensor<1x10x9x8xf32>

  %e1 = tensor.empty() : tensor<1x8x7x8xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x8x7x8xf32>) -> tensor<1x8x7x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%relu0, %w : tensor<1x10x9x8xf32>, tensor<3x3x8x8xf32>)
      outs(%zeros1 : tensor<1x8x7x8xf32>) -> tensor<1x8x7x8xf32>
  %conv1 = convoy.trace "conv1" %2 : tensor<1x8x7x8xf32>
  %3 = arith.maximumf %conv1, %zeros1 : tensor<1x8x7x8xf32>
  %relu1 = convoy.trace "relu1" %3 : tensor<1x8x7x8xf32>
  %4 = arith.mulf %relu1, %half : tensor<1x8x7x8xf32>
  %scale = convoy.trace "scale" %4 : tensor<1x8x7x8xf32>

  %e2 = tensor.empty() : tensor<1x6x5x8xf32>
  %zeros2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x6x5x8xf32>) -> tensor<1x6x5x8xf32>
  %5 = linalg.conv_2d_nhwc_hwcf ins(%scale, %w : tensor<1x8x7x8xf32>, tensor<3x3x8x8xf32>)
      outs(%zeros2 : tensor<1x6x5x8xf32>) -> tensor<1x6x5x8xf32>
  %conv2 = convoy.trace "conv2" %5 : tensor<1x6x5x8xf32>
  %6 = arith.maximumf %conv2, %zeros2 : tensor<1x6x5x8xf32>
  %relu2 = convoy.trace "relu2" %6 : tensor<1x6x5x8xf32>

  %e3 = tensor.empty() : tensor<1x4x3x8xf32>
  %zeros3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x3x8xf32>) -> tensor<1x4x3x8xf32>
  %7 = linalg.conv_2d_nhwc_hwcf ins(%relu2, %w : tensor<1x6x5x8xf32>, tensor<3x3x8x8xf32>)
      outs(%zeros3 : tensor<1x4x3x8xf32>) -> tensor<1x4x3x8xf32>
  %conv3 = convoy.trace "conv3" %7 : tensor<1x4x3x8xf32>
  %crop = tensor.extract_slice %relu2[0, 1, 1, 0] [1, 4, 3, 8] [1, 1, 1, 1]
      : tensor<1x6x5x8xf32> to tensor<1x4x3x8xf32>
  %8 = arith.addf %conv3, %crop : tensor<1x4x3x8xf32>
  %residual = convoy.trace "residual" %8 : tensor<1x4x3x8xf32>

  %e4 = tensor.empty() : tensor<1x8xf32>
  %zeros4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %9 = linalg.reduce ins(%residual : tensor<1x4x3x8xf32>) outs(%zeros4 : tensor<1x8xf32>) dimensions = [1, 2]
      (%x: f32, %sum: f32) {
    %more = arith.addf %x, %sum : f32
    linalg.yield %more : f32
  }
  %pool = convoy.trace "pool" %9 : tensor<1x8xf32>
  return %pool : tensor<1x8xf32>
}
