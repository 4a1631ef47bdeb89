// RUN: convoy-opt %s --convoy-pad-im2col | FileCheck %s

// Phases of backward convolutions may have windows that miss the input: those
// read the pad value alone.
// CHECK-LABEL: func @behind_the_input
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[PADDED:.*]] = tensor.splat %{{.*}} : tensor<3x2x5xf32>
// CHECK: convoy.im2col %[[PADDED]] layout(nwc, nw|wc)
func.func @behind_the_input(%x: tensor<3x1x5xf32>) -> tensor<3x1x2x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[-1, 2]])
      : tensor<3x1x5xf32> -> tensor<3x1x2x5xf32>
  return %rows : tensor<3x1x2x5xf32>
}
