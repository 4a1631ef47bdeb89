// RUN: convoy-opt %s --convoy-apply-policy=target-error=0.02 --split-input-file --verify-diagnostics | FileCheck %s
// RUN: convoy-opt %s --convoy-apply-policy=target-error=0.005 --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=LESS

// By hand: 36 products of up to 48, of which f16 rounds each 36 times: 36*2^-11 /
// (1 - 36*2^-11) = 0.0179 of 1728.
// CHECK-LABEL: func @narrow(
// CHECK:         convoy.conv {{.*}} numerics(policy = low)
func.func @narrow(%x: tensor<1x6x7x4xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %w: tensor<3x3x4x5xf16> {convoy.range = array<f64: -6.0, 6.0, 0.125>}) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  // expected-remark @below {{sums in 'f16' for target error 0.02; is off by at most 30.9185, 0.0178926 of 1728}}
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}

// -----

// Sums of 72 products in f16 would be off by 0.036; those of blocks of 36 are not.
// CHECK-LABEL: func @blocks(
// CHECK-COUNT-2: convoy.conv {{.*}} numerics(accumulator = f16, policy = low)
func.func @blocks(%x: tensor<1x6x7x8xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %w: tensor<3x3x8x5xf16> {convoy.range = array<f64: -6.0, 6.0, 0.125>}) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  // expected-remark @below {{sums 2 blocks of up to 36 products in 'f16', and these in 'f32' for target error 0.02, not all in 'f16': results would be further off; is off by at most 63.5}}
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x8xf16>, tensor<3x3x8x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}

// -----

// The second layer carries the first one's error on: 3*(5.77 + 0.5), and adds
// 3*2^-11 of 3096. For less, the first one is summed in blocks.
// CHECK-LABEL: func @chain(
// CHECK:         convoy.conv {{.*}} numerics(policy = low)
// CHECK:         convoy.conv {{.*}} numerics(policy = low)
// LESS:          sums 3 blocks of up to 9 products in 'f16', and these in 'f32' for target error 0.005, not all in 'f16': results would be further off; is off by at most
// LESS:          sums in 'f16' for target error 0.005; is off by at most
func.func @chain(%x: tensor<1x8x9xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %v: tensor<3x9x1xf16> {convoy.range = array<f64: -2.0, 2.0, 0.125>}, %w: tensor<3x1x9xf16> {convoy.range = array<f64: 0.5, 1.0>}) -> tensor<1x4x9xf16> {
  %start = arith.constant dense<0.0> : tensor<1x6x1xf16>
  // expected-remark @below {{sums in 'f16' for target error 0.02; is off by at most 5.77}}
  %y = convoy.conv ins(%x, %v : tensor<1x8x9xf16>, tensor<3x9x1xf16>) outs(%start : tensor<1x6x1xf16>) layout(nwc x wcf -> nwf)
  %shift = arith.constant dense<600.0> : tensor<1x6x1xf16>
  %moved = arith.addf %y, %shift : tensor<1x6x1xf16>
  %zeros = arith.constant dense<0.0> : tensor<1x4x9xf16>
  // expected-remark @below {{sums in 'f16' for target error 0.02; is off by at most 2}}
  %z = convoy.conv ins(%moved, %w : tensor<1x6x1xf16>, tensor<3x1x9xf16>) outs(%zeros : tensor<1x4x9xf16>) layout(nwc x wcf -> nwf)
  return %z : tensor<1x4x9xf16>
}

// -----

// f32 needs no range where it is alone, and is marked as decided.
// CHECK-LABEL: func @no_ranges(
// CHECK:         numerics(policy = high)
// CHECK:         numerics(accumulator = f32, policy = high)
func.func @no_ranges(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32>, %a: tensor<1x7x3xf16>, %b: tensor<2x3x5xf16>) -> (tensor<1x6x5xf32>, tensor<6x5xf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x6x5xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.02; is off by at most}}
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%zeros : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  %start = arith.constant dense<0.0> : tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f32' for target error 0.02, not all in a narrower type: no range is known of the input; is off by at most}}
  %z = convoy.conv ins(%a, %b : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%start : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
  %flat = tensor.collapse_shape %z [[0, 1], [2]] : tensor<1x6x5xf16> into tensor<6x5xf16>
  return %y, %flat : tensor<1x6x5xf32>, tensor<6x5xf16>
}

// -----

// Policies that ops have stay. Where none is left to choose, nothing is checked.
// CHECK-LABEL: func @own(
// CHECK:         numerics(policy = high)
func.func @own(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x6x5xf32>) -> tensor<1x6x5xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf) numerics(policy = high)
  return %y : tensor<1x6x5xf32>
}

// -----

// Samples are off by their position's error times the slope, by their roundings,
// and by what elements are: 2^-11 of 4 here, where they are rounded to f16.
// CHECK-LABEL: func @sampled(
// CHECK:         convoy.conv {{.*}} numerics(policy = low)
func.func @sampled(%x: tensor<1x4x3x2xf16> {convoy.range = array<f64: 2.0, 4.0>}, %grid: tensor<1x5x6x2xf16>, %w: tensor<1x1x2x3xf16> {convoy.range = array<f64: 0.5, 1.0>}) -> tensor<1x5x6x3xf16> {
  %s = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(border) : tensor<1x4x3x2xf16>, tensor<1x5x6x2xf16> -> tensor<1x5x6x2xf16>
  %zeros = arith.constant dense<0.0> : tensor<1x5x6x3xf16>
  // expected-remark @below {{sums in 'f16' for target error 0.02; is off by at most 0.01178}}
  %y = convoy.conv ins(%s, %w : tensor<1x5x6x2xf16>, tensor<1x1x2x3xf16>) outs(%zeros : tensor<1x5x6x3xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x5x6x3xf16>
}

// -----

// The error of a grid moves samples: by half a size times a slope of 2 along each
// dimension, 2^-11 * (4 + 3)/2 * 2, for each of two
// products; but they go no further than elements do.
// CHECK-LABEL: func @moved(
func.func @moved(%x: tensor<1x4x3x2xf32> {convoy.range = array<f64: 2.0, 4.0>}, %coordinates: tensor<1x5x6x2xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<1x1x2x3xf32> {convoy.range = array<f64: 0.5, 1.0>}) -> tensor<1x5x6x3xf32> {
  %grid = arith.truncf %coordinates : tensor<1x5x6x2xf32> to tensor<1x5x6x2xf16>
  %s = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(reflection) : tensor<1x4x3x2xf32>, tensor<1x5x6x2xf16> -> tensor<1x5x6x2xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x5x6x3xf32>
  // expected-remark @below {{sums in 'f32' for target error 0.02; is off by at most 0.0068}}
  %y = convoy.conv ins(%s, %w : tensor<1x5x6x2xf32>, tensor<1x1x2x3xf32>) outs(%zeros : tensor<1x5x6x3xf32>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x5x6x3xf32>
}

// -----

// Padding by elements adds no error: as @narrow.
// CHECK-LABEL: func @padded(
// CHECK:         convoy.conv {{.*}} numerics(policy = low)
func.func @padded(%x: tensor<1x4x7x4xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %w: tensor<3x3x4x5xf16> {convoy.range = array<f64: -6.0, 6.0, 0.125>}) -> tensor<1x4x5x5xf16> {
  %padded = convoy.pad %x mode(reflect) low[0, 1, 0, 0] high[0, 1, 0, 0] : tensor<1x4x7x4xf16> -> tensor<1x6x7x4xf16>
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  // expected-remark @below {{sums in 'f16' for target error 0.02; is off by at most 30.9185, 0.0178926 of 1728}}
  %y = convoy.conv ins(%padded, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}
