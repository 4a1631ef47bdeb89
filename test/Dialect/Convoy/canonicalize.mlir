// RUN: convoy-opt %s --canonicalize --split-input-file | FileCheck %s

// Lists of defaults vanish.
// CHECK-LABEL: func @default_lists(
// CHECK:         convoy.conv ins({{.*}}) outs({{.*}}) layout(nwc x wcf -> nwf){{$}}
func.func @default_lists(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                         %init: tensor<1x7x6xf32>) -> tensor<1x7x6xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [1], dilation = [1], pad = [[0, 0]],
             input_dilation = [1], reverse = [false])
  return %0 : tensor<1x7x6xf32>
}

// -----

// One tap: nothing moves between taps.
// CHECK-LABEL: func @one_tap(
// CHECK:         convoy.conv ins({{.*}}) outs({{.*}}) layout(nwc x wcf -> nwf) window(stride = [2])
func.func @one_tap(%x: tensor<1x?x4xf32>, %w: tensor<1x4x6xf32>,
                   %init: tensor<1x?x6xf32>) -> tensor<1x?x6xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x?x4xf32>, tensor<1x4x6xf32>)
      outs(%init : tensor<1x?x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2], dilation = [3], reverse = [true])
  return %0 : tensor<1x?x6xf32>
}

// -----

// One position: nothing moves between positions; the high padding shrinks to
// what is still read.
// CHECK-LABEL: func @one_position(
// CHECK:         convoy.conv_backward_data
// CHECK-SAME:        window(pad = {{\[}}[1, -2]])
func.func @one_position(%dy: tensor<1x1x6xf32>, %w: tensor<3x4x6xf32>,
                        %init: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x1x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf)
      window(stride = [5], pad = [[1, 1]])
  return %0 : tensor<1x4x4xf32>
}

// -----

// One input position: its dilation has no effect.
// CHECK-LABEL: func @one_input(
// CHECK:         convoy.conv_backward_filter
// CHECK-SAME:        window(pad = {{\[}}[1, 1]])
func.func @one_input(%x: tensor<2x1x4xf32>, %dy: tensor<2x1x6xf32>,
                     %init: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<2x1x4xf32>, tensor<2x1x6xf32>)
      outs(%init : tensor<3x4x6xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[1, 1]], input_dilation = [3])
  return %0 : tensor<3x4x6xf32>
}

// -----

// Casts to dynamic sizes are folded into the op. The high padding, a bound
// until then, becomes the one that the sizes need.
// CHECK-LABEL: func @cast(
// CHECK-NEXT:    %[[R:.*]] = convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
// CHECK-SAME:        outs(%{{.*}} : tensor<1x4x6xf32>)
// CHECK-SAME:        window(stride = [2], pad = {{\[}}[1, -1]])
// CHECK-NEXT:    return %[[R]]
func.func @cast(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                %init: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %dx = tensor.cast %x : tensor<1x9x4xf32> to tensor<?x?x4xf32>
  %dinit = tensor.cast %init : tensor<1x4x6xf32> to tensor<?x?x6xf32>
  %0 = convoy.conv ins(%dx, %w : tensor<?x?x4xf32>, tensor<3x4x6xf32>)
      outs(%dinit : tensor<?x?x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2], pad = [[1, 2]])
  %1 = tensor.cast %0 : tensor<?x?x6xf32> to tensor<1x4x6xf32>
  return %1 : tensor<1x4x6xf32>
}

// -----

// CHECK-LABEL: func @im2col_window(
// CHECK:         convoy.im2col %{{[^ ]*}} layout(nhwc, nhw|hwc) window(stride = [2, 1]) :
func.func @im2col_window(%x: tensor<1x9x3x4xf32>) -> tensor<1x5x1x1x3x4xf32> {
  %0 = convoy.im2col %x layout(nhwc, nhw|hwc)
      window(stride = [2, 3], dilation = [4, 1], reverse = [true, false])
      : tensor<1x9x3x4xf32> -> tensor<1x5x1x1x3x4xf32>
  return %0 : tensor<1x5x1x1x3x4xf32>
}

// -----

// The im2col of a 1x1 filter is the input.
// CHECK-LABEL: func @pointwise(
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK-NEXT:    %[[ROWS:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1], [2], [3, 4, 5]] output_shape [1, 9, 7, 1, 1, 4]
// CHECK-NEXT:    return %[[ROWS]]
func.func @pointwise(%x: tensor<1x9x7x4xf32>) -> tensor<1x9x7x1x1x4xf32> {
  %0 = convoy.im2col %x layout(nhwc, nhw|hwc)
      window(dilation = [2, 2], reverse = [true, true])
      : tensor<1x9x7x4xf32> -> tensor<1x9x7x1x1x4xf32>
  return %0 : tensor<1x9x7x1x1x4xf32>
}

// -----

// CHECK-LABEL: func @pointwise_groups_dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<2x?x7x4xf32>, %[[N:.*]]: index
// CHECK-NEXT:    tensor.expand_shape %[[X]] {{\[}}[0], [1], [2], [3, 4]] output_shape [2, %[[N]], 7, 4, 1]
func.func @pointwise_groups_dynamic(%x: tensor<2x?x7x4xf32>, %n: index)
    -> tensor<2x?x7x4x1xf32> {
  %0 = convoy.im2col %x sizes(%n) layout(gnwc, gnw|cw)
      : tensor<2x?x7x4xf32> -> tensor<2x?x7x4x1xf32>
  return %0 : tensor<2x?x7x4x1xf32>
}

// -----

// CHECK-LABEL: func @pointwise_among_positions(
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK-NEXT:    tensor.expand_shape %[[X]] {{\[}}[0], [1, 2, 3], [4], [5]] output_shape [2, 4, 1, 1, 9, 7]
func.func @pointwise_among_positions(%x: tensor<2x4x9x7xf32>)
    -> tensor<2x4x1x1x9x7xf32> {
  %0 = convoy.im2col %x layout(nchw, n|chw|hw)
      : tensor<2x4x9x7xf32> -> tensor<2x4x1x1x9x7xf32>
  return %0 : tensor<2x4x1x1x9x7xf32>
}

// -----

// Not the input as it lies: a stride, another order, more taps, a size that
// only one side knows.
// CHECK-LABEL: func @not_pointwise(
// CHECK-COUNT-4: convoy.im2col
func.func @not_pointwise(%x: tensor<1x9x4xf32>, %y: tensor<1x?x4xf32>)
    -> (tensor<1x5x1x4xf32>, tensor<9x1x1x4xf32>, tensor<1x8x2x4xf32>,
        tensor<1x9x1x4xf32>) {
  %0 = convoy.im2col %x layout(nwc, nw|wc) window(stride = [2])
      : tensor<1x9x4xf32> -> tensor<1x5x1x4xf32>
  %1 = convoy.im2col %x layout(nwc, wn|wc)
      : tensor<1x9x4xf32> -> tensor<9x1x1x4xf32>
  %2 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf32> -> tensor<1x8x2x4xf32>
  %3 = convoy.im2col %y layout(nwc, nw|wc)
      : tensor<1x?x4xf32> -> tensor<1x9x1x4xf32>
  return %0, %1, %2, %3 : tensor<1x5x1x4xf32>, tensor<9x1x1x4xf32>,
      tensor<1x8x2x4xf32>, tensor<1x9x1x4xf32>
}

// -----

// CHECK-LABEL: func @trace_stays(
// CHECK:         convoy.trace "a"
// CHECK-NEXT:    convoy.trace "b"
func.func @trace_stays(%x: tensor<3x5xf32>) {
  %0 = convoy.trace "a" %x : tensor<3x5xf32>
  %1 = convoy.trace "b" %x : tensor<3x5xf32>
  return
}

// -----

// Letters are exchanged, and the high padding is less by what the result has
// more.
// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x4x6xf32>, %[[W:.*]]: tensor<6x4x3x3xf32>, %[[INIT:.*]]: tensor
// CHECK-NEXT:    convoy.conv_backward_data ins(%[[X]], %[[W]] : tensor<1x5x4x6xf32>, tensor<6x4x3x3xf32>)
// CHECK-SAME:        outs(%[[INIT]] : tensor<1x10x7x4xf32>) layout(nhwc x fchw -> nhwf)
// CHECK-SAME:        window(stride = [2, 2], pad = {{\[}}[1, 0], [1, 1]])
func.func @transposed(
    %x: tensor<1x5x4x6xf32>, %w: tensor<6x4x3x3xf32>,
    %init: tensor<1x10x7x4xf32>) -> tensor<1x10x7x4xf32> {
  %0 = convoy.conv_transpose
      ins(%x, %w : tensor<1x5x4x6xf32>, tensor<6x4x3x3xf32>)
      outs(%init : tensor<1x10x7x4xf32>) layout(nhwc x cfhw -> nhwf)
      window(stride = [2, 2], pad = [[1, 1], [1, 1]]) output_pad([1, 0])
  return %0 : tensor<1x10x7x4xf32>
}

// -----

// More output padding than a stride, as a dilation allows; sizes that are not
// known; numerics stay.
// CHECK-LABEL: func @transposed_dynamic(
// CHECK:         convoy.conv_backward_data
// CHECK-SAME:        zero_points(%{{.*}}, %{{.*}} : i32, i32) layout(nwgc x gwfc -> nwgf)
// CHECK-SAME:        window(dilation = [3], pad = {{\[}}[1, -1]]) numerics(filter = unsigned)
func.func @transposed_dynamic(
    %x: tensor<?x?x2x6xi8>, %w: tensor<2x3x6x4xi8>, %init: tensor<?x?x2x4xi32>,
    %a: i32, %b: i32) -> tensor<?x?x2x4xi32> {
  %0 = convoy.conv_transpose
      ins(%x, %w : tensor<?x?x2x6xi8>, tensor<2x3x6x4xi8>)
      outs(%init : tensor<?x?x2x4xi32>) zero_points(%a, %b : i32, i32)
      layout(nwgc x gwcf -> nwgf) window(dilation = [3], pad = [[1, 1]])
      output_pad([2]) numerics(filter = unsigned)
  return %0 : tensor<?x?x2x4xi32>
}

// -----

// Without a term the init is the result.
// CHECK-LABEL: func @transposed_empty(
// CHECK-SAME:    %[[INIT:[a-z0-9]*]]: tensor<1x1x4xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @transposed_empty(
    %x: tensor<1x2x6xf32>, %w: tensor<0x6x4xf32>, %init: tensor<1x1x4xf32>)
    -> tensor<1x1x4xf32> {
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x2x6xf32>, tensor<0x6x4xf32>)
      outs(%init : tensor<1x1x4xf32>) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x1x4xf32>
}
