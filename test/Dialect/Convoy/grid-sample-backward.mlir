// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @of_input(
// CHECK-SAME:    %[[Y:[^:]*]]: tensor<2x5x4x3xf32>, %[[G:[^:]*]]: tensor<2x5x4x2xf32>)
// CHECK:         convoy.grid_sample_backward_input %[[Y]], %[[G]] layout(nchw x nhwc -> nhwc)
// CHECK-SAME:        mode(linear) padding(border) align_corners : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x3x9x7xf32>
func.func @of_input(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>)
    -> tensor<2x3x9x7xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nchw x nhwc -> nhwc)
      mode(linear) padding(border) align_corners
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x3x9x7xf32>
  return %0 : tensor<2x3x9x7xf32>
}

// CHECK-LABEL: func @of_grid(
// CHECK-SAME:    %[[Y:[^:]*]]: tensor<2x5x4x3xf16>, %[[X:[^:]*]]: tensor<2x3x9x7xf16>, %[[G:[^:]*]]: tensor<2x5x4x2xbf16>)
// CHECK:         convoy.grid_sample_backward_grid %[[Y]], %[[X]], %[[G]] layout(nchw x nhwc -> nhwc)
// CHECK-SAME:        mode(cubic) padding(zeros) : tensor<2x5x4x3xf16>, tensor<2x3x9x7xf16>, tensor<2x5x4x2xbf16>
func.func @of_grid(%y: tensor<2x5x4x3xf16>, %x: tensor<2x3x9x7xf16>,
                   %g: tensor<2x5x4x2xbf16>) -> tensor<2x5x4x2xbf16> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x nhwc -> nhwc)
      mode(cubic) padding(zeros)
      : tensor<2x5x4x3xf16>, tensor<2x3x9x7xf16>, tensor<2x5x4x2xbf16>
  return %0 : tensor<2x5x4x2xbf16>
}

// Three dimensions, in any order; numbers of images, channels and samples that
// are not known.
// CHECK-LABEL: func @of_any_size(
// CHECK:         convoy.grid_sample_backward_input {{.*}} layout(dhnwc x cndhw -> wcndh)
// CHECK-SAME:        mode(nearest) padding(reflection) : tensor<?x?x?x4x5xbf16>, tensor<3x?x4x5x?xf16> -> tensor<8x9x?x7x?xbf16>
// CHECK:         convoy.grid_sample_backward_grid {{.*}} layout(dhnwc x cndhw -> wcndh)
// CHECK-SAME:        mode(nearest) padding(reflection) : tensor<?x?x?x4x5xbf16>, tensor<8x?x?x7x?xbf16>, tensor<3x?x4x5x?xf16>
func.func @of_any_size(%y: tensor<?x?x?x4x5xbf16>, %x: tensor<8x?x?x7x?xbf16>,
                       %g: tensor<3x?x4x5x?xf16>)
    -> (tensor<8x9x?x7x?xbf16>, tensor<3x?x4x5x?xf16>) {
  %0 = convoy.grid_sample_backward_input %y, %g layout(dhnwc x cndhw -> wcndh)
      mode(nearest) padding(reflection)
      : tensor<?x?x?x4x5xbf16>, tensor<3x?x4x5x?xf16> -> tensor<8x9x?x7x?xbf16>
  %1 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(dhnwc x cndhw -> wcndh) mode(nearest) padding(reflection)
      : tensor<?x?x?x4x5xbf16>, tensor<8x?x?x7x?xbf16>, tensor<3x?x4x5x?xf16>
  return %0, %1 : tensor<8x9x?x7x?xbf16>, tensor<3x?x4x5x?xf16>
}

// CHECK-LABEL: func @without_samples(
// CHECK:         convoy.grid_sample_backward_input
// CHECK:         convoy.grid_sample_backward_grid
func.func @without_samples(%y: tensor<1x0x4x0xf32>, %x: tensor<1x9x7x0xf32>,
                           %g: tensor<1x0x4x2xf32>)
    -> (tensor<1x9x7x0xf32>, tensor<1x0x4x2xf32>) {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<1x0x4x0xf32>, tensor<1x0x4x2xf32> -> tensor<1x9x7x0xf32>
  %1 = convoy.grid_sample_backward_grid %y, %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<1x0x4x0xf32>, tensor<1x9x7x0xf32>, tensor<1x0x4x2xf32>
  return %0, %1 : tensor<1x9x7x0xf32>, tensor<1x0x4x2xf32>
}
