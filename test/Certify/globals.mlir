// Memory that is constant holds what its module says; what may be written is
// not known.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @table:
func.func @table(%x: tensor<3xf32>) -> tensor<3xf32> {
  %t = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-DAG: different: @other_table: element [2]: the first function has 4, and has 5 instead
func.func @other_table(%x: tensor<3xf32>) -> tensor<3xf32> {
  %t = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-DAG: undecided: @variable: {{.*}}memref.get_global: an op on memory whose meaning is not known
func.func @variable(%x: tensor<3xf32>) -> tensor<3xf32> {
  %t = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-DAG: undecided: @elsewhere: {{.*}}memref.get_global: an op on memory whose meaning is not known
func.func @elsewhere(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// CHECK-DAG: undecided: @written: {{.*}}an effect that results do not show
func.func @written(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// CHECK-DAG: undecided: @stored:
func.func @stored(%x: f32) -> f32 {
  return %x : f32
}
// CHECK-DAG: certified: @one_of_them:
func.func @one_of_them() -> f32 {
  %c2 = arith.constant 2 : index
  %t = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %x = tensor.extract %t[%c2] : tensor<3xf32>
  return %x : f32
}

//--- after.mlir
memref.global "private" constant @doubles : memref<3xf32> = dense<[1.0, 2.0, 4.0]>
memref.global "private" constant @others : memref<3xf32> = dense<[1.0, 2.0, 5.0]>
memref.global "private" @variables : memref<3xf32> = dense<[1.0, 2.0, 4.0]>
memref.global "private" constant @theirs : memref<3xf32>
func.func @table(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = memref.get_global @doubles : memref<3xf32>
  %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @other_table(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = memref.get_global @others : memref<3xf32>
  %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @variable(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = memref.get_global @variables : memref<3xf32>
  %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @elsewhere(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = memref.get_global @theirs : memref<3xf32>
  %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
  %y = arith.mulf %x, %t : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @written(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = memref.get_global @doubles : memref<3xf32>
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<3xf32>, memref<3xf32>) -> ()
  return %x : tensor<3xf32>
}
func.func @one_of_them() -> f32 {
  %c2 = arith.constant 2 : index
  %m = memref.get_global @doubles : memref<3xf32>
  %x = memref.load %m[%c2] : memref<3xf32>
  return %x : f32
}
func.func @stored(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @doubles : memref<3xf32>
  memref.store %x, %m[%c0] : memref<3xf32>
  %y = memref.load %m[%c0] : memref<3xf32>
  return %y : f32
}
