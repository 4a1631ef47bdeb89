// RUN: convoy-opt %s --convoy-split-pads --convoy-certify-each --split-input-file | FileCheck %s

// Windows by 2 of 3 taps: the first meets one element of padding, the last one, too,
// and those between them none.
// CHECK-LABEL: func.func @pool(
// CHECK-SAME:  %[[X:.*]]: tensor<9x5xf32>, %[[OUT:.*]]: tensor<5x5xf32>)
// CHECK-NOT:   tensor.pad
// CHECK:       %[[LOW:.*]] = tensor.extract_slice %[[X]][0, 0] [2, 5] [1, 1]
// CHECK:       %[[PLACE:.*]] = tensor.extract_slice %[[OUT]][0, 0] [1, 5]
// CHECK:       %[[INIT:.*]] = linalg.fill {{.*}} outs(%[[PLACE]]
// CHECK:       %[[PART:.*]] = linalg.generic {{.*}} ins(%[[LOW]], %{{.*}} : tensor<2x5xf32>, tensor<2xf32>) outs(%[[INIT]] : tensor<1x5xf32>)
// CHECK:       %[[R0:.*]] = tensor.insert_slice %[[PART]] into %[[OUT]][0, 0] [1, 5]
// CHECK:       %[[INNER:.*]] = tensor.extract_slice %[[X]][1, 0] [7, 5] [1, 1]
// CHECK:       linalg.generic {{.*}} ins(%[[INNER]], %{{.*}} : tensor<7x5xf32>, tensor<3xf32>)
// CHECK:       %[[R1:.*]] = tensor.insert_slice %{{.*}} into %[[R0]][1, 0] [3, 5]
// CHECK:       %[[HIGH:.*]] = tensor.extract_slice %[[X]][7, 0] [2, 5] [1, 1]
// CHECK:       linalg.generic {{.*}} ins(%[[HIGH]], %{{.*}} : tensor<2x5xf32>, tensor<2xf32>)
// CHECK:       %[[R2:.*]] = tensor.insert_slice %{{.*}} into %[[R1]][4, 0] [1, 5]
// CHECK-NEXT:  return %[[R2]]
#in = affine_map<(w, c, t) -> (w * 2 + t, c)>
#taps = affine_map<(w, c, t) -> (t)>
#out = affine_map<(w, c, t) -> (w, c)>
func.func @pool(%x: tensor<9x5xf32>, %out: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %least = arith.constant 0xFF800000 : f32
  %init = linalg.fill ins(%least : f32) outs(%out : tensor<5x5xf32>) -> tensor<5x5xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %least : f32
  } : tensor<9x5xf32> to tensor<11x5xf32>
  %taps = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %taps : tensor<11x5xf32>, tensor<3xf32>) outs(%init : tensor<5x5xf32>) {
  ^bb0(%in: f32, %tap: f32, %old: f32):
    %max = arith.maximumf %old, %in : f32
    linalg.yield %max : f32
  } -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// -----

// Dilated taps, two dimensions, integers, and no element behind the last window:
// of 2 by 3 parts each leaves out what meets padding.
// CHECK-LABEL: func.func @dilated(
// CHECK-NOT:   tensor.pad
// CHECK-COUNT-6: linalg.generic
// CHECK-NOT:   linalg.generic
#in = affine_map<(h, w, c, p, q) -> (h + p * 3, w * 2 + q, c)>
#out = affine_map<(h, w, c, p, q) -> (h, w, c)>
func.func @dilated(%x: tensor<5x8x3xi8>) -> tensor<4x4x3xi8> {
  %most = arith.constant 127 : i8
  %empty = tensor.empty() : tensor<4x4x3xi8>
  %init = linalg.fill ins(%most : i8) outs(%empty : tensor<4x4x3xi8>) -> tensor<4x4x3xi8>
  %padded = tensor.pad %x low[2, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %most : i8
  } : tensor<5x8x3xi8> to tensor<7x10x3xi8>
  %taps = tensor.empty() : tensor<2x4xi8>
  %r = linalg.generic {indexing_maps = [#in, affine_map<(h, w, c, p, q) -> (p, q)>, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %taps : tensor<7x10x3xi8>, tensor<2x4xi8>) outs(%init : tensor<4x4x3xi8>) {
  ^bb0(%in: i8, %tap: i8, %old: i8):
    %min = arith.minsi %in, %old : i8
    linalg.yield %min : i8
  } -> tensor<4x4x3xi8>
  return %r : tensor<4x4x3xi8>
}

// -----

// Sums are left, which each element changes, and so are pads with another number
// than what the result begins with, and windows of padding alone.
// CHECK-LABEL: func.func @sum(
// CHECK:       tensor.pad
// CHECK-LABEL: func.func @other_value(
// CHECK:       tensor.pad
// CHECK-LABEL: func.func @outside(
// CHECK:       tensor.pad
#in = affine_map<(w, t) -> (w + t)>
#out = affine_map<(w, t) -> (w)>
func.func @sum(%x: tensor<9xf32>, %taps: tensor<3xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<9xf32>) -> tensor<9xf32>
  %padded = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<9xf32> to tensor<11xf32>
  %r = linalg.generic {indexing_maps = [#in, affine_map<(w, t) -> (t)>, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %taps : tensor<11xf32>, tensor<3xf32>) outs(%init : tensor<9xf32>) {
  ^bb0(%in: f32, %tap: f32, %old: f32):
    %next = arith.addf %old, %in : f32
    linalg.yield %next : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}
func.func @other_value(%x: tensor<9xf32>, %taps: tensor<3xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1.0 : f32
  %empty = tensor.empty() : tensor<9xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<9xf32>) -> tensor<9xf32>
  %padded = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<9xf32> to tensor<11xf32>
  %r = linalg.generic {indexing_maps = [#in, affine_map<(w, t) -> (t)>, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %taps : tensor<11xf32>, tensor<3xf32>) outs(%init : tensor<9xf32>) {
  ^bb0(%in: f32, %tap: f32, %old: f32):
    %next = arith.maximumf %old, %in : f32
    linalg.yield %next : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}
func.func @outside(%x: tensor<9xf32>, %taps: tensor<3xf32>) -> tensor<11xf32> {
  %least = arith.constant -1.0 : f32
  %empty = tensor.empty() : tensor<11xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<11xf32>) -> tensor<11xf32>
  %padded = tensor.pad %x low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %least : f32
  } : tensor<9xf32> to tensor<13xf32>
  %r = linalg.generic {indexing_maps = [#in, affine_map<(w, t) -> (t)>, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %taps : tensor<13xf32>, tensor<3xf32>) outs(%init : tensor<11xf32>) {
  ^bb0(%in: f32, %tap: f32, %old: f32):
    %next = arith.maximumf %old, %in : f32
    linalg.yield %next : f32
  } -> tensor<11xf32>
  return %r : tensor<11xf32>
}
