// RUN: convoy-opt %s --convoy-conv-to-im2col --split-input-file | FileCheck %s

// The rows are multiplied with the filter as it lies in memory.
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d4, d5, d6)>
// CHECK-DAG:   #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG:   #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x4xf32>, %[[W:.*]]: tensor<3x2x4x5xf32>, %[[INIT:.*]]: tensor
// CHECK:         %[[R:.*]] = convoy.im2col %[[X]] layout(nhwc, nhw|hwc) : tensor<2x9x7x4xf32> -> tensor<2x7x6x3x2x4xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[ROWS]], #[[FILTER]], #[[RESULT]]],
// CHECK-SAME:        iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-SAME:        ins(%[[R]], %[[W]] : {{.*}}) outs(%[[INIT]] :
// CHECK:           %[[PRODUCT:.*]] = arith.mulf
// CHECK-NEXT:      arith.addf %{{.*}}, %[[PRODUCT]]
// CHECK-NOT:     linalg.generic
func.func @forward(%x: tensor<2x9x7x4xf32>, %w: tensor<3x2x4x5xf32>,
                   %init: tensor<2x7x6x5xf32>) -> tensor<2x7x6x5xf32> {
  %r = convoy.conv ins(%x, %w : tensor<2x9x7x4xf32>, tensor<3x2x4x5xf32>)
      outs(%init : tensor<2x7x6x5xf32>) layout(nhwc x hwcf -> nhwf)
  return %r : tensor<2x7x6x5xf32>
}

// -----

// Positions are in the output's order, groups first; taps and channels in the
// filter's. The window stays on the im2col.
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1, d2, d4, d5)>
// CHECK-DAG:   #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>
// CHECK-LABEL: func @groups(
// CHECK:         convoy.im2col %{{.*}} layout(cgwn, gnw|wc) window(pad = {{\[}}[1, -1]])
// CHECK-SAME:        : tensor<4x3x9x2xf32> -> tensor<3x2x8x2x4xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[ROWS]], #[[FILTER]],
func.func @groups(%x: tensor<4x3x9x2xf32>, %w: tensor<5x3x2x4xf32>,
                  %init: tensor<5x2x8x3xf32>) -> tensor<5x2x8x3xf32> {
  %r = convoy.conv ins(%x, %w : tensor<4x3x9x2xf32>, tensor<5x3x2x4xf32>)
      outs(%init : tensor<5x2x8x3xf32>) layout(cgwn x fgwc -> fnwg)
      window(pad = [[1, -1]])
  return %r : tensor<5x2x8x3xf32>
}

// -----

// Dynamic sizes of the rows come from the init.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x9x4xf32>, %{{.*}}: tensor<3x4x?xf32>, %[[INIT:.*]]: tensor
// CHECK:         %[[N:.*]] = tensor.dim %[[INIT]], %{{.*}}
// CHECK:         convoy.im2col %[[X]] sizes(%[[N]]) layout(nwc, nw|wc) : tensor<?x9x4xf32> -> tensor<?x7x3x4xf32>
func.func @dynamic(%x: tensor<?x9x4xf32>, %w: tensor<3x4x?xf32>,
                   %init: tensor<?x7x?xf32>) -> tensor<?x7x?xf32> {
  %r = convoy.conv ins(%x, %w : tensor<?x9x4xf32>, tensor<3x4x?xf32>)
      outs(%init : tensor<?x7x?xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x7x?xf32>
}

// -----

// A wider accumulator: init and result are converted, each once.
// CHECK-LABEL: func @accumulator(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x7x6xf16>) outs(%{{.*}} : tensor<1x7x6xf32>)
// CHECK:           arith.extf
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x7x6xf32>)
// CHECK:           arith.mulf {{.*}} : f32
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x7x6xf32>) outs(%{{.*}} : tensor<1x7x6xf16>)
// CHECK:           arith.truncf
func.func @accumulator(%x: tensor<1x9x4xf16>, %w: tensor<3x4x6xf16>,
                       %init: tensor<1x7x6xf16>) -> tensor<1x7x6xf16> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xf16>)
      outs(%init : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
      numerics(accumulator = f32)
  return %r : tensor<1x7x6xf16>
}

// -----

// Padding holds the zero point; each operand is extended by its sign.
// CHECK-LABEL: func @zero_points(
// CHECK-SAME:    %[[ZX:[^ ]*]]: i32, %[[ZW:[^ ]*]]: i32)
// CHECK:         %[[PAD:.*]] = arith.trunci %[[ZX]] : i32 to i8
// CHECK:         convoy.im2col %{{.*}} pad_value(%[[PAD]] : i8)
// CHECK:           %[[X:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK:           %[[W:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK:           %[[XZ:.*]] = arith.subi %[[X]], %[[ZX]]
// CHECK:           %[[WZ:.*]] = arith.subi %[[W]], %[[ZW]]
// CHECK:           arith.muli %[[XZ]], %[[WZ]]
func.func @zero_points(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                       %init: tensor<1x7x6xi32>, %zx: i32,
                       %zw: i32) -> tensor<1x7x6xi32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i32)
      layout(nwc x wcf -> nwf) window(pad = [[1, -1]])
      numerics(input = unsigned)
  return %r : tensor<1x7x6xi32>
}

// -----

// Sums in a wider type begin with the wider number.
// CHECK-LABEL: func @filled
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[SUMS:.*]] = tensor.empty() : tensor<3x5x4xf32>
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[SUMS]] : tensor<3x5x4xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins({{.*}}) outs(%[[INIT]] : tensor<3x5x4xf32>)
// CHECK: arith.truncf
func.func @filled(%x: tensor<3x6x2xbf16>, %w: tensor<2x2x4xbf16>) -> tensor<3x5x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<3x5x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<3x5x4xbf16>) -> tensor<3x5x4xbf16>
  %r = convoy.conv ins(%x, %w : tensor<3x6x2xbf16>, tensor<2x2x4xbf16>)
      outs(%init : tensor<3x5x4xbf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %r : tensor<3x5x4xbf16>
}
