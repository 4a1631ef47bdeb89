// A loop whose first iteration writes more than the others, which overwrite
// parts of it.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @last:
func.func @last(%x: tensor<4xi32>, %y: tensor<6xi32>) -> tensor<4xi32> {
  %a = tensor.extract_slice %y[0] [4] [1] : tensor<6xi32> to tensor<4xi32>
  %b = tensor.extract_slice %y[2] [2] [1] : tensor<6xi32> to tensor<2xi32>
  %r = tensor.insert_slice %b into %a[1] [2] [1] : tensor<2xi32> into tensor<4xi32>
  return %r : tensor<4xi32>
}
// CHECK-DAG: different: @not_last: element [{{.*}}]
func.func @not_last(%x: tensor<4xi32>, %y: tensor<6xi32>) -> tensor<4xi32> {
  %r = tensor.extract_slice %y[0] [4] [1] : tensor<6xi32> to tensor<4xi32>
  return %r : tensor<4xi32>
}
//--- after.mlir
func.func @last(%x: tensor<4xi32>, %y: tensor<6xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<4xi32> {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %u = scf.if %is_first -> tensor<4xi32> {
      %s = tensor.extract_slice %y[%i] [4] [1] : tensor<6xi32> to tensor<4xi32>
      %v = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xi32> into tensor<4xi32>
      scf.yield %v : tensor<4xi32>
    } else {
      %s = tensor.extract_slice %y[%i] [2] [1] : tensor<6xi32> to tensor<2xi32>
      %v = tensor.insert_slice %s into %t[1] [2] [1] : tensor<2xi32> into tensor<4xi32>
      scf.yield %v : tensor<4xi32>
    }
    scf.yield %u : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
func.func @not_last(%x: tensor<4xi32>, %y: tensor<6xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<4xi32> {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %u = scf.if %is_first -> tensor<4xi32> {
      %s = tensor.extract_slice %y[%i] [4] [1] : tensor<6xi32> to tensor<4xi32>
      %v = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xi32> into tensor<4xi32>
      scf.yield %v : tensor<4xi32>
    } else {
      %s = tensor.extract_slice %y[%i] [2] [1] : tensor<6xi32> to tensor<2xi32>
      %v = tensor.insert_slice %s into %t[1] [2] [1] : tensor<2xi32> into tensor<4xi32>
      scf.yield %v : tensor<4xi32>
    }
    scf.yield %u : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
