// RUN: convoy-opt %s --convoy-word-products --convoy-conv-to-im2col --convoy-pad-im2col --convoy-choose-tiles=explain --split-input-file 2> %t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t.txt

// Tiles of AMX: a step multiplies two tiles of 14 rows of pixels, with 16 words, by
// two of 16 channels.
// CHECK-LABEL: @pixels(
// CHECK: #convoy.register_tile<lanes = [2, 32], vector_lanes = 16, rows = {{\[}}[1, 28]], terms = [4, 16], matrices = true
// WHY: remark: tile: 32 lanes of f in vectors of 16, rows: 28 of w, terms: 16 of c in tiles of AMX
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, dot = ["avx512_vdpbf16ps", "amx_tdpbf16ps"]>} {
  func.func @pixels(%x: tensor<1x56x64xbf16>, %w: tensor<3x64x64xbf16>, %init: tensor<1x56x64xf32>) -> tensor<1x56x64xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x56x64xbf16>, tensor<3x64x64xbf16>) outs(%init : tensor<1x56x64xf32>) layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) numerics(accumulator = f32)
    return %r : tensor<1x56x64xf32>
  }
}

// -----

// Signs as they are: no input is shifted. 9 words of a row are taken at a time, not
// 16 and 2.
// CHECK-LABEL: @signs(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x10x72xi8>
// CHECK-NOT: arith.subi
// CHECK: terms = [4, 9], matrices = true
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, dot = ["avx512_vpdpbusd", "amx_tdpbssd"]>} {
  func.func @signs(%x: tensor<1x10x72xi8>, %w: tensor<3x72x24xi8>, %init: tensor<1x8x24xi32>) -> tensor<1x8x24xi32> {
    %r = convoy.conv ins(%x, %w : tensor<1x10x72xi8>, tensor<3x72x24xi8>) outs(%init : tensor<1x8x24xi32>) layout(nwc x wcf -> nwf)
    return %r : tensor<1x8x24xi32>
  }
}

// -----

// What is one row, or whose words lie apart, is multiplied by vectors.
// CHECK-LABEL: @one_row(
// CHECK-NOT: matrices
// CHECK-LABEL: @apart(
// CHECK-NOT: matrices
// CHECK: return
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, dot = ["avx512_vpdpbusd", "amx_tdpbusd"]>} {
  func.func @one_row(%x: tensor<1x3x64xi8>, %w: tensor<3x64x32xi8>, %init: tensor<1x1x32xi32>) -> tensor<1x1x32xi32> {
    %r = convoy.conv ins(%x, %w : tensor<1x3x64xi8>, tensor<3x64x32xi8>) outs(%init : tensor<1x1x32xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
    return %r : tensor<1x1x32xi32>
  }
  func.func @apart(%x: tensor<1x64x10xi8>, %w: tensor<3x64x32xi8>, %init: tensor<1x32x8xi32>) -> tensor<1x32x8xi32> {
    %r = convoy.conv ins(%x, %w : tensor<1x64x10xi8>, tensor<3x64x32xi8>) outs(%init : tensor<1x32x8xi32>) layout(ncw x wcf -> nfw) numerics(input = unsigned)
    return %r : tensor<1x32x8xi32>
  }
}

// -----

// Padding goes into elements, so that tiles can read the padded copy as words; the
// zero point stands for it.
// CHECK-LABEL: @padded(
// CHECK: %[[POINT:.*]] = arith.constant 7 : i8
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 1, 0] high[0, 1, 0]
// CHECK: tensor.yield %[[POINT]] : i8
// CHECK: linalg.generic {{.*}} ins(%[[PADDED]], %[[PADDED]], %[[PADDED]], %[[PADDED]] : tensor<1x22x64xi8>
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, dot = ["avx512_vpdpbusd", "amx_tdpbusd"]>} {
  func.func @padded(%x: tensor<1x20x64xi8>, %w: tensor<3x64x32xi8>, %init: tensor<1x20x32xi32>) -> tensor<1x20x32xi32> {
    %zx = arith.constant 7 : i32
    %zw = arith.constant 0 : i32
    %r = convoy.conv ins(%x, %w : tensor<1x20x64xi8>, tensor<3x64x32xi8>) outs(%init : tensor<1x20x32xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) numerics(input = unsigned)
    return %r : tensor<1x20x32xi32>
  }
}
