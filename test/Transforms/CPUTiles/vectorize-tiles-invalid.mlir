// RUN: convoy-opt %s --convoy-vectorize-tiles --split-input-file --verify-diagnostics

// Tiles that vectors cannot compute are errors, and not loops over elements.

#x = affine_map<(r, l) -> (r - l + 6)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// Lanes that go back are no vector.
func.func @backwards(%x: tensor<8xf32>, %y: tensor<7xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<8xf32>, tensor<7xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(r, l) -> (l, l + r)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// Nor are those that go on in two dimensions.
func.func @diagonal(%x: tensor<7x8xf32>, %y: tensor<7xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<7x8xf32>, tensor<7xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(r, l) -> (r, l)>
#y = affine_map<(r, l) -> (r)>
#sum = affine_map<(r, l) -> (r)>

// A factor that is in every lane is not zero where the other has no element: an
// infinity would make a NaN of that.
func.func @in_every_lane(%x: tensor<2x7xf32>, %y: tensor<2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<2x7xf32>, tensor<2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(r, l) -> (r, l)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// The same of a value from outside.
func.func @from_outside(%x: tensor<2x7xf32>, %factor: f32, %y: tensor<7xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<2x7xf32>, tensor<7xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %factor : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(a, r, l) -> (r, a, l)>
#y = affine_map<(a, r, l) -> (a, l)>
#sum = affine_map<(a, r, l) -> (r)>

// The loops of the result come first.
func.func @order(%x: tensor<2x3x4xf32>, %y: tensor<3x4xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 2, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["reduction", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 2, lanes = 4>}
      ins(%x, %y : tensor<2x3x4xf32>, tensor<3x4xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(r, l) -> (5 * l + r)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// Five elements apart are too many to be read for one.
func.func @far_apart(%x: tensor<12xf32>, %y: tensor<3xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<12xf32>, tensor<3xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Nor is what is longer than any vector register taken apart row by row.
func.func @large_tile(%x: tensor<4294967296x4xf32>) -> tensor<4294967296x4xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it cannot be computed by such vectors}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      outs(%x : tensor<4294967296x4xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<4294967296x4xf32>
  return %0 : tensor<4294967296x4xf32>
}

// -----

func.func @many_lanes(%x: tensor<6xi32>, %y: tensor<3xi32>, %init: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4294967296>: it cannot be computed by such vectors}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (2 * d1 + d0)>, affine_map<(d0, d1) -> (d1)>,
                       affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4294967296>}
      ins(%x, %y : tensor<6xi32>, tensor<3xi32>) outs(%init : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

#x = affine_map<(r, l) -> (r, l)>
#sum = affine_map<(r, l) -> (r)>

// Zeros stand for what vectors lack that are summed, and not masks.
func.func @masked_sums(%x: tensor<2x7xf32>, %y: tensor<2x7xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4, masked = true>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#x, #x, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4, masked = true>}
      ins(%x, %y : tensor<2x7xf32>, tensor<2x7xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#all = affine_map<(r, l) -> (r, l)>

// There are no masks for narrow elements.
func.func @masked_f16(%x: tensor<2x7xf16>, %init: tensor<2x7xf16>) -> tensor<2x7xf16> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4, masked = true>: it cannot be computed by such vectors}}
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4, masked = true>}
      ins(%x : tensor<2x7xf16>) outs(%init : tensor<2x7xf16>) {
  ^bb0(%in: f16, %out: f16):
    %next = arith.addf %in, %out : f16
    linalg.yield %next : f16
  } -> tensor<2x7xf16>
  return %0 : tensor<2x7xf16>
}
