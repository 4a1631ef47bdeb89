// RUN: convoy-opt %s --convoy-decompose-backward --split-input-file | FileCheck %s

// Only names and the window change: no operand moves.
// CHECK-LABEL: func @data_2d(
// CHECK-SAME:    %[[DY:.*]]: tensor<1x5x4x6xf32>, %[[W:.*]]: tensor<3x2x4x6xf32>, %[[INIT:.*]]: tensor
// CHECK-NEXT:    %[[DX:.*]] = convoy.conv ins(%[[DY]], %[[W]] :
// CHECK-SAME:        outs(%[[INIT]] : tensor<1x9x7x4xf32>) layout(nhwc x hwfc -> nhwf)
// CHECK-SAME:        window(pad = {{\[}}[1, 1], [1, 0]], input_dilation = [2, 2], reverse = [true, true])
// CHECK-NEXT:    return %[[DX]]
func.func @data_2d(%dy: tensor<1x5x4x6xf32>, %w: tensor<3x2x4x6xf32>,
                   %init: tensor<1x9x7x4xf32>) -> tensor<1x9x7x4xf32> {
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x5x4x6xf32>, tensor<3x2x4x6xf32>)
      outs(%init : tensor<1x9x7x4xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 2], [0, 1]])
  return %dx : tensor<1x9x7x4xf32>
}

// -----

// CHECK-LABEL: func @filter_2d(
// CHECK-SAME:    %[[X:.*]]: tensor<1x9x7x4xf32>, %[[DY:.*]]: tensor<1x5x4x6xf32>, %[[INIT:.*]]: tensor
// CHECK-NEXT:    %[[DW:.*]] = convoy.conv ins(%[[X]], %[[DY]] :
// CHECK-SAME:        outs(%[[INIT]] : tensor<3x2x4x6xf32>) layout(chwn x chwf -> hwnf)
// CHECK-SAME:        window(dilation = [2, 2], pad = {{\[}}[1, 1], [0, 1]])
// CHECK-NEXT:    return %[[DW]]
func.func @filter_2d(%x: tensor<1x9x7x4xf32>, %dy: tensor<1x5x4x6xf32>,
                     %init: tensor<3x2x4x6xf32>) -> tensor<3x2x4x6xf32> {
  %dw = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
      outs(%init : tensor<3x2x4x6xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 2], [0, 1]])
  return %dw : tensor<3x2x4x6xf32>
}

// -----

// Three different layouts, groups, all of the window: names are exchanged
// where they stand.
// CHECK-LABEL: func @data_layouts(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(cwgn x gcfw -> wgnf)
// CHECK-SAME:        window(stride = [2], dilation = [3], pad = {{\[}}[4, 6]], input_dilation = [2])
func.func @data_layouts(%dy: tensor<6x4x2x3xf32>, %w: tensor<2x6x5x3xf32>,
                        %init: tensor<6x2x3x5xf32>) -> tensor<6x2x3x5xf32> {
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<6x4x2x3xf32>, tensor<2x6x5x3xf32>)
      outs(%init : tensor<6x2x3x5xf32>) layout(wgnc x gfcw -> fwgn)
      window(stride = [2], dilation = [3], pad = [[2, 0]], input_dilation = [2],
             reverse = [true])
  return %dx : tensor<6x2x3x5xf32>
}

// -----

// CHECK-LABEL: func @filter_layouts(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(wgcn x fwgc -> gfnw)
// CHECK-SAME:        window(stride = [3], dilation = [2], pad = {{\[}}[2, 0]], input_dilation = [2])
func.func @filter_layouts(%x: tensor<6x2x3x5xf32>, %dy: tensor<6x4x2x3xf32>,
                          %init: tensor<2x6x5x3xf32>) -> tensor<2x6x5x3xf32> {
  %dw = convoy.conv_backward_filter
      ins(%x, %dy : tensor<6x2x3x5xf32>, tensor<6x4x2x3xf32>)
      outs(%init : tensor<2x6x5x3xf32>) layout(wgnc x gfcw -> fwgn)
      window(stride = [2], dilation = [3], pad = [[2, 1]], input_dilation = [2])
  return %dw : tensor<2x6x5x3xf32>
}

// -----

// Reversed taps: the sum comes out flipped along w, and is put right when it
// is added to the init, in the accumulator's type.
// CHECK-DAG:   #[[FLIP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, -d1 + 1, d2, d3)>
// CHECK-DAG:   #[[ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @filter_reversed(
// CHECK-SAME:    %[[INIT:[^:]*]]: tensor<3x2x4x6xf16>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[EMPTY:.*]] = tensor.empty() : tensor<3x2x4x6xf32>
// CHECK:         %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK:         %[[SUM:.*]] = convoy.conv ins(
// CHECK-SAME:        outs(%[[ZEROS]] : tensor<3x2x4x6xf32>)
// CHECK-SAME:        numerics(accumulator = f32)
// CHECK-NEXT:    %[[DW:.*]] = linalg.generic {indexing_maps = [#[[FLIP]], #[[ID]]]
// CHECK-SAME:        ["parallel", "parallel", "parallel", "parallel"]
// CHECK-SAME:        ins(%[[SUM]] : tensor<3x2x4x6xf32>) outs(%[[INIT]] : tensor<3x2x4x6xf16>)
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f32, %[[I:.*]]: f16):
// CHECK-NEXT:      %[[EXT:.*]] = arith.extf %[[I]] : f16 to f32
// CHECK-NEXT:      %[[ADD:.*]] = arith.addf %[[EXT]], %[[S]] : f32
// CHECK-NEXT:      %[[ROUND:.*]] = arith.truncf %[[ADD]] : f32 to f16
// CHECK-NEXT:      linalg.yield %[[ROUND]]
// CHECK:         return %[[DW]]
func.func @filter_reversed(%x: tensor<1x9x7x4xf16>, %dy: tensor<1x7x6x6xf16>,
                           %init: tensor<3x2x4x6xf16>) -> tensor<3x2x4x6xf16> {
  %dw = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x7x4xf16>, tensor<1x7x6x6xf16>)
      outs(%init : tensor<3x2x4x6xf16>) layout(nhwc x hwcf -> nhwf)
      window(reverse = [false, true]) numerics(accumulator = f32)
  return %dw : tensor<3x2x4x6xf16>
}

// -----

// Integers keep their zero points, signs and order of operands.
// CHECK-LABEL: func @filter_reversed_int(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x7xi8>, %[[DY:.*]]: tensor<2x4x5xi8>, %[[INIT:[^:]*]]: tensor<4x3x3xi32>, %[[ZX:.*]]: i32, %[[ZY:.*]]: i32)
// CHECK:         %[[SUM:.*]] = convoy.conv ins(%[[X]], %[[DY]] :
// CHECK-SAME:        zero_points(%[[ZX]], %[[ZY]] : i32, i32) layout(cnw x cfw -> fnw)
// CHECK-SAME:        numerics(input = unsigned)
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[S:.*]]: i32, %[[I:.*]]: i32):
// CHECK-NEXT:      %[[ADD:.*]] = arith.addi %[[I]], %[[S]] : i32
// CHECK-NEXT:      linalg.yield %[[ADD]]
func.func @filter_reversed_int(%x: tensor<2x3x7xi8>, %dy: tensor<2x4x5xi8>,
                               %init: tensor<4x3x3xi32>, %zx: i32, %zy: i32)
    -> tensor<4x3x3xi32> {
  %dw = convoy.conv_backward_filter
      ins(%x, %dy : tensor<2x3x7xi8>, tensor<2x4x5xi8>)
      outs(%init : tensor<4x3x3xi32>) zero_points(%zx, %zy : i32, i32)
      layout(ncw x fcw -> nfw) window(reverse = [true])
      numerics(input = unsigned)
  return %dw : tensor<4x3x3xi32>
}

// -----

// CHECK-LABEL: func @data_3d(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(ndhwc x dhwfc -> ndhwf)
// CHECK-SAME:        window(dilation = [2, 1, 1], pad = {{\[}}[2, 2], [0, 0], [1, 2]]
// CHECK-SAME:        input_dilation = [1, 2, 1], reverse = [true, true, true])
func.func @data_3d(%dy: tensor<1x3x2x4x6xf64>, %w: tensor<2x1x3x5x6xf64>,
                   %init: tensor<1x5x3x5x5xf64>) -> tensor<1x5x3x5x5xf64> {
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x3x2x4x6xf64>, tensor<2x1x3x5x6xf64>)
      outs(%init : tensor<1x5x3x5x5xf64>) layout(ndhwc x dhwcf -> ndhwf)
      window(stride = [1, 2, 1], dilation = [2, 1, 1],
             pad = [[0, 0], [0, 0], [1, 0]])
  return %dx : tensor<1x5x3x5x5xf64>
}

// -----

// No window fits: nothing is added.
// CHECK-LABEL: func @no_output(
// CHECK-SAME:    %{{.*}}, %[[DX:[^:]*]]: tensor<1x2x4xf32>, %[[DW:[^:]*]]: tensor<3x4x6xf32>)
// CHECK-NEXT:    return %[[DX]], %[[DW]]
func.func @no_output(%x: tensor<1x2x4xf32>, %w: tensor<3x4x6xf32>,
                     %dy: tensor<1x0x6xf32>, %dx: tensor<1x2x4xf32>,
                     %dw: tensor<3x4x6xf32>)
    -> (tensor<1x2x4xf32>, tensor<3x4x6xf32>) {
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x0x6xf32>, tensor<3x4x6xf32>)
      outs(%dx : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  %1 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x2x4xf32>, tensor<1x0x6xf32>)
      outs(%dw : tensor<3x4x6xf32>) layout(nwc x wcf -> nwf)
      window(reverse = [true])
  return %0, %1 : tensor<1x2x4xf32>, tensor<3x4x6xf32>
}

// -----

// Dynamic batch and channels change nothing.
// CHECK-LABEL: func @dynamic_channels(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        window(pad = {{\[}}[1, 1]], input_dilation = [2], reverse = [true])
func.func @dynamic_channels(%dy: tensor<?x5x?xf32>, %w: tensor<3x?x?xf32>,
                            %init: tensor<?x9x?xf32>) -> tensor<?x9x?xf32> {
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<?x5x?xf32>, tensor<3x?x?xf32>)
      outs(%init : tensor<?x9x?xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2], pad = [[1, 2]])
  return %dx : tensor<?x9x?xf32>
}

// -----

// Dynamic positions: the high padding is a bound.
// CHECK-LABEL: func @dynamic_positions(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(nwc x wfc -> nwf)
// CHECK-SAME:        window(pad = {{\[}}[1, 2]], input_dilation = [3], reverse = [true])
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(cwn x cwf -> wnf)
// CHECK-SAME:        window(dilation = [3], pad = {{\[}}[1, 2]])
func.func @dynamic_positions(%dy: tensor<1x?x6xf32>, %w: tensor<3x4x6xf32>,
                             %x: tensor<1x?x4xf32>, %dw: tensor<3x4x6xf32>)
    -> (tensor<1x?x4xf32>, tensor<3x4x6xf32>) {
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x?x6xf32>, tensor<3x4x6xf32>)
      outs(%x : tensor<1x?x4xf32>) layout(nwc x wcf -> nwf)
      window(stride = [3], pad = [[1, 2]])
  %1 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x?x4xf32>, tensor<1x?x6xf32>)
      outs(%dw : tensor<3x4x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [3], pad = [[1, 2]])
  return %0, %1 : tensor<1x?x4xf32>, tensor<3x4x6xf32>
}

// -----

// Dynamic taps matter only to the data's window and to flipped taps.
// CHECK-LABEL: func @dynamic_taps(
// CHECK:         convoy.conv ins(
// CHECK-SAME:        layout(cwn x cwf -> wnf) window(pad = {{\[}}[1, 2]])
func.func @dynamic_taps(%x: tensor<1x9x4xf32>, %dy: tensor<1x?x6xf32>,
                        %dw: tensor<?x4x6xf32>) -> tensor<?x4x6xf32> {
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x4xf32>, tensor<1x?x6xf32>)
      outs(%dw : tensor<?x4x6xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[1, 2]])
  return %0 : tensor<?x4x6xf32>
}

// -----

// Transposed convolutions are gradients in other letters.
// CHECK-LABEL: func @transposed(
// CHECK:         %[[Y:.*]] = convoy.conv ins(
// CHECK-SAME:        layout(nhwc x cfhw -> nhwf)
// CHECK-SAME:        window(pad = {{\[}}[1, 2], [1, 1]], input_dilation = [2, 2], reverse = [true, true])
// CHECK-NEXT:    return %[[Y]]
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

// CHECK-LABEL: func @transposed_without_taps(
// CHECK-SAME:    %[[INIT:[a-z0-9]*]]: tensor<1x1x4xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @transposed_without_taps(
    %x: tensor<1x2x6xf32>, %w: tensor<0x6x4xf32>, %init: tensor<1x1x4xf32>)
    -> tensor<1x1x4xf32> {
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x2x6xf32>, tensor<0x6x4xf32>)
      outs(%init : tensor<1x1x4xf32>) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x1x4xf32>
}
