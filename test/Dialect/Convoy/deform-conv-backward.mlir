// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @filter(
// CHECK:         convoy.deform_conv_backward_filter ins({{.*}} : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
// CHECK-SAME:        mask({{.*}} : tensor<1x12x7x6xf32>) outs({{.*}} : tensor<6x4x3x2xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw){{$}}
func.func @filter(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>,
    %init: tensor<6x4x3x2xf32>) -> tensor<6x4x3x2xf32> {
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<6x4x3x2xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<6x4x3x2xf32>
}

// Groups, a window, types of their own, and a sum that is not rounded to bf16.
// CHECK-LABEL: func @filter_of_groups(
// CHECK:         convoy.deform_conv_backward_filter ins({{.*}} : tensor<2x4x2x2x5xbf16>, tensor<9x7x2x2x3xbf16>, tensor<4x2x2x36xf16>)
// CHECK-SAME:        outs({{.*}} : tensor<2x3x2x3x5xf32>) layout(hwngc x gchwf -> nhwgf) offset_layout(hwnc)
// CHECK-SAME:        window(stride = [3, 2], dilation = [1, 2], pad = [{{\[}}1, 1], [1, 0]])
func.func @filter_of_groups(%dy: tensor<2x4x2x2x5xbf16>,
    %x: tensor<9x7x2x2x3xbf16>, %d: tensor<4x2x2x36xf16>,
    %init: tensor<2x3x2x3x5xf32>) -> tensor<2x3x2x3x5xf32> {
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<2x4x2x2x5xbf16>, tensor<9x7x2x2x3xbf16>, tensor<4x2x2x36xf16>)
      outs(%init : tensor<2x3x2x3x5xf32>)
      layout(hwngc x gchwf -> nhwgf) offset_layout(hwnc)
      window(stride = [3, 2], dilation = [1, 2], pad = [[1, 1], [1, 0]])
  return %0 : tensor<2x3x2x3x5xf32>
}

// CHECK-LABEL: func @mask(
// CHECK:         convoy.deform_conv_backward_mask ins({{.*}} : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
// CHECK-SAME:        outs({{.*}} : tensor<1x12x7x6xf16>) layout(nchw x fchw -> nfhw) offset_layout(nchw){{$}}
func.func @mask(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x12x7x6xf16>) -> tensor<1x12x7x6xf16> {
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>,
            tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x12x7x6xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x12x7x6xf16>
}

// CHECK-LABEL: func @offset(
// CHECK:         convoy.deform_conv_backward_offset ins({{.*}} : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
// CHECK-SAME:        mask({{.*}} : tensor<1x12x7x6xf32>) outs({{.*}} : tensor<1x24x7x6xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw){{$}}
func.func @offset(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %m: tensor<1x12x7x6xf32>, %init: tensor<1x24x7x6xf32>)
    -> tensor<1x24x7x6xf32> {
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>,
            tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x24x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x24x7x6xf32>
}

// CHECK-LABEL: func @input_of_any_size(
// CHECK:         convoy.deform_conv_backward_input ins({{.*}} : tensor<?x?x?x?xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
// CHECK-SAME:        outs({{.*}} : tensor<?x?x?x4xf32>) layout(nhwc x hwcf -> nhwf) offset_layout(nchw){{$}}
func.func @input_of_any_size(%dy: tensor<?x?x?x?xf32>, %w: tensor<3x3x4x?xf32>,
    %d: tensor<?x18x?x?xf32>, %init: tensor<?x?x?x4xf32>)
    -> tensor<?x?x?x4xf32> {
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<?x?x?x?xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x?x?x4xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<?x?x?x4xf32>
}
