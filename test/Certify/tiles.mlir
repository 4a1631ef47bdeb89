// Loops that add to a tensor and loops that write slices of one.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @exact:
func.func @exact(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<30xf32>, tensor<30xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// Tiles of 12, ten apart: every element is read, some of them twice.
// CHECK-DAG: different: @overlap: element []: the second function adds twice argument0[{{.*}}] * argument1[{{.*}}]
func.func @overlap(%a: tensor<32xf32>, %b: tensor<32xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @skipped: element []: the second function lacks argument0[{{2[0-9]}}] * argument1[{{2[0-9]}}]
func.func @skipped(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<30xf32>, tensor<30xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @doubled: element []: the second function adds twice argument0[{{2[0-9]}}] * argument1[{{2[0-9]}}]
func.func @doubled(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<30xf32>, tensor<30xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @beyond: index {{[0-9]+}} is accessed in dimension 0 of a tensor, whose size is 30
func.func @beyond(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<30xf32>, tensor<30xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: certified: @parallel:
func.func @parallel(%a: tensor<12x5xf32>, %b: tensor<5x3xf32>, %init: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<12x5xf32>, tensor<5x3xf32>) outs(%init : tensor<12x3xf32>) -> tensor<12x3xf32>
  return %sum : tensor<12x3xf32>
}
// CHECK-DAG: different: @parallel_shifted: element [{{.*}}]: the second function lacks
func.func @parallel_shifted(%a: tensor<13x5xf32>, %b: tensor<5x3xf32>, %init: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %part = tensor.extract_slice %a[0, 0] [12, 5] [1, 1] : tensor<13x5xf32> to tensor<12x5xf32>
  %sum = linalg.matmul ins(%part, %b : tensor<12x5xf32>, tensor<5x3xf32>) outs(%init : tensor<12x3xf32>) -> tensor<12x3xf32>
  return %sum : tensor<12x3xf32>
}
// Slices of both loops that do not divide are ops of their own.
// CHECK-DAG: certified: @nested:
func.func @nested(%a: tensor<7x6xf32>, %b: tensor<6x3xf32>, %init: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<7x6xf32>, tensor<6x3xf32>) outs(%init : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %sum : tensor<7x3xf32>
}
// The last row keeps what the init has there.
// CHECK-DAG: different: @untouched: element [6, {{[0-2]}}]: the second function lacks argument0[6, {{.*}}] * argument1[{{.*}}]
func.func @untouched(%a: tensor<7x6xf32>, %b: tensor<6x3xf32>, %init: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<7x6xf32>, tensor<6x3xf32>) outs(%init : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %sum : tensor<7x3xf32>
}

//--- after.mlir
func.func @exact(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c30 = arith.constant 30 : index
  %sum = scf.for %i = %c0 to %c30 step %c10 iter_args(%so_far = %init) -> (tensor<f32>) {
    %x = tensor.extract_slice %a[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %y = tensor.extract_slice %b[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %next = linalg.dot ins(%x, %y : tensor<10xf32>, tensor<10xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @overlap(%a: tensor<32xf32>, %b: tensor<32xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c30 = arith.constant 30 : index
  %sum = scf.for %i = %c0 to %c30 step %c10 iter_args(%so_far = %init) -> (tensor<f32>) {
    %x = tensor.extract_slice %a[%i] [12] [1] : tensor<32xf32> to tensor<12xf32>
    %y = tensor.extract_slice %b[%i] [12] [1] : tensor<32xf32> to tensor<12xf32>
    %next = linalg.dot ins(%x, %y : tensor<12xf32>, tensor<12xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @skipped(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %sum = scf.for %i = %c0 to %c20 step %c10 iter_args(%so_far = %init) -> (tensor<f32>) {
    %x = tensor.extract_slice %a[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %y = tensor.extract_slice %b[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %next = linalg.dot ins(%x, %y : tensor<10xf32>, tensor<10xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @doubled(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c30 = arith.constant 30 : index
  %sum = scf.for %i = %c0 to %c30 step %c10 iter_args(%so_far = %init) -> (tensor<f32>) {
    %x = tensor.extract_slice %a[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %y = tensor.extract_slice %b[%i] [10] [1] : tensor<30xf32> to tensor<10xf32>
    %next = linalg.dot ins(%x, %y : tensor<10xf32>, tensor<10xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  %x = tensor.extract_slice %a[20] [10] [1] : tensor<30xf32> to tensor<10xf32>
  %y = tensor.extract_slice %b[20] [10] [1] : tensor<30xf32> to tensor<10xf32>
  %more = linalg.dot ins(%x, %y : tensor<10xf32>, tensor<10xf32>) outs(%sum : tensor<f32>) -> tensor<f32>
  return %more : tensor<f32>
}
func.func @beyond(%a: tensor<30xf32>, %b: tensor<30xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c30 = arith.constant 30 : index
  %sum = scf.for %i = %c0 to %c30 step %c12 iter_args(%so_far = %init) -> (tensor<f32>) {
    %x = tensor.extract_slice %a[%i] [12] [1] : tensor<30xf32> to tensor<12xf32>
    %y = tensor.extract_slice %b[%i] [12] [1] : tensor<30xf32> to tensor<12xf32>
    %next = linalg.dot ins(%x, %y : tensor<12xf32>, tensor<12xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @parallel(%a: tensor<12x5xf32>, %b: tensor<5x3xf32>, %init: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %sum = scf.forall (%i) = (0) to (12) step (4) shared_outs(%whole = %init) -> (tensor<12x3xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [4, 5] [1, 1] : tensor<12x5xf32> to tensor<4x5xf32>
    %old = tensor.extract_slice %whole[%i, 0] [4, 3] [1, 1] : tensor<12x3xf32> to tensor<4x3xf32>
    %new = linalg.matmul ins(%x, %b : tensor<4x5xf32>, tensor<5x3xf32>) outs(%old : tensor<4x3xf32>) -> tensor<4x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %whole[%i, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<12x3xf32>
    }
  }
  return %sum : tensor<12x3xf32>
}
func.func @parallel_shifted(%a: tensor<13x5xf32>, %b: tensor<5x3xf32>, %init: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %sum = scf.forall (%i) = (0) to (12) step (4) shared_outs(%whole = %init) -> (tensor<12x3xf32>) {
    %from = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %x = tensor.extract_slice %a[%from, 0] [4, 5] [1, 1] : tensor<13x5xf32> to tensor<4x5xf32>
    %old = tensor.extract_slice %whole[%i, 0] [4, 3] [1, 1] : tensor<12x3xf32> to tensor<4x3xf32>
    %new = linalg.matmul ins(%x, %b : tensor<4x5xf32>, tensor<5x3xf32>) outs(%old : tensor<4x3xf32>) -> tensor<4x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %whole[%i, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<12x3xf32>
    }
  }
  return %sum : tensor<12x3xf32>
}
func.func @nested(%a: tensor<7x6xf32>, %b: tensor<6x3xf32>, %init: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %most = scf.for %i = %c0 to %c6 step %c3 iter_args(%whole = %init) -> (tensor<7x3xf32>) {
    %old = tensor.extract_slice %whole[%i, 0] [3, 3] [1, 1] : tensor<7x3xf32> to tensor<3x3xf32>
    %new = scf.for %k = %c0 to %c6 step %c2 iter_args(%so_far = %old) -> (tensor<3x3xf32>) {
      %x = tensor.extract_slice %a[%i, %k] [3, 2] [1, 1] : tensor<7x6xf32> to tensor<3x2xf32>
      %y = tensor.extract_slice %b[%k, 0] [2, 3] [1, 1] : tensor<6x3xf32> to tensor<2x3xf32>
      %next = linalg.matmul ins(%x, %y : tensor<3x2xf32>, tensor<2x3xf32>) outs(%so_far : tensor<3x3xf32>) -> tensor<3x3xf32>
      scf.yield %next : tensor<3x3xf32>
    }
    %result = tensor.insert_slice %new into %whole[%i, 0] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<7x3xf32>
    scf.yield %result : tensor<7x3xf32>
  }
  %x = tensor.extract_slice %a[6, 0] [1, 6] [1, 1] : tensor<7x6xf32> to tensor<1x6xf32>
  %old = tensor.extract_slice %most[6, 0] [1, 3] [1, 1] : tensor<7x3xf32> to tensor<1x3xf32>
  %new = linalg.matmul ins(%x, %b : tensor<1x6xf32>, tensor<6x3xf32>) outs(%old : tensor<1x3xf32>) -> tensor<1x3xf32>
  %sum = tensor.insert_slice %new into %most[6, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<7x3xf32>
  return %sum : tensor<7x3xf32>
}
func.func @untouched(%a: tensor<7x6xf32>, %b: tensor<6x3xf32>, %init: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %most = scf.for %i = %c0 to %c6 step %c3 iter_args(%whole = %init) -> (tensor<7x3xf32>) {
    %old = tensor.extract_slice %whole[%i, 0] [3, 3] [1, 1] : tensor<7x3xf32> to tensor<3x3xf32>
    %new = scf.for %k = %c0 to %c6 step %c2 iter_args(%so_far = %old) -> (tensor<3x3xf32>) {
      %x = tensor.extract_slice %a[%i, %k] [3, 2] [1, 1] : tensor<7x6xf32> to tensor<3x2xf32>
      %y = tensor.extract_slice %b[%k, 0] [2, 3] [1, 1] : tensor<6x3xf32> to tensor<2x3xf32>
      %next = linalg.matmul ins(%x, %y : tensor<3x2xf32>, tensor<2x3xf32>) outs(%so_far : tensor<3x3xf32>) -> tensor<3x3xf32>
      scf.yield %next : tensor<3x3xf32>
    }
    %result = tensor.insert_slice %new into %whole[%i, 0] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<7x3xf32>
    scf.yield %result : tensor<7x3xf32>
  }
  return %most : tensor<7x3xf32>
}
