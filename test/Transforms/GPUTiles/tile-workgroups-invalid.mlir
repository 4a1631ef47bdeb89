// RUN: convoy-opt %s --convoy-tile-workgroups --split-input-file --verify-diagnostics

module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @no_tiles(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>,
                      %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
    // expected-error @below {{does not fit its plan, #convoy.workgroup_tile<extents = [4, 16, 8], sizes = [4, 16, 8], lane_loop = 1, item_rows = 4, item_lanes = 4>: it has no such tiles yet}}
    %r = linalg.matmul
        {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [4, 16, 8], sizes = [4, 16, 8], lane_loop = 1, item_rows = 4, item_lanes = 4>}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
        outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %r : tensor<4x16xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @lanes(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
    // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: the target is a GPU}}
    %sum = linalg.add {convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>} ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %sum : tensor<4x8xf32>
  }
}
