// RUN: convoy-opt --convoy-raise-linalg --split-input-file %s | FileCheck %s --implicit-check-not=linalg.

#input = affine_map<(o, k) -> (o + k)>
#filter = affine_map<(o, k) -> (k)>
#output = affine_map<(o, k) -> (o)>
#scalar = affine_map<(o, k) -> ()>

// u8 x s8: the zero-extension of the input is kept.
// CHECK-LABEL: func @unsigned_input(
// CHECK: convoy.conv {{.*}} numerics(input = unsigned){{$}}
func.func @unsigned_input(%input: tensor<9xi8>, %filter: tensor<3xi8>,
    %init: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %xx = arith.extui %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %xx, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// Several extensions of the same kind are one; the filter comes first here.
// CHECK-LABEL: func @unsigned_filter(
// CHECK-SAME: %[[FILTER:[^:]+]]: {{[^%]+}}%[[INPUT:[^:]+]]:
// CHECK: %[[X:.+]] = tensor.expand_shape %[[INPUT]]
// CHECK: %[[W:.+]] = tensor.expand_shape %[[FILTER]]
// CHECK: convoy.conv ins(%[[X]], %[[W]] : {{.*}} numerics(filter = unsigned){{$}}
func.func @unsigned_filter(%filter: tensor<3xi8>, %input: tensor<9xi16>,
    %init: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.generic {indexing_maps = [#filter, #input, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%filter, %input : tensor<3xi8>, tensor<9xi16>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%w: i8, %x: i16, %acc: i32):
    %ww = arith.extui %w : i8 to i16
    %www = arith.extui %ww : i16 to i32
    %xx = arith.extsi %x : i16 to i32
    %product = arith.muli %www, %xx : i32
    %sum = arith.addi %product, %acc : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// Named ops extend as their body says; this attribute is not theirs.
// CHECK-LABEL: func @named_op_with_cast(
// CHECK-NOT: numerics
// CHECK: return
func.func @named_op_with_cast(%input: tensor<9xi8>, %filter: tensor<3xi8>,
    %init: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.conv_1d {cast = #linalg.type_fn<cast_unsigned>}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// One zero point: the other is zero. Constants may stand in the body.
// CHECK-LABEL: func @zero_point_in_body(
// CHECK: %[[C0:.+]] = arith.constant 0 : i32
// CHECK: %[[ZW:.+]] = arith.constant 200 : i32
// CHECK: convoy.conv {{.*}} zero_points(%[[C0]], %[[ZW]] : i32, i32) {{.*}} numerics(filter = unsigned){{$}}
func.func @zero_point_in_body(%input: tensor<9xi8>, %filter: tensor<3xi8>,
    %init: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %c200 = arith.constant 200 : i32
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extui %w : i8 to i32
    %shifted = arith.subi %ww, %c200 : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// Zero points from outside and from a scalar operand.
// CHECK-LABEL: func @zero_points_from_outside(
// CHECK-SAME: %[[ZX:[a-z0-9]+]]: i32, %[[ZW:[a-z0-9]+]]: i32
// CHECK: convoy.conv {{.*}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
func.func @zero_points_from_outside(%input: tensor<9xi8>, %filter: tensor<3xi8>,
    %init: tensor<7xi32>, %zx: i32, %zw: i32) -> tensor<7xi32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #scalar, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter, %zw : tensor<9xi8>, tensor<3xi8>, i32)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i32, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %xz = arith.subi %xx, %zx : i32
    %ww = arith.extsi %w : i8 to i32
    %wz = arith.subi %ww, %z : i32
    %product = arith.muli %xz, %wz : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// The f16 accumulator that the op really has is written down.
// CHECK-LABEL: func @f16_sums(
// CHECK: convoy.conv {{.*}} numerics(accumulator = f16){{$}}
func.func @f16_sums(%input: tensor<9xf16>, %filter: tensor<3xf16>,
    %init: tensor<7xf16>) -> tensor<7xf16> {
  %r = linalg.conv_1d ins(%input, %filter : tensor<9xf16>, tensor<3xf16>)
      outs(%init : tensor<7xf16>) -> tensor<7xf16>
  return %r : tensor<7xf16>
}

// CHECK-LABEL: func @bf16_sums_in_f32(
// CHECK: convoy.conv ins({{.*}}bf16>, {{.*}}bf16>) outs({{.*}}xf32>) layout(nwc x wcf -> nwf){{$}}
func.func @bf16_sums_in_f32(%input: tensor<9xbf16>, %filter: tensor<3xbf16>,
    %init: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.conv_1d ins(%input, %filter : tensor<9xbf16>, tensor<3xbf16>)
      outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// Flags that free the compiler do not change what is computed.
// CHECK-LABEL: func @fastmath_flags(
// CHECK: convoy.conv
func.func @fastmath_flags(%input: tensor<9xf32>, %filter: tensor<3xf16>,
    %init: tensor<7xf64>) -> tensor<7xf64> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf16>)
      outs(%init : tensor<7xf64>) {
  ^bb0(%x: f32, %w: f16, %acc: f64):
    %xx = arith.extf %x : f32 to f64
    %w32 = arith.extf %w : f16 to f32
    %ww = arith.extf %w32 : f32 to f64
    %product = arith.mulf %xx, %ww fastmath<contract> : f64
    %sum = arith.addf %acc, %product fastmath<fast> : f64
    linalg.yield %sum : f64
  } -> tensor<7xf64>
  return %r : tensor<7xf64>
}

// -----

#input = affine_map<(o, f, c, k) -> (o + k, c)>
#filter = affine_map<(o, f, c, k) -> (k, c, f)>
#zeros = affine_map<(o, f, c, k) -> (f)>
#output = affine_map<(o, f, c, k) -> (o, f)>

// One for each channel, extended as the filter is.
// CHECK-LABEL: func @zero_points_of_channels(
// CHECK-SAME: %[[ZW:[a-z0-9]+]]: tensor<5xi8>
// CHECK: %[[C0:.+]] = arith.constant 0 : i32
// CHECK: %[[WIDE:.+]] = arith.extui %[[ZW]] : tensor<5xi8> to tensor<5xi32>
// CHECK: convoy.conv {{.*}} zero_points(%[[C0]], %[[WIDE]] : i32, tensor<5xi32>) {{.*}} numerics(filter = unsigned){{$}}
func.func @zero_points_of_channels(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>,
    %init: tensor<7x5xi32>, %zw: tensor<5xi8>) -> tensor<7x5xi32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #zeros, #output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<5xi8>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extui %w : i8 to i32
    %zz = arith.extui %z : i8 to i32
    %shifted = arith.subi %ww, %zz : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}

// -----

#input = affine_map<(g, o, f, c, k) -> (g, o + k, c)>
#filter = affine_map<(g, o, f, c, k) -> (g, k, c, f)>
#zeros = affine_map<(g, o, f, c, k) -> (g, f)>
#output = affine_map<(g, o, f, c, k) -> (g, o, f)>

// CHECK-LABEL: func @zero_points_of_groups(
// CHECK-SAME: %[[ZW:[a-z0-9]+]]: tensor<4x5xi8>
// CHECK: %[[FLAT:.+]] = tensor.collapse_shape %[[ZW]] {{\[}}[0, 1]] : tensor<4x5xi8> into tensor<20xi8>
// CHECK: %[[WIDE:.+]] = arith.extsi %[[FLAT]] : tensor<20xi8> to tensor<20xi32>
// CHECK: convoy.conv {{.*}} zero_points(%{{.+}}, %[[WIDE]] : i32, tensor<20xi32>) layout(
func.func @zero_points_of_groups(%input: tensor<4x9x2xi8>, %filter: tensor<4x3x2x5xi8>,
    %init: tensor<4x7x5xi32>, %zw: tensor<4x5xi8>) -> tensor<4x7x5xi32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #zeros, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<4x9x2xi8>, tensor<4x3x2x5xi8>, tensor<4x5xi8>)
      outs(%init : tensor<4x7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %zz = arith.extsi %z : i8 to i32
    %shifted = arith.subi %ww, %zz : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<4x7x5xi32>
  return %r : tensor<4x7x5xi32>
}
