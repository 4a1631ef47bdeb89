// RUN: convoy-opt %s --convoy-word-products --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s

// Tiles for instructions that multiply matrices have pairs of rows.

// Each row is a vector of two words, beside columns and sums.
// CHECK-LABEL: @vectors_of_words(
// CHECK: #convoy.register_tile<lanes = [2, 16], vector_lanes = 4, rows = {{\[}}[1, 4]], terms = [4, 2], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 65536, l2_bytes = 1048576, indexed_bytes = 16, dot = ["neon_sdot", "neon_smmla"]>} {
  func.func @vectors_of_words(%x: tensor<1x28x64xi8>, %w: tensor<3x64x64xi8>, %init: tensor<1x26x64xi32>) -> tensor<1x26x64xi32> {
    %r = convoy.conv ins(%x, %w : tensor<1x28x64xi8>, tensor<3x64x64xi8>) outs(%init : tensor<1x26x64xi32>) layout(nwc x wcf -> nwf)
    return %r : tensor<1x26x64xi32>
  }
}

// -----

// Three words of each row are read one by one.
// CHECK-LABEL: @words(
// CHECK: #convoy.register_tile<lanes = [2, 12], vector_lanes = 4, rows = {{\[}}[1, 6]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 65536, l2_bytes = 1048576, indexed_bytes = 16, dot = ["neon_bfdot", "neon_bfmmla"]>} {
  func.func @words(%x: tensor<1x30x12xbf16>, %w: tensor<3x12x24xbf16>, %init: tensor<1x28x24xf32>) -> tensor<1x28x24xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x30x12xbf16>, tensor<3x12x24xbf16>) outs(%init : tensor<1x28x24xf32>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %r : tensor<1x28x24xf32>
  }
}

// -----

// Ten rows are six and four, not twice five.
// CHECK-LABEL: @ten_rows(
// CHECK: #convoy.register_tile<lanes = [2, 8], vector_lanes = 4, rows = {{\[}}[1, 6]], terms = [4, 2], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 65536, l2_bytes = 1048576, indexed_bytes = 16, dot = ["neon_sdot", "neon_smmla"]>} {
  func.func @ten_rows(%x: tensor<1x12x64xi8>, %w: tensor<3x64x8xi8>, %init: tensor<1x10x8xi32>) -> tensor<1x10x8xi32> {
    %r = convoy.conv ins(%x, %w : tensor<1x12x64xi8>, tensor<3x64x8xi8>) outs(%init : tensor<1x10x8xi32>) layout(nwc x wcf -> nwf)
    return %r : tensor<1x10x8xi32>
  }
}
