// RUN: convoy-opt %s --convoy-apply-policy=target-error=1e-4 --split-input-file --verify-diagnostics
// RUN: not convoy-opt %s --convoy-apply-policy=target-error=2 --split-input-file 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not convoy-opt %s --convoy-apply-policy=target-error=nan --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a number from 0 to below 1 for target-error, but got nan
// NUMBER: expected a number from 0 to below 1 for target-error, but got 2

// A result of f16 is rounded to it.
// expected-error @below {{expected results that are off by at most 0.0001 of their largest, but with policy high result 0 may be off by 0.84746, 0.000490428 of 1728}}
func.func @rounded(%x: tensor<1x6x7x4xf16> {convoy.range = array<f64: -8.0, 8.0, 0.125>}, %w: tensor<3x3x4x5xf16> {convoy.range = array<f64: -6.0, 6.0, 0.125>}) -> tensor<1x4x5x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  %y = convoy.conv ins(%x, %w : tensor<1x6x7x4xf16>, tensor<3x3x4x5xf16>) outs(%zeros : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x4x5x5xf16>
}

// -----

// Of sines no bound is known.
// expected-error @below {{expected results that are off by at most 0.0001 of their largest, but no bound is known of the error of 'math.sin'}}
func.func @sine(%x: tensor<1x7x3xf32> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<2x3x5xf32> {convoy.range = array<f64: -1.0, 1.0>}) -> tensor<1x6x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x6x5xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%zeros : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  %s = math.sin %y : tensor<1x6x5xf32>
  return %s : tensor<1x6x5xf32>
}

// -----

// Layers without ranges may overflow.
// expected-error @below {{but no bound is known of the error of 'convoy.conv'}}
func.func @no_ranges(%x: tensor<1x7x3xf32>, %v: tensor<2x3x5xf32>, %w: tensor<1x5x4xf32>) -> tensor<1x6x4xf32> {
  %start = arith.constant dense<0.0> : tensor<1x6x5xf32>
  %y = convoy.conv ins(%x, %v : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%start : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  %zeros = arith.constant dense<0.0> : tensor<1x6x4xf32>
  %z = convoy.conv ins(%y, %w : tensor<1x6x5xf32>, tensor<1x5x4xf32>) outs(%zeros : tensor<1x6x4xf32>) layout(nwc x wcf -> nwf)
  return %z : tensor<1x6x4xf32>
}

// -----

// The largest of a result is needed besides the error.
// expected-error @below {{but no range is known of result 0}}
func.func @no_largest(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32>) -> tensor<1x6x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x6x5xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%zeros : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  %relu = arith.maximumf %y, %zeros : tensor<1x6x5xf32>
  return %relu : tensor<1x6x5xf32>
}

// -----

// A position that is a little off may make another element the nearest, and
// samples from 2 to 4 may be off by 2 then; cubic ones, of an image of any size,
// by 1.89 times as much.
// expected-error @below {{but with policy high result 0 may be off by 2, 0.5 of 4}}
func.func @nearest(%x: tensor<1x4x3x1xf32> {convoy.range = array<f64: 2.0, 4.0>}, %grid: tensor<1x5x6x2xf16>, %w: tensor<1x1x1x3xf32> {convoy.range = array<f64: 0.5, 1.0>}) -> tensor<1x5x6x3xf32> {
  %s = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(border) : tensor<1x4x3x1xf32>, tensor<1x5x6x2xf16> -> tensor<1x5x6x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x5x6x3xf32>
  %y = convoy.conv ins(%s, %w : tensor<1x5x6x1xf32>, tensor<1x1x1x3xf32>) outs(%zeros : tensor<1x5x6x3xf32>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x5x6x3xf32>
}

// -----

// expected-error @below {{but with policy high result 0 may be off by 3.78}}
func.func @dynamic_image(%x: tensor<1x4x?x1xf32> {convoy.range = array<f64: 2.0, 4.0>}, %grid: tensor<1x5x6x2xf16>, %w: tensor<1x1x1x3xf32> {convoy.range = array<f64: 0.5, 1.0>}) -> tensor<1x5x6x3xf32> {
  %s = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(cubic) padding(border) : tensor<1x4x?x1xf32>, tensor<1x5x6x2xf16> -> tensor<1x5x6x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x5x6x3xf32>
  %y = convoy.conv ins(%s, %w : tensor<1x5x6x1xf32>, tensor<1x1x1x3xf32>) outs(%zeros : tensor<1x5x6x3xf32>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x5x6x3xf32>
}
