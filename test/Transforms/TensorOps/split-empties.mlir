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
