// A convolution of any number of images.
func.func @plain(%a: tensor<?x9x7x5xf32>, %b: tensor<3x2x5x6xf32>) -> tensor<?x7x6x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x9x7x5xf32>
  %empty = tensor.empty(%n) : tensor<?x7x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x7x6x6xf32>) -> tensor<?x7x6x6xf32>
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x7x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<?x7x6x6xf32>
}
