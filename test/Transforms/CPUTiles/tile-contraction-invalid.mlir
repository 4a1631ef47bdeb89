// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [7, 4], vector_lanes = 4>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = [[3, 2]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, blocks = [[1, 2]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = [[1, 8]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = [[0, 2]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 19], vector_lanes = 4, packed = true, outer_lanes = [1, 2]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=OUTER
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 18], vector_lanes = 4, packed = true, outer_lanes = [1, 2]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=ALONG
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [3, 2], vector_lanes = 4, terms = [4, 4]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [3, 2], vector_lanes = 4, packed = true>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=SUMPACK
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [1, 4], vector_lanes = 4, packed = true>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, blocks = [[4, 4]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=DIVIDES
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [4, 2], vector_lanes = 4, blocks = [[4, 3]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, row_blocks = [[2, 4]]>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/ATTRS/attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 8192>}/' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: sed 's/ATTRS//' %s | not convoy-opt --convoy-tile-contraction 2>&1 | FileCheck %s --check-prefix=NONE

// Each plan that does not fit its contraction is told, with the contraction's
// place, and so is a contraction without one.
// LOOP: error: does not fit its plan, #convoy.register_tile<lanes = [7, 4], vector_lanes = 4>: there are 5 loops, but lanes has loop 7
// KIND: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = {{\[}}[3, 2]]>: expected no reduction in rows, but got loop 3
// BLOCKS: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, blocks = {{\[}}[1, 2]]>: expected a reduction in blocks, but got loop 1
// STEPS: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = {{\[}}[1, 8]]>: expected at most 7 steps of loop 1 in rows, but got 8
// BATCH: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, rows = {{\[}}[0, 2]]>: expected at most 1 steps of loop 0 in rows, but got 2
// OUTER: error: does not fit its plan, #convoy.register_tile<lanes = [2, 19], vector_lanes = 4, packed = true, outer_lanes = [1, 2]>: expected at most 18 lanes, what outer_lanes hold, but got 19
// ALONG: error: does not fit its plan, #convoy.register_tile<lanes = [2, 18], vector_lanes = 4, packed = true, outer_lanes = [1, 2]>: lanes of loop 2 do not go on along loop 1
// DIVIDE: error: does not fit its plan, #convoy.register_tile<lanes = [3, 2], vector_lanes = 4, terms = [4, 4]>: expected terms to divide the 6 steps of loop 4, but got 4
// SUMPACK: error: does not fit its plan, #convoy.register_tile<lanes = [3, 2], vector_lanes = 4, packed = true>: lanes are summed, but their factor is packed
// FACTOR: error: does not fit its plan, #convoy.register_tile<lanes = [1, 4], vector_lanes = 4, packed = true>: what is packed has loop 0 of dynamic size
// DIVIDES: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, blocks = {{\[}}[4, 4]]>: expected blocks of whole steps that divide the 6 steps of loop 4, but got 4
// WHOLE: error: does not fit its plan, #convoy.register_tile<lanes = [4, 2], vector_lanes = 4, blocks = {{\[}}[4, 3]]>: expected blocks of whole steps that divide the 6 steps of loop 4, but got 3
// ROWS: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, row_blocks = {{\[}}[2, 4]]>: expected loops of the factor without lanes alone in row_blocks, but got loop 2
// LONG: error: does not fit its plan, #convoy.register_tile<lanes = [2, 4], vector_lanes = 8192>: expected at most 4096 elements or terms in a tile, in vectors of at most 4096 lanes
// NONE: error: expected a #convoy.register_tile, which convoy-choose-tiles leaves
func.func @conv(%x: tensor<?x8x6xf32>, %w: tensor<2x6x9xf32>, %init: tensor<?x7x9xf32>, %n: index) -> tensor<?x7x9xf32> {
  %rows = convoy.im2col %x sizes(%n) layout(nwc, nw|wc) : tensor<?x8x6xf32> -> tensor<?x7x2x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w, k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<?x7x2x6xf32>, tensor<2x6x9xf32>) outs(%init : tensor<?x7x9xf32>) ATTRS {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x7x9xf32>
  return %y : tensor<?x7x9xf32>
}
