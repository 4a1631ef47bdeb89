// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-pad-im2col --convoy-choose-tiles --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=critical-stride=512 --convoy-conv-to-im2col --convoy-pad-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=SETS
// RUN: convoy-opt %s --convoy-attach-target=l1-bytes=65536 --convoy-conv-to-im2col --convoy-pad-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=SETS

// Tiles have no more rows in a set of the L1 cache than that has lines.

// Pixels of 1024 channels lie 4096 bytes apart, so that all rows of a tile are
// lines of one set, which holds eight: a tile of 14 would read each line from
// the L2 cache at every step. With sets of 16 or 64 lines it does not.
// CHECK-LABEL: @rows_in_a_set(
// CHECK: rows = {{\[}}[2, 7]]
// SETS-LABEL: @rows_in_a_set(
// SETS: rows = {{\[}}[2, 14]]
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @rows_in_a_set(%x: tensor<1x3x14x1024xf32>, %w: tensor<1x1x1024x32xf32>, %init: tensor<1x3x14x32xf32>) -> tensor<1x3x14x32xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x3x14x1024xf32>, tensor<1x1x1024x32xf32>) outs(%init : tensor<1x3x14x32xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<1x3x14x32xf32>
  }
}

// -----

// The rows of a padded copy are longer by a line.
// CHECK-LABEL: @rows_of_a_copy(
// CHECK: rows = {{\[}}[2, 14]]
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @rows_of_a_copy(%x: tensor<1x3x14x1024xf32>, %w: tensor<1x3x1024x32xf32>, %init: tensor<1x3x14x32xf32>) -> tensor<1x3x14x32xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x3x14x1024xf32>, tensor<1x3x1024x32xf32>) outs(%init : tensor<1x3x14x32xf32>) layout(nhwc x hwcf -> nhwf) window(pad = [[0, 0], [1, 1]])
    return %0 : tensor<1x3x14x32xf32>
  }
}
