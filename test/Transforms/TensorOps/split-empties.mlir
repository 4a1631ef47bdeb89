// RUN: convoy-opt %s --convoy-split-empties | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK-DAG:     %[[A:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK-DAG:     %[[B:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK:         %[[Y:.*]] = linalg.exp ins(%[[X]] : tensor<?xf32>) outs(%[[FIRST:.*]] : tensor<?xf32>)
// CHECK-NOT:     outs(%[[FIRST]] :
// CHECK:         linalg.exp ins(%[[Y]] : tensor<?xf32>) outs(
func.func @chain(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %z = linalg.exp ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// Sums that loops compute in fills of a slice, and insert into the same empty
// tensor, have one in common: as common subexpressions, both had the same, and
// the first sums would be copied.
// CHECK-LABEL: func.func @parts(
// CHECK:         %[[A:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[PART_A:.*]] = tensor.extract_slice %[[A]][0, 0] [1, 3] [1, 1]
// CHECK:         %[[ZEROS_A:.*]] = linalg.fill ins(%{{.*}}) outs(%[[PART_A]] :
// CHECK:         %[[B:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[PART_B:.*]] = tensor.extract_slice %[[B]][0, 0] [1, 3] [1, 1]
// CHECK:         %[[ZEROS_B:.*]] = linalg.fill ins(%{{.*}}) outs(%[[PART_B]] :
// CHECK-NOT:     linalg.fill
// CHECK:         %[[SUMS_A:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS_A]])
// CHECK:         %[[SQUARES_A:.*]] = linalg.generic {{.*}} outs(%[[SUMS_A]] :
// CHECK:         tensor.insert_slice %[[SQUARES_A]] into %[[A]][0, 0] [1, 3] [1, 1]
// CHECK:         %[[SUMS_B:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS_B]])
// CHECK:         tensor.insert_slice %[[SUMS_B]] into %[[B]][0, 0] [1, 3] [1, 1]
func.func @parts(%x: tensor<3xf32>, %n: index) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %part = tensor.extract_slice %e[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%part : tensor<3xf32>) -> tensor<3xf32>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%sums = %zeros) -> (tensor<3xf32>) {
    %next = linalg.add ins(%x, %sums : tensor<3xf32>, tensor<3xf32>) outs(%sums : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  %squares = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      outs(%a : tensor<3xf32>) {
  ^bb0(%sum: f32):
    %square = arith.mulf %sum, %sum : f32
    linalg.yield %square : f32
  } -> tensor<3xf32>
  %y = tensor.insert_slice %squares into %e[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%sums = %zeros) -> (tensor<3xf32>) {
    %next = linalg.sub ins(%x, %sums : tensor<3xf32>, tensor<3xf32>) outs(%sums : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  %z = tensor.insert_slice %b into %e[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
  return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// Parts of other places, or of other tensors, have no slice in common.
// CHECK-LABEL: func.func @other_parts(
// CHECK:         %[[A:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[B:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[B]][0, 0]
// CHECK:         tensor.insert_slice %[[PART]] into %[[A]][1, 0]
func.func @other_parts() -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %part = tensor.extract_slice %e[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
  %y = tensor.insert_slice %part into %e[1, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
