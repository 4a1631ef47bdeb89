// RUN: convoy-opt %s --convoy-linalg-to-loops -canonicalize | FileCheck %s

// LLVM unrolls no loop of the nest.
// CHECK-DAG:     #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG:     #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func @fill(
// CHECK-SAME:    %[[R:.*]]: memref<3x5xf32>, %[[VALUE:.*]]: f32)
// CHECK:         scf.for %[[I:.*]] = %c0 to %c3
// CHECK:           scf.for %[[J:.*]] = %c0 to %c5
// CHECK:             memref.store %[[VALUE]], %[[R]][%[[I]], %[[J]]]
// CHECK-NEXT:      } {llvm.loop_annotation = #[[LOOP]]}
// CHECK-NEXT:    } {llvm.loop_annotation = #[[LOOP]]}
func.func @fill(%r: memref<3x5xf32>, %value: f32) {
  linalg.fill ins(%value : f32) outs(%r : memref<3x5xf32>)
  return
}

// On tensors nothing is done.
// CHECK-LABEL: func @tensor(
// CHECK:         linalg.fill
func.func @tensor(%r: tensor<3xf32>, %value: f32) -> tensor<3xf32> {
  %filled = linalg.fill ins(%value : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  return %filled : tensor<3xf32>
}
