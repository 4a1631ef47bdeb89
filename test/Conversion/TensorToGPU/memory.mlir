// What lies in memory, and what launches write of it.
// RUN: convoy-opt %s --convoy-outline-kernels --cse --split-input-file | FileCheck %s

// A slice that the function returns is a tensor of its own, without gaps.
// CHECK-LABEL: func @slice(
// CHECK-SAME:    %[[X:.*]]: tensor<4x5xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[R:.*]] = convoy.launch @kernels::@slice_0 {{.*}} ins(%[[X]] : tensor<4x5xf32>) outs(%[[EMPTY]] : tensor<2x3xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @slice(%x: tensor<4x5xf32>) -> tensor<2x3xf32> {
  %r = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] : tensor<4x5xf32> to tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// A reshape of memory is none of a slice.
// CHECK-LABEL: func @reshaped(
// CHECK:         %[[SLICE:.*]] = convoy.launch @kernels::@reshaped_0 {{.*}} -> tensor<2x3xf32>
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[SLICE]]
// CHECK-NEXT:    return %[[R]]
func.func @reshaped(%x: tensor<4x5xf32>) -> tensor<6xf32> {
  %slice = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] : tensor<4x5xf32> to tensor<2x3xf32>
  %r = tensor.collapse_shape %slice [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// Constants are data that kernels read; one that is written to is copied.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @constants(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>, %[[INIT:.*]]: tensor<2xf32>)
// CHECK:         %[[TWO:.*]] = arith.constant dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK:         %[[SEVENS:.*]] = convoy.launch @kernels::@{{.*}} outs(%{{.*}} : tensor<4xf32>) -> tensor<4xf32>
// CHECK:         convoy.launch @kernels::@{{.*}} ins(%[[TWO]], %[[X]] : tensor<2xf32>, tensor<2xf32>) outs(%[[INIT]] : tensor<2xf32>)
// CHECK:         convoy.launch @kernels::@{{.*}} ins(%[[X]] : tensor<2xf32>) outs(%[[SEVENS]] : tensor<4xf32>) writes <[1] [2] [1]> -> tensor<4xf32>
func.func @constants(%x: tensor<2xf32>, %init: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %two = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %sevens = arith.constant dense<7.0> : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%two, %x : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.addf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<2xf32>
  %s = tensor.insert_slice %x into %sevens[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r, %s : tensor<2xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @returned(
// CHECK:         %[[TWO:.*]] = arith.constant dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK:         %[[R:.*]] = convoy.launch @kernels::@returned_0 {{.*}} ins(%[[TWO]] : tensor<2xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @returned() -> tensor<2xf32> {
  %two = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %two : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @images(
// CHECK:         writes <[0, 1] [-1, 3] [1, 2]> -> tensor<?x8xf32>
func.func @images(%x: tensor<?x3xf32>, %init: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %r = tensor.insert_slice %x into %init[0, 1] [%n, 3] [1, 2] : tensor<?x3xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
