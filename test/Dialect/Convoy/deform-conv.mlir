// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @masked(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x4x9x7xf32>, %[[W:[^:]*]]: tensor<6x4x3x2xf32>, %[[D:[^:]*]]: tensor<1x24x7x6xf32>, %[[M:[^:]*]]: tensor<1x12x7x6xf32>, %[[INIT:[^:]*]]: tensor<1x6x7x6xf32>)
// CHECK:         convoy.deform_conv ins(%[[X]], %[[W]], %[[D]] : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
// CHECK-SAME:        mask(%[[M]] : tensor<1x12x7x6xf32>) outs(%[[INIT]] : tensor<1x6x7x6xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw){{$}}
func.func @masked(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>,
    %init: tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// Groups, a window, and types of their own.
// CHECK-LABEL: func @groups(
// CHECK:         convoy.deform_conv ins({{.*}} : tensor<9x7x2x2x3xbf16>, tensor<2x3x2x3x5xbf16>, tensor<4x2x2x36xf16>)
// CHECK-SAME:        outs({{.*}} : tensor<2x4x2x2x5xbf16>) layout(hwngc x gchwf -> nhwgf) offset_layout(hwnc)
// CHECK-SAME:        window(stride = [3, 2], dilation = [1, 2], pad = [{{\[}}1, 1], [1, 0]])
func.func @groups(%x: tensor<9x7x2x2x3xbf16>, %w: tensor<2x3x2x3x5xbf16>,
    %d: tensor<4x2x2x36xf16>, %init: tensor<2x4x2x2x5xbf16>)
    -> tensor<2x4x2x2x5xbf16> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<9x7x2x2x3xbf16>, tensor<2x3x2x3x5xbf16>, tensor<4x2x2x36xf16>)
      outs(%init : tensor<2x4x2x2x5xbf16>)
      layout(hwngc x gchwf -> nhwgf) offset_layout(hwnc)
      window(stride = [3, 2], dilation = [1, 2], pad = [[1, 1], [1, 0]])
  return %0 : tensor<2x4x2x2x5xbf16>
}

// CHECK-LABEL: func @of_any_size(
// CHECK:         convoy.deform_conv {{.*}} outs(%{{.*}} : tensor<?x?x?x?xf32>)
func.func @of_any_size(%x: tensor<?x?x?x4xf32>, %w: tensor<3x3x4x?xf32>,
    %d: tensor<?x18x?x?xf32>, %init: tensor<?x?x?x?xf32>)
    -> tensor<?x?x?x?xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<?x?x?x4xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x?x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<?x?x?x?xf32>
}
