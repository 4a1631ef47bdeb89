// RUN: convoy-opt %s --convoy-tile-contraction --split-input-file --verify-diagnostics

// Plans that some contractions fit, but not these.

#rows = affine_map<(g, n, w, f, k, c) -> (g, n, w, k, c)>
#filter = affine_map<(g, n, w, f, k, c) -> (g, k, c, f)>
#sums = affine_map<(g, n, w, f, k, c) -> (g, n, w, f)>

// Both factors run along groups.
func.func @groups(%x: tensor<4x1x8x3xf32>, %w: tensor<4x2x3x5xf32>, %init: tensor<4x1x7x5xf32>) -> tensor<4x1x7x5xf32> {
  %rows = convoy.im2col %x layout(gnwc, gnw|wc) : tensor<4x1x8x3xf32> -> tensor<4x1x7x2x3xf32>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [0, 4], vector_lanes = 4, packed = true>: expected one factor alone to run along the lanes}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<4x1x7x2x3xf32>, tensor<4x2x3x5xf32>) outs(%init : tensor<4x1x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [0, 4], vector_lanes = 4, packed = true>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x1x7x5xf32>
  return %y : tensor<4x1x7x5xf32>
}

// -----

#rows = affine_map<(g, n, w, f, k, c) -> (g, n, w, k, c)>
#filter = affine_map<(g, n, w, f, k, c) -> (g, k, c, f)>
#sums = affine_map<(g, n, w, f, k, c) -> (g, n, w, f)>

// Lanes do not go on along a loop of both factors.
func.func @outer(%x: tensor<4x3x8x3xf32>, %w: tensor<4x2x3x5xf32>, %init: tensor<4x3x7x5xf32>) -> tensor<4x3x7x5xf32> {
  %rows = convoy.im2col %x layout(gnwc, gnw|wc) : tensor<4x3x8x3xf32> -> tensor<4x3x7x2x3xf32>
  // expected-error @below {{lanes of loop 1 do not go on along loop 0}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<4x3x7x2x3xf32>, tensor<4x2x3x5xf32>) outs(%init : tensor<4x3x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [1, 6], vector_lanes = 4, packed = true, outer_lanes = [0, 2]>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x3x7x5xf32>
  return %y : tensor<4x3x7x5xf32>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>

// There are no masks for narrow elements.
func.func @masked(%x: tensor<1x8x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x7x5xf16>) -> tensor<1x7x5xf16> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x3xf16> -> tensor<1x7x2x3xf16>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>: it cannot be computed under masks}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x7x5xf16>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>} {
  ^bb0(%a: f16, %b: f16, %sum: f16):
    %product = arith.mulf %a, %b : f16
    %next = arith.addf %sum, %product : f16
    linalg.yield %next : f16
  } -> tensor<1x7x5xf16>
  return %y : tensor<1x7x5xf16>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>

// Zeros stand for what vectors lack that are summed.
func.func @masked_sums(%x: tensor<1x8x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x3xf32> -> tensor<1x7x2x3xf32>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [4, 3], vector_lanes = 4, masked = true>: it cannot be computed under masks}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [4, 3], vector_lanes = 4, masked = true>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x5xf32>
  return %y : tensor<1x7x5xf32>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>
#all = affine_map<(n, w, f) -> (n, w, f)>

// What the sums start with is narrower.
func.func @masked_init(%x: tensor<1x8x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x7x5xf16>, %to: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x3xf32> -> tensor<1x7x2x3xf32>
  %wide = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%init : tensor<1x7x5xf16>) outs(%to : tensor<1x7x5xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<1x7x5xf32>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>: it cannot be computed under masks}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x3xf32>, tensor<2x3x5xf32>) outs(%wide : tensor<1x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x5xf32>
  return %y : tensor<1x7x5xf32>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>
#all = affine_map<(n, w, f) -> (n, w, f)>

// Sums are converted: the vectors after would have other masks.
func.func @masked_result(%x: tensor<1x8x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x7x5xf32>, %to: tensor<1x7x5xf64>) -> tensor<1x7x5xf64> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x3xf32> -> tensor<1x7x2x3xf32>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>: it cannot be computed under masks}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 5], vector_lanes = 8, masked = true>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x5xf32>
  %wide = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x7x5xf32>) outs(%to : tensor<1x7x5xf64>) {
  ^bb0(%a: f32, %b: f64):
    %c = arith.extf %a : f32 to f64
    linalg.yield %c : f64
  } -> tensor<1x7x5xf64>
  return %wide : tensor<1x7x5xf64>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>

// Terms with zero points are not zero where a vector has no element.
func.func @sums(%x: tensor<1x8x3xi8>, %w: tensor<2x3x5xi8>, %init: tensor<1x7x5xi32>, %zero: i32) -> tensor<1x7x5xi32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x3xi8> -> tensor<1x7x2x3xi8>
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [4, 3], vector_lanes = 4>: its lanes cannot be summed}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x3xi8>, tensor<2x3x5xi8>) outs(%init : tensor<1x7x5xi32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [4, 3], vector_lanes = 4>} {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wide_a = arith.extsi %a : i8 to i32
    %wide_b = arith.extsi %b : i8 to i32
    %shifted = arith.subi %wide_a, %zero : i32
    %product = arith.muli %shifted, %wide_b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x7x5xi32>
  return %y : tensor<1x7x5xi32>
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#sums = affine_map<(n, w, f, k, c) -> (n, w, f)>

// What is written apart is not read again for the next block.
func.func @apart(%x: tensor<1x8x6xf32>, %w: tensor<2x6x5xf32>, %init: tensor<1x7x5xf32>, %all: tensor<1x14x5xf32>) -> tensor<1x14x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x8x6xf32> -> tensor<1x7x2x6xf32>
  // expected-error @below {{partial sums of blocks cannot be stored in its result}}
  %y = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x7x2x6xf32>, tensor<2x6x5xf32>) outs(%init : tensor<1x7x5xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 4], vector_lanes = 4, blocks = [[4, 3]]>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x5xf32>
  %part = tensor.insert_slice %y into %all[0, 0, 0] [1, 7, 5] [1, 2, 1] : tensor<1x7x5xf32> into tensor<1x14x5xf32>
  return %part : tensor<1x14x5xf32>
}

// -----

#rows = affine_map<(f, n, w, k, c) -> (n, w, k, c)>
#filter = affine_map<(f, n, w, k, c) -> (k, c, f)>
#sums = affine_map<(f, n, w, k, c) -> (f, n, w)>
#all = affine_map<(f, n, w) -> (f, n, w)>
#images = affine_map<(f, n, w) -> (f, n)>

// Nor do they where an operand of the epilogue has one of the loops alone.
func.func @epilogue(%x: tensor<3x6x5xf32>, %w: tensor<3x5x2xf32>, %init: tensor<2x3x4xf32>, %shift: tensor<2x3xf32>) -> tensor<2x3x4xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<3x6x5xf32> -> tensor<3x4x3x5xf32>
  // expected-error @below {{lanes of loop 2 do not go on along loop 1 in the operands of the epilogue}}
  %sums = linalg.generic {indexing_maps = [#rows, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<3x4x3x5xf32>, tensor<3x5x2xf32>) outs(%init : tensor<2x3x4xf32>)
      attrs = {convoy.register_tile = #convoy.register_tile<lanes = [2, 12], vector_lanes = 4, packed = true, outer_lanes = [1, 3]>} {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x3x4xf32>
  // expected-note @below {{epilogue}}
  %y = linalg.generic {indexing_maps = [#all, #images, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %shift : tensor<2x3x4xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x4xf32>) {
  ^bb0(%sum: f32, %s: f32, %old: f32):
    %shifted = arith.subf %sum, %s : f32
    linalg.yield %shifted : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// No contraction whose left operand is convoy.im2col.
func.func @no_rows(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>,
                   %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.register_tile<lanes = [1, 16], vector_lanes = 16>: it is no contraction over convoy.im2col}}
  %r = linalg.matmul
      {convoy.register_tile = #convoy.register_tile<lanes = [1, 16], vector_lanes = 16>}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// Lanes of no tile.
func.func @lanes(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{does not fit its plan, #convoy.tile_lanes<dim = 1, lanes = 4>: it is in no register tile yet}}
  %sum = linalg.add {convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>} ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}
