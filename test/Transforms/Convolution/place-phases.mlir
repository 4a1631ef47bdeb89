// RUN: convoy-opt %s --convoy-place-phases --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-place-phases=explain --split-input-file --verify-diagnostics -o /dev/null
// RUN: convoy-opt %s --convoy-place-phases --split-input-file --convoy-certify-each 2>&1 | FileCheck %s --check-prefix=CERTIFIED

// CERTIFIED-NOT: undecided
// CERTIFIED-NOT: differ

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// Each position between those of the input has one tap: phases are a dimension
// of the result, and of the filter.
// CHECK-DAG:   #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG:   #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4, d5, d3)>
// CHECK-DAG:   #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @row(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x5xf32>, %[[W:.*]]: tensor<2x5x16xf32>, %[[ROOM:.*]]: tensor<2x6x16xf32>)
// CHECK:         %[[ROWS:.*]] = convoy.im2col %[[X]] layout(nwc, nw|wc) : tensor<2x3x5xf32> -> tensor<2x3x1x5xf32>
// CHECK:         %[[PLACES:.*]] = tensor.expand_shape %[[ROOM]] {{\[\[}}0], [1, 2], [3]] {{.*}} into tensor<2x3x2x16xf32>
// CHECK:         %[[INIT:.*]] = linalg.fill {{.*}} outs(%[[PLACES]] :
// CHECK:         %[[FILTER:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2], [3]] {{.*}} into tensor<2x1x5x16xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[PIXELS]], #[[WEIGHTS]], #[[RESULT]]]
// CHECK-SAME:      ins(%[[ROWS]], %[[FILTER]] : {{.*}}) outs(%[[INIT]] :
// CHECK:         tensor.collapse_shape %[[SUM]] {{\[\[}}0], [1, 2], [3]]
module attributes {convoy.target = #cpu} {
  func.func @row(%x: tensor<2x3x5xf32>, %w: tensor<2x5x16xf32>, %room: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<2x5x16xf32>) outs(%init : tensor<2x6x16xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x6x16xf32>
  }
}

// -----

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// Sums that go on from an init, of 2 x 3 phases, 24 channels of each: those of
// a row fill whole vectors. The filter has taps innermost.
// CHECK-LABEL: func @image(
// CHECK-SAME:    %{{.*}}: tensor<1x3x4x5xf32>, %[[W:.*]]: tensor<24x5x2x3xf32>, %[[INIT:.*]]: tensor<1x6x12x24xf32>)
// CHECK:         %[[PLACES:.*]] = tensor.expand_shape %[[INIT]] {{\[\[}}0], [1, 2], [3, 4], [5]] {{.*}} into tensor<1x3x2x4x3x24xf32>
// CHECK:         tensor.expand_shape %[[W]] {{\[\[}}0], [1], [2, 3], [4, 5]] {{.*}} into tensor<24x5x2x1x3x1xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[PLACES]] :
module attributes {convoy.target = #cpu} {
  func.func @image(%x: tensor<1x3x4x5xf32>, %w: tensor<24x5x2x3xf32>, %init: tensor<1x6x12x24xf32>) -> tensor<1x6x12x24xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x3x4x5xf32>, tensor<24x5x2x3xf32>) outs(%init : tensor<1x6x12x24xf32>)
        layout(nhwc x fchw -> nhwf) window(pad = [[1, 1], [2, 2]], input_dilation = [2, 3], reverse = [true, true])
    return %r : tensor<1x6x12x24xf32>
  }
}

// -----

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// Rows of an image whose columns are not dilated: only phases of rows.
// CHECK-LABEL: func @dilated_rows(
// CHECK:         convoy.im2col {{.*}} window(pad = {{\[\[}}0, 0], [1, 1]]) : tensor<1x3x4x5xf32> -> tensor<1x3x4x1x3x5xf32>
// CHECK:         tensor.expand_shape {{.*}} into tensor<1x3x2x4x16xf32>
// CHECK:         tensor.expand_shape {{.*}} into tensor<2x1x3x5x16xf32>
module attributes {convoy.target = #cpu} {
  func.func @dilated_rows(%x: tensor<1x3x4x5xf32>, %w: tensor<2x3x5x16xf32>, %init: tensor<1x6x4x16xf32>) -> tensor<1x6x4x16xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x3x4x5xf32>, tensor<2x3x5x16xf32>) outs(%init : tensor<1x6x4x16xf32>)
        layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [1, 1]], input_dilation = [2, 1], reverse = [true, false])
    return %r : tensor<1x6x4x16xf32>
  }
}

// -----

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// CHECK-LABEL: func @overlapping(
// CHECK-NOT:     convoy.im2col
module attributes {convoy.target = #cpu} {
  func.func @overlapping(%x: tensor<2x3x5xf32>, %w: tensor<3x5x16xf32>, %init: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    // expected-remark @below {{the convolution stays as it is: its windows overlap, leave gaps or are cut off, it sums in another type, or its channels fill no vectors}}
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<3x5x16xf32>) outs(%init : tensor<2x6x16xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 2]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x6x16xf32>
  }

  // CHECK-LABEL: func @cut_off(
  // CHECK-NOT:     convoy.im2col
  func.func @cut_off(%x: tensor<2x3x5xf32>, %w: tensor<2x5x16xf32>, %init: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    // expected-remark @below {{its windows overlap, leave gaps or are cut off}}
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<2x5x16xf32>) outs(%init : tensor<2x5x16xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 0]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x5x16xf32>
  }

  // CHECK-LABEL: func @few_channels(
  // CHECK-NOT:     convoy.im2col
  func.func @few_channels(%x: tensor<2x3x5xf32>, %w: tensor<2x5x5xf32>, %init: tensor<2x6x5xf32>) -> tensor<2x6x5xf32> {
    // expected-remark @below {{its channels fill no vectors}}
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<2x5x5xf32>) outs(%init : tensor<2x6x5xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x6x5xf32>
  }

  // CHECK-LABEL: func @pixels_innermost(
  // CHECK-NOT:     convoy.im2col
  func.func @pixels_innermost(%x: tensor<2x5x3xf32>, %w: tensor<2x5x16xf32>, %init: tensor<2x16x6xf32>) -> tensor<2x16x6xf32> {
    // expected-remark @below {{its channels fill no vectors}}
    %r = convoy.conv ins(%x, %w : tensor<2x5x3xf32>, tensor<2x5x16xf32>) outs(%init : tensor<2x16x6xf32>)
        layout(ncw x wcf -> nfw) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x16x6xf32>
  }

  // CHECK-LABEL: func @wider_sums(
  // CHECK-NOT:     convoy.im2col
  func.func @wider_sums(%x: tensor<2x3x5xi8>, %w: tensor<2x5x16xi8>, %init: tensor<2x6x16xi32>) -> tensor<2x6x16xi32> {
    // expected-remark @below {{it sums in another type}}
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xi8>, tensor<2x5x16xi8>) outs(%init : tensor<2x6x16xi32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<2x6x16xi32>
  }

  // CHECK-LABEL: func @groups(
  // CHECK-NOT:     convoy.im2col
  func.func @groups(%x: tensor<1x4x2x4xf32>, %w: tensor<2x2x4x16xf32>, %init: tensor<1x8x2x16xf32>) -> tensor<1x8x2x16xf32> {
    // expected-remark @below {{it has zero points or groups}}
    %r = convoy.conv ins(%x, %w : tensor<1x4x2x4xf32>, tensor<2x2x4x16xf32>) outs(%init : tensor<1x8x2x16xf32>)
        layout(nwgc x wgcf -> nwgf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<1x8x2x16xf32>
  }

  // CHECK-LABEL: func @dense(
  // CHECK-NOT:     convoy.im2col
  func.func @dense(%x: tensor<2x3x5xf32>, %w: tensor<1x5x16xf32>, %init: tensor<2x3x16xf32>) -> tensor<2x3x16xf32> {
    // expected-remark @below {{it is not dilated}}
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<1x5x16xf32>) outs(%init : tensor<2x3x16xf32>)
        layout(nwc x wcf -> nwf)
    return %r : tensor<2x3x16xf32>
  }
}
