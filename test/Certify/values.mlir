// Where terms as they are written do not decide, values do: a difference has an
// example, and what is equal in another form is never called different.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#v = affine_map<(i) -> (i)>
#s = affine_map<(i) -> ()>
// CHECK: different: @square: element []: the first function computes 52, the second 64, where all of argument N is N + 2
func.func @square(%a: tensor<2xf32>, %b: tensor<2xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %result = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%sum : tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %three = arith.constant 3.0 : f32
    %product = arith.mulf %x, %three : f32
    %more = arith.addf %product, %y : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %result : tensor<f32>
}
// -x * w and -(x * w).
// CHECK: undecided: @sign: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @sign(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %w: f32, %so_far: f32):
    %zero = arith.constant 0.0 : f32
    %minus = arith.subf %zero, %x : f32
    %product = arith.mulf %minus, %w : f32
    %more = arith.addf %so_far, %product : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
// (x - z) * w, multiplied out.
// CHECK: certified: @multiplied_out:
func.func @multiplied_out(%a: tensor<4xi8>, %b: tensor<4xi8>, %z: i32, %init: tensor<i32>) -> tensor<i32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xi8>, tensor<4xi8>) outs(%init : tensor<i32>) {
  ^bb0(%x: i8, %w: i8, %so_far: i32):
    %wide = arith.extsi %x : i8 to i32
    %difference = arith.subi %wide, %z : i32
    %factor = arith.extsi %w : i8 to i32
    %product = arith.muli %difference, %factor : i32
    %more = arith.addi %so_far, %product : i32
    linalg.yield %more : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}
// The same with the wrong sign of the second product.
// CHECK: different: @wrongly_multiplied_out: element []: the first function computes -19, the second 77, where all of argument N is N + 2
func.func @wrongly_multiplied_out(%a: tensor<4xi8>, %b: tensor<4xi8>, %z: i32, %init: tensor<i32>) -> tensor<i32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xi8>, tensor<4xi8>) outs(%init : tensor<i32>) {
  ^bb0(%x: i8, %w: i8, %so_far: i32):
    %wide = arith.extsi %x : i8 to i32
    %difference = arith.subi %wide, %z : i32
    %factor = arith.extsi %w : i8 to i32
    %product = arith.muli %difference, %factor : i32
    %more = arith.addi %so_far, %product : i32
    linalg.yield %more : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}
// Of dynamic sizes no values are tried.
// CHECK: undecided: @dynamic: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

//--- after.mlir
#v = affine_map<(i) -> (i)>
#s = affine_map<(i) -> ()>
func.func @square(%a: tensor<2xf32>, %b: tensor<2xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %result = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%sum : tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %three = arith.constant 3.0 : f32
    %four = arith.mulf %x, %y : f32
    %product = arith.mulf %x, %three : f32
    %least = arith.minimumf %four, %product : f32
    %more = arith.addf %product, %y : f32
    %most = arith.maximumf %more, %four : f32
    linalg.yield %most : f32
  } -> tensor<f32>
  return %result : tensor<f32>
}
func.func @sign(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %w: f32, %so_far: f32):
    %product = arith.mulf %x, %w : f32
    %more = arith.subf %so_far, %product : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @multiplied_out(%a: tensor<4xi8>, %b: tensor<4xi8>, %z: i32, %init: tensor<i32>) -> tensor<i32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xi8>, tensor<4xi8>) outs(%init : tensor<i32>) {
  ^bb0(%x: i8, %w: i8, %so_far: i32):
    %wide = arith.extsi %x : i8 to i32
    %factor = arith.extsi %w : i8 to i32
    %zero = arith.constant 0 : i32
    %minus = arith.subi %zero, %z : i32
    %product = arith.muli %wide, %factor : i32
    %second = arith.muli %minus, %factor : i32
    %more = arith.addi %so_far, %product : i32
    %most = arith.addi %more, %second : i32
    linalg.yield %most : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}
func.func @wrongly_multiplied_out(%a: tensor<4xi8>, %b: tensor<4xi8>, %z: i32, %init: tensor<i32>) -> tensor<i32> {
  %sum = linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<4xi8>, tensor<4xi8>) outs(%init : tensor<i32>) {
  ^bb0(%x: i8, %w: i8, %so_far: i32):
    %wide = arith.extsi %x : i8 to i32
    %factor = arith.extsi %w : i8 to i32
    %product = arith.muli %wide, %factor : i32
    %second = arith.muli %z, %factor : i32
    %more = arith.addi %so_far, %product : i32
    %most = arith.addi %more, %second : i32
    linalg.yield %most : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %result = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %minus = arith.negf %x : f32
    %least = arith.minimumf %x, %minus : f32
    %most = arith.maximumf %x, %least : f32
    linalg.yield %most : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}
