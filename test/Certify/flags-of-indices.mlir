// What an op on indices says by its flags must hold in the second function: its
// result is poison elsewhere.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @quotient: {{.*}}arith.divui: flags that may not hold
func.func @quotient(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %half = arith.divui %n, %c2 : index
  return %half : index
}
// CHECK-DAG: undecided: @signed_quotient: {{.*}}arith.divsi: flags that may not hold
func.func @signed_quotient(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %third = arith.divsi %n, %c3 : index
  return %third : index
}
// CHECK-DAG: undecided: @sum: {{.*}}arith.addi: flags that may not hold
func.func @sum(%n: index, %m: index) -> index {
  %sum = arith.addi %n, %m : index
  return %sum : index
}
// CHECK-DAG: undecided: @difference: {{.*}}arith.subi: flags that may not hold
func.func @difference(%x: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %difference = arith.subi %n, %m : index
  return %difference : index
}
// CHECK-DAG: undecided: @wide: {{.*}}arith.muli: flags that may not hold
func.func @wide(%n: i64) -> i64 {
  %c2 = arith.constant 2 : i64
  %twice = arith.muli %n, %c2 : i64
  return %twice : i64
}
// CHECK-DAG: certified: @exact:
func.func @exact(%n: index) -> index {
  return %n : index
}
// CHECK-DAG: certified: @positive:
func.func @positive(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

//--- after.mlir
func.func @quotient(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %half = arith.divui %n, %c2 exact : index
  return %half : index
}
func.func @signed_quotient(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %third = arith.divsi %n, %c3 exact : index
  return %third : index
}
func.func @sum(%n: index, %m: index) -> index {
  %sum = arith.addi %n, %m overflow<nuw> : index
  return %sum : index
}
func.func @difference(%x: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %difference = arith.subi %n, %m overflow<nuw> : index
  return %difference : index
}
func.func @wide(%n: i64) -> i64 {
  %c2 = arith.constant 2 : i64
  %twice = arith.muli %n, %c2 overflow<nuw> : i64
  return %twice : i64
}
func.func @exact(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %thrice = arith.muli %n, %c3 overflow<nsw> : index
  %third = arith.divsi %thrice, %c3 exact : index
  return %third : index
}
func.func @positive(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %e) -> tensor<?xf32> {
    %next = arith.addi %i, %c1 overflow<nuw> : index
    %at = arith.subi %next, %c1 overflow<nsw, nuw> : index
    %one = tensor.extract_slice %x[%at] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %more = tensor.insert_slice %one into %so_far[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    scf.yield %more : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
