// Where the first function reads or writes outside of a loop lies within its
// tensors: that is granted to the second one.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @view:
func.func @view(%x: memref<16xf32>, %at: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %s = memref.subview %x[%at] [4] [2] : memref<16xf32> to memref<4xf32, strided<[2], offset: ?>>
  memref.store %v, %s[%c1] : memref<4xf32, strided<[2], offset: ?>>
  return
}
// CHECK-DAG: certified: @slice:
func.func @slice(%x: tensor<?xf32>, %at: index) -> tensor<2xf32> {
  %s = tensor.extract_slice %x[%at] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %r = tensor.extract_slice %s[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// CHECK-DAG: certified: @put:
func.func @put(%x: tensor<?xf32>, %y: tensor<4xf32>, %at: index) -> tensor<?xf32> {
  %r = tensor.insert_slice %y into %x[%at] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// CHECK-DAG: certified: @element:
func.func @element(%x: tensor<5xf32>, %v: f32, %at: index) -> tensor<5xf32> {
  %r = tensor.insert %v into %x[%at] : tensor<5xf32>
  return %r : tensor<5xf32>
}
// The second function goes one further, or begins one before.
// CHECK-DAG: different: @further: index {{.*}} is accessed in dimension 0 of a tensor
func.func @further(%x: tensor<9xf32>, %at: index) -> tensor<3xf32> {
  %r = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
// CHECK-DAG: different: @earlier: index -1 is accessed in dimension 0 of a tensor
func.func @earlier(%x: tensor<9xf32>, %at: index) -> tensor<3xf32> {
  %r = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
// An op that may not run, has no elements, or that no result is made of grants
// nothing.
// CHECK-DAG: undecided: @in_branch: {{.*}}before.mlir:{{.*}}: index {{.*}} is accessed in dimension 0 of a tensor
func.func @in_branch(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index, %c: i1) -> tensor<3xf32> {
  %r = scf.if %c -> tensor<3xf32> {
    %s = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
    scf.yield %s : tensor<3xf32>
  } else {
    scf.yield %y : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
// CHECK-DAG: undecided: @unused: {{.*}}before.mlir:{{.*}}: index {{.*}} is accessed in dimension 0 of a tensor
func.func @unused(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index) -> tensor<3xf32> {
  %s = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-DAG: different: @nothing: index {{.*}} is accessed in dimension 0 of a tensor
func.func @nothing(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index) -> (tensor<3xf32>, tensor<0xf32>) {
  %s = tensor.extract_slice %x[%at] [0] [1] : tensor<9xf32> to tensor<0xf32>
  return %y, %s : tensor<3xf32>, tensor<0xf32>
}
// A function that is defined nowhere is no measure of another.
// CHECK-DAG: undecided: @nowhere: {{.*}}func.func: what is defined for no sizes and places
func.func @nowhere(%x: tensor<2xf32>, %at: index) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[%at] [4] [1] : tensor<2xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- after.mlir
func.func @view(%x: memref<16xf32>, %at: index, %v: f32) {
  %c2 = arith.constant 2 : index
  %place = arith.addi %at, %c2 : index
  memref.store %v, %x[%place] : memref<16xf32>
  return
}
func.func @slice(%x: tensor<?xf32>, %at: index) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %next = arith.addi %at, %c1 : index
  %r = tensor.extract_slice %x[%next] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @put(%x: tensor<?xf32>, %y: tensor<4xf32>, %at: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %low = tensor.extract_slice %y[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %high = tensor.extract_slice %y[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %next = arith.addi %at, %c2 : index
  %r = tensor.insert_slice %low into %x[%at] [2] [1] : tensor<2xf32> into tensor<?xf32>
  %s = tensor.insert_slice %high into %r[%next] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func @element(%x: tensor<5xf32>, %v: f32, %at: index) -> tensor<5xf32> {
  %one = tensor.from_elements %v : tensor<1xf32>
  %r = tensor.insert_slice %one into %x[%at] [1] [1] : tensor<1xf32> into tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @further(%x: tensor<9xf32>, %at: index) -> tensor<3xf32> {
  %s = tensor.extract_slice %x[%at] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %r = tensor.extract_slice %s[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @earlier(%x: tensor<9xf32>, %at: index) -> tensor<3xf32> {
  %c1 = arith.constant 1 : index
  %before = arith.subi %at, %c1 : index
  %s = tensor.extract_slice %x[%before] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %r = tensor.extract_slice %s[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @in_branch(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index, %c: i1) -> tensor<3xf32> {
  %s = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  %r = scf.if %c -> tensor<3xf32> {
    scf.yield %s : tensor<3xf32>
  } else {
    scf.yield %y : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
func.func @unused(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index) -> tensor<3xf32> {
  %s = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  %r = tensor.insert_slice %y into %s[0] [3] [1] : tensor<3xf32> into tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @nothing(%x: tensor<9xf32>, %y: tensor<3xf32>, %at: index) -> (tensor<3xf32>, tensor<0xf32>) {
  %s = tensor.extract_slice %x[%at] [3] [1] : tensor<9xf32> to tensor<3xf32>
  %r = tensor.insert_slice %y into %s[0] [3] [1] : tensor<3xf32> into tensor<3xf32>
  %e = tensor.extract_slice %x[0] [0] [1] : tensor<9xf32> to tensor<0xf32>
  return %r, %e : tensor<3xf32>, tensor<0xf32>
}
func.func @nowhere(%x: tensor<2xf32>, %at: index) -> tensor<4xf32> {
  %v = arith.constant 1.0 : f32
  %r = tensor.from_elements %v, %v, %v, %v : tensor<4xf32>
  return %r : tensor<4xf32>
}
