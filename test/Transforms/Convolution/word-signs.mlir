// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_udot" --convoy-word-products --split-input-file | FileCheck %s --check-prefixes=CHECK,LIKE
// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_udot,neon_usdot" --convoy-word-products --split-input-file | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_udot,neon_usdot" --convoy-word-products --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED_ANY
// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_udot" --convoy-word-products --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED_LIKE
// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_udot" --convoy-word-products=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// PROVED_ANY: certified 5 changes of functions
// PROVED_LIKE: certified 5 changes of functions

// Bytes of whatever signs are multiplied as they are, if the CPU has an
// instruction for them.

// CHECK-LABEL: func.func @signed
func.func @signed(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK-NOT: arith.subi
  // CHECK: convoy.im2col %{{.*}} : tensor<1x56x16xi32> -> tensor<1x54x3x16xi32>
  // CHECK: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
  // CHECK-COUNT-8: arith.extsi %{{.*}} : i8 to i32
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x54x72xi32>
}

// -----

// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK-NOT: arith.subi
  // CHECK: convoy.im2col %{{.*}} : tensor<1x56x16xi32> -> tensor<1x54x3x16xi32>
  // CHECK: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
  // CHECK-COUNT-8: arith.extui %{{.*}} : i8 to i32
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned, filter = unsigned)
  return %0 : tensor<1x54x72xi32>
}

// -----

// Else the input is shifted to the filter's: by 128, which then is what pads it,
// as -128 in each byte.

// CHECK-LABEL: func.func @mixed
func.func @mixed(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x56x72xi32>) -> tensor<1x56x72xi32> {
  // ANY-NOT:  arith.subi
  // LIKE:     %[[WIDE:.*]] = arith.extui %{{.*}} : i8 to i16
  // LIKE:     %[[SHIFT:.*]] = arith.constant 128 : i16
  // LIKE:     arith.subi %[[WIDE]], %[[SHIFT]] : i16
  // LIKE:     arith.constant -2139062144 : i32
  // CHECK:    convoy.im2col
  // CHECK:    ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
  // ANY:      arith.extui %{{.*}} : i8 to i32
  // LIKE-NOT: arith.extui
  // CHECK:    arith.extsi %{{.*}} : i8 to i32
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x56x72xi32>) layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) numerics(input = unsigned)
  return %0 : tensor<1x56x72xi32>
}

// -----

// A zero point is part of the shift.

// CHECK-LABEL: func.func @zero_point
func.func @zero_point(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x56x72xi32>) -> tensor<1x56x72xi32> {
  %zx = arith.constant -7 : i32
  %zw = arith.constant 0 : i32
  // CHECK-NOT: arith.subi %{{.*}} : i16
  // CHECK: %[[REST:.*]] = arith.constant -101058055 : i32
  // CHECK: convoy.im2col
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x56x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
  return %0 : tensor<1x56x72xi32>
}

// -----

// CHECK-LABEL: func.func @unsigned_filter
func.func @unsigned_filter(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // ANY-NOT:  arith.subi
  // LIKE:     arith.constant -128 : i16
  // CHECK:    convoy.im2col %{{.*}} : tensor<1x56x16xi32> -> tensor<1x54x3x16xi32>
  // LIKE-NOT: arith.extsi
  // ANY:      arith.extsi
  // CHECK:    arith.extui
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf) numerics(filter = unsigned)
  return %0 : tensor<1x54x72xi32>
}

// -----

// A filter with a zero point has 9 bits.
// EXPLAIN: remark: the convolution stays as it is: its factors less their zero points have more bits than the CPU's instructions multiply
// CHECK-LABEL: func.func @filter_zero_point
func.func @filter_zero_point(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %y: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  %zx = arith.constant 0 : i32
  %zw = arith.constant 3 : i32
  // CHECK: convoy.conv
  %0 = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
      outs(%y : tensor<1x54x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x54x72xi32>
}
