// Sums of integers wrap around, and so are a ring: products of differences are
// multiplied out, and what one side subtracts is added to the other.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#v = affine_map<(k) -> (k)>
#s = affine_map<(k) -> ()>
// The sum of products with a zero point, in two sums.
// CHECK-DAG: certified: @zero_point
func.func @zero_point(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// With another zero point,
// CHECK-DAG: different: @other_zero_point
func.func @other_zero_point(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 113 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// with all filters but the last,
// CHECK-DAG: different: @one_less
func.func @one_less(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-DAG: different: @added
func.func @added(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// Differences from one constant are those from another and a rest.
// CHECK-DAG: certified: @rest
func.func @rest(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extsi %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 7 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// Floats are rounded, and are no ring.
// CHECK-DAG: undecided: @floats: {{.*}}products of differences that may be multiplied out
func.func @floats(%x: tensor<7xf32>, %w: tensor<7xf32>, %init: tensor<f32>, %z: f32) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xf32>, tensor<7xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %z : f32
    %p = arith.mulf %d, %b : f32
    %n = arith.addf %c, %p : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
//--- after.mlir
#v = affine_map<(k) -> (k)>
#s = affine_map<(k) -> ()>
func.func @zero_point(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %i = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%w : tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%b: i8, %c: i32):
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %p = arith.muli %eb, %z : i32
    %n = arith.subi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%i : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 0 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
func.func @other_zero_point(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %i = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%w : tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%b: i8, %c: i32):
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %p = arith.muli %eb, %z : i32
    %n = arith.subi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%i : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 0 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
func.func @one_less(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %part = tensor.extract_slice %w[0] [6] [1] : tensor<7xi8> to tensor<6xi8>
  %i = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%part : tensor<6xi8>) outs(%init : tensor<i32>) {
  ^bb0(%b: i8, %c: i32):
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %p = arith.muli %eb, %z : i32
    %n = arith.subi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%i : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 0 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
func.func @added(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %i = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%w : tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%b: i8, %c: i32):
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 114 : i32
    %p = arith.muli %eb, %z : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%i : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extui %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 0 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
func.func @rest(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>) -> tensor<i32> {
  %i = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%w : tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%b: i8, %c: i32):
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant 135 : i32
    %p = arith.muli %eb, %z : i32
    %n = arith.subi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%i : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extsi %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %z = arith.constant -128 : i32
    %d = arith.subi %ea, %z : i32
    %p = arith.muli %d, %eb : i32
    %n = arith.addi %c, %p : i32
    linalg.yield %n : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
func.func @floats(%x: tensor<7xf32>, %w: tensor<7xf32>, %init: tensor<f32>, %z: f32) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xf32>, tensor<7xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %nz = arith.negf %z : f32
    %q = arith.mulf %nz, %b : f32
    %m = arith.addf %c, %q : f32
    %n = arith.addf %m, %p : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
