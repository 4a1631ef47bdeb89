// The same ops in the same order do the same, whatever that is.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// It reads outside of its tensor, and does not take what it reads there.
// CHECK-DAG: certified: @outside:
func.func @outside(%x: tensor<4xf32>) -> tensor<6xf32> {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %in = tensor.extract %x[%i] : tensor<4xf32>
    %p = arith.cmpi slt, %i, %c4 : index
    %s = arith.select %p, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}
// CHECK-DAG: certified: @memory:
func.func @memory(%x: f32, %buffer: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %buffer[%c0] : memref<4xf32>
  return
}
// CHECK-DAG: certified: @blocks:
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
// Other ops.
// CHECK-DAG: different: @other_memory: element [0]:
func.func @other_memory(%x: f32, %buffer: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %buffer[%c0] : memref<4xf32>
  return
}
// Other operands.
// CHECK-DAG: different: @operands: index
func.func @operands(%i: index, %j: index, %buffer: memref<4xindex>) {
  memref.store %i, %buffer[%j] : memref<4xindex>
  return
}
// A global is what its module says.
// CHECK-DAG: different: @global: element [1]:
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
func.func @global(%x: tensor<2xf32>) -> tensor<2xf32> {
  %m = memref.get_global @table : memref<2xf32>
  %t = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
  %y = arith.addf %x, %t : tensor<2xf32>
  return %y : tensor<2xf32>
}
// And so is what is called.
// CHECK-DAG: undecided: @call:
func.func private @callee(tensor<2xf32>) -> tensor<2xf32>
func.func @call(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @callee(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

//--- after.mlir
func.func @outside(%z: tensor<4xf32>) -> tensor<6xf32> {
  %four = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %in = tensor.extract %z[%i] : tensor<4xf32>
    %p = arith.cmpi slt, %i, %four : index
    %s = arith.select %p, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}
func.func @memory(%x: f32, %buffer: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %buffer[%c0] : memref<4xf32>
  return
}
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
func.func @other_memory(%x: f32, %buffer: memref<4xf32>) {
  %c0 = arith.constant 1 : index
  memref.store %x, %buffer[%c0] : memref<4xf32>
  return
}
func.func @operands(%i: index, %j: index, %buffer: memref<4xindex>) {
  memref.store %j, %buffer[%i] : memref<4xindex>
  return
}
memref.global "private" constant @table : memref<2xf32> = dense<[2.0, 1.0]>
func.func @global(%x: tensor<2xf32>) -> tensor<2xf32> {
  %m = memref.get_global @table : memref<2xf32>
  %t = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
  %y = arith.addf %x, %t : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @callee(tensor<2xf32>) -> tensor<2xf32>
func.func @call(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @callee(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
