// A layer of f16 about whose numbers nothing is known but their type.
func.func @layer(%x: tensor<1x6x7x4xf16>, %w: tensor<3x3x4x5xf16>) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}
