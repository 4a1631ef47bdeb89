// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles --convoy-attach-target="vector-bytes=16 registers=16 l2-bytes=11520 tile=2,1" --convoy-choose-tiles --split-input-file | FileCheck %s --check-prefix=TILE
// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles=candidate=1 --split-input-file | FileCheck %s --check-prefix=NEXT

// The plan is written onto the contraction. Whoever asks for at most two rows of
// one vector gets these, in the place of a plan that is there; the second best
// tile by estimate is another.
// CHECK-LABEL: @packed
// CHECK: linalg.generic
// CHECK-SAME: convoy.register_tile = #convoy.register_tile<lanes = [3, 12], vector_lanes = 4, rows = {{\[}}[1, 3]], packed = true, outer_lanes = [2, 2], cycles = 0.22{{[0-9]+}}>
// TILE-LABEL: @packed
// TILE: linalg.generic
// TILE-SAME: convoy.register_tile = #convoy.register_tile<lanes = [3, 4], vector_lanes = 4, rows = {{\[}}[1, 2]], packed = true
// NEXT-LABEL: @packed
// NEXT: linalg.generic
// NEXT-SAME: convoy.register_tile = #convoy.register_tile<lanes = [3, 6], vector_lanes = 4, rows = {{\[}}[1, 5]], cycles = 0.23{{[0-9]+}}>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l2_bytes = 11520>} {
  func.func @packed(%x: tensor<1x5x10x8xf32>, %w: tensor<9x3x3x5xf32>, %init: tensor<1x9x8x6xf32>) -> tensor<1x9x8x6xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x5x10x8xf32>, tensor<9x3x3x5xf32>) outs(%init : tensor<1x9x8x6xf32>) layout(nchw x fhwc -> nfhw)
    return %0 : tensor<1x9x8x6xf32>
  }
}

// -----

// Blocks of a reduction, and lanes that are masked: this machine has masks.
// CHECK-LABEL: @blocks
// CHECK: #convoy.register_tile<lanes = [2, 16], vector_lanes = 16, masked = true, rows = {{\[}}[1, 7]], packed = true, blocks = {{\[}}[3, 1], [4, 40]], row_blocks = {{\[}}[1, 35]]
// TILE-LABEL: @blocks
// NEXT-LABEL: @blocks
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 9, l2_bytes = 10240>} {
  func.func @blocks(%x: tensor<1x107x80xf32>, %w: tensor<16x3x80xf32>, %init: tensor<1x105x16xf32>) -> tensor<1x105x16xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x107x80xf32>, tensor<16x3x80xf32>) outs(%init : tensor<1x105x16xf32>) layout(nwc x fwc -> nwf)
    return %0 : tensor<1x105x16xf32>
  }
}

// -----

// Sums that are converted in the end have no masks, though this machine has
// some, nor have those that start with what is converted.
// CHECK-LABEL: @converted
// CHECK: #convoy.register_tile<
// CHECK-NOT: masked
// CHECK: #convoy.register_tile<
// CHECK-NOT: masked
// CHECK: return
// TILE-LABEL: @converted
// NEXT-LABEL: @converted
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @converted(%x: tensor<1x9x3xf32>, %w: tensor<2x3x14xf32>, %a: tensor<1x8x14xf32>, %to: tensor<1x8x14xf64>, %b: tensor<1x8x14xf16>, %wide: tensor<1x8x14xf32>) -> (tensor<1x8x14xf64>, tensor<1x8x14xf32>) {
    %0 = convoy.conv ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x14xf32>) outs(%a : tensor<1x8x14xf32>) layout(nwc x wcf -> nwf)
    %1 = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<1x8x14xf32>) outs(%to : tensor<1x8x14xf64>) {
    ^bb0(%in: f32, %out: f64):
      %2 = arith.extf %in : f32 to f64
      linalg.yield %2 : f64
    } -> tensor<1x8x14xf64>
    %3 = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<1x8x14xf16>) outs(%wide : tensor<1x8x14xf32>) {
    ^bb0(%in: f16, %out: f32):
      %4 = arith.extf %in : f16 to f32
      linalg.yield %4 : f32
    } -> tensor<1x8x14xf32>
    %5 = convoy.conv ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x14xf32>) outs(%3 : tensor<1x8x14xf32>) layout(nwc x wcf -> nwf)
    return %1, %5 : tensor<1x8x14xf64>, tensor<1x8x14xf32>
  }
}
