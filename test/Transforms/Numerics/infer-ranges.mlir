// RUN: convoy-opt %s --convoy-infer-ranges --split-input-file --verify-diagnostics | FileCheck %s

// Products of s8 are at most 128 * 128, 131072 of which exceed i32.
// CHECK-LABEL: @fits
// CHECK: convoy.conv
func.func @fits(%x: tensor<1x1x131071xi8>, %w: tensor<1x131071x2xi8>, %init: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x1x131071xi8>, tensor<1x131071x2xi8>) outs(%init : tensor<1x1x2xi32>)
      layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x2xi32>
}

// -----

// The exact sums are at most 2048, each of which f16 may round by all that is
// added.
// CHECK-LABEL: @long
func.func @long(%x: tensor<1x1x2048xf16> {convoy.range = array<f64: -1.0, 1.0>}, %w: tensor<1x2048x2xf16> {convoy.range = array<f64: -1.0, 1.0>}) -> tensor<1x1x2xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf16>
  // expected-warning @below {{sums of 2048 terms are too long for a bound of what 'f16' rounds off}}
  %y = convoy.conv ins(%x, %w : tensor<1x1x2048xf16>, tensor<1x2048x2xf16>) outs(%zeros : tensor<1x1x2xf16>)
      layout(nwc x wcf -> nwf) numerics(accumulator = f16)
  return %y : tensor<1x1x2xf16>
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

// -----

// Declared ranges prove more than the types, and are written down.
// CHECK-LABEL: @declared
// CHECK:         numerics(input = unsigned, input_range = [0.000000e+00, 1.000000e+01], filter_range = [-1.000000e+00, 1.000000e+00])
func.func @declared(%x: tensor<1x1x131072xi8> {convoy.range = array<f64: 0.0, 10.0>}, %w: tensor<1x131072x2xi8> {convoy.range = array<f64: -1.0, 1.0>}, %init: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x1x131072xi8>, tensor<1x131072x2xi8>) outs(%init : tensor<1x1x2xi32>)
      layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %y : tensor<1x1x2xi32>
}

// -----

// The result is rounded to f16. Of a filter, the taps of one sum count: the
// larger of 3 + 1 and 2 + 0.5, and not twice 3.
// CHECK-LABEL: @taps
func.func @taps(%x: tensor<1x4x1xf16> {convoy.range = array<f64: -16000.0, 16000.0>}, %y: tensor<1x4x1xf16> {convoy.range = array<f64: -17000.0, 17000.0>}) -> (tensor<1x3x2xf16>, tensor<1x3x2xf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x3x2xf16>
  %w = arith.constant dense<[[[3.0, 2.0]], [[1.0, -0.5]]]> : tensor<2x1x2xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x4x1xf16>, tensor<2x1x2xf16>) outs(%zeros : tensor<1x3x2xf16>)
      layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  // expected-warning @below {{sums of 2 terms of up to 51024 may reach 68032, and 'f16' ends at 65504}}
  %1 = convoy.conv ins(%y, %w : tensor<1x4x1xf16>, tensor<2x1x2xf16>) outs(%zeros : tensor<1x3x2xf16>)
      layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0, %1 : tensor<1x3x2xf16>, tensor<1x3x2xf16>
}

// -----

// Ranges go through elementwise ops, in bodies of linalg too, and moves.
// CHECK-LABEL: @elements
func.func @elements(%x: tensor<3x5xf32> {convoy.range = array<f64: -3.0, 70000.0>}) -> (tensor<5x3xf16>, tensor<3x5xf16>, tensor<3x5xf16>) {
  %c0 = arith.constant 0.0 : f32
  %c6 = arith.constant 60000.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %clamped = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %low = arith.maximumf %in, %c0 : f32
    %high = arith.minimumf %low, %c6 : f32
    linalg.yield %high : f32
  } -> tensor<3x5xf32>
  %et = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%clamped : tensor<3x5xf32>) outs(%et : tensor<5x3xf32>) permutation = [1, 0]
  %narrow = arith.truncf %t : tensor<5x3xf32> to tensor<5x3xf16>
  // expected-warning @below {{values from -3 to 70000 may overflow in 'f16'}}
  %wide = arith.truncf %x : tensor<3x5xf32> to tensor<3x5xf16>
  %scale = arith.constant dense<1.0e-10> : tensor<3x5xf32>
  %small = arith.mulf %x, %scale : tensor<3x5xf32>
  // expected-warning @below {{values reach at most 7e-06, and vanish in 'f16'}}
  %none = arith.truncf %small : tensor<3x5xf32> to tensor<3x5xf16>
  return %narrow, %wide, %none : tensor<5x3xf16>, tensor<3x5xf16>, tensor<3x5xf16>
}

// -----

// Requantization of sums of 4 products of bytes: shifted by 8 they are bytes.
// CHECK-LABEL: @requantized
func.func @requantized(%x: tensor<1x4xi32> {convoy.range = array<f64: -300.0, 300.0>}) -> (tensor<1x4xi8>, tensor<1x4xi8>) {
  %least = arith.constant dense<-128> : tensor<1x4xi32>
  %most = arith.constant dense<127> : tensor<1x4xi32>
  %0 = arith.maxsi %x, %least : tensor<1x4xi32>
  // expected-warning @below {{values from -128 to 300 may not be numbers of 'i8'}}
  %1 = arith.trunci %0 : tensor<1x4xi32> to tensor<1x4xi8>
  %2 = arith.minsi %0, %most : tensor<1x4xi32>
  %3 = arith.trunci %2 : tensor<1x4xi32> to tensor<1x4xi8>
  return %1, %3 : tensor<1x4xi8>, tensor<1x4xi8>
}

// -----

// A reduction in f16 is one in any order.
// CHECK-LABEL: @reduced
func.func @reduced(%x: tensor<3x100xf16> {convoy.range = array<f64: 0.0, 700.0>}, %zeros: tensor<3xf16> {convoy.range = array<f64: 0.0, 0.0>}) -> tensor<3xf16> {
  // expected-warning @below {{sums of 100 terms of up to 700 may reach 77575.8, and 'f16' ends at 65504}}
  %0 = linalg.reduce ins(%x : tensor<3x100xf16>) outs(%zeros : tensor<3xf16>) dimensions = [1]
      (%in: f16, %sum: f16) {
        %next = arith.addf %in, %sum : f16
        linalg.yield %next : f16
      }
  return %0 : tensor<3xf16>
}

// -----

// What grows in a loop has no bound; nothing is said of it.
// CHECK-LABEL: @loop
func.func @loop(%x: f32 {convoy.range = array<f64: 1.0, 2.0>}, %n: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %power = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f32 {
    %next = arith.mulf %y, %x : f32
    scf.yield %next : f32
  }
  %half = arith.truncf %power : f32 to f16
  return %half : f16
}

// -----

// A maximum of numbers is one of them, whatever it begins with, and so is a
// minimum; one that begins with a number is no smaller.
// CHECK-LABEL: @pooled
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
// CHECK:         input_range = [0.000000e+00, 8.000000e+00]
func.func @pooled(%x: tensor<1x8x3xf16> {convoy.range = array<f64: -4.0, 8.0>}, %w: tensor<2x3x5xf16> {convoy.range = array<f64: 1.0, 2.0>}) -> (tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x3x5xf16>
  %window = tensor.empty() : tensor<2xf16>
  %e = tensor.empty() : tensor<1x4x3xf16>
  %least = arith.constant 0xFC00 : f16
  %init0 = linalg.fill ins(%least : f16) outs(%e : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %pool0 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%x, %window : tensor<1x8x3xf16>, tensor<2xf16>) outs(%init0 : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %0 = convoy.conv ins(%pool0, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %init1 = arith.constant dense<65504.0> : tensor<1x4x3xf16>
  %pool1 = linalg.pooling_nwc_min {strides = dense<2> : vector<1xi64>} ins(%x, %window : tensor<1x8x3xf16>, tensor<2xf16>) outs(%init1 : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %1 = convoy.conv ins(%pool1, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %init2 = arith.constant dense<0.0> : tensor<1x4x3xf16>
  %pool2 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%x, %window : tensor<1x8x3xf16>, tensor<2xf16>) outs(%init2 : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %2 = convoy.conv ins(%pool2, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0, %1, %2 : tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>
}

// -----

// Windows that each have an element: what is padded with never counts, or, of a
// padding of 6, where a window has it and no larger element. Windows that lie in
// the padding alone, as the first of those of one element, are what it is.
// CHECK-LABEL: @padded_pools
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
// CHECK:         convoy.conv {{.*}} numerics(accumulator = f32, filter_range
// CHECK:         convoy.conv {{.*}} numerics(accumulator = f32, filter_range
func.func @padded_pools(%x: tensor<1x7x3xf16> {convoy.range = array<f64: -4.0, 8.0>}, %w: tensor<2x3x5xf16> {convoy.range = array<f64: 1.0, 2.0>}) -> (tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x2x5xf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x3x5xf16>
  %zeros2 = arith.constant dense<0.0> : tensor<1x2x5xf16>
  %least = arith.constant 0xFC00 : f16
  %lowest = arith.constant -65504.0 : f16
  %six = arith.constant 6.0 : f16
  %init = arith.constant dense<-65504.0> : tensor<1x4x3xf16>
  %init3 = arith.constant dense<-65504.0> : tensor<1x3x3xf16>
  %window2 = tensor.empty() : tensor<2xf16>
  %window3 = tensor.empty() : tensor<3xf16>
  %pad0 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %least : f16
  } : tensor<1x7x3xf16> to tensor<1x9x3xf16>
  %pool0 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%pad0, %window3 : tensor<1x9x3xf16>, tensor<3xf16>) outs(%init : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %0 = convoy.conv ins(%pool0, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %pad1 = tensor.pad %x low[0, 2, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %lowest : f16
  } : tensor<1x7x3xf16> to tensor<1x10x3xf16>
  %pool1 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>, dilations = dense<2> : vector<1xi64>} ins(%pad1, %window2 : tensor<1x10x3xf16>, tensor<2xf16>) outs(%init : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %1 = convoy.conv ins(%pool1, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %pad2 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %six : f16
  } : tensor<1x7x3xf16> to tensor<1x9x3xf16>
  %pool2 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%pad2, %window3 : tensor<1x9x3xf16>, tensor<3xf16>) outs(%init : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %2 = convoy.conv ins(%pool2, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %pad3 = tensor.pad %x low[0, 3, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %lowest : f16
  } : tensor<1x7x3xf16> to tensor<1x10x3xf16>
  %pool3 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%pad3, %window3 : tensor<1x10x3xf16>, tensor<3xf16>) outs(%init : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %3 = convoy.conv ins(%pool3, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %pad4 = tensor.pad %x low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %lowest : f16
  } : tensor<1x7x3xf16> to tensor<1x8x3xf16>
  %window1 = tensor.empty() : tensor<1xf16>
  %pool4 = linalg.pooling_nwc_max {strides = dense<3> : vector<1xi64>} ins(%pad4, %window1 : tensor<1x8x3xf16>, tensor<1xf16>) outs(%init3 : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %4 = convoy.conv ins(%pool4, %w : tensor<1x3x3xf16>, tensor<2x3x5xf16>) outs(%zeros2 : tensor<1x2x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0, %1, %2, %3, %4 : tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x3x5xf16>, tensor<1x2x5xf16>
}

// -----

// Of no terms a maximum is the init, and whether there are some is not known.
// CHECK-LABEL: @dynamic_pool
// CHECK:         input_range = [-4.000000e+00, 9.000000e+00]
func.func @dynamic_pool(%x: tensor<4x?x3xf16> {convoy.range = array<f64: -4.0, 8.0>}, %w: tensor<2x3x5xf16>) -> tensor<1x3x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x3x5xf16>
  %init = arith.constant dense<9.0> : tensor<4x3xf16>
  %most = linalg.reduce ins(%x : tensor<4x?x3xf16>) outs(%init : tensor<4x3xf16>) dimensions = [1]
      (%in: f16, %out: f16) {
        %next = arith.maximumf %in, %out : f16
        linalg.yield %next : f16
      }
  %row = tensor.expand_shape %most [[0, 1], [2]] output_shape [1, 4, 3] : tensor<4x3xf16> into tensor<1x4x3xf16>
  %0 = convoy.conv ins(%row, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x3x5xf16>
}

// -----

// What rescaling of TOSA's becomes: (x * 1431655765 + 2^37) >> 38, and then 3
// more. From -1000 and 2000 that is from -2 to 13.
// CHECK-LABEL: @rescaled
// CHECK:         input_range = [-2.000000e+00, 1.300000e+01]
func.func @rescaled(%x: tensor<1x4x3xi32> {convoy.range = array<f64: -1000.0, 2000.0>}, %w: tensor<2x3x5xi8>, %init: tensor<1x3x5xi32>) -> tensor<1x3x5xi32> {
  %round = arith.constant 137438953472 : i64
  %shift = arith.constant 38 : i64
  %multiplier = arith.constant 1431655765 : i64
  %most = arith.constant 127 : i32
  %least = arith.constant -128 : i32
  %zero_point = arith.constant 3 : i32
  %e = tensor.empty() : tensor<1x4x3xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(n, w, c) -> (n, w, c)>, affine_map<(n, w, c) -> (n, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x3xi32>) outs(%e : tensor<1x4x3xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %round : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %zero_point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x3xi8>
  %z = convoy.conv ins(%y, %w : tensor<1x4x3xi8>, tensor<2x3x5xi8>) outs(%init : tensor<1x3x5xi32>) layout(nwc x wcf -> nwf)
  return %z : tensor<1x3x5xi32>
}

// -----

// A trace is what it records.
// CHECK-LABEL: @traced
// CHECK:         input_range = [-4.000000e+00, 8.000000e+00]
func.func @traced(%x: tensor<1x4x3xf16> {convoy.range = array<f64: -4.0, 8.0>}, %w: tensor<2x3x5xf16>) -> tensor<1x3x5xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x3x5xf16>
  %traced = convoy.trace "x" %x : tensor<1x4x3xf16>
  %0 = convoy.conv ins(%traced, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x3x5xf16>
}

// -----

// Conversions without a sign: of 0 to 200 there are bytes, any of them where they
// are read with a sign, and of -0.5 there is 0; of 1000 and of -1 there are none.
// CHECK-LABEL: @unsigned_conversions
// CHECK:         input_range = [0.000000e+00, 1.000000e+02]
// CHECK:         input_range = [-1.280000e+02, 1.270000e+02]
func.func @unsigned_conversions(%x: tensor<1x4x3xf32> {convoy.range = array<f64: -0.5, 100.0>}, %bytes: tensor<1x4x3xf32> {convoy.range = array<f64: 0.0, 200.0>}, %large: tensor<1x4x3xf32> {convoy.range = array<f64: 0.0, 1000.0>}, %negative: tensor<1x4x3xf32> {convoy.range = array<f64: -1.0, 9.0>}, %w: tensor<1x3x5xf16>) -> (tensor<1x4x5xf16>, tensor<1x4x5xf16>, tensor<1x4x3xi8>, tensor<1x4x3xi8>) {
  %zeros = arith.constant dense<0.0> : tensor<1x4x5xf16>
  %0 = arith.fptoui %x : tensor<1x4x3xf32> to tensor<1x4x3xi8>
  %1 = arith.sitofp %0 : tensor<1x4x3xi8> to tensor<1x4x3xf16>
  %2 = convoy.conv ins(%1, %w : tensor<1x4x3xf16>, tensor<1x3x5xf16>) outs(%zeros : tensor<1x4x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %3 = arith.fptoui %bytes : tensor<1x4x3xf32> to tensor<1x4x3xi8>
  %4 = arith.sitofp %3 : tensor<1x4x3xi8> to tensor<1x4x3xf16>
  %5 = convoy.conv ins(%4, %w : tensor<1x4x3xf16>, tensor<1x3x5xf16>) outs(%zeros : tensor<1x4x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  // expected-warning @below {{values from 0 to 1000 may not be numbers of 'i8'}}
  %6 = arith.fptoui %large : tensor<1x4x3xf32> to tensor<1x4x3xi8>
  // expected-warning @below {{values from -1 to 9 may not be numbers of 'i8'}}
  %7 = arith.fptoui %negative : tensor<1x4x3xf32> to tensor<1x4x3xi8>
  return %2, %5, %6, %7 : tensor<1x4x5xf16>, tensor<1x4x5xf16>, tensor<1x4x3xi8>, tensor<1x4x3xi8>
}

// -----

// Bits of a number that is not negative are at most that number, whatever the
// other is; of two that may be negative, nothing is known. Without a sign,
// negative numbers are the largest.
// CHECK-LABEL: @bits
func.func @bits(%x: tensor<4xi32>, %y: tensor<4xi32> {convoy.range = array<f64: -4.0, 20.0>}) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %c15 = arith.constant dense<15> : tensor<4xi32>
  %c300 = arith.constant dense<300> : tensor<4xi32>
  %c3 = arith.constant dense<3> : tensor<4xi32>
  %0 = arith.andi %x, %c15 : tensor<4xi32>
  %1 = arith.trunci %0 : tensor<4xi32> to tensor<4xi8>
  %2 = arith.andi %x, %c300 : tensor<4xi32>
  // expected-warning @below {{values from 0 to 300 may not be numbers of 'i8'}}
  %3 = arith.trunci %2 : tensor<4xi32> to tensor<4xi8>
  %4 = arith.shli %0, %c3 : tensor<4xi32>
  %5 = arith.trunci %4 : tensor<4xi32> to tensor<4xi8>
  %6 = arith.shli %y, %c3 : tensor<4xi32>
  // expected-warning @below {{values from -32 to 160 may not be numbers of 'i8'}}
  %7 = arith.trunci %6 : tensor<4xi32> to tensor<4xi8>
  %8 = arith.minui %y, %c15 : tensor<4xi32>
  %9 = arith.trunci %8 : tensor<4xi32> to tensor<4xi8>
  %10 = arith.maxui %0, %c300 : tensor<4xi32>
  // expected-warning @below {{values from 300 to 300 may not be numbers of 'i8'}}
  %11 = arith.trunci %10 : tensor<4xi32> to tensor<4xi8>
  return %1, %3, %5, %7, %9, %11 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// -----

// A negative number is large without a sign, so that nothing is known of the
// maximum. What wraps when it is shifted is not known, either.
// CHECK-LABEL: @bits_of_negative
// CHECK:         layout(nwc x wcf -> nwf){{$}}
// CHECK:         layout(nwc x wcf -> nwf){{$}}
// CHECK:         layout(nwc x wcf -> nwf){{$}}
// CHECK:         input_range = [0.000000e+00, 9.000000e+00]
func.func @bits_of_negative(%x: tensor<1x4x3xi8> {convoy.range = array<f64: -4.0, 20.0>}, %y: tensor<1x4x3xi8> {convoy.range = array<f64: -9.0, 9.0>}, %w: tensor<1x3x5xi8>, %init: tensor<1x4x5xi32>) -> (tensor<1x4x5xi32>, tensor<1x4x5xi32>, tensor<1x4x5xi32>, tensor<1x4x5xi32>) {
  %c3 = arith.constant dense<3> : tensor<1x4x3xi8>
  %c9 = arith.constant dense<9> : tensor<1x4x3xi8>
  %0 = arith.maxui %x, %y : tensor<1x4x3xi8>
  %1 = convoy.conv ins(%0, %w : tensor<1x4x3xi8>, tensor<1x3x5xi8>) outs(%init : tensor<1x4x5xi32>) layout(nwc x wcf -> nwf)
  %2 = arith.andi %x, %y : tensor<1x4x3xi8>
  %3 = convoy.conv ins(%2, %w : tensor<1x4x3xi8>, tensor<1x3x5xi8>) outs(%init : tensor<1x4x5xi32>) layout(nwc x wcf -> nwf)
  %4 = arith.shli %x, %c3 : tensor<1x4x3xi8>
  %5 = convoy.conv ins(%4, %w : tensor<1x4x3xi8>, tensor<1x3x5xi8>) outs(%init : tensor<1x4x5xi32>) layout(nwc x wcf -> nwf)
  %6 = arith.minui %x, %c9 : tensor<1x4x3xi8>
  %7 = convoy.conv ins(%6, %w : tensor<1x4x3xi8>, tensor<1x3x5xi8>) outs(%init : tensor<1x4x5xi32>) layout(nwc x wcf -> nwf)
  return %1, %3, %5, %7 : tensor<1x4x5xi32>, tensor<1x4x5xi32>, tensor<1x4x5xi32>, tensor<1x4x5xi32>
}

// -----

// The product of a multiply-add is not rounded.
// CHECK-LABEL: @fused
func.func @fused(%x: tensor<4xf16> {convoy.range = array<f64: -200.0, 100.0>}, %y: tensor<4xf16> {convoy.range = array<f64: 0.0, 30000.0>}) -> (tensor<4xf16>, tensor<4xf16>) {
  // expected-warning @below {{values from -20000 to 70000 may overflow in 'f16'}}
  %0 = math.fma %x, %x, %y : tensor<4xf16>
  %1 = math.fma %x, %x, %x : tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}
