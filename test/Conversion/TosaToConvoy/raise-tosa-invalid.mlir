// RUN: convoy-opt --convoy-raise-tosa %s --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=convoy.

// CHECK-LABEL: func @unranked_input(
// CHECK: tosa.conv2d
func.func @unranked_input(%input: tensor<*xf32>,
    %filter: tensor<5x3x2x4xf32>, %bias: tensor<5xf32>, %zx: tensor<1xf32>,
    %zw: tensor<1xf32>) -> tensor<1x6x7x5xf32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected ranked tensors, but got tensor<*xf32>}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<*xf32>, tensor<5x3x2x4xf32>, tensor<5xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// -----

// CHECK-LABEL: func @dynamic_bias(
// CHECK: tosa.conv2d
func.func @dynamic_bias(%input: tensor<1x8x8x4xf32>,
    %filter: tensor<5x3x2x4xf32>, %bias: tensor<?xf32>, %zx: tensor<1xf32>,
    %zw: tensor<1xf32>) -> tensor<1x6x7x5xf32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected a bias of static size}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<5x3x2x4xf32>, tensor<?xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// -----

// CHECK-LABEL: func @unsigned_elements(
// CHECK: tosa.conv2d
func.func @unsigned_elements(%input: tensor<1x8x8x4xui8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi32>, %zx: tensor<1xui8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x5xi32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected signless integer or float elements, but got ui8}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xui8>, tensor<5x3x2x4xi8>, tensor<5xi32>,
         tensor<1xui8>, tensor<1xi8>) -> tensor<1x6x7x5xi32>
  return %r : tensor<1x6x7x5xi32>
}

// -----

// CHECK-LABEL: func @i48_sums(
// CHECK: tosa.conv2d
func.func @i48_sums(%input: tensor<1x8x8x4xi16>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi48>, %zx: tensor<1xi16>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x5xi48> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected elements of 8, 16, 32 or more bits, a power of two, but got i48}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i48, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xi16>, tensor<5x3x2x4xi8>, tensor<5xi48>,
         tensor<1xi16>, tensor<1xi8>) -> tensor<1x6x7x5xi48>
  return %r : tensor<1x6x7x5xi48>
}

// -----

// CHECK-LABEL: func @narrow_accumulator(
// CHECK: tosa.conv2d
func.func @narrow_accumulator(%input: tensor<1x8x8x4xf16>,
    %filter: tensor<5x3x2x4xf32>, %bias: tensor<5xf16>, %zx: tensor<1xf16>,
    %zw: tensor<1xf32>) -> tensor<1x6x7x5xf16> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected an accumulator that holds each value of f32, but got f16}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f16, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf16>, tensor<5x3x2x4xf32>, tensor<5xf16>,
         tensor<1xf16>, tensor<1xf32>) -> tensor<1x6x7x5xf16>
  return %r : tensor<1x6x7x5xf16>
}

// -----

// CHECK-LABEL: func @wide_result(
// CHECK: tosa.conv2d
func.func @wide_result(%input: tensor<1x8x8x4xf16>,
    %filter: tensor<5x3x2x4xf16>, %bias: tensor<5xf32>, %zx: tensor<1xf16>,
    %zw: tensor<1xf16>) -> tensor<1x6x7x5xf32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected a result of type f16 or of a narrower float type, but got f32}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f16, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf16>, tensor<5x3x2x4xf16>, tensor<5xf32>,
         tensor<1xf16>, tensor<1xf16>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// -----

// CHECK-LABEL: func @integer_result(
// CHECK: tosa.conv2d
func.func @integer_result(%input: tensor<1x8x8x4xf16>,
    %filter: tensor<5x3x2x4xf16>, %bias: tensor<5xi8>, %zx: tensor<1xf16>,
    %zw: tensor<1xf16>) -> tensor<1x6x7x5xi8> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected a result of type f16 or of a narrower float type, but got i8}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f16, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf16>, tensor<5x3x2x4xf16>, tensor<5xi8>,
         tensor<1xf16>, tensor<1xf16>) -> tensor<1x6x7x5xi8>
  return %r : tensor<1x6x7x5xi8>
}

// -----

// CHECK-LABEL: func @dynamic_float_zero_point(
// CHECK: tosa.conv2d
func.func @dynamic_float_zero_point(%input: tensor<1x8x8x4xf32>,
    %filter: tensor<5x3x2x4xf32>, %bias: tensor<5xf32>, %zx: tensor<1xf32>,
    %zw: tensor<1xf32>) -> tensor<1x6x7x5xf32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected constant zero points of float elements}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = f32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<5x3x2x4xf32>, tensor<5xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// -----

// CHECK-LABEL: func @batch_differs(
// CHECK: tosa.conv2d
func.func @batch_differs(%input: tensor<2x8x8x4xi8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x5xi32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected one size of n, but got 2 and 1}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x8x8x4xi8>, tensor<5x3x2x4xi8>, tensor<5xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x5xi32>
  return %r : tensor<1x6x7x5xi32>
}

// -----

// CHECK-LABEL: func @channels_differ(
// CHECK: tosa.conv2d
func.func @channels_differ(%input: tensor<1x8x8x3xi8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x5xi32> {
  // expected-warning @below {{'tosa.conv2d' op was not raised}}
  // expected-note @below {{expected one size of c, but got 3 and 4}}
  %r = tosa.conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x3xi8>, tensor<5x3x2x4xi8>, tensor<5xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x5xi32>
  return %r : tensor<1x6x7x5xi32>
}

// -----

// CHECK-LABEL: func @depthwise_channels_differ(
// CHECK: tosa.depthwise_conv2d
func.func @depthwise_channels_differ(%input: tensor<1x8x8x3xi8>,
    %filter: tensor<3x2x4x5xi8>, %bias: tensor<20xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x20xi32> {
  // expected-warning @below {{'tosa.depthwise_conv2d' op was not raised}}
  // expected-note @below {{expected one size of g, but got 3 and 4}}
  %r = tosa.depthwise_conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x3xi8>, tensor<3x2x4x5xi8>, tensor<20xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x20xi32>
  return %r : tensor<1x6x7x20xi32>
}

// -----

// CHECK-LABEL: func @depthwise_dynamic_channels(
// CHECK: tosa.depthwise_conv2d
func.func @depthwise_dynamic_channels(%input: tensor<1x8x8x4xi8>,
    %filter: tensor<3x2x?x5xi8>, %bias: tensor<20xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x20xi32> {
  // expected-warning @below {{'tosa.depthwise_conv2d' op was not raised}}
  // expected-note @below {{expected a filter with static numbers of channels}}
  %r = tosa.depthwise_conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xi8>, tensor<3x2x?x5xi8>, tensor<20xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x20xi32>
  return %r : tensor<1x6x7x20xi32>
}

// -----

// CHECK-LABEL: func @depthwise_output_channels_differ(
// CHECK: tosa.depthwise_conv2d
func.func @depthwise_output_channels_differ(%input: tensor<1x8x8x4xi8>,
    %filter: tensor<3x2x4x5xi8>, %bias: tensor<18xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x6x7x18xi32> {
  // expected-warning @below {{'tosa.depthwise_conv2d' op was not raised}}
  // expected-note @below {{expected 20 output channels, but got 18}}
  %r = tosa.depthwise_conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x8x8x4xi8>, tensor<3x2x4x5xi8>, tensor<18xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x18xi32>
  return %r : tensor<1x6x7x18xi32>
}

// -----

// CHECK-LABEL: func @transpose_channels_differ(
// CHECK: tosa.transpose_conv2d
func.func @transpose_channels_differ(%input: tensor<1x8x8x3xi8>,
    %filter: tensor<5x3x2x4xi8>, %bias: tensor<5xi32>, %zx: tensor<1xi8>,
    %zw: tensor<1xi8>) -> tensor<1x10x9x5xi32> {
  // expected-warning @below {{'tosa.transpose_conv2d' op was not raised}}
  // expected-note @below {{expected one size of f, but got 3 and 4}}
  %r = tosa.transpose_conv2d %input, %filter, %bias, %zx, %zw
      {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>,
       stride = array<i64: 1, 1>}
      : (tensor<1x8x8x3xi8>, tensor<5x3x2x4xi8>, tensor<5xi32>,
         tensor<1xi8>, tensor<1xi8>) -> tensor<1x10x9x5xi32>
  return %r : tensor<1x10x9x5xi32>
}
