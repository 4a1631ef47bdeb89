// RUN: convoy-opt %s --convoy-decompose-im2col --split-input-file | FileCheck %s

#rows = affine_map<(n, o, k, c) -> (n, o, k, c)>
#taps = affine_map<(n, o, k, c) -> (k)>
#sums = affine_map<(n, o, k, c) -> (n, o)>

// One tap: its inputs are a slice with the window's stride.
// CHECK-LABEL: func @one_tap(
// CHECK-SAME:    %[[X:.*]]: tensor<1x6x4xf32>
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 1, 0] [1, 3, 4] [1, 2, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[SLICE]], %{{.*}} : tensor<1x3x4xf32>, tensor<1xf32>)
// CHECK-NOT:     convoy.im2col
func.func @one_tap(%x: tensor<1x6x4xf32>, %w: tensor<1xf32>,
                   %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      window(stride = [2], pad = [[-1, 0]])
      : tensor<1x6x4xf32> -> tensor<1x3x1x4xf32>
  %r = linalg.generic {
      indexing_maps = [#rows, #taps, #sums],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x3x1x4xf32>, tensor<1xf32>)
      outs(%init : tensor<1x3xf32>) {
  ^bb0(%in: f32, %tap: f32, %sum: f32):
    %product = arith.mulf %in, %tap : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

#rows = affine_map<(n, o, k, c) -> (n, o, k, c)>
#positions = affine_map<(n, o, k, c) -> (o)>
#sums = affine_map<(n, o, k, c) -> (n, k)>

// One position: its taps are a slice with the window's dilation.
// CHECK-LABEL: func @one_position(
// CHECK-SAME:    %[[X:.*]]: tensor<1x7x4xf32>
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 4] [1, 3, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[SLICE]], %{{.*}} : tensor<1x3x4xf32>, tensor<1xf32>)
// CHECK-NOT:     convoy.im2col
func.func @one_position(%x: tensor<1x7x4xf32>, %dy: tensor<1xf32>,
                        %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(dilation = [3])
      : tensor<1x7x4xf32> -> tensor<1x1x3x4xf32>
  %r = linalg.generic {
      indexing_maps = [#rows, #positions, #sums],
      iterator_types = ["parallel", "reduction", "parallel", "reduction"]}
      ins(%rows, %dy : tensor<1x1x3x4xf32>, tensor<1xf32>)
      outs(%init : tensor<1x3xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

#rows = affine_map<(n, o, k, c) -> (n, o, k, c)>
#sums = affine_map<(n, o, k, c) -> (n, o)>

// A loop that takes its size from the rows alone keeps them.
// CHECK-LABEL: func @size_from_rows(
// CHECK-NOT:     convoy.im2col
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x3x1x4xf32>)
func.func @size_from_rows(%x: tensor<1x5x4xf32>,
                          %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(stride = [2])
      : tensor<1x5x4xf32> -> tensor<1x3x1x4xf32>
  %r = linalg.generic {
      indexing_maps = [#rows, #sums],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%rows : tensor<1x3x1x4xf32>) outs(%init : tensor<1x3xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// Several positions and several taps are gathered.
// CHECK:       #[[MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d2 * 3, d3)>
// CHECK-LABEL: func @gather(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x4xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[MAP]],
// CHECK-SAME:        ins(%[[X]] : tensor<1x8x4xf32>) outs(%{{.*}} : tensor<1x3x2x4xf32>)
// CHECK-NOT:     convoy.im2col
func.func @gather(%x: tensor<1x8x4xf32>) -> tensor<1x3x2x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      window(stride = [2], dilation = [3])
      : tensor<1x8x4xf32> -> tensor<1x3x2x4xf32>
  return %rows : tensor<1x3x2x4xf32>
}

// -----

// CHECK:       #[[MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + -d2 + 2, d3)>
// CHECK-LABEL: func @reversed(
// CHECK:         linalg.generic {indexing_maps = [#[[MAP]],
func.func @reversed(%x: tensor<1x7x4xf32>) -> tensor<1x5x3x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(reverse = [true])
      : tensor<1x7x4xf32> -> tensor<1x5x3x4xf32>
  return %rows : tensor<1x5x3x4xf32>
}

// -----

// Padding is made first.
// CHECK-LABEL: func @padded(
// CHECK:         tensor.pad %{{.*}} low[0, 1, 0] high[0, 1, 0]
// CHECK-NOT:     convoy.im2col
func.func @padded(%x: tensor<1x7x4xf32>) -> tensor<1x7x3x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]])
      : tensor<1x7x4xf32> -> tensor<1x7x3x4xf32>
  return %rows : tensor<1x7x3x4xf32>
}

// -----

#rows = affine_map<(n, o, k, c) -> (n, o, k, c)>
#positions = affine_map<(n, o, k, c) -> (k)>
#sums = affine_map<(n, o, k, c) -> (n, o)>

// Positions and taps of one dimension are no slice. A tile whose lanes run along
// taps, which are summed over, reads the input all the same.
// CHECK:         #[[MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 * 2, d3)>
// CHECK-LABEL: func @summed_lanes(
// CHECK-SAME:    %[[X:.*]]: tensor<1x7x1xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[MAP]], {{.*}} ins(%[[X]], %{{.*}} : tensor<1x7x1xf32>, tensor<3xf32>)
func.func @summed_lanes(%x: tensor<1x7x1xf32>, %dy: tensor<3xf32>,
                        %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(dilation = [2])
      : tensor<1x7x1xf32> -> tensor<1x3x3x1xf32>
  %r = linalg.generic {
      indexing_maps = [#rows, #positions, #sums],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"],
      convoy.tile_lanes = #convoy.tile_lanes<dim = 2, lanes = 4>}
      ins(%rows, %dy : tensor<1x3x3x1xf32>, tensor<3xf32>)
      outs(%init : tensor<1x3xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %product = arith.mulf %in, %gradient : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// Rows without elements read nothing.
// CHECK-LABEL: func @empty(
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty() : tensor<1x0x5x3xf32>
// CHECK-NEXT:    return %[[EMPTY]]
func.func @empty(%x: tensor<1x3x3xf32>) -> tensor<1x0x5x3xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x3x3xf32> -> tensor<1x0x5x3xf32>
  return %rows : tensor<1x0x5x3xf32>
}
