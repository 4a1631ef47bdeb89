// RUN: convoy-opt --convoy-raise-linalg %s | FileCheck %s --implicit-check-not=linalg.

// Every named linalg convolution, with its strides and dilations. Dimensions
// that the convoy dialect names and the op lacks are added with size one.

// CHECK-LABEL: func @conv_1d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<1x6x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<1x4x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(nwc x wcf -> nwf){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<4xf32>
func.func @conv_1d(%input: tensor<6xf32>, %filter: tensor<3xf32>,
    %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.conv_1d
      ins(%input, %filter : tensor<6xf32>, tensor<3xf32>)
      outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @conv_2d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<1x4x6x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<2x3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<1x3x4x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(nhwc x hwcf -> nhwf){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<3x4xf32>
func.func @conv_2d(%input: tensor<4x6xf32>, %filter: tensor<2x3xf32>,
    %init: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.conv_2d
      ins(%input, %filter : tensor<4x6xf32>, tensor<2x3xf32>)
      outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func @conv_3d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<1x4x4x6x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x2x3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<1x2x3x4x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(ndhwc x dhwcf -> ndhwf){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x4xf32>
func.func @conv_3d(%input: tensor<4x4x6xf32>, %filter: tensor<3x2x3xf32>,
    %init: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.conv_3d
      ins(%input, %filter : tensor<4x4x6xf32>, tensor<3x2x3xf32>)
      outs(%init : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @conv_1d_nwc_wcf(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nwc x wcf -> nwf) window(stride = [2]){{$}}
func.func @conv_1d_nwc_wcf(%input: tensor<2x9x4xf32>, %filter: tensor<3x4x5xf32>,
    %init: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
      ins(%input, %filter : tensor<2x9x4xf32>, tensor<3x4x5xf32>)
      outs(%init : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @conv_1d_ncw_fcw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ncw x fcw -> nfw) window(stride = [2]){{$}}
func.func @conv_1d_ncw_fcw(%input: tensor<2x4x9xf32>, %filter: tensor<5x4x3xf32>,
    %init: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
      ins(%input, %filter : tensor<2x4x9xf32>, tensor<5x4x3xf32>)
      outs(%init : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// CHECK-LABEL: func @conv_2d_nhwc_hwcf(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nhwc x hwcf -> nhwf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwc_hwcf(%input: tensor<2x6x9x4xf32>, %filter: tensor<2x3x4x5xf32>,
    %init: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x6x9x4xf32>, tensor<2x3x4x5xf32>)
      outs(%init : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: func @conv_2d_nhwc_fhwc(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nhwc x fhwc -> nhwf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwc_fhwc(%input: tensor<2x6x9x4xf32>, %filter: tensor<5x2x3x4xf32>,
    %init: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x6x9x4xf32>, tensor<5x2x3x4xf32>)
      outs(%init : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: func @conv_2d_nhwc_hwcf_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwc x hwcf -> nhwf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwc_hwcf_q(%input: tensor<2x6x9x4xi8>, %filter: tensor<2x3x4x5xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x6x9x4xi8>, tensor<2x3x4x5xi8>, i32, i32)
      outs(%init : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}

// CHECK-LABEL: func @conv_2d_nhwc_fhwc_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwc x fhwc -> nhwf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwc_fhwc_q(%input: tensor<2x6x9x4xi8>, %filter: tensor<5x2x3x4xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x6x9x4xi8>, tensor<5x2x3x4xi8>, i32, i32)
      outs(%init : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}

// CHECK-LABEL: func @conv_2d_nchw_fchw_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nchw x fchw -> nfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nchw_fchw_q(%input: tensor<2x4x6x9xi8>, %filter: tensor<5x4x2x3xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x5x3x4xi32>) -> tensor<2x5x3x4xi32> {
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x4x6x9xi8>, tensor<5x4x2x3xi8>, i32, i32)
      outs(%init : tensor<2x5x3x4xi32>) -> tensor<2x5x3x4xi32>
  return %r : tensor<2x5x3x4xi32>
}

// CHECK-LABEL: func @conv_2d_nchw_fchw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nchw x fchw -> nfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nchw_fchw(%input: tensor<2x4x6x9xf32>, %filter: tensor<5x4x2x3xf32>,
    %init: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x4x6x9xf32>, tensor<5x4x2x3xf32>)
      outs(%init : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  return %r : tensor<2x5x3x4xf32>
}

// CHECK-LABEL: func @conv_2d_ngchw_fgchw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ngchw x fgchw -> ngfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_ngchw_fgchw(%input: tensor<2x3x4x6x9xf32>, %filter: tensor<5x3x4x2x3xf32>,
    %init: tensor<2x3x5x3x4xf32>) -> tensor<2x3x5x3x4xf32> {
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x3x4x6x9xf32>, tensor<5x3x4x2x3xf32>)
      outs(%init : tensor<2x3x5x3x4xf32>) -> tensor<2x3x5x3x4xf32>
  return %r : tensor<2x3x5x3x4xf32>
}

// CHECK-LABEL: func @conv_2d_ngchw_gfchw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ngchw x gfchw -> ngfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_ngchw_gfchw(%input: tensor<2x3x4x6x9xf32>, %filter: tensor<3x5x4x2x3xf32>,
    %init: tensor<2x3x5x3x4xf32>) -> tensor<2x3x5x3x4xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x3x4x6x9xf32>, tensor<3x5x4x2x3xf32>)
      outs(%init : tensor<2x3x5x3x4xf32>) -> tensor<2x3x5x3x4xf32>
  return %r : tensor<2x3x5x3x4xf32>
}

// CHECK-LABEL: func @conv_2d_nhwgc_gfhwc(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nhwgc x gfhwc -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwgc_gfhwc(%input: tensor<2x6x9x3x4xf32>, %filter: tensor<3x5x2x3x4xf32>,
    %init: tensor<2x3x4x3x5xf32>) -> tensor<2x3x4x3x5xf32> {
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x6x9x3x4xf32>, tensor<3x5x2x3x4xf32>)
      outs(%init : tensor<2x3x4x3x5xf32>) -> tensor<2x3x4x3x5xf32>
  return %r : tensor<2x3x4x3x5xf32>
}

// CHECK-LABEL: func @conv_2d_nhwgc_gfhwc_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwgc x gfhwc -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_nhwgc_gfhwc_q(%input: tensor<2x6x9x3x4xi8>, %filter: tensor<3x5x2x3x4xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x4x3x5xi32>) -> tensor<2x3x4x3x5xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x6x9x3x4xi8>, tensor<3x5x2x3x4xi8>, i32, i32)
      outs(%init : tensor<2x3x4x3x5xi32>) -> tensor<2x3x4x3x5xi32>
  return %r : tensor<2x3x4x3x5xi32>
}

// CHECK-LABEL: func @conv_2d_ngchw_gfchw_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(ngchw x gfchw -> ngfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @conv_2d_ngchw_gfchw_q(%input: tensor<2x3x4x6x9xi8>, %filter: tensor<3x5x4x2x3xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x5x3x4xi32>) -> tensor<2x3x5x3x4xi32> {
  %r = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x3x4x6x9xi8>, tensor<3x5x4x2x3xi8>, i32, i32)
      outs(%init : tensor<2x3x5x3x4xi32>) -> tensor<2x3x5x3x4xi32>
  return %r : tensor<2x3x5x3x4xi32>
}

// CHECK-LABEL: func @conv_3d_ndhwc_dhwcf(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ndhwc x dhwcf -> ndhwf) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
func.func @conv_3d_ndhwc_dhwcf(%input: tensor<2x4x6x9x4xf32>, %filter: tensor<3x2x3x4x5xf32>,
    %init: tensor<2x2x3x4x5xf32>) -> tensor<2x2x3x4x5xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter : tensor<2x4x6x9x4xf32>, tensor<3x2x3x4x5xf32>)
      outs(%init : tensor<2x2x3x4x5xf32>) -> tensor<2x2x3x4x5xf32>
  return %r : tensor<2x2x3x4x5xf32>
}

// CHECK-LABEL: func @conv_3d_ndhwc_dhwcf_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(ndhwc x dhwcf -> ndhwf) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
func.func @conv_3d_ndhwc_dhwcf_q(%input: tensor<2x4x6x9x4xi8>, %filter: tensor<3x2x3x4x5xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x2x3x4x5xi32>) -> tensor<2x2x3x4x5xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x4x6x9x4xi8>, tensor<3x2x3x4x5xi8>, i32, i32)
      outs(%init : tensor<2x2x3x4x5xi32>) -> tensor<2x2x3x4x5xi32>
  return %r : tensor<2x2x3x4x5xi32>
}

// CHECK-LABEL: func @conv_3d_ncdhw_fcdhw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ncdhw x fcdhw -> nfdhw) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
func.func @conv_3d_ncdhw_fcdhw(%input: tensor<2x4x4x6x9xf32>, %filter: tensor<5x4x3x2x3xf32>,
    %init: tensor<2x5x2x3x4xf32>) -> tensor<2x5x2x3x4xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter : tensor<2x4x4x6x9xf32>, tensor<5x4x3x2x3xf32>)
      outs(%init : tensor<2x5x2x3x4xf32>) -> tensor<2x5x2x3x4xf32>
  return %r : tensor<2x5x2x3x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_nwc_wc(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x4x3x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(nwgc x wgfc -> nwgf) window(stride = [2]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x4x3xf32>
func.func @depthwise_conv_1d_nwc_wc(%input: tensor<2x9x3xf32>, %filter: tensor<3x3xf32>,
    %init: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
      ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3xf32>)
      outs(%init : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_ncw_cw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x3x1x9xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x1x1x3xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x3x1x4xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(ngcw x gfcw -> ngfw) window(stride = [2]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x4xf32>
func.func @depthwise_conv_1d_ncw_cw(%input: tensor<2x3x9xf32>, %filter: tensor<3x3xf32>,
    %init: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
      ins(%input, %filter : tensor<2x3x9xf32>, tensor<3x3xf32>)
      outs(%init : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_nwc_wcm(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x3x1x5xf32>
// CHECK: convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nwgc x wgcf -> nwgf) window(stride = [2]){{$}}
func.func @depthwise_conv_1d_nwc_wcm(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>,
    %init: tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
      ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  return %r : tensor<2x4x3x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwc(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x6x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<2x3x3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x3x4x3x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(nhwgc x hwgfc -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x4x3xf32>
func.func @depthwise_conv_2d_nhwc_hwc(%input: tensor<2x6x9x3xf32>, %filter: tensor<2x3x3xf32>,
    %init: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x6x9x3xf32>, tensor<2x3x3xf32>)
      outs(%init : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nchw_chw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x3x1x6x9xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x1x1x2x3xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x3x1x3x4xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(ngchw x gfchw -> ngfhw) window(stride = [1, 2], dilation = [3, 1]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x3x4xf32>
func.func @depthwise_conv_2d_nchw_chw(%input: tensor<2x3x6x9xf32>, %filter: tensor<3x2x3xf32>,
    %init: tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x3x6x9xf32>, tensor<3x2x3xf32>)
      outs(%init : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwc_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x6x9x3x1xi8>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<2x3x3x1x1xi8>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x3x4x3x1xi32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwgc x hwgfc -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x4x3xi32>
func.func @depthwise_conv_2d_nhwc_hwc_q(%input: tensor<2x6x9x3xi8>, %filter: tensor<2x3x3xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x6x9x3xi8>, tensor<2x3x3xi8>, i32, i32)
      outs(%init : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwcm(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x6x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<2x3x3x1x5xf32>
// CHECK: convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(nhwgc x hwgcf -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @depthwise_conv_2d_nhwc_hwcm(%input: tensor<2x6x9x3xf32>, %filter: tensor<2x3x3x5xf32>,
    %init: tensor<2x3x4x3x5xf32>) -> tensor<2x3x4x3x5xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x6x9x3xf32>, tensor<2x3x3x5xf32>)
      outs(%init : tensor<2x3x4x3x5xf32>) -> tensor<2x3x4x3x5xf32>
  return %r : tensor<2x3x4x3x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwcm_q(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[ZX:[^:]+]]: {{[^%]+}}%[[ZW:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x6x9x3x1xi8>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<2x3x3x1x5xi8>
// CHECK: convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : {{.+}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwgc x hwgcf -> nhwgf) window(stride = [1, 2], dilation = [3, 1]){{$}}
func.func @depthwise_conv_2d_nhwc_hwcm_q(%input: tensor<2x6x9x3xi8>, %filter: tensor<2x3x3x5xi8>, %zx: i32, %zw: i32,
    %init: tensor<2x3x4x3x5xi32>) -> tensor<2x3x4x3x5xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%input, %filter, %zx, %zw : tensor<2x6x9x3xi8>, tensor<2x3x3x5xi8>, i32, i32)
      outs(%init : tensor<2x3x4x3x5xi32>) -> tensor<2x3x4x3x5xi32>
  return %r : tensor<2x3x4x3x5xi32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ndhwc_dhwc(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x4x6x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x2x3x3x1x1xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x2x3x4x3x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(ndhwgc x dhwgfc -> ndhwgf) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x2x3x4x3xf32>
func.func @depthwise_conv_3d_ndhwc_dhwc(%input: tensor<2x4x6x9x3xf32>, %filter: tensor<3x2x3x3xf32>,
    %init: tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x4x3xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter : tensor<2x4x6x9x3xf32>, tensor<3x2x3x3xf32>)
      outs(%init : tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x4x3xf32>
  return %r : tensor<2x2x3x4x3xf32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ncdhw_cdhw(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x3x1x4x6x9xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x1x1x3x2x3xf32>
// CHECK: %[[UNIT_INIT:.+]] = tensor.expand_shape %[[INIT]] {{.+}} into tensor<2x3x1x2x3x4xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[UNIT_INIT]] :
// CHECK-SAME: layout(ngcdhw x gfcdhw -> ngfdhw) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x3x2x3x4xf32>
func.func @depthwise_conv_3d_ncdhw_cdhw(%input: tensor<2x3x4x6x9xf32>, %filter: tensor<3x3x2x3xf32>,
    %init: tensor<2x3x2x3x4xf32>) -> tensor<2x3x2x3x4xf32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter : tensor<2x3x4x6x9xf32>, tensor<3x3x2x3xf32>)
      outs(%init : tensor<2x3x2x3x4xf32>) -> tensor<2x3x2x3x4xf32>
  return %r : tensor<2x3x2x3x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ndhwc_dhwcm(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: %[[UNIT_INPUT:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<2x4x6x9x3x1xf32>
// CHECK: %[[UNIT_FILTER:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x2x3x3x1x5xf32>
// CHECK: convoy.conv ins(%[[UNIT_INPUT]], %[[UNIT_FILTER]] :
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(ndhwgc x dhwgcf -> ndhwgf) window(stride = [1, 1, 2], dilation = [1, 3, 1]){{$}}
func.func @depthwise_conv_3d_ndhwc_dhwcm(%input: tensor<2x4x6x9x3xf32>, %filter: tensor<3x2x3x3x5xf32>,
    %init: tensor<2x2x3x4x3x5xf32>) -> tensor<2x2x3x4x3x5xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<[1, 3, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
      ins(%input, %filter : tensor<2x4x6x9x3xf32>, tensor<3x2x3x3x5xf32>)
      outs(%init : tensor<2x2x3x4x3x5xf32>) -> tensor<2x2x3x4x3x5xf32>
  return %r : tensor<2x2x3x4x3x5xf32>
}
