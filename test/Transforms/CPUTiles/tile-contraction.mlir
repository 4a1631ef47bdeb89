// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles --convoy-tile-contraction --canonicalize --split-input-file | FileCheck %s

// Rows run along w and lanes along f; what the tile of 2x2 does not divide is
// computed by loops of its own. The reduction is innermost and reads one tap
// and channel at a time: no im2col of more than a tile is left.
// CHECK-LABEL: @rows_lanes_and_rests
// CHECK-SAME: %[[X:.+]]: tensor<1x11x2xf32>, %[[W:.+]]: tensor<3x2x4xf32>, %[[INIT:.+]]: tensor<1x5x4xf32>
// CHECK: scf.forall (%[[F:.+]], %[[W0:.+]]) = (0, 0) to (4, 4) step (2, 2) shared_outs(%[[TILES:.+]] = %{{.+}})
// CHECK: %[[TILE:.+]] = tensor.extract_slice %[[TILES]][0, %[[W0]], %[[F]]] [1, 2, 2] {{.*}} tensor<1x4x4xf32> to tensor<1x2x2xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[TILE]])
// CHECK: convoy.im2col {{.*}} -> tensor<1x2x1x1xf32>
// CHECK: linalg.generic
// CHECK-SAME: convoy.tile_lanes = #convoy.tile_lanes<dim = 2, lanes = 2>
// CHECK: tensor.parallel_insert_slice {{.*}} into %[[TILES]][0, %[[W0]], %[[F]]] [1, 2, 2]
// CHECK: tensor.insert_slice {{.*}} into %[[INIT]][0, 0, 0] [1, 4, 4]
// CHECK: scf.forall
// CHECK: tensor.insert_slice {{.*}}[0, 4, 0] [1, 1, 4]
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [2, 1]>} {
  func.func @rows_lanes_and_rests(%x: tensor<1x11x2xf32>, %w: tensor<3x2x4xf32>, %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x11x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x5x4xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
    return %0 : tensor<1x5x4xf32>
  }
}

// -----

// A sum in a wider type than the result's: the conversions of init and result
// are computed tile by tile, so that no whole tensor of the wider type exists.
// CHECK-LABEL: @conversions_in_the_tile
// CHECK-NOT: outs({{.*}} : tensor<1x5x4xf32>)
// CHECK: scf.forall
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK-NOT: outs({{.*}} : tensor<1x5x4xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [5, 1]>} {
  func.func @conversions_in_the_tile(%x: tensor<1x7x2xf16>, %w: tensor<3x2x4xf16>, %init: tensor<1x5x4xf16>) -> tensor<1x5x4xf16> {
    %0 = convoy.conv ins(%x, %w : tensor<1x7x2xf16>, tensor<3x2x4xf16>) outs(%init : tensor<1x5x4xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %0 : tensor<1x5x4xf16>
  }
}

// -----

// Lanes run along f, but the filter's f is not innermost: an element at a time
// makes a vector of it, which 2x3 rows along h and w share.
// CHECK-LABEL: @rows_along_two_loops
// CHECK: scf.forall
// CHECK: tensor.extract_slice {{.*}} tensor<1x2x3x8xf32> to tensor<1x2x3x4xf32>
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<1x2x3x1x1x1xf32>, tensor<4x1x1x1xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 16>} {
  func.func @rows_along_two_loops(%x: tensor<1x3x5x7xf32>, %w: tensor<10x2x3x7xf32>, %init: tensor<1x2x3x10xf32>) -> tensor<1x2x3x10xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x3x5x7xf32>, tensor<10x2x3x7xf32>) outs(%init : tensor<1x2x3x10xf32>) layout(nhwc x fhwc -> nhwf)
    return %0 : tensor<1x2x3x10xf32>
  }
}

// -----

// The filter's f lies apart and is shared by 21 positions: for one tile of
// lanes it is copied into the order in which it is read, outside the loops over
// positions, into room for that tile alone.
// CHECK-LABEL: @packed_filter
// CHECK-SAME: %[[X:.+]]: tensor<1x23x5xf32>, %[[W:.+]]: tensor<16x3x5xf32>
// CHECK: scf.forall (%[[F:[a-z0-9]+]]) =
// CHECK-DAG: %[[ROOM:.+]] = tensor.empty() : tensor<3x5x8xf32>
// CHECK-DAG: tensor.extract_slice %[[W]][%[[F]], 0, 0] [8, 3, 5]
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<8x3x5xf32>) outs(%[[ROOM]] : tensor<3x5x8xf32>) attrs = {convoy.packed}
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x3x8xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2]>} {
  func.func @packed_filter(%x: tensor<1x23x5xf32>, %w: tensor<16x3x5xf32>, %init: tensor<1x21x16xf32>) -> tensor<1x21x16xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x23x5xf32>, tensor<16x3x5xf32>) outs(%init : tensor<1x21x16xf32>) layout(nwc x fwc -> nwf)
    return %0 : tensor<1x21x16xf32>
  }
}

// -----

// Rows of 6 positions fill no vectors of 4, two of them fill three: two are
// packed at a time, and lanes go on from one to the next.
// CHECK-LABEL: @lanes_along_two_loops
// CHECK: scf.forall
// CHECK: tensor.empty() : tensor<1x3x3x5x2x6xf32>
// CHECK: %[[PACKED:.+]] = linalg.generic {{.*}} attrs = {convoy.packed}
// CHECK: tensor.collapse_shape %[[PACKED]] {{\[}}[0], [1], [2], [3], [4, 5]] : tensor<1x3x3x5x2x6xf32> into tensor<1x3x3x5x12xf32>
// CHECK: linalg.generic {{.*}} attrs = {convoy.tile_lanes = #convoy.tile_lanes<dim = 2, lanes = 4>}
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l2_bytes = 11520>} {
  func.func @lanes_along_two_loops(%x: tensor<1x5x10x8xf32>, %w: tensor<9x3x3x5xf32>, %init: tensor<1x9x8x6xf32>) -> tensor<1x9x8x6xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x5x10x8xf32>, tensor<9x3x3x5xf32>) outs(%init : tensor<1x9x8x6xf32>) layout(nchw x fhwc -> nfhw)
    return %0 : tensor<1x9x8x6xf32>
  }
}

// -----

// No more than 160 elements may be packed at a time, 20 of 8 lanes: the
// reduction of 3 taps and 80 channels is cut into blocks of 20 channels. The
// input does not stay in the cache, so all lanes of a block come before the next.
// CHECK-LABEL: @blocks
// CHECK: scf.for {{.*}} to %c3{{.*}} step %c1
// CHECK: scf.for {{.*}} to %c80{{.*}} step %c20
// CHECK: scf.forall ({{.*}}) = (0) to (16) step (8)
// CHECK: tensor.empty() : tensor<1x20x8xf32>
// CHECK: linalg.generic {{.*}} attrs = {convoy.packed}
// CHECK: scf.forall ({{.*}}) = (0) to (105) step (3)
// CHECK: scf.for {{.*}} to %c20
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 2560>} {
  func.func @blocks(%x: tensor<1x107x80xf32>, %w: tensor<16x3x80xf32>, %init: tensor<1x105x16xf32>) -> tensor<1x105x16xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x107x80xf32>, tensor<16x3x80xf32>) outs(%init : tensor<1x105x16xf32>) layout(nwc x fwc -> nwf)
    return %0 : tensor<1x105x16xf32>
  }
}

// -----

// Nor does the input stay where two panels of lanes read it: both take some rows before the
// next ones. The init is converted for these rows alone.
// CHECK-LABEL: @row_blocks
// CHECK: scf.forall ({{.*}}) = (0) to (960) step ([[BLOCK:[0-9]+]])
// CHECK: scf.forall ({{.*}}) = (0, 0) to (16, [[BLOCK]]) step (8, 3)
// CHECK: arith.extf
// CHECK: scf.for {{.*}} to %c24
// CHECK: arith.truncf
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 4096>} {
  func.func @row_blocks(%x: tensor<1x960x24xf16>, %w: tensor<1x24x16xf16>, %init: tensor<1x960x16xf16>) -> tensor<1x960x16xf16> {
    %0 = convoy.conv ins(%x, %w : tensor<1x960x24xf16>, tensor<1x24x16xf16>) outs(%init : tensor<1x960x16xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %0 : tensor<1x960x16xf16>
  }
}

// -----

// Rows along h and along w cost the same: those along w lie nearer.
// CHECK-LABEL: @nearer_rows
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x1x4x2x1xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8>} {
  func.func @nearer_rows(%x: tensor<1x6x6x2x1xf32>, %w: tensor<3x3x1x2x1xf32>, %init: tensor<1x4x4x2x1xf32>) -> tensor<1x4x4x2x1xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x6x6x2x1xf32>, tensor<3x3x1x2x1xf32>) outs(%init : tensor<1x4x4x2x1xf32>) layout(nhwgc x hwcgf -> nhwgf)
    return %0 : tensor<1x4x4x2x1xf32>
  }
}

// -----

// Sums without a term leave what they start from.
// CHECK-LABEL: @no_terms
// CHECK-SAME: %[[INIT:[^:]+]]: tensor<1x7x9xf32>)
// CHECK-NEXT: return %[[INIT]]
func.func @no_terms(%x: tensor<1x8x0xf32>, %w: tensor<9x2x0xf32>, %init: tensor<1x7x9xf32>) -> tensor<1x7x9xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x0xf32> -> tensor<1x7x2x0xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w, k, c)>, affine_map<(n, w, f, k, c) -> (f, k, c)>, affine_map<(n, w, f, k, c) -> (n, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x0xf32>, tensor<9x2x0xf32>) outs(%init : tensor<1x7x9xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x9xf32>
  return %y : tensor<1x7x9xf32>
}

// -----

// A filter that is copied before a loop around the convolution is not copied again
// for each tile.
// CHECK-LABEL: @copied_before
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4x8xf32>)
// CHECK:         scf.for
// CHECK:           scf.forall
// CHECK:             tensor.extract_slice %[[COPY]]
// CHECK-NOT:         ins(%{{.*}} : tensor<8x4x3xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [2, 2]>} {
  func.func @copied_before(%x: tensor<5x8x4xf32>, %w: tensor<8x4x3xf32>, %init: tensor<5x6x8xf32>) -> tensor<5x6x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %empty = tensor.empty() : tensor<3x4x8xf32>
    %copy = linalg.generic {indexing_maps = [affine_map<(w, c, f) -> (f, c, w)>, affine_map<(w, c, f) -> (w, c, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%w : tensor<8x4x3xf32>) outs(%empty : tensor<3x4x8xf32>) {
    ^bb0(%element: f32, %old: f32):
      linalg.yield %element : f32
    } -> tensor<3x4x8xf32>
    %all = scf.for %n = %c0 to %c5 step %c1 iter_args(%done = %init) -> (tensor<5x6x8xf32>) {
      %image = tensor.extract_slice %x[%n, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<5x8x4xf32> to tensor<1x8x4xf32>
      %before = tensor.extract_slice %done[%n, 0, 0] [1, 6, 8] [1, 1, 1] : tensor<5x6x8xf32> to tensor<1x6x8xf32>
      %sums = convoy.conv ins(%image, %copy : tensor<1x8x4xf32>, tensor<3x4x8xf32>) outs(%before : tensor<1x6x8xf32>) layout(nwc x wcf -> nwf)
      %next = tensor.insert_slice %sums into %done[%n, 0, 0] [1, 6, 8] [1, 1, 1] : tensor<1x6x8xf32> into tensor<5x6x8xf32>
      scf.yield %next : tensor<5x6x8xf32>
    }
    return %all : tensor<5x6x8xf32>
  }
}
