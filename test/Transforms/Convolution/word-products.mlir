// RUN: convoy-opt %s --convoy-attach-target="dot=sse2_pmaddwd,avx512_vdpbf16ps" --convoy-word-products --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target="dot=sse2_pmaddwd,avx512_vdpbf16ps" --convoy-word-products=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: convoy-opt %s --convoy-word-products=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: convoy-opt %s --convoy-attach-target="dot=sse2_pmaddwd,avx512_vdpbf16ps" --convoy-word-products --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED --implicit-check-not=undecided
// RUN: convoy-opt %s --convoy-attach-target="dot=avx_vpdpwssd,avx_vpdpbusd" --convoy-word-products --split-input-file | FileCheck %s --check-prefix=QUADS
// RUN: convoy-opt %s --convoy-attach-target="dot=avx_vpdpwssd,avx_vpdpbusd" --convoy-word-products --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED_QUADS --implicit-check-not=undecided

// PROVED_QUADS: certified 9 changes of functions
// PROVED: certified 10 changes of functions
// NONE: remark: the convolution stays as it is: no instruction of the CPU sums products of neighbours
// NONE: remark: the convolution stays as it is: no instruction of the CPU sums products of bf16 in pairs

// Channels are words of two.
// CHECK: #[[EVEN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2 * 2)>
// CHECK: #[[ODD:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2 * 2 + 1)>
// CHECK-LABEL: func.func @even_channels
// CHECK-SAME: (%[[X:.*]]: tensor<1x56x64xi8>, %[[W:.*]]: tensor<3x64x72xi8>, %[[INIT:.*]]: tensor<1x54x72xi32>)
func.func @even_channels(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: %[[WORDS:.*]] = tensor.empty() : tensor<1x56x32xi32>
  // CHECK: %[[XS:.*]] = linalg.generic {indexing_maps = [#[[EVEN]], #[[ODD]], #{{.*}}], {{.*}}} ins(%[[X]], %[[X]] : tensor<1x56x64xi8>, tensor<1x56x64xi8>) outs(%[[WORDS]] : tensor<1x56x32xi32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %{{.*}}: i32):
  // CHECK-NEXT:   %[[A16:.*]] = arith.extsi %[[A]] : i8 to i16
  // CHECK-NEXT:   %[[B16:.*]] = arith.extsi %[[B]] : i8 to i16
  // CHECK-NEXT:   %[[LOW:.*]] = arith.extui %[[A16]] : i16 to i32
  // CHECK-NEXT:   %[[B32:.*]] = arith.extui %[[B16]] : i16 to i32
  // CHECK-NEXT:   %[[BITS:.*]] = arith.constant 16 : i32
  // CHECK-NEXT:   %[[HIGH:.*]] = arith.shli %[[B32]], %[[BITS]] : i32
  // CHECK-NEXT:   %[[WORD:.*]] = arith.ori %[[LOW]], %[[HIGH]] : i32
  // CHECK-NEXT:   linalg.yield %[[WORD]] : i32
  // CHECK: %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[W]] : tensor<3x64x72xi8>, tensor<3x64x72xi8>) outs(%{{.*}} : tensor<3x32x72xi32>)
  // CHECK: %[[ROWS:.*]] = convoy.im2col %[[XS]] layout(nwc, nw|wc) : tensor<1x56x32xi32> -> tensor<1x54x3x32xi32>
  // CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %[[WS]] : tensor<1x54x3x32xi32>, tensor<3x32x72xi32>) outs(%[[INIT]] : tensor<1x54x72xi32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SUM:.*]]: i32):
  // CHECK: %[[HIGH_A:.*]] = arith.shrui %[[A]], %{{.*}} : i32
  // CHECK: %[[HIGH:.*]] = arith.muli
  // CHECK: %[[PART:.*]] = arith.addi %[[SUM]], %[[HIGH]] : i32
  // CHECK: arith.trunci %[[A]] : i32 to i16
  // CHECK: %[[LOW:.*]] = arith.muli
  // CHECK: arith.addi %[[PART]], %[[LOW]] : i32
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// The last word of odd channels has zero beside it. Zero points are subtracted
// in 16 bits, and padding is zero.
// CHECK-LABEL: func.func @odd_channels
func.func @odd_channels(%x: tensor<1x63x56xi8>, %w: tensor<72x63x3xi8>, %init: tensor<1x72x56xi32>) -> tensor<1x72x56xi32> {
  %zx = arith.constant 128 : i32
  %zw = arith.constant -3 : i32
  // CHECK: %[[PAIRS:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [1, 31, 56] [1, 1, 1] : tensor<1x32x56xi32> to tensor<1x31x56xi32>
  // CHECK: linalg.generic {{.*}} outs(%[[PAIRS]] : tensor<1x31x56xi32>)
  // CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i8 to i16
  // CHECK: %[[ZERO:.*]] = arith.constant 128 : i16
  // CHECK: arith.subi %[[WIDE]], %[[ZERO]] : i16
  // CHECK: %[[LAST:.*]] = tensor.extract_slice %{{.*}}[0, 31, 0] [1, 1, 56] [1, 1, 1] : tensor<1x32x56xi32> to tensor<1x1x56xi32>
  // CHECK: linalg.generic {{.*}} outs(%[[LAST]] : tensor<1x1x56xi32>)
  // CHECK-NOT: arith.shli
  // CHECK: arith.constant -3 : i16
  // CHECK: convoy.im2col %{{.*}} layout(ncw, nw|cw) window(pad = {{\[\[}}1, 1]]) : tensor<1x32x56xi32> -> tensor<1x56x32x3xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x63x56xi8>, tensor<72x63x3xi8>) outs(%init : tensor<1x72x56xi32>) zero_points(%zx, %zw : i32, i32) layout(ncw x fcw -> nfw) window(pad = [[1, 1]]) numerics(input = unsigned)
  return %r : tensor<1x72x56xi32>
}

// -----

// The batch may be of any size.
// CHECK-LABEL: func.func @any_batch
func.func @any_batch(%x: tensor<?x56x63xi8>, %w: tensor<3x63x72xi8>, %init: tensor<?x54x72xi32>) -> tensor<?x54x72xi32> {
  // CHECK: tensor.empty(%{{.*}}) : tensor<?x56x32xi32>
  // CHECK: convoy.im2col {{.*}} : tensor<?x56x32xi32> -> tensor<?x54x3x32xi32>
  %r = convoy.conv ins(%x, %w : tensor<?x56x63xi8>, tensor<3x63x72xi8>) outs(%init : tensor<?x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x54x72xi32>
}

// -----

// Integers of 16 bits are halves as they are.
// CHECK-LABEL: func.func @halves
func.func @halves(%x: tensor<1x56x64xi16>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: convoy.im2col {{.*}} : tensor<1x56x32xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi16>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: its factors less their zero points have more bits than the CPU's instructions multiply
// CHECK-LABEL: func.func @wide_zero_point
func.func @wide_zero_point(%x: tensor<1x56x64xi16>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  %zx = arith.constant 1 : i32
  %zw = arith.constant 0 : i32
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi16>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: its factors less their zero points have more bits than the CPU's instructions multiply
// CHECK-LABEL: func.func @unsigned_halves
func.func @unsigned_halves(%x: tensor<1x56x64xi16>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi16>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %r : tensor<1x54x72xi32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: its zero points are not constant
// CHECK-LABEL: func.func @zero_points_of_the_caller
func.func @zero_points_of_the_caller(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>, %z: i32) -> tensor<1x54x72xi32> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) zero_points(%z, %z : i32, i32) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// With one channel in each group, the taps are neighbours. The words of those
// that an output position meets lie side by side; the last has zero beside it.
// CHECK: #[[FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 * 2, d3)>
// CHECK: #[[SECOND:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 * 2 + 1, d3)>
// CHECK: #[[THIRD:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 * 2 + 2, d3)>
// CHECK-LABEL: func.func @one_channel
// CHECK-SAME: (%[[X:.*]]: tensor<1x56x1xi8>,
func.func @one_channel(%x: tensor<1x56x1xi8>, %w: tensor<3x1x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: %[[READ:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 56, 1]
  // CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], #{{.*}}], {{.*}}} ins(%[[READ]], %[[READ]] : {{.*}}) outs(%{{.*}} : tensor<1x54x1x1xi32>)
  // CHECK: linalg.generic {indexing_maps = [#[[THIRD]], #{{.*}}], {{.*}}} ins(%[[READ]] : {{.*}}) outs(%{{.*}} : tensor<1x54x1x1xi32>)
  // CHECK: %[[XS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] : tensor<1x54x2x1xi32> into tensor<1x108x1xi32>
  // CHECK: tensor.empty() : tensor<2x1x72xi32>
  // CHECK: convoy.im2col %[[XS]] layout(nwc, nw|wc) window(stride = [2]) : tensor<1x108x1xi32> -> tensor<1x54x2x1xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x56x1xi8>, tensor<3x1x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// Taps may be apart, in reverse order, and in steps; padding is the zero point.
// Words along one dimension leave the windows along others as they are.
// CHECK: #[[FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 * 2 + (d3 * -2 + 3) * 3, d4)>
// CHECK: #[[SECOND:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 * 2 + (-(d3 * 2 + 1) + 3) * 3, d4)>
// CHECK-LABEL: func.func @taps
func.func @taps(%x: tensor<?x9x21x1xi8>, %w: tensor<3x4x1x72xi8>, %init: tensor<?x9x8x72xi32>) -> tensor<?x9x8x72xi32> {
  %zx = arith.constant 7 : i32
  %zw = arith.constant 0 : i32
  // CHECK: tensor.pad %{{.*}} low[0, 0, 2, 0] high[0, 0, 1, 0]
  // CHECK: tensor.yield %c7_i8
  // CHECK: %[[XS:.*]] = linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], #{{.*}}], {{.*}}} ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<?x9x8x2x1xi32>)
  // CHECK: tensor.collapse_shape %[[XS]] {{.*}} into tensor<?x9x16x1xi32>
  // CHECK: tensor.empty() : tensor<3x2x1x72xi32>
  // CHECK: window(stride = [1, 2], pad = {{\[\[}}1, 1], [0, 0]]) : tensor<?x9x16x1xi32> -> tensor<?x9x8x3x2x1xi32>
  %r = convoy.conv ins(%x, %w : tensor<?x9x21x1xi8>, tensor<3x4x1x72xi8>) outs(%init : tensor<?x9x8x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nhwc x hwcf -> nhwf) window(stride = [1, 2], dilation = [1, 3], pad = [[1, 1], [2, 1]], reverse = [false, true])
  return %r : tensor<?x9x8x72xi32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: no sum is known to have two terms side by side
// CHECK-LABEL: func.func @any_channels
func.func @any_channels(%x: tensor<1x56x?xi8>, %w: tensor<1x?x72xi8>, %init: tensor<1x56x72xi32>) -> tensor<1x56x72xi32> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x?xi8>, tensor<1x?x72xi8>) outs(%init : tensor<1x56x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x56x72xi32>
}

// -----

// Each element of the filter is multiplied once.
// EXPLAIN: remark: the convolution stays as it is: single products are estimated to take less time
// CHECK-LABEL: func.func @few_products
func.func @few_products(%x: tensor<1x1x512xi8>, %w: tensor<1x512x400xi8>, %init: tensor<1x1x400xi32>) -> tensor<1x1x400xi32> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x1x512xi8>, tensor<1x512x400xi8>) outs(%init : tensor<1x1x400xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x1x400xi32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: its operands are not of bf16
// CHECK-LABEL: func.func @floats
func.func @floats(%x: tensor<1x56x64xf32>, %w: tensor<3x64x72xf32>, %init: tensor<1x54x72xf32>) -> tensor<1x54x72xf32> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xf32>, tensor<3x64x72xf32>) outs(%init : tensor<1x54x72xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xf32>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: it sums in neither i32 nor f32
// CHECK-LABEL: func.func @long_sums
func.func @long_sums(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi64>) -> tensor<1x54x72xi64> {
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi64>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi64>
}

// -----

// Words hold the bits of floats. QUADS has no instruction for them.
// CHECK-LABEL: func.func @bf16
// QUADS-LABEL: func.func @bf16
// QUADS: convoy.conv
func.func @bf16(%x: tensor<1x56x63xbf16>, %w: tensor<3x63x72xbf16>, %init: tensor<1x54x72xf32>) -> tensor<1x54x72xf32> {
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %{{.*}}: i32):
  // CHECK-NEXT:   %[[A16:.*]] = arith.bitcast %[[A]] : bf16 to i16
  // CHECK-NEXT:   %[[LOW:.*]] = arith.extui %[[A16]] : i16 to i32
  // CHECK-NEXT:   %[[B16:.*]] = arith.bitcast %[[B]] : bf16 to i16
  // CHECK-NEXT:   %[[B32:.*]] = arith.extui %[[B16]] : i16 to i32
  // CHECK: %[[ROWS:.*]] = convoy.im2col %{{.*}} : tensor<1x56x32xi32> -> tensor<1x54x3x32xi32>
  // CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %{{.*}} : tensor<1x54x3x32xi32>, tensor<3x32x72xi32>) outs(%{{.*}} : tensor<1x54x72xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SUM:.*]]: f32):
  // CHECK: %[[HIGH:.*]] = arith.mulf
  // CHECK: %[[PART:.*]] = arith.addf %[[SUM]], %[[HIGH]] : f32
  // CHECK: %[[LOW:.*]] = arith.mulf
  // CHECK: arith.addf %[[PART]], %[[LOW]] : f32
  %r = convoy.conv ins(%x, %w : tensor<1x56x63xbf16>, tensor<3x63x72xbf16>) outs(%init : tensor<1x54x72xf32>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %r : tensor<1x54x72xf32>
}

// -----

// Bytes, of which one factor's have no sign, are four in a word if the target
// multiplies such; here the last has three.
// CHECK-LABEL: func.func @unsigned_input
// QUADS-LABEL: func.func @unsigned_input
func.func @unsigned_input(%x: tensor<1x56x63xi8>, %w: tensor<3x63x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: convoy.im2col %{{.*}} : tensor<1x56x32xi32> -> tensor<1x54x3x32xi32>
  // QUADS: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x15xi32>)
  // QUADS: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x1xi32>)
  // QUADS-NEXT: ^bb0(%{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i32):
  // QUADS: convoy.im2col %{{.*}} : tensor<1x56x16xi32> -> tensor<1x54x3x16xi32>
  // QUADS: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x54x72xi32>)
  // QUADS-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SUM:.*]]: i32):
  // QUADS-NEXT:   %[[BITS:.*]] = arith.constant 24 : i32
  // QUADS-NEXT:   %[[A3:.*]] = arith.shrui %[[A]], %[[BITS]] : i32
  // QUADS-NEXT:   %[[A8:.*]] = arith.trunci %[[A3]] : i32 to i8
  // QUADS-NEXT:   %[[A32:.*]] = arith.extui %[[A8]] : i8 to i32
  // QUADS:        %[[B8:.*]] = arith.trunci %{{.*}} : i32 to i8
  // QUADS-NEXT:   %[[B32:.*]] = arith.extsi %[[B8]] : i8 to i32
  // QUADS-NEXT:   %[[PRODUCT:.*]] = arith.muli %[[A32]], %[[B32]] : i32
  // QUADS-NEXT:   arith.addi %[[SUM]], %[[PRODUCT]] : i32
  %r = convoy.conv ins(%x, %w : tensor<1x56x63xi8>, tensor<3x63x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %r : tensor<1x54x72xi32>
}

// -----

// A zero point may bring numbers into the range of the other sign.
// CHECK-LABEL: func.func @unsigned_filter
// QUADS-LABEL: func.func @unsigned_filter
func.func @unsigned_filter(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  %zx = arith.constant 128 : i32
  %zw = arith.constant 0 : i32
  // QUADS: arith.extui %{{.*}} : i8 to i16
  // QUADS: arith.subi %{{.*}} : i16
  // QUADS: arith.trunci %{{.*}} : i16 to i8
  // QUADS: convoy.im2col %{{.*}} : tensor<1x56x16xi32> -> tensor<1x54x3x16xi32>
  // QUADS: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SUM:.*]]: i32):
  // QUADS: arith.extsi
  // QUADS: arith.extui
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) numerics(input = unsigned, filter = unsigned)
  return %r : tensor<1x54x72xi32>
}

// -----

// With less than 0 in both factors, the input is made unsigned: padding is what
// is left of its zero point, and its products with the filter are subtracted.
// CHECK-LABEL: func.func @signed_factors
// QUADS-LABEL: func.func @signed_factors
// QUADS-SAME: (%[[X:.*]]: tensor<1x56x64xi8>, %[[W:.*]]: tensor<3x64x72xi8>, %[[INIT:.*]]: tensor<1x56x72xi32>)
func.func @signed_factors(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x56x72xi32>) -> tensor<1x56x72xi32> {
  %zx = arith.constant 7 : i32
  %zw = arith.constant 0 : i32
  // CHECK: convoy.im2col %{{.*}} : tensor<1x56x32xi32> -> tensor<1x56x3x32xi32>
  // QUADS: linalg.generic {{.*}} ins(%[[X]], %[[X]], %[[X]], %[[X]] :
  // QUADS: arith.constant -128 : i16
  // QUADS: %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[W]], %[[W]], %[[W]] :
  // QUADS: %[[REST:.*]] = arith.constant -2021161081 : i32
  // QUADS: %[[ADDED:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "reduction", "reduction"]} ins(%[[WS]] : tensor<3x16x72xi32>) outs(%{{.*}} : tensor<72xi32>)
  // QUADS: %[[START:.*]] = linalg.generic {{.*}} ins(%[[INIT]], %[[ADDED]] : tensor<1x56x72xi32>, tensor<72xi32>)
  // QUADS: arith.subi
  // QUADS: convoy.im2col %{{.*}} pad_value(%[[REST]] : i32) {{.*}} : tensor<1x56x16xi32> -> tensor<1x56x3x16xi32>
  // QUADS: linalg.generic {{.*}} outs(%[[START]] : tensor<1x56x72xi32>)
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x56x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
  return %r : tensor<1x56x72xi32>
}
