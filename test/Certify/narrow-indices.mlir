// Indices in few bits wrap around.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: undecided: @index_i8: {{.*}}arith.index_cast: an op on indices whose meaning is not known
func.func @index_i8(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %3 = arith.addi %2, %c0 : index
    %extracted = tensor.extract %arg0[%3] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
// CHECK-DAG: undecided: @index_i8_u: {{.*}}arith.index_castui: an op on indices whose meaning is not known
func.func @index_i8_u(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %3 = arith.addi %2, %c0 : index
    %extracted = tensor.extract %arg0[%3] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
// CHECK-DAG: undecided: @index_i8_add: {{.*}}arith.index_cast: an op on indices whose meaning is not known
func.func @index_i8_add(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %3 = arith.addi %2, %c0 : index
    %extracted = tensor.extract %arg0[%3] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
// CHECK-DAG: certified: @index_i64: equal for all finite values
func.func @index_i64(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %3 = arith.addi %2, %c0 : index
    %extracted = tensor.extract %arg0[%3] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
// CHECK-DAG: certified: @index_const_i8: equal for all finite values
func.func @index_const_i8(%arg0: tensor<500xf32>) -> tensor<500xf32> {
  %0 = tensor.empty() : tensor<500xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<500xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c200 = arith.constant 200 : index
    %3 = arith.addi %c200, %c200 : index
    %extracted = tensor.extract %arg0[%3] : tensor<500xf32>
    linalg.yield %extracted : f32
  } -> tensor<500xf32>
  return %1 : tensor<500xf32>
}

//--- after.mlir
#map = affine_map<(d0) -> (d0)>
func.func @index_i8(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i8
    %4 = arith.index_cast %3 : i8 to index
    %extracted = tensor.extract %arg0[%4] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
func.func @index_i8_u(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = arith.index_castui %2 : index to i8
    %4 = arith.index_castui %3 : i8 to index
    %extracted = tensor.extract %arg0[%4] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
func.func @index_i8_add(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i8
    %c0_i8 = arith.constant 0 : i8
    %4 = arith.addi %3, %c0_i8 : i8
    %5 = arith.index_castui %4 : i8 to index
    %extracted = tensor.extract %arg0[%5] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
func.func @index_i64(%arg0: tensor<300xf32>) -> tensor<300xf32> {
  %0 = tensor.empty() : tensor<300xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<300xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    %4 = arith.index_cast %3 : i64 to index
    %extracted = tensor.extract %arg0[%4] : tensor<300xf32>
    linalg.yield %extracted : f32
  } -> tensor<300xf32>
  return %1 : tensor<300xf32>
}
func.func @index_const_i8(%arg0: tensor<500xf32>) -> tensor<500xf32> {
  %0 = tensor.empty() : tensor<500xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<500xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %c-56_i8 = arith.constant -56 : i8
    %3 = arith.index_cast %c-56_i8 : i8 to index
    %c456 = arith.constant 456 : index
    %4 = arith.addi %3, %c456 : index
    %extracted = tensor.extract %arg0[%4] : tensor<500xf32>
    linalg.yield %extracted : f32
  } -> tensor<500xf32>
  return %1 : tensor<500xf32>
}
