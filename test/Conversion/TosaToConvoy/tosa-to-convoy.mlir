// RUN: convoy-opt --convoy-raise-tosa --split-input-file %s | FileCheck %s --implicit-check-not="tosa.{{.*}}conv"

// CHECK-LABEL: func @conv2d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[BIAS:[^:]+]]:
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<2x4x8x5xf32>
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[BIAS]] : tensor<5xf32>) outs(%[[EMPTY]] : {{.+}}) dimensions = [0, 1, 2]
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : tensor<2x4x8x5xf32>) layout(nhwc x fhwc -> nhwf)
// CHECK-SAME: window(stride = [2, 1], dilation = [1, 2], pad = {{\[\[}}1, 0], [2, 3]]){{$}}
func.func @conv2d(%input: tensor<2x8x7x4xf32>, %filter: tensor<5x3x3x4xf32>,
    %bias: tensor<5xf32>) -> tensor<2x4x8x5xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 1, 0, 2, 3>,
       stride = array<i64: 2, 1>, dilation = array<i64: 1, 2>}
      : (tensor<2x8x7x4xf32>, tensor<5x3x3x4xf32>, tensor<5xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

// CHECK-LABEL: func @conv3d(
// CHECK: convoy.conv {{.*}} layout(ndhwc x fdhwc -> ndhwf)
// CHECK-SAME: window(stride = [1, 2, 1], dilation = [2, 1, 1], pad = {{\[\[}}1, 2], [0, 1], [0, 0]]){{$}}
func.func @conv3d(%input: tensor<1x4x6x5x2xf32>, %filter: tensor<3x2x3x1x2xf32>,
    %bias: tensor<3xf32>) -> tensor<1x5x3x5x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.conv3d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 1, 2, 0, 1, 0, 0>,
       stride = array<i64: 1, 2, 1>, dilation = array<i64: 2, 1, 1>}
      : (tensor<1x4x6x5x2xf32>, tensor<3x2x3x1x2xf32>, tensor<3xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x3x5x3xf32>
  return %r : tensor<1x5x3x5x3xf32>
}

// -----

// CHECK-LABEL: func @depthwise_conv2d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[BIAS:[^:]+]]:
// CHECK-DAG: %[[X:.+]] = tensor.expand_shape %[[INPUT]] {{.+}} into tensor<1x7x9x4x1xf32>
// CHECK-DAG: %[[W:.+]] = tensor.expand_shape %[[FILTER]] {{.+}} into tensor<3x2x4x1x5xf32>
// CHECK-DAG: %[[B:.+]] = tensor.expand_shape %[[BIAS]] {{.+}} into tensor<4x5xf32>
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[B]] : {{.+}}) dimensions = [0, 1, 2]
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%[[X]], %[[W]] :
// CHECK-SAME: outs(%[[INIT]] : tensor<1x6x5x4x5xf32>) layout(nhwgc x hwgcf -> nhwgf)
// CHECK-SAME: window(stride = [1, 2], pad = {{\[\[}}1, 0], [0, 1]]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{\[\[}}0], [1], [2], [3, 4]] : {{.+}} into tensor<1x6x5x20xf32>
func.func @depthwise_conv2d(%input: tensor<1x7x9x4xf32>,
    %filter: tensor<3x2x4x5xf32>, %bias: tensor<20xf32>)
    -> tensor<1x6x5x20xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 1, 0, 0, 1>,
       stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>}
      : (tensor<1x7x9x4xf32>, tensor<3x2x4x5xf32>, tensor<20xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x5x20xf32>
  return %r : tensor<1x6x5x20xf32>
}

// -----

// CHECK-LABEL: func @transpose_conv2d(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[BIAS:[^:]+]]:
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<1x8x11x5xf32>
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[BIAS]] : tensor<5xf32>) outs(%[[EMPTY]] : {{.+}}) dimensions = [0, 1, 2]
// CHECK: convoy.conv_backward_data ins(%[[INPUT]], %[[FILTER]] :
// CHECK-SAME: outs(%[[INIT]] : tensor<1x8x11x5xf32>) layout(nhwc x chwf -> nhwf)
// CHECK-SAME: window(stride = [2, 3], pad = {{\[\[}}1, 0], [-1, -2]]){{$}}
func.func @transpose_conv2d(%input: tensor<1x4x3x2xf32>,
    %filter: tensor<5x3x2x2xf32>, %bias: tensor<5xf32>)
    -> tensor<1x8x11x5xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, out_pad = array<i64: -1, 0, 1, 2>,
       stride = array<i64: 2, 3>}
      : (tensor<1x4x3x2xf32>, tensor<5x3x2x2xf32>, tensor<5xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x11x5xf32>
  return %r : tensor<1x8x11x5xf32>
}

// -----

// One bias for all channels; zero points that are constants.
// CHECK-LABEL: func @constant_zero_points(
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<1xi32>
// CHECK: %[[SCALAR:.+]] = tensor.collapse_shape %[[BIAS]] [] : tensor<1xi32> into tensor<i32>
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[SCALAR]] : {{.+}}) dimensions = [0, 1, 2, 3]
// CHECK-DAG: %[[ZX:.+]] = arith.constant -128 : i32
// CHECK-DAG: %[[ZW:.+]] = arith.constant 7 : i32
// CHECK: convoy.conv {{.*}} outs(%[[INIT]] : tensor<1x6x7x5xi32>) zero_points(%[[ZX]], %[[ZW]] : i32, i32)
// CHECK-SAME: layout(nhwc x fhwc -> nhwf){{$}}
func.func @constant_zero_points(%input: tensor<1x8x8x4xi8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<1xi32>) -> tensor<1x6x7x5xi32> {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}>
      : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xi8>, tensor<5x3x2x4xi8>, tensor<1xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x5xi32>
  return %r : tensor<1x6x7x5xi32>
}

// -----

// Zero points that are known only at run time.
// CHECK-LABEL: func @dynamic_zero_points(
// CHECK-SAME: %[[ZX:[a-z0-9]+]]: tensor<1xi8>, %[[ZW:[a-z0-9]+]]: tensor<1xi8>
// CHECK: %[[X:.+]] = tensor.extract %[[ZX]]
// CHECK: %[[XX:.+]] = arith.extsi %[[X]] : i8 to i32
// CHECK: %[[W:.+]] = tensor.extract %[[ZW]]
// CHECK: %[[WW:.+]] = arith.extsi %[[W]] : i8 to i32
// CHECK: convoy.conv {{.*}} zero_points(%[[XX]], %[[WW]] : i32, i32)
func.func @dynamic_zero_points(%input: tensor<1x8x8x4xi8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x5xi32> {
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xi8>, tensor<5x3x2x4xi8>, tensor<5xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x5xi32>
  return %r : tensor<1x6x7x5xi32>
}

// -----

// The accumulator stands where it is not the result's type, and where it is
// narrow on purpose.
// CHECK-LABEL: func @accumulators(
// CHECK: convoy.conv {{.*}} outs({{.*}}xf16>) {{.*}} numerics(accumulator = f32){{$}}
// CHECK: convoy.conv {{.*}} outs({{.*}}xf16>) {{.*}} numerics(accumulator = f16){{$}}
// CHECK: convoy.conv {{.*}} outs({{.*}}xbf16>) {{.*}} numerics(accumulator = f32){{$}}
func.func @accumulators(%input: tensor<1x8x8x4xf16>,
    %filter: tensor<5x3x2x4xf16>, %bias: tensor<5xf16>,
    %brain_input: tensor<1x8x8x4xbf16>, %brain_filter: tensor<5x3x2x4xbf16>,
    %brain_bias: tensor<5xbf16>)
    -> (tensor<1x6x7x5xf16>, tensor<1x6x7x5xf16>, tensor<1x6x7x5xbf16>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}>
      : () -> tensor<1xf16>
  %brain_zero = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}>
      : () -> tensor<1xbf16>
  %a = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf16>, tensor<5x3x2x4xf16>, tensor<5xf16>,
         tensor<1xf16>, tensor<1xf16>) -> tensor<1x6x7x5xf16>
  %b = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f16, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf16>, tensor<5x3x2x4xf16>, tensor<5xf16>,
         tensor<1xf16>, tensor<1xf16>) -> tensor<1x6x7x5xf16>
  %c = tosa.conv2d %brain_input, %brain_filter, %brain_bias, %brain_zero,
      %brain_zero
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xbf16>, tensor<5x3x2x4xbf16>, tensor<5xbf16>,
         tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x6x7x5xbf16>
  return %a, %b, %c
      : tensor<1x6x7x5xf16>, tensor<1x6x7x5xf16>, tensor<1x6x7x5xbf16>
}

// -----

// Height and batch are computed; width and channels are known from the operands.
// CHECK: #[[$HEIGHT:.+]] = affine_map<()[s0, s1] -> ((s0 - s1 * 3 + 3) floordiv 2 + 2)>
// CHECK-LABEL: func @dynamic_sizes(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]:
// CHECK-DAG: %[[BATCH:.+]] = tensor.dim %[[INPUT]], %c0
// CHECK-DAG: %[[ROWS:.+]] = tensor.dim %[[INPUT]], %c1
// CHECK-DAG: %[[TAPS:.+]] = tensor.dim %[[FILTER]], %c1
// CHECK: %[[HEIGHT:.+]] = affine.apply #[[$HEIGHT]]()[%[[ROWS]], %[[TAPS]]]
// CHECK: tensor.empty(%[[BATCH]], %[[HEIGHT]]) : tensor<?x?x7x5xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv
// CHECK: tensor.cast %[[SUMS]] : tensor<?x?x7x5xf32> to tensor<?x?x?x?xf32>
func.func @dynamic_sizes(%input: tensor<?x?x8x4xf32>,
    %filter: tensor<5x?x2x4xf32>, %bias: tensor<1xf32>)
    -> tensor<?x?x?x?xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, pad = array<i64: 1, 2, 0, 0>,
       stride = array<i64: 2, 1>, dilation = array<i64: 3, 1>}
      : (tensor<?x?x8x4xf32>, tensor<5x?x2x4xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK: #[[$HEIGHT:.+]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: func @dynamic_transpose_sizes(
// CHECK-SAME: %[[INPUT:[a-z0-9]+]]: tensor<1x?x3x2xf32>
// CHECK: %[[ROWS:.+]] = tensor.dim %[[INPUT]], %c1
// CHECK: %[[HEIGHT:.+]] = affine.apply #[[$HEIGHT]]()[%[[ROWS]]]
// CHECK: tensor.empty(%[[HEIGHT]]) : tensor<1x?x11x5xf32>
// CHECK: convoy.conv_backward_data
func.func @dynamic_transpose_sizes(%input: tensor<1x?x3x2xf32>,
    %filter: tensor<5x3x2x2xf32>, %bias: tensor<5xf32>)
    -> tensor<1x?x?x?xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %input, %filter, %bias, %zero, %zero
      {acc_type = f32, out_pad = array<i64: -1, 0, 1, 2>,
       stride = array<i64: 2, 3>}
      : (tensor<1x?x3x2xf32>, tensor<5x3x2x2xf32>, tensor<5xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x?xf32>
  return %r : tensor<1x?x?x?xf32>
}
