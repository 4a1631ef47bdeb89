// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=line-bytes=256 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=LINES
// RUN: convoy-opt %s --convoy-attach-target=page-bytes=65536 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=PAGES
// RUN: convoy-opt %s --convoy-attach-target=tlb-entries=1024 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=TLB
// RUN: convoy-opt %s --convoy-attach-target=last-level-bytes=4194304 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=LAST
// RUN: convoy-opt %s --convoy-attach-target=prefetch-streams=64 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=STREAMS
// RUN: convoy-opt %s --convoy-attach-target=vector-units=4 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=UNITS
// RUN: convoy-opt %s --convoy-attach-target=fma-latency=9 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=LATENCY
// RUN: convoy-opt %s --convoy-attach-target=masked-bytes=128 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=UNMASKED
// RUN: convoy-opt %s --convoy-attach-target=indexed-bytes=16 --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=INDEXED

// What else the target says of a core decides as its vectors and caches do.

// A step reads vectors from more pages than the TLB translates, and so from a
// copy, unless pages are large or entries are many.
// CHECK-LABEL: @many_pages(
// CHECK: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[1, 6]], packed = true, blocks = {{\[}}[4, 40]], cycles
// PAGES-LABEL: @many_pages(
// PAGES: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[1, 6]], row_blocks = {{\[}}[2, 1]], cycles
// TLB-LABEL: @many_pages(
// TLB: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[1, 6]], row_blocks = {{\[}}[2, 1]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 4096, l2_bytes = 16384>} {
  func.func @many_pages(%x: tensor<1x200x20x30xf32>, %w: tensor<24x200x3x1xf32>, %init: tensor<1x24x18x30xf32>) -> tensor<1x24x18x30xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x200x20x30xf32>, tensor<24x200x3x1xf32>) outs(%init : tensor<1x24x18x30xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x24x18x30xf32>
  }
}

// -----

// An image at a time, since both would come from memory for each vector of
// channels: a last cache that holds both makes it cheap.
// CHECK-LABEL: @rows_again(
// CHECK: #convoy.register_tile<lanes = [3, 16], vector_lanes = 8, rows = {{\[}}[2, 6]], row_blocks = {{\[}}[0, 1]], cycles
// LAST-LABEL: @rows_again(
// LAST: #convoy.register_tile<lanes = [3, 16], vector_lanes = 8, rows = {{\[}}[2, 6]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 2048, l2_bytes = 8192>} {
  func.func @rows_again(%x: tensor<2x9x30x16xf32>, %w: tensor<1x3x16x64xf32>, %init: tensor<2x9x28x64xf32>) -> tensor<2x9x28x64xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x9x30x16xf32>, tensor<1x3x16x64xf32>) outs(%init : tensor<2x9x28x64xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<2x9x28x64xf32>
  }
}

// -----

// Rows are cut so that lines stay in the cache; where lines are long, they are
// too few to save anything.
// CHECK-LABEL: @lines(
// CHECK: #convoy.register_tile<lanes = [3, 16], vector_lanes = 8, rows = {{\[}}[1, 6]], row_blocks = {{\[}}[0, 1], [2, 1]], cycles
// LINES-LABEL: @lines(
// LINES: #convoy.register_tile<lanes = [3, 16], vector_lanes = 8, rows = {{\[}}[1, 6]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 2048, l2_bytes = 8192>} {
  func.func @lines(%x: tensor<2x5x9x30xf32>, %w: tensor<16x5x1x3xf32>, %init: tensor<2x16x9x28xf32>) -> tensor<2x16x9x28xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x5x9x30xf32>, tensor<16x5x1x3xf32>) outs(%init : tensor<2x16x9x28xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<2x16x9x28xf32>
  }
}

// -----

// Fifteen rows and the filter are prefetched, or eighteen and the filter.
// CHECK-LABEL: @streams(
// CHECK: #convoy.register_tile<lanes = [6, 64], vector_lanes = 16, rows = {{\[}}[1, 5], [2, 3]], cycles
// STREAMS-LABEL: @streams(
// STREAMS: #convoy.register_tile<lanes = [6, 64], vector_lanes = 16, rows = {{\[}}[2, 6], [1, 3]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 4096, l2_bytes = 16384>} {
  func.func @streams(%x: tensor<2x5x8x200xf32>, %w: tensor<1x3x200x1xf32>, %init: tensor<2x5x6x1xf32>) -> tensor<2x5x6x1xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x5x8x200xf32>, tensor<1x3x200x1xf32>) outs(%init : tensor<2x5x6x1xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<2x5x6x1xf32>
  }
}

// -----

// Nine sums hide a latency of four cycles; they do not hide nine cycles, nor four
// with twice the units. Without masks nothing is masked.
// CHECK-LABEL: @few_rows(
// CHECK: #convoy.register_tile<lanes = [3, 5], vector_lanes = 16, masked = true, rows = {{\[}}[1, 9]], cycles
// UNITS-LABEL: @few_rows(
// UNITS: #convoy.register_tile<lanes = [3, 5], vector_lanes = 16, masked = true, rows = {{\[}}[2, 8], [1, 3]], cycles
// LATENCY-LABEL: @few_rows(
// LATENCY: #convoy.register_tile<lanes = [3, 5], vector_lanes = 16, masked = true, rows = {{\[}}[2, 8], [1, 3]], cycles
// UNMASKED-LABEL: @few_rows(
// UNMASKED: #convoy.register_tile<lanes = [3, 5], vector_lanes = 16, rows = {{\[}}[1, 9]], cycles
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 4096, l2_bytes = 16384>} {
  func.func @few_rows(%x: tensor<1x9x8x3xf32>, %w: tensor<1x1x3x5xf32>, %init: tensor<1x9x8x5xf32>) -> tensor<1x9x8x5xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x9x8x3xf32>, tensor<1x1x3x5xf32>) outs(%init : tensor<1x9x8x5xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<1x9x8x5xf32>
  }
}

// -----

// Four channels of a pixel are a vector whose elements multiply the filter's:
// rows have a vector each, and so there are fewer, but four times as many
// products for each. Eighteen channels do not fill vectors, any number may not,
// and those that lie apart are none.
// CHECK-LABEL: @indexed(
// CHECK: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[2, 14]], cycles
// CHECK: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[2, 14]], cycles
// CHECK: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[2, 14]], cycles
// INDEXED-LABEL: @indexed(
// INDEXED: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[1, 9]], terms = [6, 4], cycles
// INDEXED: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[2, 14]], cycles
// INDEXED: #convoy.register_tile<lanes = [3, 8], vector_lanes = 4, rows = {{\[}}[2, 14]], cycles
// INDEXED-NOT: terms
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 32768, l2_bytes = 262144>} {
  func.func @indexed(%x: tensor<2x9x30x16xf32>, %w: tensor<1x3x16x64xf32>, %init: tensor<2x9x28x64xf32>) -> tensor<2x9x28x64xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x9x30x16xf32>, tensor<1x3x16x64xf32>) outs(%init : tensor<2x9x28x64xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<2x9x28x64xf32>
  }
  func.func @odd(%x: tensor<2x9x30x18xf32>, %w: tensor<1x3x18x64xf32>, %init: tensor<2x9x28x64xf32>) -> tensor<2x9x28x64xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x9x30x18xf32>, tensor<1x3x18x64xf32>) outs(%init : tensor<2x9x28x64xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<2x9x28x64xf32>
  }
  func.func @apart(%x: tensor<2x16x9x30xf32>, %w: tensor<1x3x16x64xf32>, %init: tensor<2x9x28x64xf32>) -> tensor<2x9x28x64xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x16x9x30xf32>, tensor<1x3x16x64xf32>) outs(%init : tensor<2x9x28x64xf32>) layout(nchw x hwcf -> nhwf)
    return %0 : tensor<2x9x28x64xf32>
  }
  func.func @any(%x: tensor<2x9x30x?xf32>, %w: tensor<1x3x?x64xf32>, %init: tensor<2x9x28x64xf32>) -> tensor<2x9x28x64xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<2x9x30x?xf32>, tensor<1x3x?x64xf32>) outs(%init : tensor<2x9x28x64xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<2x9x28x64xf32>
  }
}
