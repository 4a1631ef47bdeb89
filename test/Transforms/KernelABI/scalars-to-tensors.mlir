// RUN: convoy-opt %s --convoy-scalars-to-tensors | FileCheck %s

// CHECK-LABEL: func.func @scale(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32>, %[[ALPHA:.*]]: tensor<f32> {convoy.name = "alpha"}, %[[ZERO:.*]]: tensor<i8>, %[[N:.*]]: index) -> (tensor<3xf32>, f32)
// CHECK-DAG:     %[[NUMBER:.*]] = tensor.extract %[[ALPHA]][] : tensor<f32>
// CHECK-DAG:     tensor.extract %[[ZERO]][] : tensor<i8>
// CHECK:         %[[TWICE:.*]] = arith.addf %[[NUMBER]], %[[NUMBER]]
// CHECK:         return %[[X]], %[[TWICE]]
func.func @scale(%x: tensor<3xf32>, %alpha: f32 {convoy.name = "alpha"}, %zero: i8, %n: index) -> (tensor<3xf32>, f32) {
  %twice = arith.addf %alpha, %alpha : f32
  return %x, %twice : tensor<3xf32>, f32
}

// Private functions have no caller but ours, declarations no body, and kernels
// an interface.
// CHECK:         func.func private @helper(%{{.*}}: f32)
func.func private @helper(%alpha: f32) -> f32 {
  return %alpha : f32
}
// CHECK:         func.func private @declared(f32)
func.func private @declared(f32)
// CHECK:         func.func @kernel(%{{.*}}: f32)
func.func @kernel(%alpha: f32) attributes {convoy.arguments = []} {
  return
}
