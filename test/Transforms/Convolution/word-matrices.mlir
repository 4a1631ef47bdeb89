// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_usdot,neon_bfdot,neon_smmla,neon_usmmla,neon_bfmmla" --convoy-word-products --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target="dot=neon_sdot,neon_usdot,neon_bfdot,neon_smmla,neon_usmmla,neon_bfmmla" --convoy-word-products --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED --implicit-check-not=undecided

// PROVED: certified 6 changes of functions

// Words of matrices have 64 bits: eight bytes.
// CHECK-LABEL: func.func @bytes
func.func @bytes(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x8xi64>)
  // CHECK: arith.shli %{{.*}}, %c56_i64
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x8x72xi64>)
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x54x72xi32>)
  // CHECK: %[[HIGH:.*]] = arith.shrui %{{.*}}, %c56_i64
  // CHECK: arith.trunci %[[HIGH]] : i64 to i8
  // CHECK-COUNT-8: arith.addi
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// The last of odd channels stand alone in a word; bytes with a sign become some
// without where zero points are subtracted.
// CHECK-LABEL: func.func @zero_point
func.func @zero_point(%x: tensor<1x56x25xi8>, %w: tensor<3x25x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  // CHECK: tensor.empty() : tensor<1x56x4xi64>
  // CHECK: arith.constant -128 : i16
  // CHECK: arith.extui %{{.*}} : i8 to i32
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  %r = convoy.conv ins(%x, %w : tensor<1x56x25xi8>, tensor<3x25x72xi8>) outs(%init : tensor<1x54x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// What is left of a zero point is in each of eight bytes.
// CHECK-LABEL: func.func @rest
func.func @rest(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x56x72xi32>) -> tensor<1x56x72xi32> {
  %zx = arith.constant 3 : i32
  %zw = arith.constant 0 : i32
  // CHECK: arith.constant 217020518514230019 : i64
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x56x72xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
  return %r : tensor<1x56x72xi32>
}

// -----

// CHECK-LABEL: func.func @bf16
func.func @bf16(%x: tensor<1x56x64xbf16>, %w: tensor<3x64x72xbf16>, %init: tensor<1x54x72xf32>) -> tensor<1x54x72xf32> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x16xi64>)
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x16x72xi64>)
  // CHECK-COUNT-4: arith.addf
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xbf16>, tensor<3x64x72xbf16>) outs(%init : tensor<1x54x72xf32>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %r : tensor<1x54x72xf32>
}

// -----

// Four channels fill a word of 32 bits, and half of one of 64.
// CHECK-LABEL: func.func @few_channels
func.func @few_channels(%x: tensor<1x56x4xi8>, %w: tensor<3x4x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK-NOT: i64
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x1xi32>)
  %r = convoy.conv ins(%x, %w : tensor<1x56x4xi8>, tensor<3x4x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// A single row, or a single column, is no matrix.
// CHECK-LABEL: func.func @one_row
func.func @one_row(%x: tensor<1x3x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x1x72xi32>) -> tensor<1x1x72xi32> {
  // CHECK-NOT: i64
  // CHECK: return
  %r = convoy.conv ins(%x, %w : tensor<1x3x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x1x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x1x72xi32>
}

// -----

// CHECK-LABEL: func.func @one_column
func.func @one_column(%x: tensor<1x56x64xi8>, %w: tensor<3x64x1xi8>, %init: tensor<1x54x1xi32>) -> tensor<1x54x1xi32> {
  // CHECK-NOT: i64
  // CHECK: return
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x1xi8>) outs(%init : tensor<1x54x1xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x1xi32>
}
