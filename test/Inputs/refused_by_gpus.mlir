// Two functions of dynamic sizes: GPUs take those of batches alone.
func.func @wide(%x: tensor<1x?x4xf32>, %w: tensor<1x4x3xf32>) -> tensor<1x?x3xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %width = tensor.dim %x, %c1 : tensor<1x?x4xf32>
  %empty = tensor.empty(%width) : tensor<1x?x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x?x4xf32>, tensor<1x4x3xf32>)
                              outs(%init : tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  return %y : tensor<1x?x3xf32>
}

func.func @batch(%x: tensor<?x7x4xf32>, %w: tensor<1x4x3xf32>) -> tensor<?x7x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %images = tensor.dim %x, %c0 : tensor<?x7x4xf32>
  %empty = tensor.empty(%images) : tensor<?x7x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x7x3xf32>) -> tensor<?x7x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<?x7x4xf32>, tensor<1x4x3xf32>)
                              outs(%init : tensor<?x7x3xf32>) -> tensor<?x7x3xf32>
  return %y : tensor<?x7x3xf32>
}
