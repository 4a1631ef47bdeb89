// RUN: convoy-test-opt %s --test-convoy-index-relation -o /dev/null | FileCheck %s

// Of the space's points, those with e*i = s*o + d*k' - pl within all sizes are
// terms; symbols are the sizes in the order of the space.
// CHECK:      convoy.conv
// CHECK-NEXT:   space: n, f, c, ow, kw, iw
// CHECK-NEXT:   input: (d0, d1, d2, d3, d4, d5)[s0, s1, s2, s3, s4, s5] -> (d0, d5, d2)
// CHECK-NEXT:   filter: (d0, d1, d2, d3, d4, d5)[s0, s1, s2, s3, s4, s5] -> (d4, d2, d1)
// CHECK-NEXT:   output: (d0, d1, d2, d3, d4, d5)[s0, s1, s2, s3, s4, s5] -> (d0, d3, d1)
// CHECK-NEXT:   terms: (d0, d1, d2, d3, d4, d5)[s0, s1, s2, s3, s4, s5] : (
// CHECK-SAME:   d0 >= 0, -d0 + s0 - 1 >= 0
// CHECK-SAME:   d5 >= 0, -d5 + s5 - 1 >= 0
// CHECK-SAME:   d3 * 3 + d4 * 2 - d5 * 4 - 1 == 0)
func.func @conv(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>,
                %init: tensor<2x11x6xf32>) -> tensor<2x11x6xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<2x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x11x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [3], dilation = [2], pad = [[1, 1]], input_dilation = [4])
  return %0 : tensor<2x11x6xf32>
}

// The backward directions have the forward's relation. Reversed taps count
// from the other end.
// CHECK:      convoy.conv_backward_filter
// CHECK-NEXT:   space: n, g, f, c, oh, ow, kh, kw, ih, iw
// CHECK-NEXT:   input: {{.*}} -> (d1, d0, d8, d9, d3)
// CHECK-NEXT:   filter: {{.*}} -> (d1, d6, d7, d3, d2)
// CHECK-NEXT:   output: {{.*}} -> (d0, d4, d5, d1, d2)
// CHECK-NEXT:   terms: {{.*}}, d4 + -d6 + s6 - 1 - d8 == 0, d5 + d7 - d9 == 0)
func.func @backward_filter(%x: tensor<2x1x9x7x4xf32>, %dy: tensor<1x7x6x2x5xf32>,
                           %init: tensor<2x3x2x4x5xf32>)
    -> tensor<2x3x2x4x5xf32> {
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<2x1x9x7x4xf32>, tensor<1x7x6x2x5xf32>)
      outs(%init : tensor<2x3x2x4x5xf32>) layout(gnhwc x ghwcf -> nhwgf)
      window(reverse = [true, false])
  return %0 : tensor<2x3x2x4x5xf32>
}

// CHECK:      convoy.im2col
// CHECK-NEXT:   input: (d0, d1, d2, d3, d4, d5)[s0] -> (d0, d4, d1 * 2 + -d3 + s0 - 1, d2 + d5 * 3 - 1)
func.func @im2col(%x: tensor<1x4x9x7xf32>) -> tensor<1x4x3x3x4x2xf32> {
  %rows = convoy.im2col %x layout(nchw, nhw|hcw)
      window(stride = [2, 1], dilation = [1, 3], pad = [[0, 0], [1, -2]],
             reverse = [true, false])
      : tensor<1x4x9x7xf32> -> tensor<1x4x3x3x4x2xf32>
  return %rows : tensor<1x4x3x3x4x2xf32>
}
