// RUN: convoy-opt %s --convoy-vectorize-tiles | FileCheck %s

// Tiles whose lanes run along different dimensions have other rows, even where
// there are as many: the second reads the tensor that the first writes.
// CHECK-LABEL: @turned
// CHECK: %[[SQUARES:.+]] = vector.transfer_write
// CHECK: vector.transfer_read %[[SQUARES]]
// CHECK: %[[SUMS:.+]] = vector.transfer_write {{.*}}, %[[SQUARES]]
// CHECK: return %[[SUMS]]
#id = affine_map<(d0, d1) -> (d0, d1)>
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8>} {
  func.func @turned(%x: tensor<2x2xf32>, %init: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) attrs = {convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 2>} {
    ^bb0(%in: f32, %out: f32):
      %square = arith.mulf %in, %in : f32
      linalg.yield %square : f32
    } -> tensor<2x2xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) attrs = {convoy.tile_lanes = #convoy.tile_lanes<dim = 0, lanes = 2>} {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    } -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
