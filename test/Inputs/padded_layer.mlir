// A layer that has a tile for every target: what docs/Pipelines.md follows down.
func.func @layer(%x: tensor<1x14x14x32xf32>, %w: tensor<3x3x32x64xf32>, %b: tensor<64xf32>) -> tensor<1x14x14x64xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %wi: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x32xf32> to tensor<1x16x16x32xf32>
  %e = tensor.empty() : tensor<1x14x14x64xf32>
  %bias = linalg.broadcast ins(%b : tensor<64xf32>) outs(%e : tensor<1x14x14x64xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%bias : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x14x14x64xf32>
  %relu = arith.maximumf %y, %zeros : tensor<1x14x14x64xf32>
  return %relu : tensor<1x14x14x64xf32>
}
