// RUN: convoy-opt %s --convoy-stage-scattered-tiles | FileCheck %s
// RUN: convoy-opt %s --convoy-vectorize-tiles | FileCheck %s

// What is longer than any vector register is not taken apart row by row.

// CHECK-LABEL: func @rows_without_number(
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    vector.transfer_write
// CHECK-NEXT:    return
func.func @rows_without_number(%rows: vector<9223372036854775807x4xf32>,
                               %to: memref<8x3xf32, strided<[90, 9]>>) {
  %0 = arith.constant 0 : index
  vector.transfer_write %rows, %to[%0, %0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
      : vector<9223372036854775807x4xf32>, memref<8x3xf32, strided<[90, 9]>>
  return
}

// CHECK-LABEL: func @large_tile(
// CHECK:         linalg.generic
func.func @large_tile(%x: tensor<4294967296x4xf32>) -> tensor<4294967296x4xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"], convoy.lanes = array<i64: 1, 4>}
      outs(%x : tensor<4294967296x4xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<4294967296x4xf32>
  return %0 : tensor<4294967296x4xf32>
}

// CHECK-LABEL: func @many_lanes(
// CHECK:         linalg.generic
// CHECK-NOT:     vector
func.func @many_lanes(%x: tensor<6xi32>, %y: tensor<3xi32>, %init: tensor<2xi32>) -> tensor<2xi32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (2 * d1 + d0)>, affine_map<(d0, d1) -> (d1)>,
                       affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"], convoy.lanes = array<i64: 1, 4294967296>}
      ins(%x, %y : tensor<6xi32>, tensor<3xi32>) outs(%init : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
