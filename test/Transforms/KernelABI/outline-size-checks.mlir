// RUN: convoy-opt %s --convoy-outline-size-checks --split-input-file | FileCheck %s

// The sizes are those of the arguments in order.
// CHECK-LABEL: func @kernel.sizes(
// CHECK-SAME:    %[[X1:.*]]: i64, %[[Y0:.*]]: i64, %[[Y1:.*]]: i64) -> i1
// CHECK-DAG:     %[[A:.*]] = arith.index_cast %[[X1]]
// CHECK-DAG:     %[[B:.*]] = arith.index_cast %[[Y0]]
// CHECK-DAG:     %[[C:.*]] = arith.index_cast %[[Y1]]
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[A]], %[[B]]
// CHECK:         %[[SECOND:.*]] = arith.cmpi sle, %[[A]], %[[C]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK:         return %[[BOTH]]
// CHECK-LABEL: func @kernel(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @kernel(%x: memref<3x?xf32>, %y: memref<?x?xf32>) attributes {convoy.arguments = [
    {layout = "", name = "x", type = tensor<3x?xf32>, written = false},
    {layout = "", name = "y", type = tensor<?x?xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x1 = memref.dim %x, %c1 : memref<3x?xf32>
  %y0 = memref.dim %y, %c0 : memref<?x?xf32>
  %y1 = memref.dim %y, %c1 : memref<?x?xf32>
  %equal = arith.cmpi eq, %x1, %y0 : index
  cf.assert %equal, "equal"
  %less = arith.cmpi sle, %x1, %y1 : index
  cf.assert %less, "less"
  return
}

// -----

// CHECK-NOT:   .sizes
// CHECK-LABEL: func @nothing_to_check(
func.func @nothing_to_check(%x: memref<3xf32>) attributes {convoy.arguments = [
    {layout = "", name = "x", type = tensor<3xf32>, written = true}]} {
  return
}
