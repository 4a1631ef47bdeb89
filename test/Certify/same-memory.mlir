// Two buffers may be the same memory, unless an op says that they are not.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @order: {{.*}}func.func: argument 2, a buffer that may be the memory of another
func.func @order(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: memref<8xf32>, %n: memref<8xf32>) {
  bufferization.materialize_in_destination %x in writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %y in writable %n : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-DAG: certified: @apart:
func.func @apart(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: memref<8xf32>, %n: memref<8xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %y in restrict writable %n : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-DAG: certified: @alone:
func.func @alone(%x: tensor<8xf32>, %m: memref<8xf32>) {
  bufferization.materialize_in_destination %x in writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

//--- after.mlir
func.func @order(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: memref<8xf32>, %n: memref<8xf32>) {
  bufferization.materialize_in_destination %y in writable %n : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %x in writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @apart(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: memref<8xf32>, %n: memref<8xf32>) {
  bufferization.materialize_in_destination %y in restrict writable %n : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @alone(%x: tensor<8xf32>, %m: memref<8xf32>) {
  %unused = arith.constant 7 : index
  bufferization.materialize_in_destination %x in writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
