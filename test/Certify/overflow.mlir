// Zero times a number that is computed is zero unless that overflows, which the
// verdict says; zero times what is soon infinite stays as it is.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @exp: {{.*}}terms that differ as they are written, but perhaps not in value: element [3]: the second function lacks math.exp(argument0[3]) * 0
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %e = math.exp %x : tensor<4xf32>
  %r = arith.mulf %zero, %e : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @divided: {{.*}}terms that differ as they are written
func.func @divided(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %e = arith.divf %x, %y : tensor<4xf32>
  %r = arith.mulf %zero, %e : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @narrowed: equal for all finite values where nothing overflows (
func.func @narrowed(%x: tensor<4xf32>) -> tensor<4xf16> {
  %zero = arith.constant dense<0.0> : tensor<4xf16>
  %n = arith.truncf %x : tensor<4xf32> to tensor<4xf16>
  %r = arith.mulf %zero, %n : tensor<4xf16>
  return %r : tensor<4xf16>
}
// CHECK-DAG: certified: @product: equal for all finite values where nothing overflows (
func.func @product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %p = arith.mulf %x, %x : tensor<4xf32>
  %q = arith.mulf %p, %zero : tensor<4xf32>
  %r = arith.addf %y, %q : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @padded_sum: equal for all finite values where nothing overflows (
func.func @padded_sum(%x: tensor<4xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.addf %x, %x : tensor<4xf32>
  %two = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %t = arith.addf %s, %two : tensor<4xf32>
  %p = tensor.pad %t low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  %filter = arith.constant dense<0.0> : tensor<6xf32>
  %r = arith.mulf %p, %filter : tensor<6xf32>
  return %r : tensor<6xf32>
}
// Elements, what is as large at most, and integers do not overflow.
// CHECK-DAG: certified: @element: equal for all finite values (
func.func @element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %n = arith.negf %x : tensor<4xf32>
  %m = arith.maximumf %n, %zero : tensor<4xf32>
  %t = math.tanh %m : tensor<4xf32>
  %r = arith.mulf %zero, %t : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @integer: equal for all finite values (
func.func @integer(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %p = arith.muli %x, %x : tensor<4xi32>
  %r = arith.muli %zero, %p : tensor<4xi32>
  return %r : tensor<4xi32>
}

//--- after.mlir
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  return %zero : tensor<4xf32>
}
func.func @divided(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  return %zero : tensor<4xf32>
}
func.func @narrowed(%x: tensor<4xf32>) -> tensor<4xf16> {
  %zero = arith.constant dense<0.0> : tensor<4xf16>
  return %zero : tensor<4xf16>
}
func.func @product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}
func.func @padded_sum(%x: tensor<4xf32>) -> tensor<6xf32> {
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  return %zero : tensor<6xf32>
}
func.func @element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  return %zero : tensor<4xf32>
}
func.func @integer(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  return %zero : tensor<4xi32>
}
