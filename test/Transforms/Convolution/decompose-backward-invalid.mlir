// RUN: convoy-opt %s --convoy-decompose-backward --split-input-file --verify-diagnostics

func.func @data_dynamic_taps(%dy: tensor<1x5x6xf32>, %w: tensor<?x4x6xf32>,
                             %init: tensor<1x7x4xf32>) -> tensor<1x7x4xf32> {
  // expected-error @below {{was not decomposed}}
  // expected-note @below {{the filter's spatial sizes are not static}}
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x5x6xf32>, tensor<?x4x6xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
  return %dx : tensor<1x7x4xf32>
}

// -----

func.func @filter_dynamic_reversed_taps(
    %x: tensor<1x7x4xf32>, %dy: tensor<1x5x6xf32>, %init: tensor<?x4x6xf32>)
    -> tensor<?x4x6xf32> {
  // expected-error @below {{was not decomposed}}
  // expected-note @below {{the filter's reversed spatial sizes are not static}}
  %dw = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x7x4xf32>, tensor<1x5x6xf32>)
      outs(%init : tensor<?x4x6xf32>) layout(nwc x wcf -> nwf)
      window(reverse = [true])
  return %dw : tensor<?x4x6xf32>
}
