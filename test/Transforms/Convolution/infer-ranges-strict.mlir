// RUN: convoy-opt %s --convoy-infer-ranges=strict --split-input-file --verify-diagnostics | FileCheck %s

// With `strict`, types are no reason to be silent.
func.func @types(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x6x5xf16>) -> tensor<1x6x5xf16> {
  // expected-error @below {{sums of 6 terms of up to 4.29077e+09 may reach}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x6x5xf16>
}

// -----

// An init of any size may make a sum of integers wrap.
func.func @init(%x: tensor<1x7x3xi8>, %w: tensor<2x3x5xi8>, %init: tensor<1x6x5xi32>) -> tensor<1x6x5xi32> {
  // expected-error @below {{adds 6 products to an init of up to 2147483648, and 'i32' can wrap}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xi8>, tensor<2x3x5xi8>) outs(%init : tensor<1x6x5xi32>) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x6x5xi32>
}

// -----

func.func @sizes(%x: tensor<1x7x?xf16>, %w: tensor<2x?x5xf16>, %init: tensor<1x6x5xf16>) -> tensor<1x6x5xf16> {
  // expected-error @below {{sizes are dynamic}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x?xf16>, tensor<2x?x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x6x5xf16>
}

// -----

// CHECK-LABEL: @proved
func.func @proved(%x: tensor<1x7x3xf16> {convoy.range = array<f64: -8.0, 8.0>}, %w: tensor<2x3x5xf16> {convoy.range = array<f64: -2.0, 2.0>}) -> tensor<1x6x5xf16> {
  %init = arith.constant dense<0.0> : tensor<1x6x5xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x6x5xf16>
}
