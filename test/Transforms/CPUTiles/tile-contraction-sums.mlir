// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles=explain --convoy-tile-contraction --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// Nothing of the result fills vectors: lanes run along the 103 taps, which are
// summed over, and what whole vectors leave of them is a sum of its own, by the
// same tiles.
// CHECK-LABEL: @rest
// CHECK-SAME: %[[X:.+]]: tensor<3x1x103xf32>, %[[DY:.+]]: tensor<5x1x103xf32>, %[[INIT:.+]]: tensor<3x5x1xf32>
// CHECK: tensor.extract_slice %[[X]][0, 0, 0] [3, 1, 100]
// CHECK: scf.for {{.*}} to %c100 step %c4
// CHECK: convoy.im2col {{.*}} -> tensor<3x1x1x4xf32>
// CHECK: linalg.generic
// CHECK-SAME: convoy.tile_lanes = #convoy.tile_lanes<dim = 4, lanes = 4>
// CHECK: scf.for {{.*}} to %c100 step %c4
// CHECK: linalg.generic
// CHECK-SAME: convoy.tile_lanes = #convoy.tile_lanes<dim = 4, lanes = 4>
// CHECK: %[[MOST:.+]] = tensor.insert_slice
// CHECK: tensor.extract_slice %[[X]][0, 0, 100] [3, 1, 3]
// CHECK: tensor.extract_slice %[[MOST]][0, 0, 0] [3, 3, 1]
// CHECK: linalg.generic
// CHECK-SAME: convoy.tile_lanes = #convoy.tile_lanes<dim = 4, lanes = 4>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @rest(%x: tensor<3x1x103xf32>, %dy: tensor<5x1x103xf32>, %init: tensor<3x5x1xf32>) -> tensor<3x5x1xf32> {
    // expected-remark @below {{tile: 4 lanes of tap w, summed, in vectors of 4, rows: 3 of n x 3 of f; read in place}}
    %0 = convoy.conv ins(%x, %dy : tensor<3x1x103xf32>, tensor<5x1x103xf32>) outs(%init : tensor<3x5x1xf32>) layout(ncw x fcw -> nfw)
    return %0 : tensor<3x5x1xf32>
  }
}

// -----

// Rows of the result read the same rows of the input at different taps: a step
// takes some of the taps, for which these are read once.
// CHECK-LABEL: @terms
// CHECK: scf.for {{.*}} to %c6 step %c3
// CHECK: convoy.im2col {{.*}} : tensor<1x1x5x16xf32> -> tensor<1x3x3x1x3x14xf32>
// CHECK: linalg.generic
// CHECK-SAME: convoy.tile_lanes = #convoy.tile_lanes<dim = 6, lanes = 4>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32>} {
  func.func @terms(%x: tensor<1x1x8x16xf32>, %dy: tensor<1x1x6x14xf32>, %init: tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32> {
    // expected-remark @below {{tile: 14 lanes of tap w, summed, in vectors of 4, rows: 3 of w x 3 of h, terms: 3 of tap h; read in place}}
    %0 = convoy.conv ins(%x, %dy : tensor<1x1x8x16xf32>, tensor<1x1x6x14xf32>) outs(%init : tensor<1x1x3x3xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x1x3x3xf32>
  }
}

// -----

// Bytes with zero points are not zero where a vector has no element: the lanes
// are others.
// CHECK-LABEL: @zero_points
// CHECK: convoy.tile_lanes = #convoy.tile_lanes<dim = 3, lanes = 4>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32>} {
  func.func @zero_points(%x: tensor<1x1x8x16xi8>, %dy: tensor<1x1x6x14xi8>, %init: tensor<1x1x3x3xi32>, %zx: i32, %zw: i32) -> tensor<1x1x3x3xi32> {
    // expected-remark @below {{tile: 3 lanes of w in vectors of 4}}
    %0 = convoy.conv ins(%x, %dy : tensor<1x1x8x16xi8>, tensor<1x1x6x14xi8>) outs(%init : tensor<1x1x3x3xi32>) zero_points(%zx, %zw : i32, i32) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x1x3x3xi32>
  }
}
