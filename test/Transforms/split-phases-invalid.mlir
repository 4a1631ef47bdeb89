// RUN: convoy-opt %s --convoy-split-phases --verify-diagnostics

func.func @dynamic_dilated_input(%x: tensor<1x?x2xf32>, %w: tensor<3x2x4xf32>,
                                 %init: tensor<1x7x4xf32>)
    -> tensor<1x7x4xf32> {
  // expected-error @below {{was not split into phases}}
  // expected-note @below {{spatial sizes of the dilated input are not static}}
  %r = convoy.conv ins(%x, %w : tensor<1x?x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 2]], input_dilation = [2])
  return %r : tensor<1x7x4xf32>
}
