// RUN: convoy-opt %s --convoy-generalize-ops --verify-diagnostics

// A generic op would have no such lanes.
func.func @lanes(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it is in no register tile yet}}
  %sum = linalg.add {convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>} ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}
