// A gradient of the input is a forward convolution in which the filter is read
// with flipped taps and exchanged channels. Where a lowering forgets one of
// them, the numbers are wrong while all shapes fit: this is how the project
// began. The gradients here are such that the forward form must give the same.

// RUN: convoy-run %s --function=forward --check \
// RUN:   --input=1x3x2xf32=0,1,0,0,0,0 --input=2x2x2xf32=1,2,3,4,5,6,7,8 \
// RUN:   | FileCheck %s --check-prefix=FORWARD
// FORWARD: 1x2x2xf32={{\[\[}}5 6][0 0]]
// FORWARD: passed

// The input is nwc, the filter cwf: channel 1 at the first position meets the
// first tap of channel 1, which is [5, 6].
func.func @forward(%input: tensor<1x3x2xf32>, %filter: tensor<2x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %result = convoy.conv ins(%input, %filter : tensor<1x3x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x2x2xf32>) layout(nwc x cwf -> nwf)
  return %result : tensor<1x2x2xf32>
}

// The gradient of an input of two positions: the forward convolution of the
// output's gradient, padded by one, with the filter's taps reversed. Taps are
// given in the opposite order, and padding is cropped by the forward's own, so
// that the sums are those of @forward.

// RUN: convoy-run %s --function=backward --check \
// RUN:   --input=1x3x2xf32=0,1,0,0,0,0 --input=2x2x2xf32=3,4,1,2,7,8,5,6 \
// RUN:   | FileCheck %s --check-prefix=BACKWARD
// BACKWARD: 1x2x2xf32={{\[\[}}5 6][0 0]]
// BACKWARD: passed

func.func @backward(%gradient: tensor<1x3x2xf32>, %filter: tensor<2x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %result = convoy.conv_backward_data
      ins(%gradient, %filter : tensor<1x3x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x2x2xf32>) layout(nwc x fwc -> nwf)
      window(pad = [[1, 1]])
  return %result : tensor<1x2x2xf32>
}
