func.func @gradient(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x wcf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
