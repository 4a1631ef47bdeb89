// RUN: convoy-opt %s --convoy-decompose-im2col --split-input-file --verify-diagnostics

func.func @reversed_dynamic_taps(%x: tensor<1x6x4xf32>,
                                 %taps: index) -> tensor<1x5x?x4xf32> {
  // expected-error @below {{'convoy.im2col' op was not decomposed}}
  %rows = convoy.im2col %x sizes(%taps) layout(nwc, nw|wc)
      window(reverse = [true]) : tensor<1x6x4xf32> -> tensor<1x5x?x4xf32>
  return %rows : tensor<1x5x?x4xf32>
}
