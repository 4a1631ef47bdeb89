// Integers of more bits than an index are not reasoned about.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @cast: {{.*}}an op on indices whose meaning is not known
func.func @cast(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %big = arith.constant 4611686018427387904 : i128
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c14 : index
    %w = arith.index_castui %m : index to i128
    %q = arith.floordivsi %w, %big : i128
    %k = arith.index_cast %q : i128 to index
    %at = arith.addi %k, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: undecided: @constant: {{.*}}an op on indices whose meaning is not known
func.func @constant(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %huge = arith.constant 18446744073709551617 : i128
  %big = arith.constant 4611686018427387904 : i128
  %c4 = arith.constant 4 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %q = arith.floordivsi %huge, %big : i128
    %k = arith.index_cast %q : i128 to index
    %at = arith.subi %k, %c4 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

//--- after.mlir
func.func @cast(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c1 = arith.constant 1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %c1, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @constant(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c1 = arith.constant 1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %c1, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
