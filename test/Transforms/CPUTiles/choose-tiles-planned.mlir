// A plan that is there stays.
// RUN: convoy-opt %s --convoy-choose-tiles | FileCheck %s
// RUN: convoy-opt %s --convoy-choose-tiles --convoy-tile-contraction | FileCheck %s --check-prefix=TILED

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>

// CHECK-LABEL: func @planned(
// CHECK:         convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = {{\[\[}}1, 2]]>
// TILED-LABEL: func @planned(
// TILED:         scf.forall {{.*}} (0, 0) to (8, 6) step (4, 2)
func.func @planned(%x: tensor<1x7x3xf32>, %w: tensor<2x3x8xf32>, %init: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x7x3xf32> -> tensor<1x6x2x3xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"],
      convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = [[1, 2]]>}
      ins(%rows, %w : tensor<1x6x2x3xf32>, tensor<2x3x8xf32>) outs(%init : tensor<1x6x8xf32>) {
  ^bb0(%in: f32, %f: f32, %sum: f32):
    %product = arith.mulf %in, %f : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x6x8xf32>
  return %r : tensor<1x6x8xf32>
}
