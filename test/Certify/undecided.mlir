// What is not understood is said, with the op, and never certified.
// The other functions have one more op, which does nothing: the same ops would
// be the same.
// RUN: rm -rf %t && split-file %s %t
// RUN: sed 's/^func.func.*{$/&\n  %%unused = tensor.from_elements : tensor<0xf32>/' %t/before.mlir > %t/after.mlir
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir

// CHECK-DAG: undecided: @call: {{.*}}func.call: a call whose effects are not known
func.func private @double(tensor<4xf32>) -> tensor<4xf32>
func.func @call(%a: tensor<4xf32>) -> tensor<4xf32> {
  %result = func.call @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
// CHECK-DAG: undecided: @product: {{.*}}linalg.generic: a reduction other than a sum, a maximum or a minimum
func.func @product(%a: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %all = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %product = arith.mulf %x, %y : f32
    linalg.yield %product : f32
  } -> tensor<f32>
  return %all : tensor<f32>
}
// Which of the iterations that write an element is the last has no formula.
// CHECK-DAG: undecided: @overwritten: {{.*}}scf.for: a slice or tile whose outside has no formula
func.func @overwritten(%a: tensor<20xf32>, %whole: tensor<20xf32>) -> tensor<20xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %result = scf.for %i = %c0 to %c12 step %c1 iter_args(%so_far = %whole) -> (tensor<20xf32>) {
    %from = affine.apply affine_map<(i) -> ((i * 5) mod 7)>(%i)
    %part = tensor.extract_slice %a[%i] [2] [1] : tensor<20xf32> to tensor<2xf32>
    %next = tensor.insert_slice %part into %so_far[%from] [2] [3] : tensor<2xf32> into tensor<20xf32>
    scf.yield %next : tensor<20xf32>
  }
  return %result : tensor<20xf32>
}
// CHECK-DAG: undecided: @powers: {{.*}}scf.for: iterations that do more to one element than add, or than take its maximum or minimum
func.func @powers(%a: tensor<3xf32>, %whole: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %whole) -> (tensor<f32>) {
    %part = tensor.extract_slice %a[%i] [1] [1] : tensor<3xf32> to tensor<f32>
    %next = linalg.mul ins(%part, %so_far : tensor<f32>, tensor<f32>) outs(%whole : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %result : tensor<f32>
}
// CHECK-DAG: undecided: @recurrence: {{.*}}scf.for: an iteration that reads elements of the loop's tensor other than the one it makes
func.func @recurrence(%whole: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %whole) -> (tensor<4xf32>) {
    %next = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %part = tensor.extract_slice %so_far[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %longer = tensor.insert_slice %part into %so_far[%next] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %longer : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// CHECK-DAG: undecided: @dynamic_step: {{.*}}scf.for: a loop whose step is not a positive constant
func.func @dynamic_step(%a: tensor<4xf32>, %step: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %step iter_args(%so_far = %a) -> (tensor<4xf32>) {
    scf.yield %so_far : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// CHECK-DAG: undecided: @while: {{.*}}scf.while: a loop that may not end
func.func @while(%a: tensor<4xf32>) -> tensor<4xf32> {
  %false = arith.constant false
  %result = scf.while (%so_far = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%false) %so_far : tensor<4xf32>
  } do {
  ^bb0(%so_far: tensor<4xf32>):
    scf.yield %so_far : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// CHECK-DAG: undecided: @blocks: {{.*}}func.func: a function without one block
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
// CHECK-DAG: undecided: @vector: {{.*}}vector.step: an op whose meaning is not known
func.func @vector(%a: tensor<4xindex>, %b: vector<4xindex>) -> tensor<4xindex> {
  %c0 = arith.constant 0 : index
  %s = vector.step : vector<4xindex>
  %v = arith.addi %s, %b : vector<4xindex>
  %result = vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<4xindex>, tensor<4xindex>
  return %result : tensor<4xindex>
}
// An op on memory that has no reader.
// CHECK-DAG: undecided: @memory: {{.*}}memref.atomic_rmw
func.func @memory(%x: f32, %buffer: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %old = memref.atomic_rmw addf %x, %buffer[%c0] : (f32, memref<4xf32>) -> f32
  return
}
// CHECK-DAG: undecided: @nothing: {{.*}}func.func: a function without results
func.func @nothing(%a: tensor<4xf32>) {
  return
}
// CHECK-DAG: undecided: @dynamic_reshape: {{.*}}tensor.collapse_shape: a reshape by a dynamic size
func.func @dynamic_reshape(%a: tensor<6x?xf32>) -> tensor<?xf32> {
  %result = tensor.collapse_shape %a [[0, 1]] : tensor<6x?xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}
// CHECK-DAG: undecided: @no_such_dimension: {{.*}}tensor.dim: a dimension that its operand may not have
func.func @no_such_dimension(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %size = tensor.dim %a, %c1 : tensor<?xf32>
  %result = tensor.empty(%size) : tensor<?xf32>
  return %result : tensor<?xf32>
}
// CHECK-DAG: undecided: @unranked: {{.*}}tensor.dim: a dimension that its operand may not have
func.func @unranked(%a: tensor<*xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %a, %c0 : tensor<*xf32>
  %result = tensor.empty(%size) : tensor<?xf32>
  return %result : tensor<?xf32>
}
// CHECK-DAG: undecided: @pad_without_its_size: {{.*}}tensor.pad: not one operand for each dynamic size
func.func @pad_without_its_size(%a: tensor<3xf32>, %value: f32) -> tensor<4xf32> {
  %result = "tensor.pad"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: -9223372036854775808>, static_high = array<i64: 0>}> ({
  ^bb0(%i: index):
    tensor.yield %value : f32
  }) : (tensor<3xf32>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
// CHECK-DAG: undecided: @place_in_table: {{.*}}tensor.extract: an op on indices whose meaning is not known
func.func @place_in_table(%a: tensor<4xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %table = arith.constant dense<[1, 2]> : tensor<2xindex>
  %place = tensor.extract %table[%c0] : tensor<2xindex>
  %one = tensor.extract_slice %a[%place] [1] [1] : tensor<4xf32> to tensor<1xf32>
  return %one : tensor<1xf32>
}
