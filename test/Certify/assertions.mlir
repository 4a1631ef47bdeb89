// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// What the first function asserts of sizes holds for the second.
// CHECK-DAG: certified: @equal: equal for all finite values
func.func @equal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %equal = arith.cmpi eq, %dx, %dy : index
  cf.assert %equal, "expected equal sizes"
  %s = tensor.extract_slice %y[0] [%dy] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Else nothing is known of them.
// CHECK-DAG: undecided: @unasserted
func.func @unasserted(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %y[0] [%dy] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Of an inequality one side may still be larger.
// CHECK-DAG: different: @at_least: dimension 0 of a result has size
func.func @at_least(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %equal = arith.cmpi sle, %dx, %dy : index
  cf.assert %equal, "expected equal sizes"
  %s = tensor.extract_slice %y[0] [%dy] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- after.mlir
func.func @equal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %y[0] [%dx] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @unasserted(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %y[0] [%dx] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @at_least(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %dy = tensor.dim %y, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %y[0] [%dx] [1] : tensor<?xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}
