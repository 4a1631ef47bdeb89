// A sum without terms is zero below any op, and an op on constants a constant.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#i = affine_map<(d0) -> (d0)>
// The first element is padding alone.
// CHECK-DAG: certified: @relu_of_padding:
func.func @relu_of_padding(%x: tensor<3xi8>, %w: tensor<1xi8>) -> tensor<4xi32> {
  %zero = arith.constant 0 : i8
  %start = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : i8
  } : tensor<3xi8> to tensor<4xi8>
  %s = linalg.fill ins(%start : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %y = linalg.conv_1d ins(%p, %w : tensor<4xi8>, tensor<1xi8>) outs(%s : tensor<4xi32>) -> tensor<4xi32>
  %z = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%y : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c = arith.cmpi sgt, %in, %start : i32
    %r = arith.select %c, %in, %start : i32
    linalg.yield %r : i32
  } -> tensor<4xi32>
  return %z : tensor<4xi32>
}
// CHECK-DAG: certified: @products_of_padding:
func.func @products_of_padding(%x: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<4xf32>
  %m = arith.minimumf %p, %half : tensor<4xf32>
  %y = linalg.conv_1d ins(%m, %w : tensor<4xf32>, tensor<2xf32>) outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-DAG: certified: @folded:
func.func @folded(%x: tensor<3xi32>) -> tensor<3xi32> {
  %a = arith.constant dense<12> : tensor<3xi32>
  %b = arith.constant dense<10> : tensor<3xi32>
  %c = arith.andi %a, %b : tensor<3xi32>
  %d = arith.shli %c, %c : tensor<3xi32>
  %p = arith.cmpi ult, %d, %a : tensor<3xi32>
  %e = arith.select %p, %a, %d : tensor<3xi1>, tensor<3xi32>
  %y = arith.addi %x, %e : tensor<3xi32>
  return %y : tensor<3xi32>
}
// The largest number of a type bounds nothing.
// CHECK-DAG: certified: @bounds:
func.func @bounds(%x: tensor<3xi8>) -> tensor<3xi8> {
  %most = arith.constant dense<127> : tensor<3xi8>
  %y = arith.minsi %x, %most : tensor<3xi8>
  return %y : tensor<3xi8>
}
// CHECK-DAG: certified: @same_twice:
func.func @same_twice(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %a = arith.maximumf %x, %y : tensor<3xf32>
  %b = arith.maximumf %y, %a : tensor<3xf32>
  return %b : tensor<3xf32>
}
// CHECK-NOT: certified: @no_bound:
func.func @no_bound(%x: tensor<3xi8>) -> tensor<3xi8> {
  %most = arith.constant dense<126> : tensor<3xi8>
  %y = arith.minsi %x, %most : tensor<3xi8>
  return %y : tensor<3xi8>
}
// CHECK-NOT: certified: @unsigned_bound:
func.func @unsigned_bound(%x: tensor<3xi8>) -> tensor<3xi8> {
  %most = arith.constant dense<127> : tensor<3xi8>
  %y = arith.minui %x, %most : tensor<3xi8>
  return %y : tensor<3xi8>
}
// Not where there are terms.
// CHECK-NOT: certified: @relu_of_terms:
func.func @relu_of_terms(%x: tensor<4xi8>, %w: tensor<1xi8>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %y = linalg.conv_1d ins(%x, %w : tensor<4xi8>, tensor<1xi8>) outs(%zero : tensor<4xi32>) -> tensor<4xi32>
  %z = arith.maxsi %y, %zero : tensor<4xi32>
  return %z : tensor<4xi32>
}
// A maximum with what was never written is not known.
// CHECK-NOT: certified: @never_written:
func.func @never_written(%x: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %zero = arith.constant dense<0> : tensor<3xi32>
  %y = arith.andi %e, %zero : tensor<3xi32>
  %z = arith.addi %x, %y : tensor<3xi32>
  return %z : tensor<3xi32>
}
// A third is not 0.3333.
// CHECK-NOT: certified: @rounded:
func.func @rounded(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = arith.constant dense<1.0> : tensor<3xf32>
  %b = arith.constant dense<3.0> : tensor<3xf32>
  %c = arith.divf %a, %b : tensor<3xf32>
  %y = arith.mulf %x, %c : tensor<3xf32>
  return %y : tensor<3xf32>
}
// What overflows is undefined there, and is no constant.
// CHECK-NOT: certified: @flags:
func.func @flags(%x: tensor<3xi8>) -> tensor<3xi8> {
  %a = arith.constant dense<-104> : tensor<3xi8>
  %y = arith.addi %x, %a : tensor<3xi8>
  return %y : tensor<3xi8>
}

//--- after.mlir
#i = affine_map<(d0) -> (d0)>
func.func @relu_of_padding(%x: tensor<3xi8>, %w: tensor<1xi8>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %zeros = arith.constant dense<0> : tensor<3xi32>
  %y = linalg.conv_1d ins(%x, %w : tensor<3xi8>, tensor<1xi8>) outs(%zeros : tensor<3xi32>) -> tensor<3xi32>
  %p = tensor.insert_slice %y into %zero[1] [3] [1] : tensor<3xi32> into tensor<4xi32>
  %z = arith.maxsi %p, %zero : tensor<4xi32>
  return %z : tensor<4xi32>
}
func.func @products_of_padding(%x: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<3xf32>
  %m = arith.minimumf %x, %half : tensor<3xf32>
  %p = tensor.pad %m low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<4xf32>
  %y = linalg.conv_1d ins(%p, %w : tensor<4xf32>, tensor<2xf32>) outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @folded(%x: tensor<3xi32>) -> tensor<3xi32> {
  %e = arith.constant dense<2048> : tensor<3xi32>
  %y = arith.addi %x, %e : tensor<3xi32>
  return %y : tensor<3xi32>
}
func.func @bounds(%x: tensor<3xi8>) -> tensor<3xi8> {
  return %x : tensor<3xi8>
}
func.func @same_twice(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %a = arith.maximumf %y, %x : tensor<3xf32>
  return %a : tensor<3xf32>
}
func.func @no_bound(%x: tensor<3xi8>) -> tensor<3xi8> {
  return %x : tensor<3xi8>
}
func.func @unsigned_bound(%x: tensor<3xi8>) -> tensor<3xi8> {
  return %x : tensor<3xi8>
}
func.func @relu_of_terms(%x: tensor<4xi8>, %w: tensor<1xi8>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  return %zero : tensor<4xi32>
}
func.func @never_written(%x: tensor<3xi32>) -> tensor<3xi32> {
  return %x : tensor<3xi32>
}
func.func @rounded(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant dense<0.3333> : tensor<3xf32>
  %y = arith.mulf %x, %c : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @flags(%x: tensor<3xi8>) -> tensor<3xi8> {
  %a = arith.constant dense<100> : tensor<3xi8>
  %b = arith.constant dense<-42> : tensor<3xi8>
  %c = arith.muli %a, %b overflow<nsw> : tensor<3xi8>
  %y = arith.addi %x, %c : tensor<3xi8>
  return %y : tensor<3xi8>
}
