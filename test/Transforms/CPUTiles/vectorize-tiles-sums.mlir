// RUN: convoy-opt %s --convoy-vectorize-tiles --cse --canonicalize --split-input-file | FileCheck %s

#x = affine_map<(r, l) -> (r, l)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// Lanes along a loop that is summed over: each element of the result is a
// vector of sums that starts at zero. The last three of seven terms leave a lane
// at zero. The halves of a vector are added, and the sum to the element.
// CHECK-LABEL: @partial_sums
// CHECK-SAME: %[[X:.+]]: tensor<2x7xf32>, %[[Y:.+]]: tensor<7xf32>, %[[INIT:.+]]: tensor<2xf32>
// CHECK-DAG: %[[START:.+]] = arith.constant dense<0.0{{.*}}> : vector<4xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[A:.+]] = vector.transfer_read %[[X]][%c0, %c0]
// CHECK: %[[B:.+]] = vector.transfer_read %[[Y]][%c0]
// CHECK: %[[FIRST:.+]] = vector.fma %[[A]], %[[B]], %[[START]]
// CHECK: vector.fma {{.*}}, %[[B]], %[[START]]
// CHECK: %[[MASK:.+]] = vector.constant_mask [3] : vector<4xi1>
// CHECK: %[[C:.+]] = vector.transfer_read %[[X]][%c0, %c4], %[[ZERO]], %[[MASK]]
// CHECK: %[[D:.+]] = vector.transfer_read %[[Y]][%c4], %[[ZERO]], %[[MASK]]
// CHECK: %[[SUMS:.+]] = vector.fma %[[C]], %[[D]], %[[FIRST]]
// CHECK: %[[ELEMENT:.+]] = tensor.extract %[[INIT]][%c0]
// CHECK: %[[LOW:.+]] = vector.extract_strided_slice %[[SUMS]] {offsets = [0], sizes = [2]
// CHECK: %[[HIGH:.+]] = vector.extract_strided_slice %[[SUMS]] {offsets = [2], sizes = [2]
// CHECK: arith.addf %[[LOW]], %[[HIGH]] : vector<2xf32>
// CHECK: %[[SUM:.+]] = vector.extract %
// CHECK: %[[NEXT:.+]] = arith.addf %[[ELEMENT]], %[[SUM]] : f32
// CHECK: %[[FILLED:.+]] = tensor.insert %[[NEXT]] into %[[INIT]][%c0]
// CHECK: tensor.insert {{.*}} into %[[FILLED]][%c1]
func.func @partial_sums(%x: tensor<2x7xf32>, %y: tensor<7xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<2x7xf32>, tensor<7xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#x = affine_map<(r, l) -> (2 * l + r)>
#y = affine_map<(r, l) -> (l)>
#sum = affine_map<(r, l) -> (r)>

// Lanes two elements apart: what lies between them is read and left out, and
// nothing beyond the last.
// CHECK-LABEL: @strided
// CHECK-SAME: %[[X:.+]]: tensor<6xi32>
// CHECK: %[[MASK:.+]] = vector.constant_mask [5] : vector<8xi1>
// CHECK: %[[ALL:.+]] = vector.transfer_read %[[X]][%c0], %{{.+}}, %[[MASK]] {{.*}} vector<8xi32>
// CHECK: vector.shuffle %[[ALL]], %[[ALL]] [0, 2, 4, 6]
// CHECK: vector.transfer_read %[[X]][%c1], %{{.+}}, %[[MASK]] {{.*}} vector<8xi32>
func.func @strided(%x: tensor<6xi32>, %y: tensor<3xi32>, %init: tensor<2xi32>) -> tensor<2xi32> {
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>}
      ins(%x, %y : tensor<6xi32>, tensor<3xi32>) outs(%init : tensor<2xi32>) {
  ^bb0(%in: i32, %gradient: i32, %sum: i32):
    %product = arith.muli %in, %gradient : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

#x = affine_map<(r, t, l) -> (r + t, l)>
#y = affine_map<(r, t, l) -> (t, l)>
#sum = affine_map<(r, t, l) -> (r)>

// Three rows read five of the input at three terms: each is read once.
// CHECK-LABEL: @shared
// CHECK-SAME: %[[X:.+]]: tensor<5x4xf32>
// CHECK-COUNT-5: vector.transfer_read %[[X]]
// CHECK-NOT: vector.transfer_read %[[X]]
func.func @shared(%x: tensor<5x4xf32>, %y: tensor<3x4xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #y, #sum], iterator_types = ["parallel", "reduction", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 2, lanes = 4>}
      ins(%x, %y : tensor<5x4xf32>, tensor<3x4xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
