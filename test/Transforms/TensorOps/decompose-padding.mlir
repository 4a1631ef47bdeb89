// RUN: convoy-opt %s --convoy-decompose-padding --split-input-file | FileCheck %s

// Each element is read where it comes from; what is not padded is read in place.
// CHECK-LABEL: func.func @replicate(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x3xf32>)
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2x8x3xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<2x8x3xf32>)
// CHECK:           %[[N:.*]] = linalg.index 0
// CHECK:           %[[W:.*]] = linalg.index 1
// CHECK:           %[[AT:.*]] = arith.addi %[[W]], %c-2
// CHECK:           %[[ABOVE:.*]] = arith.maxsi %[[AT]], %c0
// CHECK:           %[[PLACE:.*]] = arith.minsi %[[ABOVE]], %c4
// CHECK:           %[[C:.*]] = linalg.index 2
// CHECK:           %[[ELEMENT:.*]] = tensor.extract %[[X]][%[[N]], %[[PLACE]], %[[C]]]
// CHECK:           linalg.yield %[[ELEMENT]]
// CHECK:         return %[[R]]
func.func @replicate(%x: tensor<2x5x3xf32>) -> tensor<2x8x3xf32> {
  %0 = convoy.pad %x mode(replicate) low[0, 2, 0] high[0, 1, 0] : tensor<2x5x3xf32> -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}

// -----

// Copies begin 5 before: 2 before the padding does.
// CHECK-LABEL: func.func @circular(
// CHECK:         %[[AT:.*]] = arith.addi %{{.*}}, %c2
// CHECK:         %[[PLACE:.*]] = arith.remui %[[AT]], %c5
// CHECK:         tensor.extract %{{.*}}[%{{.*}}, %[[PLACE]]]
// CHECK:         -> tensor<?x15xi8>
func.func @circular(%x: tensor<?x5xi8>) -> tensor<?x15xi8> {
  %0 = convoy.pad %x mode(circular) low[0, 3] high[0, 7] : tensor<?x5xi8> -> tensor<?x15xi8>
  return %0 : tensor<?x15xi8>
}

// -----

// Of one reflection at each end the distance from the first element is enough.
// CHECK-LABEL: func.func @reflect(
// CHECK:         %[[AT:.*]] = arith.addi %[[I:.*]], %c-3
// CHECK:         %[[BEFORE:.*]] = arith.subi %c3{{.*}}, %[[I]]
// CHECK:         %[[DISTANCE:.*]] = arith.maxsi %[[AT]], %[[BEFORE]]
// CHECK:         %[[BACK:.*]] = arith.subi %c8{{.*}}, %[[DISTANCE]]
// CHECK:         arith.minsi %[[DISTANCE]], %[[BACK]]
// CHECK-NOT:     arith.remui
func.func @reflect(%x: tensor<5xf32>) -> tensor<12xf32> {
  %0 = convoy.pad %x mode(reflect) low[3] high[4] : tensor<5xf32> -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

// Several reflections have a period.
// CHECK-LABEL: func.func @reflect_often(
// CHECK:         %[[AT:.*]] = arith.addi %{{.*}}, %c3
// CHECK:         %[[DISTANCE:.*]] = arith.remui %[[AT]], %c8
// CHECK:         %[[BACK:.*]] = arith.subi %c8{{.*}}, %[[DISTANCE]]
// CHECK:         arith.minsi %[[DISTANCE]], %[[BACK]]
func.func @reflect_often(%x: tensor<5xf32>) -> tensor<14xf32> {
  %0 = convoy.pad %x mode(reflect) low[5] high[4] : tensor<5xf32> -> tensor<14xf32>
  return %0 : tensor<14xf32>
}

// -----

// One element is everywhere.
// CHECK-LABEL: func.func @reflect_one(
// CHECK:         %[[ABOVE:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK:         arith.minsi %[[ABOVE]], %c0
func.func @reflect_one(%x: tensor<1xf32>) -> tensor<4xf32> {
  %0 = convoy.pad %x mode(reflect) low[2] high[1] : tensor<1xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Of the gradient, pieces are summed: one element before the input, and three copies.
// CHECK-DAG:   #[[PIECES:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK-DAG:   #[[ELEMENTS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-LABEL: func.func @circular_backward(
// CHECK-SAME:    %[[Y:.*]]: tensor<?x13x2xbf16>)
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<?x5x2xf32>
// CHECK:         %[[COUNTED:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:         %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[PIECES]], #[[ELEMENTS]]],
// CHECK-SAME:        iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
// CHECK-SAME:        ins(%[[COUNTED]] : tensor<4xf32>) outs(%[[ZEROS]] : tensor<?x5x2xf32>)
// CHECK:           %[[READ:.*]] = tensor.extract %[[Y]]
// CHECK:           %[[TERM:.*]] = arith.select %{{.*}}, %[[READ]], %{{.*}} : bf16
// CHECK:           %[[WIDE:.*]] = arith.extf %[[TERM]] : bf16 to f32
// CHECK:           arith.addf %{{.*}}, %[[WIDE]] : f32
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @circular_backward(%y: tensor<?x13x2xbf16>) -> tensor<?x5x2xbf16> {
  %0 = convoy.pad_backward %y mode(circular) low[0, 1, 0] high[0, 7, 0] : tensor<?x13x2xbf16> -> tensor<?x5x2xbf16>
  return %0 : tensor<?x5x2xbf16>
}

// -----

// All elements that are replicated are pieces of their own.
// CHECK-LABEL: func.func @replicate_backward(
// CHECK:         tensor.empty() : tensor<4xi32>
// CHECK:         %[[MIDDLE:.*]] = arith.cmpi eq, %[[PIECE:.*]], %c2
// CHECK:         arith.cmpi eq, %[[I:.*]], %c0
// CHECK:         arith.cmpi slt, %[[PIECE]], %c2
// CHECK:         arith.cmpi eq, %[[I]], %c4
// CHECK:         arith.cmpi sgt, %[[PIECE]], %c2
// CHECK:         arith.addi %{{.*}} : i32
// CHECK-NOT:     arith.trunc
func.func @replicate_backward(%y: tensor<8xi32>) -> tensor<5xi32> {
  %0 = convoy.pad_backward %y mode(replicate) low[2] high[1] : tensor<8xi32> -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// -----

// Sums of nothing but one term each are rounded.
// CHECK-LABEL: func.func @rounded(
// CHECK-NOT:     arith.select
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @rounded(%y: tensor<3x2xf32>) -> tensor<3x2xf16> {
  %0 = convoy.pad_backward %y mode(reflect) low[0, 0] high[0, 0] : tensor<3x2xf32> -> tensor<3x2xf16>
  return %0 : tensor<3x2xf16>
}
