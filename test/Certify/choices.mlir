// A choice by a comparison of the same two numbers is their maximum or minimum.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#i = affine_map<(d0) -> (d0)>
// CHECK-DAG: certified: @relu:
func.func @relu(%a: tensor<5xf32>, %b: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %sum = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %p = arith.cmpf ugt, %x, %zero : f32
    %s = arith.select %p, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @relu_of_tensors:
func.func @relu_of_tensors(%a: tensor<5xf32>, %b: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  %p = arith.cmpf olt, %sum, %zeros : tensor<4xf32>
  %r = arith.select %p, %zeros, %sum : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @clamp:
func.func @clamp(%a: tensor<4xi32>, %low: i32, %high: i32) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %out: i32):
    %p = arith.cmpi slt, %x, %low : i32
    %s = arith.select %p, %low, %x : i32
    %q = arith.cmpi ugt, %s, %high : i32
    %t = arith.select %q, %high, %s : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// The other one, and another number.
// CHECK-DAG: certified: @same:
func.func @same(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf olt, %a, %b : tensor<4xf32>
  %log = math.log %a : tensor<4xf32>
  %r = arith.select %p, %log, %log : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-NOT: certified: @minimum:
func.func @minimum(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %p = arith.cmpf ogt, %a, %zeros : tensor<4xf32>
  %r = arith.select %p, %zeros, %a : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-NOT: certified: @leaky:
func.func @leaky(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %p = arith.cmpf ogt, %a, %zeros : tensor<4xf32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// With a sign or without is not the same.
// CHECK-NOT: certified: @unsigned:
func.func @unsigned(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %p = arith.cmpi ugt, %a, %b : tensor<4xi32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xi32>
  return %r : tensor<4xi32>
}
// What may be no number chooses otherwise than a maximum.
// CHECK-NOT: certified: @no_number:
func.func @no_number(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %log = math.log %a : tensor<4xf32>
  %p = arith.cmpf ogt, %log, %zeros : tensor<4xf32>
  %r = arith.select %p, %log, %zeros : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- after.mlir
#i = affine_map<(d0) -> (d0)>
func.func @relu(%a: tensor<5xf32>, %b: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  %r = arith.maximumf %zeros, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @relu_of_tensors(%a: tensor<5xf32>, %b: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  %r = arith.maxnumf %sum, %zeros : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @clamp(%a: tensor<4xi32>, %low: i32, %high: i32) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.maxsi %x, %low : i32
    %t = arith.minui %s, %high : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @same(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.log %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @minimum(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.maximumf %a, %zeros : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @leaky(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.maximumf %a, %zeros : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @unsigned(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.maxsi %a, %b : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @no_number(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %log = math.log %a : tensor<4xf32>
  %r = arith.maximumf %log, %zeros : tensor<4xf32>
  return %r : tensor<4xf32>
}
