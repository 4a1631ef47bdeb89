// Integers wrap around and are a ring: what is subtracted and added again is
// gone. Doubling twice is multiplying by four, in floating point as well.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @back_and_forth:
func.func @back_and_forth(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi8> {
  %d = arith.subi %x, %y : tensor<3xi8>
  %z = arith.addi %y, %d : tensor<3xi8>
  return %z : tensor<3xi8>
}
// CHECK-DAG: certified: @regrouped:
func.func @regrouped(%x: tensor<3xi32>, %y: tensor<3xi32>, %z: tensor<3xi32>) -> tensor<3xi32> {
  %a = arith.subi %x, %y : tensor<3xi32>
  %b = arith.subi %z, %a : tensor<3xi32>
  return %b : tensor<3xi32>
}
// CHECK-DAG: certified: @constants:
func.func @constants(%x: tensor<3xi32>) -> tensor<3xi32> {
  %three = arith.constant dense<3> : tensor<3xi32>
  %ten = arith.constant dense<10> : tensor<3xi32>
  %a = arith.subi %x, %ten : tensor<3xi32>
  %b = arith.addi %three, %a : tensor<3xi32>
  return %b : tensor<3xi32>
}
// CHECK-DAG: certified: @sum_less_bias:
func.func @sum_less_bias(%x: tensor<5xi8>, %w: tensor<2xi8>, %bias: tensor<4xi32>) -> tensor<4xi32> {
  %s = linalg.conv_1d ins(%x, %w : tensor<5xi8>, tensor<2xi8>) outs(%bias : tensor<4xi32>) -> tensor<4xi32>
  %y = arith.subi %s, %bias : tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-DAG: certified: @four:
func.func @four(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = arith.addf %x, %x : tensor<3xf32>
  %b = arith.addf %a, %a : tensor<3xf32>
  return %b : tensor<3xf32>
}
// CHECK-DAG: certified: @six:
func.func @six(%x: tensor<3xi16>) -> tensor<3xi16> {
  %two = arith.constant dense<2> : tensor<3xi16>
  %three = arith.constant dense<3> : tensor<3xi16>
  %a = arith.muli %x, %two : tensor<3xi16>
  %b = arith.muli %three, %a : tensor<3xi16>
  return %b : tensor<3xi16>
}
// Elements may be indices, of which nothing is known but what is written.
// CHECK-DAG: certified: @indices:
func.func @indices(%x: tensor<3xindex>, %y: tensor<3xindex>) -> tensor<3xindex> {
  %zero = arith.constant dense<0> : tensor<3xindex>
  %d = arith.subi %zero, %y : tensor<3xindex>
  %e = arith.addi %x, %d : tensor<3xindex>
  %p = arith.cmpi ult, %x, %y : tensor<3xindex>
  %z = arith.select %p, %e, %x : tensor<3xi1>, tensor<3xindex>
  return %z : tensor<3xindex>
}
// CHECK-NOT: certified: @other_indices:
func.func @other_indices(%x: tensor<3xindex>, %y: tensor<3xindex>) -> tensor<3xindex> {
  %z = arith.maxui %x, %y : tensor<3xindex>
  return %z : tensor<3xindex>
}
// CHECK-NOT: certified: @other_way:
func.func @other_way(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %d = arith.subi %x, %y : tensor<3xi32>
  return %d : tensor<3xi32>
}
// CHECK-NOT: certified: @subtracted_twice:
func.func @subtracted_twice(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %d = arith.subi %x, %y : tensor<3xi32>
  %z = arith.subi %d, %y : tensor<3xi32>
  return %z : tensor<3xi32>
}
// Narrow differences wrap around before they are widened.
// CHECK-NOT: certified: @widened:
func.func @widened(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi32> {
  %d = arith.subi %x, %y : tensor<3xi8>
  %w = arith.extsi %d : tensor<3xi8> to tensor<3xi32>
  %v = arith.extsi %y : tensor<3xi8> to tensor<3xi32>
  %z = arith.addi %w, %v : tensor<3xi32>
  return %z : tensor<3xi32>
}
// In floating point (x - y) + y is rounded.
// CHECK-NOT: certified: @of_floats:
func.func @of_floats(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %d = arith.subf %x, %y : tensor<3xf32>
  %z = arith.addf %y, %d : tensor<3xf32>
  return %z : tensor<3xf32>
}
// CHECK-NOT: certified: @tenths:
func.func @tenths(%x: tensor<3xf32>) -> tensor<3xf32> {
  %tenth = arith.constant dense<0.1> : tensor<3xf32>
  %a = arith.mulf %x, %tenth : tensor<3xf32>
  %b = arith.mulf %a, %tenth : tensor<3xf32>
  return %b : tensor<3xf32>
}
// Halves of the smallest numbers are zero.
// CHECK-NOT: certified: @halves:
func.func @halves(%x: tensor<3xf32>) -> tensor<3xf32> {
  %half = arith.constant dense<0.5> : tensor<3xf32>
  %two = arith.constant dense<2.0> : tensor<3xf32>
  %a = arith.mulf %x, %half : tensor<3xf32>
  %b = arith.mulf %a, %two : tensor<3xf32>
  return %b : tensor<3xf32>
}

//--- after.mlir
func.func @back_and_forth(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi8> {
  return %x : tensor<3xi8>
}
func.func @regrouped(%x: tensor<3xi32>, %y: tensor<3xi32>, %z: tensor<3xi32>) -> tensor<3xi32> {
  %a = arith.addi %z, %y : tensor<3xi32>
  %b = arith.subi %a, %x : tensor<3xi32>
  return %b : tensor<3xi32>
}
func.func @constants(%x: tensor<3xi32>) -> tensor<3xi32> {
  %seven = arith.constant dense<7> : tensor<3xi32>
  %a = arith.subi %x, %seven : tensor<3xi32>
  return %a : tensor<3xi32>
}
func.func @sum_less_bias(%x: tensor<5xi8>, %w: tensor<2xi8>, %bias: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %s = linalg.conv_1d ins(%x, %w : tensor<5xi8>, tensor<2xi8>) outs(%zero : tensor<4xi32>) -> tensor<4xi32>
  return %s : tensor<4xi32>
}
func.func @four(%x: tensor<3xf32>) -> tensor<3xf32> {
  %four = arith.constant dense<4.0> : tensor<3xf32>
  %a = arith.mulf %four, %x : tensor<3xf32>
  return %a : tensor<3xf32>
}
func.func @six(%x: tensor<3xi16>) -> tensor<3xi16> {
  %six = arith.constant dense<6> : tensor<3xi16>
  %a = arith.muli %x, %six : tensor<3xi16>
  return %a : tensor<3xi16>
}
func.func @indices(%x: tensor<3xindex>, %y: tensor<3xindex>) -> tensor<3xindex> {
  %zero = arith.constant dense<0> : tensor<3xindex>
  %d = arith.subi %zero, %y : tensor<3xindex>
  %e = arith.addi %d, %x : tensor<3xindex>
  %p = arith.cmpi ult, %x, %y : tensor<3xindex>
  %z = arith.select %p, %e, %x : tensor<3xi1>, tensor<3xindex>
  return %z : tensor<3xindex>
}
func.func @other_indices(%x: tensor<3xindex>, %y: tensor<3xindex>) -> tensor<3xindex> {
  %z = arith.maxsi %x, %y : tensor<3xindex>
  return %z : tensor<3xindex>
}
func.func @other_way(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %d = arith.subi %y, %x : tensor<3xi32>
  return %d : tensor<3xi32>
}
func.func @subtracted_twice(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  return %x : tensor<3xi32>
}
func.func @widened(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi32> {
  %w = arith.extsi %x : tensor<3xi8> to tensor<3xi32>
  return %w : tensor<3xi32>
}
func.func @of_floats(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @tenths(%x: tensor<3xf32>) -> tensor<3xf32> {
  %hundredth = arith.constant dense<0.01> : tensor<3xf32>
  %a = arith.mulf %x, %hundredth : tensor<3xf32>
  return %a : tensor<3xf32>
}
func.func @halves(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
