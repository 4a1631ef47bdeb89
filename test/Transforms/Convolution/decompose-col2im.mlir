// RUN: convoy-opt %s --convoy-decompose-col2im --split-input-file | FileCheck %s

// The taps' loops stand before the channels', and their terms are added one by one.
// CHECK-DAG:   #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK-DAG:   #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-LABEL: func @strided(
// CHECK-SAME:    %[[Y:.*]]: tensor<1x4x3x5xf32>)
// CHECK:         %[[INIT:.*]] = linalg.fill
// CHECK:         %[[WINDOW:.*]] = tensor.empty() : tensor<3xf32>
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[TAPS]], #[[IMAGE]]],
// CHECK-SAME:        iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
// CHECK-SAME:        ins(%[[WINDOW]] : tensor<3xf32>) outs(%[[INIT]] : tensor<1x8x5xf32>)
// CHECK-NEXT:    ^bb0(%{{.*}}: f32, %[[SUM:.*]]: f32):
// CHECK-DAG:       %[[N:.*]] = linalg.index 0
// CHECK-DAG:       %[[W:.*]] = linalg.index 1
// CHECK-DAG:       %[[K:.*]] = linalg.index 2
// CHECK:           %[[STEP:.*]] = arith.muli %[[K]], %c-2
// CHECK:           %[[SHIFTED:.*]] = arith.addi %[[W]], %c1
// CHECK:           %[[SCALED:.*]] = arith.addi %[[SHIFTED]], %[[STEP]]
// CHECK:           %[[FOUND:.*]] = arith.floordivsi %[[SCALED]], %c2
// CHECK:           arith.cmpi sge, %[[FOUND]], %c0
// CHECK:           arith.cmpi slt, %[[FOUND]], %c4
// CHECK:           %[[BACK:.*]] = arith.muli %[[FOUND]], %c2
// CHECK:           arith.cmpi eq, %[[BACK]], %[[SCALED]]
// CHECK:           %[[THERE:.*]] = arith.andi
// CHECK:           %[[ABOVE:.*]] = arith.maxsi %[[FOUND]], %c0
// CHECK:           %[[PLACE:.*]] = arith.minsi %[[ABOVE]], %c3
// CHECK:           %[[C:.*]] = linalg.index 3
// CHECK:           %[[READ:.*]] = tensor.extract %[[Y]][%[[N]], %[[PLACE]], %[[K]], %[[C]]]
// CHECK:           %[[TERM:.*]] = arith.select %[[THERE]], %[[READ]], %{{.*}} : f32
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[TERM]] : f32
// CHECK:           linalg.yield %[[NEXT]]
// CHECK:         return %[[R]]
func.func @strided(%y: tensor<1x4x3x5xf32>) -> tensor<1x8x5xf32> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      window(stride = [2], dilation = [2], pad = [[1, 2]])
      : tensor<1x4x3x5xf32> -> tensor<1x8x5xf32>
  return %0 : tensor<1x8x5xf32>
}

// -----

// Tap k reads as tap 2-k would: i + 0 - (2-k). Where steps are one, nothing is divided.
// CHECK-LABEL: func @reversed(
// CHECK:         %[[STEP:.*]] = arith.muli %{{.*}}, %c1
// CHECK:         %[[SHIFTED:.*]] = arith.addi %{{.*}}, %c-2
// CHECK:         arith.addi %[[SHIFTED]], %[[STEP]]
// CHECK-NOT:     arith.floordivsi
func.func @reversed(%y: tensor<1x4x3x5xf32>) -> tensor<1x6x5xf32> {
  %0 = convoy.col2im %y layout(nwc, nw|wc) window(reverse = [true])
      : tensor<1x4x3x5xf32> -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}

// -----

// Sums of narrow floats are f32, and rounded once; integers wrap around.
// CHECK-LABEL: func @narrow(
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         -> tensor<?x6x5xf32>
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         -> tensor<?x6x5xbf16>
func.func @narrow(%y: tensor<?x4x3x5xbf16>) -> tensor<?x6x5xbf16> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<?x4x3x5xbf16> -> tensor<?x6x5xbf16>
  return %0 : tensor<?x6x5xbf16>
}

// CHECK-LABEL: func @integers(
// CHECK:         arith.addi %{{.*}} : i8
// CHECK-NOT:     arith.trunci
func.func @integers(%y: tensor<1x4x3x5xi8>) -> tensor<1x6x5xi8> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x4x3x5xi8> -> tensor<1x6x5xi8>
  return %0 : tensor<1x6x5xi8>
}

// -----

// Of no rows nothing is read.
// CHECK-LABEL: func @no_rows(
// CHECK:         linalg.fill
// CHECK-NOT:     tensor.extract
func.func @no_rows(%y: tensor<1x0x3x5xf32>) -> tensor<1x2x5xf32> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x0x3x5xf32> -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
