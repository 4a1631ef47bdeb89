// RUN: convoy-opt %s --convoy-apply-policy --split-input-file --verify-diagnostics | FileCheck %s
// RUN: convoy-opt %s --convoy-apply-policy=policy=high --split-input-file | FileCheck %s --check-prefix=HIGH

// The option is for ops whose policy is normal: others keep theirs.
// HIGH-LABEL: func @normal(
// HIGH:         numerics(accumulator = f32, policy = high)
// HIGH:         numerics(accumulator = f32, policy = high)
// HIGH-LABEL: func @low(
// HIGH:         numerics(accumulator = f16, policy = low, input_range

// CHECK-LABEL: func @normal(
// CHECK:         numerics(accumulator = f32){{$}}
// CHECK:         numerics(accumulator = f32){{$}}
func.func @normal(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x6x5xf16>) -> (tensor<1x6x5xf16>, tensor<1x6x5xf16>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
  %1 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f16)
  return %0, %1 : tensor<1x6x5xf16>, tensor<1x6x5xf16>
}

// CHECK-LABEL: func @high(
// CHECK:         convoy.conv_backward_data {{.*}} numerics(accumulator = f32, policy = high)
func.func @high(%dy: tensor<1x6x5xbf16>, %w: tensor<2x3x5xbf16>, %init: tensor<1x7x3xbf16>) -> tensor<1x7x3xbf16> {
  %0 = convoy.conv_backward_data ins(%dy, %w : tensor<1x6x5xbf16>, tensor<2x3x5xbf16>) outs(%init : tensor<1x7x3xbf16>) layout(nwc x wcf -> nwf) numerics(policy = high)
  return %0 : tensor<1x7x3xbf16>
}

// What is not below f32 stays, and needs no ranges.
// CHECK-LABEL: func @wide(
// CHECK:         layout(nwc x wcf -> nwf){{$}}
// CHECK:         numerics(accumulator = f64, policy = low)
// CHECK:         numerics(policy = high)
func.func @wide(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32>, %init: tensor<1x6x5xf32>,
                %ix: tensor<1x7x3xi8>, %iw: tensor<2x3x5xi8>, %iinit: tensor<1x6x5xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf)
  %1 = convoy.conv ins(%x, %w : tensor<1x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<1x6x5xf32>) layout(nwc x wcf -> nwf) numerics(accumulator = f64, policy = low)
  %2 = convoy.conv ins(%ix, %iw : tensor<1x7x3xi8>, tensor<2x3x5xi8>) outs(%iinit : tensor<1x6x5xi32>) layout(nwc x wcf -> nwf) numerics(policy = high)
  return
}

// Sums of at most 6*8*2 + 1 = 97 and products of at least 0.5*0.25; in the
// gradient of the input, of 10 products, in that of the filter of 6.
// CHECK-LABEL: func @low(
// CHECK:         convoy.conv ins{{.*}} numerics(accumulator = f16, policy = low, input_range
// CHECK:         convoy.conv_backward_data {{.*}} numerics(policy = low, input_range
// CHECK:         convoy.conv_backward_filter {{.*}} numerics(policy = low, input_range
func.func @low(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %dy: tensor<1x6x5xf16>) -> (tensor<1x6x5xf16>, tensor<1x7x3xf16>, tensor<2x3x5xf16>) {
  %one = arith.constant 1.0 : f16
  %empty = tensor.empty() : tensor<6x5xf16>
  %fill = linalg.fill ins(%one : f16) outs(%empty : tensor<6x5xf16>) -> tensor<6x5xf16>
  %init = tensor.expand_shape %fill [[0, 1], [2]] output_shape [1, 6, 5] : tensor<6x5xf16> into tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below 97.6677}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
      numerics(accumulator = f16, policy = low, input_range = [0.5, 8.0], filter_range = [-2.0, -0.25])
  %zeros = arith.constant dense<0.0> : tensor<1x7x3xf16>
  // expected-remark @below {{sums in 'f16' with policy low: sums of 10 products stay below 161.578}}
  %1 = convoy.conv_backward_data ins(%dy, %w : tensor<1x6x5xf16>, tensor<2x3x5xf16>) outs(%zeros : tensor<1x7x3xf16>) layout(nwc x wcf -> nwf)
      numerics(policy = low, input_range = [0.5, 8.0], filter_range = [-2.0, -0.25])
  %taps = arith.constant dense<0.0> : tensor<2x3x5xf16>
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below}}
  %2 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x7x3xf16>, tensor<1x6x5xf16>) outs(%taps : tensor<2x3x5xf16>) layout(nwc x wcf -> nwf)
      numerics(policy = low, input_range = [0.5, 8.0], filter_range = [-2.0, -0.25])
  return %0, %1, %2 : tensor<1x6x5xf16>, tensor<1x7x3xf16>, tensor<2x3x5xf16>
}

// -----

// CHECK-LABEL: func @no_ranges(
// CHECK:         numerics(accumulator = f32, input_range = [5.000000e-01, 8.000000e+00]){{$}}
func.func @no_ranges(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>) -> tensor<1x6x5xf16> {
  %init = arith.constant dense<0.0> : tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': no range is known of the filter}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.5, 8.0])
  return %0 : tensor<1x6x5xf16>
}

// -----

// A batch of any size is no part of a sum; the channels are.
// CHECK-LABEL: func @dynamic(
// CHECK:         numerics(policy = low, input_range
// CHECK:         numerics(accumulator = f32, input_range
func.func @dynamic(%x: tensor<?x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<?x6x5xf16> {convoy.range = array<f64: 0.0, 9.0>},
                   %xc: tensor<1x7x?xf16>, %wc: tensor<2x?x5xf16>, %zeros: tensor<1x6x5xf16> {convoy.range = array<f64: 0.0, 0.0>}) -> (tensor<?x6x5xf16>, tensor<1x6x5xf16>) {
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below}}
  %0 = convoy.conv ins(%x, %w : tensor<?x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<?x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.5, 8.0], filter_range = [1.0, 2.0])
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': sizes are dynamic}}
  %1 = convoy.conv ins(%xc, %wc : tensor<1x7x?xf16>, tensor<2x?x5xf16>) outs(%zeros : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.5, 8.0], filter_range = [1.0, 2.0])
  return %0, %1 : tensor<?x6x5xf16>, tensor<1x6x5xf16>
}

// -----

// CHECK-LABEL: func @unknown_init(
// CHECK:         numerics(accumulator = f32, input_range
func.func @unknown_init(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x6x5xf16>) -> tensor<1x6x5xf16> {
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': no range is known of the init}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.5, 8.0], filter_range = [1.0, 2.0])
  return %0 : tensor<1x6x5xf16>
}

// -----

// 15 products of bf16 have a bound, and no init may be added but to blocks of
// them.
// CHECK-LABEL: func @length(
// CHECK:         numerics(policy = low, input_range
// CHECK:         convoy.conv ins(%{{.*}} : tensor<1x1x8xbf16>, tensor<1x8x5xbf16>) {{.*}} numerics(accumulator = bf16, policy = low, input_range
// CHECK:         convoy.conv ins(%{{.*}} : tensor<1x1x7xbf16>, tensor<1x7x5xbf16>) {{.*}} numerics(accumulator = bf16, policy = low, input_range
func.func @length(%x: tensor<1x1x15xbf16>, %w: tensor<1x15x5xbf16>) -> (tensor<1x1x5xbf16>, tensor<1x1x5xbf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x1x5xbf16>
  // expected-remark @below {{sums in 'bf16' with policy low: sums of 15 products stay below}}
  %0 = convoy.conv ins(%x, %w : tensor<1x1x15xbf16>, tensor<1x15x5xbf16>) outs(%zeros : tensor<1x1x5xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [1.0, 2.0], filter_range = [1.0, 2.0])
  %ones = arith.constant dense<[[[0.0, 0.0, -1.0, 0.0, 0.0]]]> : tensor<1x1x5xbf16>
  // expected-remark @below {{sums 2 blocks of up to 8 products in 'bf16', and these in 'f32' with policy low, not all in 'bf16': sums of 16 terms are too long, expected fewer than 16; those of a block stay below 34}}
  %1 = convoy.conv ins(%x, %w : tensor<1x1x15xbf16>, tensor<1x15x5xbf16>) outs(%ones : tensor<1x1x5xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [1.0, 2.0], filter_range = [1.0, 2.0])
  return %0, %1 : tensor<1x1x5xbf16>, tensor<1x1x5xbf16>
}

// -----

// 6*100*109 = 65400 is below 65504, but not with what rounding may add, in any
// direction.
// CHECK-LABEL: func @overflow(
// CHECK:         numerics(accumulator = f32, input_range
// CHECK:         numerics(policy = low, input_range
func.func @overflow(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>) -> (tensor<1x6x5xf16>, tensor<1x6x5xf16>) {
  %init = arith.constant dense<0.0> : tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': sums of 6 products may reach 65785.5, expected less than 65504}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [-109.0, -1.0], filter_range = [1.0, 100.0])
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below 65181.9}}
  %1 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [-108.0, -1.0], filter_range = [1.0, 100.0])
  return %0, %1 : tensor<1x6x5xf16>, tensor<1x6x5xf16>
}

// -----

// A range with zero in it has all small numbers of its type.
// CHECK-LABEL: func @underflow(
// CHECK:         numerics(accumulator = f32, input_range
// CHECK:         numerics(policy = low, input_range
// CHECK:         numerics(accumulator = f32, input_range
func.func @underflow(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>) -> (tensor<1x6x5xf16>, tensor<1x6x5xf16>, tensor<1x6x5xf16>) {
  %init = arith.constant dense<0.0> : tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': products may be as small as 5.96046e-08, expected at least 6.10352e-05}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.0, 8.0], filter_range = [1.0, 2.0])
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below}}
  %1 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.0078125, 8.0], filter_range = [0.0078125, 2.0])
  // expected-remark @below {{sums in 'f32' with policy low, not in 'f16': products may be as small as 6.09756e-05, expected at least 6.10352e-05}}
  %2 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(policy = low, input_range = [0.0078124, 8.0], filter_range = [0.0078124, 2.0])
  return %0, %1, %2 : tensor<1x6x5xf16>, tensor<1x6x5xf16>, tensor<1x6x5xf16>
}

// -----

// An f32 accumulator of f16 becomes f16. The magnitudes of arguments are
// declared: zeros do not count, nor does the type's least number.
// CHECK-LABEL: func @narrowed(
// CHECK:         numerics(accumulator = f16, policy = low)
func.func @narrowed(%x: tensor<1x7x3xf16> {convoy.range = array<f64: -8.0, 8.0, 0.5>}, %w: tensor<2x3x5xf16> {convoy.range = array<f64: -2.0, 2.0, 0.25>}) -> tensor<1x6x5xf16> {
  %init = arith.constant dense<0.0> : tensor<1x6x5xf16>
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below}}
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32, policy = low)
  return %0 : tensor<1x6x5xf16>
}

// -----

// Behind a max-pool of what is padded.
// CHECK-LABEL: func @pooled(
// CHECK:         numerics(accumulator = f16, policy = low)
func.func @pooled(%x: tensor<1x7x3xf16> {convoy.range = array<f64: -8.0, 8.0, 0.5>}, %w: tensor<2x3x5xf16> {convoy.range = array<f64: -2.0, 2.0, 0.25>}) -> tensor<1x3x5xf16> {
  %least = arith.constant 0xFC00 : f16
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %least : f16
  } : tensor<1x7x3xf16> to tensor<1x9x3xf16>
  %window = tensor.empty() : tensor<3xf16>
  %empty = tensor.empty() : tensor<1x4x3xf16>
  %start = linalg.fill ins(%least : f16) outs(%empty : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %pool = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>} ins(%padded, %window : tensor<1x9x3xf16>, tensor<3xf16>) outs(%start : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  %init = arith.constant dense<0.0> : tensor<1x3x5xf16>
  // expected-remark @below {{sums in 'f16' with policy low: sums of 6 products stay below}}
  %0 = convoy.conv ins(%pool, %w : tensor<1x4x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x3x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32, policy = low)
  return %0 : tensor<1x3x5xf16>
}

// -----

// 3x3 filters with sums of |x||w| over 65504 (MNN), of too many terms and of few,
// and a layer whose products vanish in f16 (an inpainting network's).
// CHECK-LABEL: func @stories(
// CHECK:         numerics(accumulator = f32)
// CHECK:         numerics(accumulator = f32)
// CHECK:         numerics(accumulator = f32)
func.func @stories(%x: tensor<1x5x6x64xf16> {convoy.range = array<f64: 0.0, 60.0, 0.01>}, %small: tensor<1x5x6x64xf16> {convoy.range = array<f64: 0.0, 0.002, 0.0001>}) -> (tensor<1x3x4x2xf16>, tensor<1x3x4x2xf16>, tensor<1x3x4x2xf16>) {
  %zeros = arith.constant dense<0.0> : tensor<1x3x4x2xf16>
  %w = arith.constant dense<2.0> : tensor<3x3x64x2xf16>
  // expected-remark @below {{not in 'f16': sums of 576 terms are too long, expected fewer than 128}}
  %0 = convoy.conv ins(%x, %w : tensor<1x5x6x64xf16>, tensor<3x3x64x2xf16>) outs(%zeros : tensor<1x3x4x2xf16>) layout(nhwc x hwcf -> nhwf) numerics(policy = low)
  %some = tensor.extract_slice %x[0, 0, 0, 0] [1, 5, 6, 8] [1, 1, 1, 1] : tensor<1x5x6x64xf16> to tensor<1x5x6x8xf16>
  %u = arith.constant dense<16.0> : tensor<3x3x8x2xf16>
  // expected-remark @below {{not in 'f16': sums of 72 products may reach 74347.6, expected less than 65504}}
  %1 = convoy.conv ins(%some, %u : tensor<1x5x6x8xf16>, tensor<3x3x8x2xf16>) outs(%zeros : tensor<1x3x4x2xf16>) layout(nhwc x hwcf -> nhwf) numerics(policy = low)
  %tiny = tensor.extract_slice %small[0, 0, 0, 0] [1, 5, 6, 8] [1, 1, 1, 1] : tensor<1x5x6x64xf16> to tensor<1x5x6x8xf16>
  %v = arith.constant dense<0.0001> : tensor<3x3x8x2xf16>
  // expected-remark @below {{not in 'f16': products may be as small as 9.99736e-09, expected at least 6.10352e-05}}
  %2 = convoy.conv ins(%tiny, %v : tensor<1x5x6x8xf16>, tensor<3x3x8x2xf16>) outs(%zeros : tensor<1x3x4x2xf16>) layout(nhwc x hwcf -> nhwf) numerics(policy = low)
  return %0, %1, %2 : tensor<1x3x4x2xf16>, tensor<1x3x4x2xf16>, tensor<1x3x4x2xf16>
}

// -----

// Blocks are of the channels that are summed over, whichever the direction, and
// the last may have fewer. Each starts at zero; f32 adds the init to their sums,
// which are rounded once.
// CHECK-LABEL: func @blocks(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<7x5x17xbf16>
// CHECK-SAME:      %[[W:[a-z0-9]+]]: tensor<2x17x18xbf16>
// CHECK-SAME:      %[[DY:[a-z0-9]+]]: tensor<7x4x18xbf16>
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<7x4x18xbf16>
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} ins(%[[DY]] : tensor<7x4x18xbf16>)
// CHECK:           arith.extf
// CHECK:         %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [7, 5, 6]
// CHECK:         %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 0] [2, 6, 18]
// CHECK:         %[[S0:.*]] = convoy.conv ins(%[[X0]], %[[W0]] : {{.*}}) outs(%[[ZEROS]] : tensor<7x4x18xbf16>) layout(nwc x wcf -> nwf) numerics(accumulator = bf16, policy = low
// CHECK:         %[[R0:.*]] = linalg.generic {{.*}} ins(%[[START]], %[[S0]] : tensor<7x4x18xf32>, tensor<7x4x18xbf16>)
// CHECK:           %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.addf %{{.*}}, %[[WIDE]] : f32
// CHECK:         tensor.extract_slice %[[X]][0, 0, 6] [7, 5, 6]
// CHECK:         %[[S1:.*]] = convoy.conv ins
// CHECK:         %[[R1:.*]] = linalg.generic {{.*}} ins(%[[R0]], %[[S1]]
// CHECK:         %[[X2:.*]] = tensor.extract_slice %[[X]][0, 0, 12] [7, 5, 5]
// CHECK:         %[[W2:.*]] = tensor.extract_slice %[[W]][0, 12, 0] [2, 5, 18]
// CHECK:         %[[S2:.*]] = convoy.conv ins(%[[X2]], %[[W2]]
// CHECK:         %[[R2:.*]] = linalg.generic {{.*}} ins(%[[R1]], %[[S2]]
// CHECK:         linalg.generic {{.*}} ins(%[[R2]] : tensor<7x4x18xf32>)
// CHECK:           arith.truncf
// CHECK:         tensor.extract_slice %[[DY]][0, 0, 0] [7, 4, 6]
// CHECK:         tensor.extract_slice %[[W]][0, 0, 0] [2, 17, 6]
// CHECK:         convoy.conv_backward_data
// CHECK:         tensor.extract_slice %[[DY]][0, 0, 12] [7, 4, 6]
// CHECK:         tensor.extract_slice %[[W]][0, 0, 12] [2, 17, 6]
// CHECK:         convoy.conv_backward_data
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0] [3, 5, 17]
// CHECK:         tensor.extract_slice %[[DY]][0, 0, 0] [3, 4, 18]
// CHECK:         convoy.conv_backward_filter
// CHECK:         tensor.extract_slice %[[X]][3, 0, 0] [3, 5, 17]
// CHECK:         convoy.conv_backward_filter
// CHECK:         tensor.extract_slice %[[X]][6, 0, 0] [1, 5, 17]
// CHECK:         convoy.conv_backward_filter
// CHECK-NOT:     numerics(accumulator = f32
func.func @blocks(%x: tensor<7x5x17xbf16> {convoy.range = array<f64: 0.5, 2.0>}, %w: tensor<2x17x18xbf16> {convoy.range = array<f64: -2.0, 2.0, 0.5>},
                  %dy: tensor<7x4x18xbf16> {convoy.range = array<f64: 0.5, 4.0>}) -> (tensor<7x4x18xbf16>, tensor<7x5x17xbf16>, tensor<2x17x18xbf16>) {
  // expected-remark @below {{sums 3 blocks of up to 12 products in 'bf16', and these in 'f32' with policy low, not all in 'bf16': sums of 35 terms are too long, expected fewer than 16}}
  %0 = convoy.conv ins(%x, %w : tensor<7x5x17xbf16>, tensor<2x17x18xbf16>) outs(%dy : tensor<7x4x18xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low)
  %dx = arith.constant dense<0.0> : tensor<7x5x17xbf16>
  // expected-remark @below {{sums 3 blocks of up to 12 products in 'bf16'}}
  %1 = convoy.conv_backward_data ins(%dy, %w : tensor<7x4x18xbf16>, tensor<2x17x18xbf16>) outs(%dx : tensor<7x5x17xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low)
  %dw = arith.constant dense<0.0> : tensor<2x17x18xbf16>
  // expected-remark @below {{sums 3 blocks of up to 12 products in 'bf16'}}
  %2 = convoy.conv_backward_filter ins(%x, %dy : tensor<7x5x17xbf16>, tensor<7x4x18xbf16>) outs(%dw : tensor<2x17x18xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low)
  return %0, %1, %2 : tensor<7x4x18xbf16>, tensor<7x5x17xbf16>, tensor<2x17x18xbf16>
}

// -----

// Where not even one channel's sum is short enough, blocks are of no use. They
// are none, either, where the errors of their sums could leave the result's type
// (@overflow).
// CHECK-LABEL: func @no_blocks(
// CHECK:         numerics(accumulator = f32)
func.func @no_blocks(%x: tensor<1x40x3xbf16> {convoy.range = array<f64: 0.5, 2.0>}, %w: tensor<33x3x5xbf16> {convoy.range = array<f64: 0.5, 2.0>}) -> tensor<1x8x5xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x8x5xbf16>
  // expected-remark @below {{sums in 'f32' with policy low, not in 'bf16': sums of 99 terms are too long, expected fewer than 16}}
  %0 = convoy.conv ins(%x, %w : tensor<1x40x3xbf16>, tensor<33x3x5xbf16>) outs(%zeros : tensor<1x8x5xbf16>) layout(nwc x wcf -> nwf) numerics(policy = low)
  return %0 : tensor<1x8x5xbf16>
}
