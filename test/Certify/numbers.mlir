// Results that are no tensors: indices, integers of 64 bits and conditions that
// depend on sizes and other numbers alone.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @rounded_up
func.func @rounded_up(%n: i64) -> i64 {
  %c64 = arith.constant 64 : index
  %i = arith.index_cast %n : i64 to index
  %q = arith.ceildivsi %i, %c64 : index
  %r = arith.muli %q, %c64 : index
  %result = arith.index_cast %r : index to i64
  return %result : i64
}
// A division rounds towards zero, and the remainder has the dividend's sign.
// CHECK-DAG: certified: @quotient
func.func @quotient(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %down = arith.floordivsi %n, %c5 : index
  %up = arith.ceildivsi %n, %c5 : index
  %isNegative = arith.cmpi slt, %n, %c0 : index
  %q = arith.select %isNegative, %up, %down : index
  %p = arith.muli %q, %c5 : index
  %r = arith.subi %n, %p : index
  return %q, %r : index, index
}
// CHECK-DAG: different: @rounded_down: the first function computes -{{[0-9]+}}, the second {{-?[0-9]+}}
func.func @rounded_down(%n: index) -> index {
  %c5 = arith.constant 5 : index
  %q = arith.floordivsi %n, %c5 : index
  return %q : index
}
// CHECK-DAG: certified: @equal_sizes
func.func @equal_sizes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %equal = arith.cmpi eq, %m, %n : index
  return %equal : i1
}
// CHECK-DAG: different: @other_condition: the first function computes 0, the second 1
func.func @other_condition(%m: index, %n: index) -> i1 {
  %less = arith.cmpi slt, %m, %n : index
  return %less : i1
}
// CHECK-DAG: different: @off_by_one
func.func @off_by_one(%n: index) -> index {
  return %n : index
}
// Data is compared in tensors.
// CHECK-DAG: undecided: @data
func.func @data(%a: tensor<3xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %a[%c0] : tensor<3xi64>
  return %r : i64
}
// CHECK-DAG: undecided: @float{{.*}} a result that is neither a tensor nor an index
func.func @float(%a: f32) -> f32 {
  %r = arith.negf %a : f32
  return %r : f32
}
// Collapsed dimensions have the product of their sizes, of which one may be
// dynamic.
// CHECK-DAG: certified: @collapsed
func.func @collapsed(%a: tensor<2x?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %b = tensor.collapse_shape %a [[0, 1, 2]] : tensor<2x?x3xf32> into tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  return %n : index
}
// CHECK-DAG: undecided: @product{{.*}} a product of dynamic sizes
func.func @product(%a: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  return %n : index
}

//--- after.mlir
func.func @rounded_up(%n: i64) -> i64 {
  %c63 = arith.constant 63 : i64
  %c64 = arith.constant 64 : index
  %s = arith.addi %n, %c63 : i64
  %i = arith.index_cast %s : i64 to index
  %q = arith.floordivsi %i, %c64 : index
  %r = arith.muli %q, %c64 : index
  %result = arith.index_cast %r : index to i64
  return %result : i64
}
func.func @quotient(%n: index) -> (index, index) {
  %c5 = arith.constant 5 : index
  %q = arith.divsi %n, %c5 : index
  %r = arith.remsi %n, %c5 : index
  return %q, %r : index, index
}
func.func @rounded_down(%n: index) -> index {
  %c5 = arith.constant 5 : index
  %q = arith.divsi %n, %c5 : index
  return %q : index
}
func.func @equal_sizes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %atMost = arith.cmpi sle, %m, %n : index
  %atLeast = arith.cmpi sge, %m, %n : index
  %equal = arith.andi %atMost, %atLeast : i1
  return %equal : i1
}
func.func @other_condition(%m: index, %n: index) -> i1 {
  %less = arith.cmpi sle, %m, %n : index
  return %less : i1
}
func.func @off_by_one(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %r = arith.addi %n, %c1 : index
  return %r : index
}
func.func @data(%a: tensor<3xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 0 : i64
  %e = tensor.extract %a[%c0] : tensor<3xi64>
  %r = arith.addi %e, %0 : i64
  return %r : i64
}
func.func @float(%a: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = arith.subf %z, %a : f32
  return %r : f32
}
func.func @collapsed(%a: tensor<2x?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = tensor.dim %a, %c1 : tensor<2x?x3xf32>
  %n = arith.muli %m, %c6 : index
  return %n : index
}
func.func @product(%a: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = arith.muli %m, %n : index
  return %r : index
}
