// RUN: convoy-opt %s --convoy-pad-im2col | FileCheck %s

// Phases of backward convolutions may have windows that miss the input: those
// read an empty slice, which still starts inside the input.
// CHECK-LABEL: func @behind_the_input
// CHECK-SAME: %[[X:.*]]: tensor<3x1x5xf32>
// CHECK: %[[NOTHING:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [3, 0, 5] [1, 1, 1]
// CHECK: %[[PADDED:.*]] = tensor.pad %[[NOTHING]] low[0, 0, 0] high[0, 2, 0]
// CHECK: convoy.im2col %[[PADDED]] layout(nwc, nw|wc)
func.func @behind_the_input(%x: tensor<3x1x5xf32>) -> tensor<3x1x2x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[-1, 2]])
      : tensor<3x1x5xf32> -> tensor<3x1x2x5xf32>
  return %rows : tensor<3x1x2x5xf32>
}
