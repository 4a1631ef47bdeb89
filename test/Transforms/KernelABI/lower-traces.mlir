// RUN: convoy-opt %s --convoy-lower-traces --convoy-certify-each --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-lower-traces --convoy-add-destinations --split-input-file | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    %[[X:.*]]: tensor<7xf32>) -> (tensor<7xf32> {convoy.name = "y"}, tensor<7xf32> {convoy.name = "abs", convoy.traced}, tensor<7xf32> {convoy.name = "root", convoy.traced})
// CHECK-NEXT:    %[[ABS:.*]] = math.absf %[[X]]
// CHECK-NEXT:    %[[ROOT:.*]] = math.sqrt %[[ABS]]
// CHECK-NEXT:    return %[[ROOT]], %[[ABS]], %[[ROOT]]

// KERNEL-LABEL: func.func @layers(
// KERNEL-SAME:    {layout = "", name = "y", type = tensor<7xf32>, written = true}
// KERNEL-SAME:    {layout = "", name = "abs", traced, type = tensor<7xf32>, written = true}
// KERNEL-SAME:    {layout = "", name = "root", traced, type = tensor<7xf32>, written = true}
func.func @layers(%x: tensor<7xf32>) -> (tensor<7xf32> {convoy.name = "y"}) {
  %0 = math.absf %x : tensor<7xf32>
  %1 = convoy.trace "abs" %0 : tensor<7xf32>
  %2 = math.sqrt %1 : tensor<7xf32>
  %3 = convoy.trace "root" %2 : tensor<7xf32>
  return %3 : tensor<7xf32>
}

// CHECK-LABEL: func.func @without_traces(
// CHECK-SAME:    -> tensor<7xf32> {
func.func @without_traces(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}

// Arguments and constants may be traced, too.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.*]]: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8> {convoy.name = "x", convoy.traced}, tensor<2xf32> {convoy.name = "ones", convoy.traced})
// CHECK:         %[[ONES:.*]] = arith.constant
// CHECK:         return %[[X]], %[[X]], %[[ONES]]
func.func @others(%x: tensor<?xi8>) -> tensor<?xi8> {
  %ones = arith.constant dense<1.0> : tensor<2xf32>
  %0 = convoy.trace "x" %x : tensor<?xi8>
  %1 = convoy.trace "ones" %ones : tensor<2xf32>
  return %0 : tensor<?xi8>
}
