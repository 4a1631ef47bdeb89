// No tensor has a negative size: the second function must not make one where
// the first does not.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @in_two: {{.*}}tensor.extract_slice: a size that may be negative, as -1
func.func @in_two(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// CHECK-DAG: undecided: @overwritten: {{.*}}tensor.empty: a size that may be negative, as -1
func.func @overwritten(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// CHECK-DAG: undecided: @least: {{.*}}tensor.extract_slice: a size that may be negative, as -2
func.func @least(%x: tensor<?xf32>, %from: index) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// CHECK-DAG: certified: @in_tiles:
func.func @in_tiles(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// What the first function makes is taken for granted.
// CHECK-DAG: certified: @granted:
func.func @granted(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %rest = affine.apply affine_map<(n) -> (n - 4)>(%n)
  %r = tensor.extract_slice %x[4] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- after.mlir
func.func @in_two(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %first = affine.min affine_map<(n) -> (n, 4)>(%n)
  %rest = affine.apply affine_map<(n) -> (n - 4)>(%n)
  %a = tensor.extract_slice %x[0] [%first] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %x[4] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %a into %0[0] [%first] [1] : tensor<?xf32> into tensor<?xf32>
  %2 = tensor.insert_slice %b into %1[4] [%rest] [1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func @overwritten(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %rest = affine.apply affine_map<(n) -> (n - 4)>(%n)
  %0 = tensor.empty(%rest) : tensor<?xf32>
  %1 = tensor.insert_slice %0 into %x[0] [%rest] [1] : tensor<?xf32> into tensor<?xf32>
  %2 = tensor.insert_slice %x into %1[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func @least(%x: tensor<?xf32>, %from: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %start = arith.maxsi %from, %c0 : index
  %size = affine.min affine_map<(n, i) -> (4, n - i)>(%n, %start)
  %a = tensor.extract_slice %x[%start] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %a into %x[%start] [%size] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @in_tiles(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c4 iter_args(%so_far = %0) -> tensor<?xf32> {
    %size = affine.min affine_map<(n, i) -> (4, n - i)>(%n, %i)
    %a = tensor.extract_slice %x[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %2 = tensor.insert_slice %a into %so_far[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}
func.func @granted(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %rest = affine.apply affine_map<(n) -> (n - 4)>(%n)
  %0 = tensor.empty(%rest) : tensor<?xf32>
  %a = tensor.extract_slice %x[4] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %a into %0[0] [%rest] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
