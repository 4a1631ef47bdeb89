// Two layers of which the first may sum in f16: its sums stay below 2000. Those
// of the second may reach 67,000, those of one of its channels 17,000.
func.func @narrow(%x: tensor<1x6x7x4xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %w: tensor<3x3x4x5xf16> {convoy.range = array<f64: -6.0, 6.0, 0.125>}) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}

func.func @wide(%x: tensor<1x6x7x4xf16> {convoy.range = array<f64: 8.0, 300.0>}, %w: tensor<3x3x4x5xf16> {convoy.range = array<f64: 0.125, 6.0>}) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}
