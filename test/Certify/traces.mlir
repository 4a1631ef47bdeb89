// A trace is the identity. What both functions trace under one name is compared
// as their results are; what one of them traces alone is not.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/without.mlir %t/traced.mlir --function=layers | FileCheck %s --check-prefix=SAME
// RUN: convoy-opt %t/traced.mlir --convoy-lower-traces -o %t/lowered.mlir
// RUN: convoy-certify %t/traced.mlir %t/lowered.mlir | FileCheck %s --check-prefix=LOWERED
// RUN: convoy-opt %t/lowered.mlir --convoy-add-destinations -o %t/kernel.mlir
// RUN: convoy-certify %t/lowered.mlir %t/kernel.mlir | FileCheck %s --check-prefix=LOWERED
// RUN: convoy-certify %t/without.mlir %t/kernel.mlir --function=layers | FileCheck %s --check-prefix=SAME
// SAME: certified: @layers: equal for all finite values (1 parts of results
// LOWERED: certified: @layers: equal for all finite values (2 parts of results
// LOWERED: certified: @dynamic: equal for all finite values (2 parts of results

// The result is the same, what is traced is not.
// RUN: not convoy-certify %t/traced.mlir %t/other.mlir --function=layers | FileCheck %s --check-prefix=OTHER
// OTHER: different: @layers: element

// RUN: not convoy-certify %t/traced.mlir %t/other.mlir --function=dynamic | FileCheck %s --check-prefix=TYPE
// TYPE: different: @dynamic: the functions have other arguments or results

//--- without.mlir
func.func @layers(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = arith.mulf %x, %x : tensor<7xf32>
  %1 = math.absf %0 : tensor<7xf32>
  return %1 : tensor<7xf32>
}
//--- traced.mlir
func.func @layers(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = arith.mulf %x, %x : tensor<7xf32>
  %1 = convoy.trace "square" %0 : tensor<7xf32>
  %2 = math.absf %1 : tensor<7xf32>
  return %2 : tensor<7xf32>
}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = convoy.trace "x" %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- other.mlir
func.func @layers(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = arith.mulf %x, %x : tensor<7xf32>
  %1 = convoy.trace "square" %x : tensor<7xf32>
  %2 = math.absf %0 : tensor<7xf32>
  return %2 : tensor<7xf32>
}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %cast = tensor.cast %x : tensor<?xf32> to tensor<7xf32>
  %0 = convoy.trace "x" %cast : tensor<7xf32>
  return %x : tensor<?xf32>
}
