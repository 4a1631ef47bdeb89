// RUN: convoy-opt %s --convoy-check-sums --split-input-file --verify-diagnostics | FileCheck %s

// Products of s8 are at most 128 * 128, 131072 of which exceed i32.
// CHECK-LABEL: @fits
// CHECK: convoy.conv
func.func @fits(%x: tensor<1x1x131071xi8>, %w: tensor<1x131071x2xi8>, %init: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x1x131071xi8>, tensor<1x131071x2xi8>) outs(%init : tensor<1x1x2xi32>)
      layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x2xi32>
}

// -----

// CHECK-LABEL: @wraps
func.func @wraps(%x: tensor<1x1x131072xi8>, %w: tensor<1x131072x2xi8>, %init: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  // expected-warning @below {{adds 131072 products, and 'i32' can wrap from 131072 on}}
  %y = convoy.conv ins(%x, %w : tensor<1x1x131072xi8>, tensor<1x131072x2xi8>) outs(%init : tensor<1x1x2xi32>)
      layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x2xi32>
}

// -----

// Zero points that are not known make factors of up to 255 in magnitude.
// CHECK-LABEL: @zero_points
func.func @zero_points(%x: tensor<1x1x33026xi8>, %w: tensor<1x33026x2xi8>, %init: tensor<1x1x2xi32>, %zx: i32, %zw: i32) -> tensor<1x1x2xi32> {
  // expected-warning @below {{adds 33026 products, and 'i32' can wrap from 33026 on}}
  %y = convoy.conv ins(%x, %w : tensor<1x1x33026xi8>, tensor<1x33026x2xi8>) outs(%init : tensor<1x1x2xi32>)
      zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x2xi32>
}

// -----

// u8 by s8: from -255 * 128 to 255 * 127. The gradient of the filter adds
// batches and positions.
// CHECK-LABEL: @signs_and_directions
func.func @signs_and_directions(%x: tensor<2x32898x1xi8>, %dy: tensor<2x32897x3xi8>, %init: tensor<2x1x3xi32>) -> tensor<2x1x3xi32> {
  // expected-warning @below {{adds 65794 products, and 'i32' can wrap from 65794 on}}
  %dw = convoy.conv_backward_filter ins(%x, %dy : tensor<2x32898x1xi8>, tensor<2x32897x3xi8>) outs(%init : tensor<2x1x3xi32>)
      layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %dw : tensor<2x1x3xi32>
}

// -----

// CHECK-LABEL: @dynamic
func.func @dynamic(%x: tensor<1x1x?xi8>, %w: tensor<1x?x2xi8>, %init: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x1x?xi8>, tensor<1x?x2xi8>) outs(%init : tensor<1x1x2xi32>)
      layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x2xi32>
}
