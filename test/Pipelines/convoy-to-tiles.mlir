// RUN: convoy-opt %s --split-input-file --verify-diagnostics --convoy-to-tiles-pipeline | FileCheck %s

// A convolution of linalg is one of the dialect here, too.
// CHECK-LABEL: func.func @named
// CHECK: scf.forall
// CHECK-NOT: linalg.conv_2d
func.func @named(%x: tensor<1x9x7x4xf32>, %w: tensor<3x2x4x6xf32>, %init: tensor<1x7x6x6xf32>) -> tensor<1x7x6x6xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x2x4x6xf32>) outs(%init : tensor<1x7x6x6xf32>) -> tensor<1x7x6x6xf32>
  return %0 : tensor<1x7x6x6xf32>
}

// -----

// One that stays as it is says why.
// CHECK-LABEL: func.func @skewed
func.func @skewed(%x: tensor<10x8xf32>, %w: tensor<3x2xf32>, %init: tensor<7x6xf32>) -> tensor<7x6xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a window over one output and one filter dimension, but got both d2 and d3 as taps}}
  %0 = linalg.generic {indexing_maps = [affine_map<(h, w, y, x) -> (h + y + x, w + x)>, affine_map<(h, w, y, x) -> (y, x)>, affine_map<(h, w, y, x) -> (h, w)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<10x8xf32>, tensor<3x2xf32>) outs(%init : tensor<7x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}
