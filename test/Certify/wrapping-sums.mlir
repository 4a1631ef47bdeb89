// Sums of integers wrap around, so that other terms may have the same sum, for
// dynamic sizes as for others; small sizes are tried.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @twice_i8:
func.func @twice_i8(%x: tensor<?xi8>) -> tensor<?xi8> {
  %r = arith.addi %x, %x : tensor<?xi8>
  return %r : tensor<?xi8>
}
// CHECK-DAG: certified: @thrice_i1:
func.func @thrice_i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  %two = arith.addi %x, %x : tensor<?xi1>
  %r = arith.addi %two, %x : tensor<?xi1>
  return %r : tensor<?xi1>
}
// x is x * x in one bit.
// CHECK-DAG: undecided: @square_i1: {{.*}}terms that differ as they are written
func.func @square_i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  %r = arith.muli %x, %x : tensor<?xi1>
  return %r : tensor<?xi1>
}
// 257 times x is x.
// CHECK-DAG: undecided: @many_i8: {{.*}}terms that differ as they are written, but perhaps not in value: element [{{[0-9]}}]: the second function adds only once
func.func @many_i8(%x: tensor<?xi8>, %init: tensor<?xi8>) -> tensor<?xi8> {
  %0 = tensor.empty() : tensor<257xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %0 : tensor<?xi8>, tensor<257xi8>) outs(%init : tensor<?xi8>) {
  ^bb0(%a: i8, %b: i8, %c: i8):
    %s = arith.addi %c, %a : i8
    linalg.yield %s : i8
  } -> tensor<?xi8>
  return %r : tensor<?xi8>
}
// 16 times x is the same with a sign of x or without.
// CHECK-DAG: undecided: @sixteen_i4: {{.*}}terms that differ as they are written
func.func @sixteen_i4(%x: tensor<?xi4>) -> tensor<?xi8> {
  %1 = arith.extsi %x : tensor<?xi4> to tensor<?xi8>
  %2 = arith.addi %1, %1 : tensor<?xi8>
  %4 = arith.addi %2, %2 : tensor<?xi8>
  %8 = arith.addi %4, %4 : tensor<?xi8>
  %16 = arith.addi %8, %8 : tensor<?xi8>
  return %16 : tensor<?xi8>
}
// Others differ, and values show it.
// CHECK-DAG: different: @lost_i8: element [{{[0-9]}}]: the second function lacks argument1[
func.func @lost_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %r = arith.addi %x, %y : tensor<?xi8>
  return %r : tensor<?xi8>
}
// CHECK-DAG: different: @sum_i8: element []: the second function lacks argument0[
func.func @sum_i8(%x: tensor<?xi8>, %init: tensor<i8>) -> tensor<i8> {
  %r = linalg.reduce ins(%x : tensor<?xi8>) outs(%init : tensor<i8>) dimensions = [0]
    (%a: i8, %b: i8) {
      %s = arith.addi %a, %b : i8
      linalg.yield %s : i8
    }
  return %r : tensor<i8>
}

//--- after.mlir
func.func @twice_i8(%x: tensor<?xi8>) -> tensor<?xi8> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i8
  %n = tensor.dim %x, %c0 : tensor<?xi8>
  %0 = tensor.empty(%n) : tensor<?xi8>
  %1 = linalg.fill ins(%two : i8) outs(%0 : tensor<?xi8>) -> tensor<?xi8>
  %r = arith.muli %x, %1 : tensor<?xi8>
  return %r : tensor<?xi8>
}
func.func @thrice_i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  return %x : tensor<?xi1>
}
func.func @square_i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  return %x : tensor<?xi1>
}
func.func @many_i8(%x: tensor<?xi8>, %init: tensor<?xi8>) -> tensor<?xi8> {
  %r = arith.addi %x, %init : tensor<?xi8>
  return %r : tensor<?xi8>
}
func.func @sixteen_i4(%x: tensor<?xi4>) -> tensor<?xi8> {
  %1 = arith.extui %x : tensor<?xi4> to tensor<?xi8>
  %2 = arith.addi %1, %1 : tensor<?xi8>
  %4 = arith.addi %2, %2 : tensor<?xi8>
  %8 = arith.addi %4, %4 : tensor<?xi8>
  %16 = arith.addi %8, %8 : tensor<?xi8>
  return %16 : tensor<?xi8>
}
func.func @lost_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  return %x : tensor<?xi8>
}
func.func @sum_i8(%x: tensor<?xi8>, %init: tensor<i8>) -> tensor<i8> {
  return %init : tensor<i8>
}
