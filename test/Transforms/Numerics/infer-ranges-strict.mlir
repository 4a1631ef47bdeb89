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

// -----

// Of what nothing is known, nothing is proved: functions without a rule, and
// numbers made of bits.
func.func @unknown_ops(%x: tensor<4xf16> {convoy.range = array<f64: 1.0, 2.0>}, %bits: tensor<4xi16> {convoy.range = array<f64: 0.0, 1.0>}) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, f16) {
  // expected-error @below {{no range is known of 'math.expm1' in 'f16'}}
  %0 = math.expm1 %x : tensor<4xf16>
  // expected-error @below {{no range is known of 'math.powf' in 'f16'}}
  %1 = math.powf %x, %x : tensor<4xf16>
  // expected-error @below {{no range is known of 'arith.bitcast' in 'f16'}}
  %2 = arith.bitcast %bits : tensor<4xi16> to tensor<4xf16>
  %c0 = arith.constant 0 : index
  %element = tensor.extract %x[%c0] : tensor<4xf16>
  // expected-error @below {{no range is known of 'math.sincos' in 'f16'}}
  %3, %4 = math.sincos %element : f16
  return %0, %1, %2, %3 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, f16
}

// -----

// What is chosen, moved or made within an op is no number of its own; minus
// infinity in a maximum overflows nothing.
// CHECK-LABEL: @passed
func.func @passed(%x: tensor<4xf16> {convoy.range = array<f64: -2.0, 2.0>}, %which: i1) -> (tensor<4xf16>, tensor<4xf16>) {
  %least = arith.constant dense<0xFC00> : tensor<4xf16>
  %0 = arith.maximumf %x, %least : tensor<4xf16>
  %1 = scf.if %which -> tensor<4xf16> {
    scf.yield %x : tensor<4xf16>
  } else {
    %2 = arith.negf %0 : tensor<4xf16>
    scf.yield %2 : tensor<4xf16>
  }
  %3 = arith.select %which, %1, %0 : tensor<4xf16>
  return %1, %3 : tensor<4xf16>, tensor<4xf16>
}

// -----

// The addition of a reduction is its sum only where it is yielded.
func.func @largest_sum(%x: tensor<3x5xf16> {convoy.range = array<f64: 0.0, 40000.0>}, %init: tensor<3xf16> {convoy.range = array<f64: 0.0, 0.0>}) -> tensor<3xf16> {
  %0 = linalg.reduce ins(%x : tensor<3x5xf16>) outs(%init : tensor<3xf16>) dimensions = [1]
      (%in: f16, %out: f16) {
        // expected-error @below {{values from 0 to 80000 may overflow in 'f16'}}
        %twice = arith.addf %in, %in : f16
        %next = arith.maximumf %twice, %out : f16
        linalg.yield %next : f16
      }
  return %0 : tensor<3xf16>
}

// -----

// A product of many is no sum; nothing is known of what was multiplied so far.
func.func @product(%x: tensor<3x5xf16> {convoy.range = array<f64: 0.0, 40.0>}, %init: tensor<3xf16> {convoy.range = array<f64: 1.0, 1.0>}) -> tensor<3xf16> {
  %0 = linalg.reduce ins(%x : tensor<3x5xf16>) outs(%init : tensor<3xf16>) dimensions = [1]
      (%in: f16, %out: f16) {
        // expected-error @below {{values from -inf to inf may overflow in 'f16'}}
        %next = arith.mulf %in, %out : f16
        linalg.yield %next : f16
      }
  return %0 : tensor<3xf16>
}

// -----

func.func @dynamic_sum(%x: tensor<3x?xf16> {convoy.range = array<f64: 0.0, 1.0>}, %init: tensor<3xf16> {convoy.range = array<f64: 0.0, 0.0>}) -> tensor<3xf16> {
  // expected-error @below {{sizes are dynamic}}
  %0 = linalg.reduce ins(%x : tensor<3x?xf16>) outs(%init : tensor<3xf16>) dimensions = [1]
      (%in: f16, %out: f16) {
        %next = arith.addf %in, %out : f16
        linalg.yield %next : f16
      }
  return %0 : tensor<3xf16>
}

// -----

// Arithmetic of less than 32 bits has to stay in its type; that of more may
// wrap, and bits and truths never do.
func.func @narrow_integers(%x: tensor<4xi8>, %y: tensor<4xi32>, %which: tensor<4xi1>, %at: index) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi32>, tensor<4xi1>, i16) {
  // expected-error @below {{values from -256 to 254 may not be numbers of 'i8'}}
  %0 = arith.addi %x, %x : tensor<4xi8>
  %1 = arith.xori %x, %x : tensor<4xi8>
  // expected-error @below {{no range is known of 'arith.shli' in 'i8'}}
  %2 = arith.shli %x, %x : tensor<4xi8>
  %3 = arith.addi %y, %y : tensor<4xi32>
  %4 = arith.addi %which, %which : tensor<4xi1>
  // expected-error @below {{may not be numbers of 'i16'}}
  %5 = arith.index_cast %at : index to i16
  return %0, %1, %2, %3, %4, %5 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi32>, tensor<4xi1>, i16
}

// -----

// Where nothing but types is known. Without overlaps there is no sum, and the
// nearest element is one.
func.func @typed_sums(%rows: tensor<1x6x2x3xf16>, %apart: tensor<1x3x2x3xf16>, %bytes: tensor<1x6x2x3xi8>, %dy: tensor<1x4x3x5xf16>, %x: tensor<1x2x4x3xf16>, %grid: tensor<1x2x2x2xf32>) -> (tensor<1x7x3xf16>, tensor<1x6x3xf16>, tensor<1x7x3xi8>, tensor<1x2x3x5xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>) {
  // expected-error @below {{sums of 2 terms of up to 65504 may reach 131008, and 'f16' ends at 65504}}
  %0 = convoy.col2im %rows layout(nwc, nw|wc) : tensor<1x6x2x3xf16> -> tensor<1x7x3xf16>
  %1 = convoy.col2im %apart layout(nwc, nw|wc) window(stride = [2]) : tensor<1x3x2x3xf16> -> tensor<1x6x3xf16>
  // expected-error @below {{sums of 2 terms of up to 128 may wrap in 'i8'}}
  %2 = convoy.col2im %bytes layout(nwc, nw|wc) : tensor<1x6x2x3xi8> -> tensor<1x7x3xi8>
  // expected-error @below {{sums of 3 terms of up to 65504 may reach 196512, and 'f16' ends at 65504}}
  %3 = convoy.pad_backward %dy mode(replicate) low[0, 2, 0, 0] high[0, 0, 0, 0] : tensor<1x4x3x5xf16> -> tensor<1x2x3x5xf16>
  // expected-error @below {{values from -65504.2 to 65504.2 may overflow in 'f16'}}
  %4 = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<1x2x4x3xf16>, tensor<1x2x2x2xf32> -> tensor<1x2x2x2xf16>
  %5 = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(nearest) padding(border) : tensor<1x2x4x3xf16>, tensor<1x2x2x2xf32> -> tensor<1x2x2x2xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<1x7x3xf16>, tensor<1x6x3xf16>, tensor<1x7x3xi8>, tensor<1x2x3x5xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>
}

// -----

func.func @dynamic_samples(%dy: tensor<1x2x?x3xf16> {convoy.range = array<f64: 0.0, 1.0>}, %grid: tensor<1x?x3x2xf32>) -> tensor<1x2x4x5xf16> {
  // expected-error @below {{sizes are dynamic}}
  %0 = convoy.grid_sample_backward_input %dy, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(zeros) : tensor<1x2x?x3xf16>, tensor<1x?x3x2xf32> -> tensor<1x2x4x5xf16>
  return %0 : tensor<1x2x4x5xf16>
}

// -----

func.func @dynamic_deformed(%dy: tensor<?x6x7x6xf16> {convoy.range = array<f64: 0.0, 1.0>}, %x: tensor<?x4x9x7xf16> {convoy.range = array<f64: 0.0, 1.0>}, %offset: tensor<?x24x7x6xf16>) -> tensor<6x4x3x2xf16> {
  %init = arith.constant dense<0.0> : tensor<6x4x3x2xf16>
  // expected-error @below {{sizes are dynamic}}
  %0 = convoy.deform_conv_backward_filter ins(%dy, %x, %offset : tensor<?x6x7x6xf16>, tensor<?x4x9x7xf16>, tensor<?x24x7x6xf16>) outs(%init : tensor<6x4x3x2xf16>) layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<6x4x3x2xf16>
}
