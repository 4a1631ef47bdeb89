// RUN: convoy-opt %s --convoy-apply-policy="target-error=0.001 winograd" --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not convoy-opt %s --convoy-apply-policy="target-error=6e-6 winograd" --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: convoy-opt %s --convoy-apply-policy=target-error=0.001 --split-input-file 2> %t | FileCheck %s --check-prefix=DIRECT
// RUN: convoy-opt %s --convoy-apply-policy=winograd --split-input-file 2> %t | FileCheck %s --check-prefix=DIRECT

// DIRECT-NOT: convoy.most_winograd

// By hand: 32 channels in tiles of two results, terms of 32 * 3. Transformed
// numbers grow to 5 of these, which pass 1 + 32 roundings of products and their
// sums, 3 of the last transform, and 3 of taps; of inputs, 2 pass numbers that
// grow to 6: (39 * 5 + 2 * 6) * 96 * 2^-24 is 0.0011845, of 288, and a bit. A sum
// of 96 products is off by 0.0016480.
// CHECK-LABEL: func @one(
// CHECK:         convoy.conv {{.*}} numerics(policy = high) {convoy.most_winograd = 6 : i64}
// LESS:          remark: sums in 'f32' for target error 6e-06; is off by at most 0.00164796
// LESS:          remark: tiles of Winograd's algorithm may have 2 results along each dimension for target error 6e-06; is off by at most 0.00118447, 4.11273e-06 of 288
func.func @one(%x: tensor<1x9x32xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<3x32x5xf32> {convoy.range = array<f64: -3.0, 3.0>}) -> tensor<1x7x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x7x5xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most 0.00164796}}
  // expected-remark @below {{tiles of Winograd's algorithm may have 6 results along each dimension for target error 0.001; is off by at most}}
  %y = convoy.conv ins(%x, %w : tensor<1x9x32xf32>, tensor<3x32x5xf32>) outs(%zeros : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x7x5xf32>
}

// -----

// The layer with more products has tiles of 4; what is left is too little for the
// same of the other one, which carries the first one's error on.
// CHECK-LABEL: func @chain(
// CHECK:         convoy.conv {{.*}} {convoy.most_winograd = 4 : i64}
// CHECK:         convoy.conv {{.*}} {convoy.most_winograd = 2 : i64}
func.func @chain(%x: tensor<1x12x12x128xf32> {convoy.range = array<f64: -1.0, 1.0>}, %v: tensor<3x3x128x48xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<3x3x48x16xf32> {convoy.range = array<f64: -1.0, 1.0>}) -> tensor<1x8x8x16xf32> {
  %start = arith.constant dense<0.0> : tensor<1x10x10x48xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  // expected-remark @below {{tiles of Winograd's algorithm may have 4 results along each dimension for target error 0.001; is off by at most}}
  %y = convoy.conv ins(%x, %v : tensor<1x12x12x128xf32>, tensor<3x3x128x48xf32>) outs(%start : tensor<1x10x10x48xf32>) layout(nhwc x hwcf -> nhwf)
  %zeros = arith.constant dense<0.0> : tensor<1x8x8x16xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  // expected-remark @below {{tiles of Winograd's algorithm may have 2 results along each dimension for target error 0.001; is off by at most}}
  %z = convoy.conv ins(%y, %w : tensor<1x10x10x48xf32>, tensor<3x3x48x16xf32>) outs(%zeros : tensor<1x8x8x16xf32>) layout(nhwc x hwcf -> nhwf)
  return %z : tensor<1x8x8x16xf32>
}

// -----

// Transformed inputs would overflow, which no sum does; without ranges sums may
// as well.
// CHECK-LABEL: func @overflow(
// CHECK:         convoy.conv {{.*}} {convoy.most_winograd = 0 : i64}
// CHECK:         convoy.conv {{.*}} {convoy.most_winograd = 6 : i64}
func.func @overflow(%x: tensor<1x9x32xf32> {convoy.range = array<f64: -3.0e38, 3.0e38>}, %w: tensor<3x32x5xf32> {convoy.range = array<f64: -1.0e-9, 1.0e-9>}, %a: tensor<1x9x32xf32>, %b: tensor<3x32x5xf32>) -> (tensor<1x7x5xf32>, tensor<1x7x5xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<1x7x5xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  // expected-remark @below {{no tiles of Winograd's algorithm for target error 0.001: with 2 results along each dimension it would be off by at most inf}}
  %y = convoy.conv ins(%x, %w : tensor<1x9x32xf32>, tensor<3x32x5xf32>) outs(%zeros : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf)
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  // expected-remark @below {{tiles of Winograd's algorithm may have 6 results along each dimension for target error 0.001; is off by at most}}
  %z = convoy.conv ins(%a, %b : tensor<1x9x32xf32>, tensor<3x32x5xf32>) outs(%zeros : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf)
  return %y, %z : tensor<1x7x5xf32>, tensor<1x7x5xf32>
}

// -----

// Policies of their own stay, and what the algorithm cannot compute has none.
// CHECK-LABEL: func @others(
// CHECK:         convoy.conv {{.*}} numerics(policy = high){{$}}
// CHECK:         convoy.conv {{.*}} numerics(policy = high) {convoy.most_winograd = 0 : i64}
func.func @others(%x: tensor<1x9x32xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<3x32x5xf32> {convoy.range = array<f64: -3.0, 3.0>}, %v: tensor<5x32x5xf32> {convoy.range = array<f64: -3.0, 3.0>}) -> (tensor<1x7x5xf32>, tensor<1x5x5xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<1x7x5xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  %y = convoy.conv ins(%x, %w : tensor<1x9x32xf32>, tensor<3x32x5xf32>) outs(%zeros : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf) numerics(policy = high)
  %fewer = arith.constant dense<0.0> : tensor<1x5x5xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
  %z = convoy.conv ins(%x, %v : tensor<1x9x32xf32>, tensor<5x32x5xf32>) outs(%fewer : tensor<1x5x5xf32>) layout(nwc x wcf -> nwf)
  return %y, %z : tensor<1x7x5xf32>, tensor<1x5x5xf32>
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 128, subgroup = 32, workgroup_bytes = 32768, workgroup_items = 256>} {
  // CHECK-LABEL: func @gpu(
  // CHECK-NOT:     convoy.most_winograd
  func.func @gpu(%x: tensor<1x9x32xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<3x32x5xf32> {convoy.range = array<f64: -3.0, 3.0>}) -> tensor<1x7x5xf32> {
    %zeros = arith.constant dense<0.0> : tensor<1x7x5xf32>
    // expected-remark @below {{sums in 'f32' for target error 0.001; is off by at most}}
    %y = convoy.conv ins(%x, %w : tensor<1x9x32xf32>, tensor<3x32x5xf32>) outs(%zeros : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf)
    return %y : tensor<1x7x5xf32>
  }
}
