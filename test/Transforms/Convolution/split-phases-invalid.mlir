// RUN: convoy-opt %s --convoy-split-phases --split-input-file --verify-diagnostics

func.func @dynamic_taps(%x: tensor<1x3x2xf32>, %w: tensor<?x2x4xf32>,
                        %init: tensor<1x7x4xf32>)
    -> tensor<1x7x4xf32> {
  // expected-error @below {{was not split into phases}}
  // expected-note @below {{the filter's sizes along the dilated input are not static}}
  %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<?x2x4xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 2]], input_dilation = [2])
  return %r : tensor<1x7x4xf32>
}

// -----

func.func @phases_without_number(%x: tensor<1x3x2xf32>, %w: tensor<5x2x4xf32>,
                                 %init: tensor<1x16389x4xf32>)
    -> tensor<1x16389x4xf32> {
  // expected-error @below {{was not split into phases}}
  // expected-note @below {{the input's dilation makes more than 4096 phases}}
  %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<5x2x4xf32>)
      outs(%init : tensor<1x16389x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[4, 4]], input_dilation = [8192])
  return %r : tensor<1x16389x4xf32>
}
