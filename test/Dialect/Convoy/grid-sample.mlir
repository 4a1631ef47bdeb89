// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @linear(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x3x9x7xf32>, %[[G:[^:]*]]: tensor<2x5x4x2xf32>)
// CHECK:         convoy.grid_sample %[[X]], %[[G]] layout(nchw x nhwc -> nhwc)
// CHECK-SAME:        mode(linear) padding(border) align_corners : tensor<2x3x9x7xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
func.func @linear(%x: tensor<2x3x9x7xf32>, %g: tensor<2x5x4x2xf32>)
    -> tensor<2x5x4x3xf32> {
  %0 = convoy.grid_sample %x, %g layout(nchw x nhwc -> nhwc)
      mode(linear) padding(border) align_corners
      : tensor<2x3x9x7xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return %0 : tensor<2x5x4x3xf32>
}

// Three dimensions, in any order, and types of their own.
// CHECK-LABEL: func @nearest_3d(
// CHECK:         convoy.grid_sample {{.*}} layout(dhnwc x cndhw -> wcndh)
// CHECK-SAME:        mode(nearest) padding(reflection) : tensor<8x9x2x7x3xbf16>, tensor<3x2x4x5x6xf16> -> tensor<6x3x2x4x5xbf16>
func.func @nearest_3d(%x: tensor<8x9x2x7x3xbf16>, %g: tensor<3x2x4x5x6xf16>)
    -> tensor<6x3x2x4x5xbf16> {
  %0 = convoy.grid_sample %x, %g layout(dhnwc x cndhw -> wcndh)
      mode(nearest) padding(reflection)
      : tensor<8x9x2x7x3xbf16>, tensor<3x2x4x5x6xf16> -> tensor<6x3x2x4x5xbf16>
  return %0 : tensor<6x3x2x4x5xbf16>
}

// CHECK-LABEL: func @cubic_of_any_size(
// CHECK:         convoy.grid_sample {{.*}} layout(nhwc x nhwc -> nhwc)
// CHECK-SAME:        mode(cubic) padding(zeros) : tensor<?x?x?x?xf32>, tensor<?x?x?x2xf32> -> tensor<?x?x?x?xf32>
func.func @cubic_of_any_size(%x: tensor<?x?x?x?xf32>, %g: tensor<?x?x?x2xf32>)
    -> tensor<?x?x?x?xf32> {
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(cubic) padding(zeros)
      : tensor<?x?x?x?xf32>, tensor<?x?x?x2xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func @without_samples(
// CHECK:         convoy.grid_sample
func.func @without_samples(%x: tensor<1x9x7x0xf32>, %g: tensor<1x0x4x2xf32>)
    -> tensor<1x0x4x0xf32> {
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<1x9x7x0xf32>, tensor<1x0x4x2xf32> -> tensor<1x0x4x0xf32>
  return %0 : tensor<1x0x4x0xf32>
}

// CHECK-LABEL: func @attributes()
// CHECK:         #convoy.sample_layout<nchw x nhwc -> nchw>
// CHECK-SAME:    #convoy.sample_mode<linear>
// CHECK-SAME:    #convoy.sample_padding<zeros>
func.func @attributes() attributes {
    a = #convoy.sample_layout<nchw x nhwc -> nchw>,
    b = #convoy.sample_mode<linear>, c = #convoy.sample_padding<zeros>} {
  return
}
