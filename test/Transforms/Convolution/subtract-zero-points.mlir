// RUN: convoy-opt %s --convoy-subtract-zero-points --split-input-file | FileCheck %s
// RUN: not convoy-opt %s --convoy-subtract-zero-points --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: certified 8 changes of functions, but not all in

// Differences of bytes have 9 bits.
// CHECK-DAG:     #[[FILTER:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:     #[[CHANNELS:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func.func @bytes
// CHECK-SAME:    (%[[X:.*]]: tensor<1x9x4xi8>, %[[W:.*]]: tensor<3x4x6xi8>, %[[INIT:.*]]: tensor<1x7x6xi32>, %[[ZX:.*]]: i32, %[[ZW:.*]]: tensor<6xi32>)
func.func @bytes(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x7x6xi32>, %zx: i32, %zw: tensor<6xi32>) -> tensor<1x7x6xi32> {
  // CHECK:      %[[LESS:.*]] = linalg.generic {indexing_maps = [#[[FILTER]], #[[CHANNELS]], #[[FILTER]]]
  // CHECK-SAME:     ins(%[[W]], %[[ZW]] : tensor<3x4x6xi8>, tensor<6xi32>) outs(%{{.*}} : tensor<3x4x6xi16>)
  // CHECK-NEXT: ^bb0(%[[TAP:.*]]: i8, %[[ZERO:.*]]: i32, %{{.*}}: i16):
  // CHECK-DAG:    %[[WIDE:.*]] = arith.extui %[[TAP]] : i8 to i16
  // CHECK-DAG:    %[[BYTE:.*]] = arith.trunci %[[ZERO]] : i32 to i8
  // CHECK:        %[[NUMBER:.*]] = arith.extui %[[BYTE]] : i8 to i16
  // CHECK:        %[[DIFFERENCE:.*]] = arith.subi %[[WIDE]], %[[NUMBER]] : i16
  // CHECK:        linalg.yield %[[DIFFERENCE]] : i16
  // CHECK:      %[[NONE:.*]] = arith.constant 0 : i32
  // CHECK:      convoy.conv ins(%[[X]], %[[LESS]] : tensor<1x9x4xi8>, tensor<3x4x6xi16>) outs(%[[INIT]] : tensor<1x7x6xi32>)
  // CHECK-SAME:     zero_points(%[[ZX]], %[[NONE]] : i32, i32) layout(nwc x wcf -> nwf) numerics(input = unsigned){{$}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, tensor<6xi32>)
      layout(nwc x wcf -> nwf) numerics(input = unsigned, filter = unsigned, filter_range = [0.0, 9.0])
  return %r : tensor<1x7x6xi32>
}

// -----

// Groups, one behind the other; where the input's zero point is 0 none is left.
// CHECK-LABEL: func.func @groups
// CHECK-SAME:    %[[ZW:[^ ]*]]: tensor<10xi32>)
func.func @groups(%x: tensor<1x2x9x4xi8>, %w: tensor<5x2x4x3xi8>, %init: tensor<1x2x7x5xi32>, %zw: tensor<10xi32>) -> tensor<1x2x7x5xi32> {
  %zero = arith.constant 0 : i32
  // CHECK: %[[APART:.*]] = tensor.expand_shape %[[ZW]] {{\[}}[0, 1]] output_shape [2, 5] : tensor<10xi32> into tensor<2x5xi32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[APART]] : tensor<5x2x4x3xi8>, tensor<2x5xi32>)
  // CHECK: convoy.conv
  // CHECK-NOT: zero_points
  %r = convoy.conv ins(%x, %w : tensor<1x2x9x4xi8>, tensor<5x2x4x3xi8>)
      outs(%init : tensor<1x2x7x5xi32>) zero_points(%zero, %zw : i32, tensor<10xi32>)
      layout(ngwc x fgcw -> ngwf)
  return %r : tensor<1x2x7x5xi32>
}

// -----

// CHECK-LABEL: func.func @zero_points_not_counted
func.func @zero_points_not_counted(%x: tensor<1x2x9x4xi8>, %w: tensor<5x2x4x3xi8>, %init: tensor<1x2x7x5xi32>, %some: tensor<?xi32>) -> tensor<1x2x7x5xi32> {
  %zero = arith.constant 0 : i32
  // CHECK: %[[TEN:.*]] = tensor.cast %{{.*}} : tensor<?xi32> to tensor<10xi32>
  // CHECK: tensor.expand_shape %[[TEN]] {{.*}} output_shape [2, 5] : tensor<10xi32> into tensor<2x5xi32>
  %y = convoy.conv ins(%x, %w : tensor<1x2x9x4xi8>, tensor<5x2x4x3xi8>)
      outs(%init : tensor<1x2x7x5xi32>) zero_points(%zero, %some : i32, tensor<?xi32>)
      layout(ngwc x fgcw -> ngwf)
  return %y : tensor<1x2x7x5xi32>
}

// -----

// The certifier is undecided on these alone.
// CHECK-LABEL: func.func @channels_not_counted
func.func @channels_not_counted(%x: tensor<1x2x9x4xi8>, %w: tensor<?x2x4x3xi8>, %init: tensor<1x2x7x5xi32>, %ten: tensor<10xi32>) -> tensor<1x2x7x5xi32> {
  %zero = arith.constant 0 : i32
  // CHECK: %[[SOME:.*]] = tensor.cast %{{.*}} : tensor<10xi32> to tensor<?xi32>
  // CHECK: tensor.expand_shape %[[SOME]] {{.*}} output_shape [2, %{{.*}}] : tensor<?xi32> into tensor<2x?xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x2x9x4xi8>, tensor<?x2x4x3xi8>)
      outs(%init : tensor<1x2x7x5xi32>) zero_points(%zero, %ten : i32, tensor<10xi32>)
      layout(ngwc x fgcw -> ngwf)
  return %r : tensor<1x2x7x5xi32>
}

// -----

// The channels of a transposed convolution are those that it makes; sums of i16
// wrap around, whatever the zero points are.
// CHECK-DAG:     #[[CHANNELS:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: tensor<1x5x6xi16>, %w: tensor<6x4x3xi16>, %init: tensor<1x7x4xi16>, %zx: i16, %zw: tensor<4xi16>) -> tensor<1x7x4xi16> {
  // CHECK:     linalg.generic {indexing_maps = [#{{.*}}, #[[CHANNELS]], #{{.*}}]
  // CHECK-NOT: arith.ext
  // CHECK:     arith.subi %{{.*}} : i16
  // CHECK:     convoy.conv_transpose
  %r = convoy.conv_transpose ins(%x, %w : tensor<1x5x6xi16>, tensor<6x4x3xi16>)
      outs(%init : tensor<1x7x4xi16>) zero_points(%zx, %zw : i16, tensor<4xi16>)
      layout(nwc x cfw -> nwf)
  return %r : tensor<1x7x4xi16>
}

// -----

// CHECK-DAG:     #[[CHANNELS:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func.func @gradient
func.func @gradient(%dy: tensor<1x7x6xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x9x4xi32>, %zy: i32, %zw: tensor<4xi32>) -> tensor<1x9x4xi32> {
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[CHANNELS]], #{{.*}}]
  // CHECK: convoy.conv_backward_data ins(%{{.*}}, %{{.*}} : tensor<1x7x6xi8>, tensor<3x4x6xi16>)
  %r = convoy.conv_backward_data ins(%dy, %w : tensor<1x7x6xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x9x4xi32>) zero_points(%zy, %zw : i32, tensor<4xi32>)
      layout(nwc x wcf -> nwf)
  return %r : tensor<1x9x4xi32>
}

// -----

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x?x?xi8>, %w: tensor<3x?x?xi8>, %init: tensor<?x?x?xi32>, %zx: i32, %zw: tensor<?xi32>) -> tensor<?x?x?xi32> {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x?x?xi8>, tensor<?xi32>) outs(%{{.*}} : tensor<3x?x?xi16>)
  // CHECK: convoy.conv
  %r = convoy.conv ins(%x, %w : tensor<?x?x?xi8>, tensor<3x?x?xi8>)
      outs(%init : tensor<?x?x?xi32>) zero_points(%zx, %zw : i32, tensor<?xi32>)
      layout(nwc x wcf -> nwf)
  return %r : tensor<?x?x?xi32>
}

// -----

// CHECK-LABEL: func.func @all_the_same
// CHECK-SAME:    %[[ZX:[^ ]*]]: i32)
func.func @all_the_same(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x7x6xi32>, %zx: i32) -> tensor<1x7x6xi32> {
  // CHECK:     %[[ZW:.*]] = arith.constant -3 : i32
  // CHECK-NOT: linalg.generic
  // CHECK:     convoy.conv {{.*}} zero_points(%[[ZX]], %[[ZW]] : i32, i32)
  %zw = arith.constant dense<-3> : tensor<6xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, tensor<6xi32>)
      layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x6xi32>
}

// -----

// Constants fit, as the verifier knows.
// CHECK-LABEL: func.func @constants
func.func @constants(%x: tensor<1x9x4xi8>, %w: tensor<3x4x2xi8>, %init: tensor<1x7x2xi32>, %zx: i32) -> tensor<1x7x2xi32> {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x4x2xi8>, tensor<2xi32>)
  %zw = arith.constant dense<[-128, 127]> : tensor<2xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x2xi8>)
      outs(%init : tensor<1x7x2xi32>) zero_points(%zx, %zw : i32, tensor<2xi32>)
      layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x2xi32>
}

// -----

// One zero point of each operand is left to the products.
// CHECK-LABEL: func.func @one
// CHECK-NOT:     linalg.generic
// CHECK:         zero_points(%{{.*}}, %{{.*}} : i32, i32)
func.func @one(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x7x6xi32>, %zx: i32, %zw: i32) -> tensor<1x7x6xi32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i32)
      layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x6xi32>
}
