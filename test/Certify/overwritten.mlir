// Where iterations write the same place, the last one counts.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @same_place:
func.func @same_place(%a: tensor<6xf32>, %whole: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %result = scf.for %i = %c0 to %c5 step %c1 iter_args(%so_far = %whole) -> (tensor<4xf32>) {
    %part = tensor.extract_slice %a[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %next = tensor.insert_slice %part into %so_far[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// Tiles of three that lie two apart: of each but the last two elements stay.
// CHECK-DAG: certified: @overlapping:
func.func @overlapping(%a: tensor<9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %result = scf.for %i = %c0 to %c7 step %c2 iter_args(%so_far = %whole) -> (tensor<9xf32>) {
    %part = tensor.extract_slice %a[%i] [3] [1] : tensor<9xf32> to tensor<3xf32>
    %next = tensor.insert_slice %part into %so_far[%i] [3] [1] : tensor<3xf32> into tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
// What is written depends on the iteration.
// CHECK-DAG: certified: @last_of_each:
func.func @last_of_each(%a: tensor<4x9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %whole) -> (tensor<9xf32>) {
    %at = affine.apply affine_map<(i) -> (i * 2)>(%i)
    %part = tensor.extract_slice %a[%i, %at] [1, 3] [1, 1] : tensor<4x9xf32> to tensor<3xf32>
    %next = tensor.insert_slice %part into %so_far[%at] [3] [1] : tensor<3xf32> into tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
// CHECK-DAG: certified: @any_number:
func.func @any_number(%a: tensor<?xf32>, %whole: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %whole) -> (tensor<1xf32>) {
    %part = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %part : tensor<1xf32>
  }
  return %result : tensor<1xf32>
}
// CHECK-DAG: different: @first: element [2]: the first function has argument0[5], and has argument0[1] instead
func.func @first(%a: tensor<6xf32>, %whole: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %result = scf.for %i = %c0 to %c5 step %c1 iter_args(%so_far = %whole) -> (tensor<4xf32>) {
    %part = tensor.extract_slice %a[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %next = tensor.insert_slice %part into %so_far[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// CHECK-DAG: different: @first_of_each: element [6]
func.func @first_of_each(%a: tensor<4x9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %whole) -> (tensor<9xf32>) {
    %at = affine.apply affine_map<(i) -> (i * 2)>(%i)
    %part = tensor.extract_slice %a[%i, %at] [1, 3] [1, 1] : tensor<4x9xf32> to tensor<3xf32>
    %next = tensor.insert_slice %part into %so_far[%at] [3] [1] : tensor<3xf32> into tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
// Without iterations there is no last one.
// CHECK-NOT: certified: @at_least_one:
func.func @at_least_one(%a: tensor<?xf32>, %whole: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %whole) -> (tensor<1xf32>) {
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    scf.yield %zero : tensor<1xf32>
  }
  return %result : tensor<1xf32>
}

//--- after.mlir
func.func @same_place(%a: tensor<6xf32>, %whole: tensor<4xf32>) -> tensor<4xf32> {
  %part = tensor.extract_slice %a[4] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %next = tensor.insert_slice %part into %whole[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %next : tensor<4xf32>
}
func.func @overlapping(%a: tensor<9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  return %a : tensor<9xf32>
}
func.func @last_of_each(%a: tensor<4x9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %0 = tensor.extract_slice %a[0, 0] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %a[1, 2] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %2 = tensor.extract_slice %a[2, 4] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %3 = tensor.extract_slice %a[3, 6] [1, 3] [1, 1] : tensor<4x9xf32> to tensor<3xf32>
  %4 = tensor.insert_slice %0 into %whole[0] [2] [1] : tensor<2xf32> into tensor<9xf32>
  %5 = tensor.insert_slice %1 into %4[2] [2] [1] : tensor<2xf32> into tensor<9xf32>
  %6 = tensor.insert_slice %2 into %5[4] [2] [1] : tensor<2xf32> into tensor<9xf32>
  %7 = tensor.insert_slice %3 into %6[6] [3] [1] : tensor<3xf32> into tensor<9xf32>
  return %7 : tensor<9xf32>
}
func.func @any_number(%a: tensor<?xf32>, %whole: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %any = arith.cmpi sgt, %n, %c0 : index
  %result = scf.if %any -> tensor<1xf32> {
    %last = affine.apply affine_map<()[n] -> (n - 1)>()[%n]
    %part = tensor.extract_slice %a[%last] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %part : tensor<1xf32>
  } else {
    scf.yield %whole : tensor<1xf32>
  }
  return %result : tensor<1xf32>
}
func.func @first(%a: tensor<6xf32>, %whole: tensor<4xf32>) -> tensor<4xf32> {
  %part = tensor.extract_slice %a[0] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %next = tensor.insert_slice %part into %whole[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %next : tensor<4xf32>
}
func.func @first_of_each(%a: tensor<4x9xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %0 = tensor.extract_slice %a[0, 0] [1, 3] [1, 1] : tensor<4x9xf32> to tensor<3xf32>
  %1 = tensor.extract_slice %a[1, 3] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %2 = tensor.extract_slice %a[2, 5] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %3 = tensor.extract_slice %a[3, 7] [1, 2] [1, 1] : tensor<4x9xf32> to tensor<2xf32>
  %4 = tensor.insert_slice %0 into %whole[0] [3] [1] : tensor<3xf32> into tensor<9xf32>
  %5 = tensor.insert_slice %1 into %4[3] [2] [1] : tensor<2xf32> into tensor<9xf32>
  %6 = tensor.insert_slice %2 into %5[5] [2] [1] : tensor<2xf32> into tensor<9xf32>
  %7 = tensor.insert_slice %3 into %6[7] [2] [1] : tensor<2xf32> into tensor<9xf32>
  return %7 : tensor<9xf32>
}
func.func @at_least_one(%a: tensor<?xf32>, %whole: tensor<1xf32>) -> tensor<1xf32> {
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  return %zero : tensor<1xf32>
}
