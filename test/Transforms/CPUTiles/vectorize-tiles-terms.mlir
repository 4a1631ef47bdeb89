// RUN: convoy-opt %s --convoy-vectorize-tiles --cse --canonicalize --split-input-file | FileCheck %s

#x = affine_map<(r, l, t) -> (r, t)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>

// Terms that one factor has next to each other are a vector: each of its
// elements multiplies the other factor's vector of that term.
// CHECK-LABEL: @terms
// CHECK-SAME: %[[X:.+]]: tensor<2x4xf32>, %[[W:.+]]: tensor<4x6xf32>, %[[INIT:.+]]: tensor<2x6xf32>
// CHECK: %[[X0:.+]] = vector.transfer_read %[[X]][%c0, %c0], {{.*}} vector<4xf32>
// CHECK: %[[X00:.+]] = vector.shuffle %[[X0]], %[[X0]] [0, 0, 0, 0]
// CHECK: %[[W00:.+]] = vector.transfer_read %[[W]][%c0, %c0], {{.*}} vector<4xf32>
// CHECK: vector.fma %[[X00]], %[[W00]], %
// CHECK: %[[X01:.+]] = vector.shuffle %[[X0]], %[[X0]] [0, 0]
// CHECK: %[[W01:.+]] = vector.transfer_read %[[W]][%c0, %c4], {{.*}} vector<2xf32>
// CHECK: vector.fma %[[X01]], %[[W01]], %
// CHECK: vector.transfer_read %[[X]][%c1, %c0], {{.*}} vector<4xf32>
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK: %[[X3:.+]] = vector.shuffle %[[X0]], %[[X0]] [3, 3, 3, 3]
// CHECK: %[[W30:.+]] = vector.transfer_read %[[W]][%c3, %c0]
// CHECK: vector.fma %[[X3]], %[[W30]], %
func.func @terms(%x: tensor<2x4xf32>, %w: tensor<4x6xf32>, %init: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %w : tensor<2x4xf32>, tensor<4x6xf32>) outs(%init : tensor<2x6xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

#x = affine_map<(r, l, t) -> (t, r)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>

// Terms that lie apart are read one by one.
// CHECK-LABEL: @apart
// CHECK-SAME: %[[X:.+]]: tensor<2x3xi32>
// CHECK-COUNT-6: tensor.extract %[[X]]
// CHECK-NOT: vector.shuffle
func.func @apart(%x: tensor<2x3xi32>, %w: tensor<2x4xi32>, %init: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %w : tensor<2x3xi32>, tensor<2x4xi32>) outs(%init : tensor<3x4xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// -----

#x = affine_map<(r, l, t) -> (r * 2 + t, l)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>

// What rows read at different terms is read once: three rows with three taps,
// two apart, read seven pixels.
// CHECK-LABEL: @shared
// CHECK-SAME: %[[X:.+]]: tensor<7x4xf32>, %[[W:.+]]: tensor<3x4xf32>
// CHECK-COUNT-7: vector.transfer_read %[[X]]
// CHECK-NOT: vector.transfer_read %[[X]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @shared(%x: tensor<7x4xf32>, %w: tensor<3x4xf32>, %init: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
        ins(%x, %w : tensor<7x4xf32>, tensor<3x4xf32>) outs(%init : tensor<3x4xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %sum, %product : f32
      linalg.yield %next : f32
    } -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// -----

#x = affine_map<(r, l, t) -> (r + t, l)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>

// Where registers do not hold all that rows share, all products of a pixel
// follow each other, of whichever row and tap.
// CHECK-LABEL: @few_registers
// CHECK-SAME: %[[X:.+]]: tensor<4x4xf32>, %[[W:.+]]: tensor<2x4xf32>
// CHECK-DAG: %[[X0:.+]] = vector.transfer_read %[[X]][%c0, %c0]
// CHECK-DAG: %[[W0:.+]] = vector.transfer_read %[[W]][%c0, %c0]
// CHECK: %[[Y0:.+]] = vector.fma %[[X0]], %[[W0]], %
// CHECK: %[[X1:.+]] = vector.transfer_read %[[X]][%c1, %c0]
// CHECK: %[[Y1:.+]] = vector.fma %[[X1]], %[[W0]], %
// CHECK: %[[W1:.+]] = vector.transfer_read %[[W]][%c1, %c0]
// CHECK: vector.fma %[[X1]], %[[W1]], %[[Y0]]
// CHECK: %[[X2:.+]] = vector.transfer_read %[[X]][%c2, %c0]
// CHECK: vector.fma %[[X2]], %[[W0]], %
// CHECK: vector.fma %[[X2]], %[[W1]], %[[Y1]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 6>} {
  func.func @few_registers(%x: tensor<4x4xf32>, %w: tensor<2x4xf32>, %init: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
        ins(%x, %w : tensor<4x4xf32>, tensor<2x4xf32>) outs(%init : tensor<3x4xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %sum, %product : f32
      linalg.yield %next : f32
    } -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// -----

#x = affine_map<(r, l, t) -> (r, t)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>

// A product of f16 may be added without being rounded, where a machine can.
// CHECK-LABEL: @halves
// CHECK-NOT: vector.fma
// CHECK: %[[PRODUCT:.+]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<4xf16>
// CHECK: arith.addf %{{.*}}, %[[PRODUCT]] fastmath<contract> : vector<4xf16>
func.func @halves(%x: tensor<2x4xf16>, %w: tensor<4x6xf16>, %init: tensor<2x6xf16>) -> tensor<2x6xf16> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %w : tensor<2x4xf16>, tensor<4x6xf16>) outs(%init : tensor<2x6xf16>) {
  ^bb0(%a: f16, %b: f16, %sum: f16):
    %product = arith.mulf %a, %b : f16
    %next = arith.addf %sum, %product : f16
    linalg.yield %next : f16
  } -> tensor<2x6xf16>
  return %0 : tensor<2x6xf16>
}
