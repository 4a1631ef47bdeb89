// RUN: convoy-opt %s --convoy-choose-tiles=explain --verify-diagnostics -o /dev/null

// expected-remark @below {{no tile is chosen: there is no contraction over convoy.im2col}}
module {
  func.func @no_contraction(%x: tensor<2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
    %y = linalg.abs ins(%x : tensor<2xf32>) outs(%init : tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
}
