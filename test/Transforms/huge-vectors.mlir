// RUN: convoy-opt %s --convoy-stage-scattered-tiles | FileCheck %s

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
