// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// The constraints of the convolutions by number. C1 is the layout's, see
// attributes-invalid.mlir; here it is enough that the op shows it.

func.func @conv_c1_layout(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                          %init: tensor<1x7x6xf32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>)
      // expected-error @below {{expected g in all layouts or in none, but got nwc x gwcf -> nwf}}
      layout(nwc x gwcf -> nwf)
  return
}

// -----

func.func @conv_c2_input_rank(%x: tensor<9x4xf32>, %w: tensor<3x4x6xf32>,
                              %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected rank 3 for the input in layout nwc, but got 2}}
  %0 = convoy.conv ins(%x, %w : tensor<9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_backward_data_c2_filter_rank(
    %dy: tensor<1x7x6xf32>, %w: tensor<2x3x4x6xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected rank 3 for the filter in layout wcf, but got 4}}
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x7x6xf32>, tensor<2x3x4x6xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_backward_filter_c2_output_rank(
    %x: tensor<1x9x4xf32>, %dy: tensor<7x6xf32>, %init: tensor<3x4x6xf32>) {
  // expected-error @below {{expected rank 3 for the output in layout nwf, but got 2}}
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x4xf32>, tensor<7x6xf32>)
      outs(%init : tensor<3x4x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c3_stride(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                          %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected 1 entries in stride, but got 2}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(stride = [1, 1])
  return
}

// -----

func.func @conv_c3_dilation(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                            %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected 1 entries in dilation, but got 2}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(dilation = [1, 1])
  return
}

// -----

func.func @conv_c3_pad(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                       %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected 1 entries in pad, but got 2}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[0, 0], [0, 0]])
  return
}

// -----

func.func @conv_c3_input_dilation(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                                  %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected 1 entries in input_dilation, but got 3}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [1, 1, 1])
  return
}

// -----

func.func @conv_c3_reverse(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                           %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected 1 entries in reverse, but got 2}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      window(reverse = [true, false])
  return
}

// -----

func.func @conv_c3_positive(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                            %init: tensor<1x7x6xf32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      // expected-error @below {{expected a positive stride, but got 0}}
      window(stride = [0])
  return
}

// -----

func.func @conv_c4_batch(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                         %init: tensor<2x7x6xf32>) {
  // expected-error @below {{expected size 1 of n as in the input, but got 2 in the output}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x7x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c4_groups(%x: tensor<1x?x9x4xf32>, %w: tensor<2x3x4x6xf32>,
                          %init: tensor<1x3x7x6xf32>) {
  // expected-error @below {{expected size 2 of g as in the filter, but got 3 in the output}}
  %0 = convoy.conv ins(%x, %w : tensor<1x?x9x4xf32>, tensor<2x3x4x6xf32>)
      outs(%init : tensor<1x3x7x6xf32>) layout(ngwc x gwcf -> ngwf)
  return
}

// -----

func.func @conv_backward_data_c4_input_channels(
    %dy: tensor<1x7x6xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x9x5xf32>) {
  // expected-error @below {{expected size 5 of c as in the input, but got 4 in the filter}}
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x7x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x9x5xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_backward_filter_c4_output_channels(
    %x: tensor<1x9x4xf32>, %dy: tensor<1x7x5xf32>, %init: tensor<3x4x6xf32>) {
  // expected-error @below {{expected size 6 of f as in the filter, but got 5 in the output}}
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x4xf32>, tensor<1x7x5xf32>)
      outs(%init : tensor<3x4x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c5_output_size(%x: tensor<1x9x8x4xf32>,
                               %w: tensor<3x2x4x6xf32>,
                               %init: tensor<1x7x5x6xf32>) {
  // expected-error @below {{expected 4 output positions along w for input size 8 and 2 taps, but got 5}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x8x4xf32>, tensor<3x2x4x6xf32>)
      outs(%init : tensor<1x7x5x6xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [1, 2])
  return
}

// -----

func.func @conv_backward_data_c5_output_size(
    %dy: tensor<1x6x6xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected 7 output positions along w for input size 9 and 3 taps, but got 6}}
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x6x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c5_no_output(%x: tensor<1x2x4xf32>, %w: tensor<3x4x6xf32>,
                             %init: tensor<1x1x6xf32>) {
  // expected-error @below {{expected 0 output positions along w for input size 2 and 3 taps, but got 1}}
  %0 = convoy.conv ins(%x, %w : tensor<1x2x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x1x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c6_kinds(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xf32>,
                         %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected operands and accumulator to be all float or all integer, but got 'i8' and 'f32'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c6_narrow(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                          %init: tensor<1x7x6xf16>) {
  // expected-error @below {{expected an accumulator that holds each value of 'f32', but got 'f16'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c6_same_width(%x: tensor<1x9x4xf16>, %w: tensor<3x4x6xbf16>,
                              %init: tensor<1x7x6xf16>) {
  // expected-error @below {{expected an accumulator that holds each value of 'bf16', but got 'f16'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xbf16>)
      outs(%init : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c6_narrow_integer(%x: tensor<1x9x4xi16>, %w: tensor<3x4x6xi8>,
                                  %init: tensor<1x7x6xi8>) {
  // expected-error @below {{expected an accumulator that holds each value of 'i16', but got 'i8'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi16>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi8>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c6_wide_init(%x: tensor<1x9x4xf16>, %w: tensor<3x4x6xf16>,
                             %init: tensor<1x7x6xf64>) {
  // expected-error @below {{expected an init of type 'f32' or of a narrower float type, but got 'f64'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xf16>)
      outs(%init : tensor<1x7x6xf64>) layout(nwc x wcf -> nwf)
      numerics(accumulator = f32)
  return
}

// -----

func.func @conv_c6_init_of_same_width(
    %x: tensor<1x9x4xf16>, %w: tensor<3x4x6xf16>, %init: tensor<1x7x6xbf16>) {
  // expected-error @below {{expected an init of type 'f16' or of a narrower float type, but got 'bf16'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xf16>)
      outs(%init : tensor<1x7x6xbf16>) layout(nwc x wcf -> nwf)
      numerics(accumulator = f16)
  return
}

// -----

func.func @conv_c6_narrow_integer_init(
    %x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x7x6xi8>) {
  // expected-error @below {{expected an init of type 'i32' or of a narrower float type, but got 'i8'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi8>) layout(nwc x wcf -> nwf)
      numerics(accumulator = i32)
  return
}

// -----

func.func @conv_c7_floats(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                          %init: tensor<1x7x6xf32>, %z: i32) {
  // expected-error @below {{expected zero points only with integers, but got operands of type 'f32'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) zero_points(%z, %z : i32, i32)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_number(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                          %init: tensor<1x7x6xi32>, %z: i32) {
  // expected-error @below {{expected no zero points or 2, but got 1}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%z : i32)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_type(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                        %init: tensor<1x7x6xi32>, %zx: i32, %zw: i8) {
  // expected-error @below {{expected a zero point of type 'i32', but got 'i8'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i8)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_signed_range(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                                %init: tensor<1x7x6xi32>, %zw: i32) {
  %zx = arith.constant 128 : i32
  // expected-error @below {{expected a zero point in the range of signed 'i8', but got 128}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i32)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_unsigned_range(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                                  %init: tensor<1x7x6xi32>, %zx: i32) {
  %zw = arith.constant -1 : i32
  // expected-error @below {{expected a zero point in the range of unsigned 'i8', but got -1}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i32)
      layout(nwc x wcf -> nwf) numerics(filter = unsigned)
  return
}

// -----

func.func @conv_c7_channels(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                            %init: tensor<1x7x6xi32>, %zx: i32, %zw: tensor<4xi32>) {
  // expected-error @below {{expected a zero point for each of 6 channels of the result, but got 4}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, tensor<4xi32>)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_groups(%x: tensor<1x2x9x4xi8>, %w: tensor<2x3x4x6xi8>,
                          %init: tensor<1x2x7x6xi32>, %zx: i32, %zw: tensor<6xi32>) {
  // expected-error @below {{expected a zero point for each of 12 channels of the result, but got 6}}
  %0 = convoy.conv ins(%x, %w : tensor<1x2x9x4xi8>, tensor<2x3x4x6xi8>)
      outs(%init : tensor<1x2x7x6xi32>) zero_points(%zx, %zw : i32, tensor<6xi32>)
      layout(ngwc x gwcf -> ngwf)
  return
}

// -----

func.func @conv_transpose_c7_channels(
    %x: tensor<1x7x6xi8>, %w: tensor<3x4x6xi8>, %init: tensor<1x9x4xi32>,
    %zx: i32, %zw: tensor<6xi32>) {
  // expected-error @below {{expected a zero point for each of 4 channels of the result, but got 6}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x9x4xi32>) zero_points(%zx, %zw : i32, tensor<6xi32>)
      layout(nwc x wfc -> nwf)
  return
}

// -----

func.func @conv_c7_channels_type(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                                 %init: tensor<1x7x6xi32>, %zx: i32, %zw: tensor<6xi8>) {
  // expected-error @below {{expected a zero point of type 'i32', but got 'tensor<6xi8>'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, tensor<6xi8>)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_channels_of_input(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                                     %init: tensor<1x7x6xi32>, %zx: tensor<6xi32>, %zw: i32) {
  // expected-error @below {{expected a zero point of type 'i32', but got 'tensor<6xi32>'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : tensor<6xi32>, i32)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_backward_filter_c7_channels(
    %x: tensor<1x9x4xi8>, %dy: tensor<1x7x6xi8>, %init: tensor<3x4x6xi32>,
    %zx: i32, %zy: tensor<6xi32>) {
  // expected-error @below {{expected a zero point of type 'i32', but got 'tensor<6xi32>'}}
  %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x9x4xi8>, tensor<1x7x6xi8>)
      outs(%init : tensor<3x4x6xi32>) zero_points(%zx, %zy : i32, tensor<6xi32>)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c7_channels_range(%x: tensor<1x9x4xi8>, %w: tensor<3x4x2xi8>,
                                  %init: tensor<1x7x2xi32>, %zx: i32) {
  %zw = arith.constant dense<[-128, 128]> : tensor<2xi32>
  // expected-error @below {{expected a zero point in the range of signed 'i8', but got 128}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x2xi8>)
      outs(%init : tensor<1x7x2xi32>) zero_points(%zx, %zw : i32, tensor<2xi32>)
      layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_c8_unsigned_float(%x: tensor<1x9x4xf16>, %w: tensor<3x4x6xf32>,
                                  %init: tensor<1x7x6xf32>) {
  // expected-error @below {{expected unsigned operands to be integer, but got 'f16'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x7x6xf32>) layout(nwc x wcf -> nwf)
      numerics(input = unsigned)
  return
}

// -----

// What traits and types say.

func.func @conv_result_type(%x: tensor<1x9x4xf32>, %w: tensor<3x4x6xf32>,
                            %init: tensor<1x7x6xf32>) {
  // expected-error @below {{failed to verify that all of {init, result} have same type}}
  %0 = "convoy.conv"(%x, %w, %init)
      <{layout = #convoy.layout<nwc x wcf -> nwf>, window = #convoy.window<>,
        numerics = #convoy.numerics<>}>
      : (tensor<1x9x4xf32>, tensor<3x4x6xf32>, tensor<1x7x6xf32>)
      -> tensor<1x7x6xf64>
  return
}

// -----

func.func @conv_element_type(%x: tensor<1x9x4xindex>, %w: tensor<3x4x6xi8>,
                             %init: tensor<1x7x6xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of signless integer or floating-point values, but got 'tensor<1x9x4xindex>'}}
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xindex>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) layout(nwc x wcf -> nwf)
  return
}

// -----

// The constraints of im2col by number.

func.func @im2col_c1_layout(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected positions and a window with c, such as nhw|hwc or n|chw|hw, but got nw|wf}}
  %0 = convoy.im2col %x layout(nwc, nw|wf)
      : tensor<1x9x4xf32> -> tensor<1x7x3x4xf32>
  return
}

// -----

func.func @im2col_c2_window_size(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected 1 entries in stride, but got 2}}
  %0 = convoy.im2col %x layout(nwc, nw|wc) window(stride = [1, 1])
      : tensor<1x9x4xf32> -> tensor<1x7x3x4xf32>
  return
}

// -----

func.func @im2col_c3_input_dilation(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected no input dilation}}
  %0 = convoy.im2col %x layout(nwc, nw|wc) window(input_dilation = [2])
      : tensor<1x9x4xf32> -> tensor<1x15x3x4xf32>
  return
}

// -----

func.func @im2col_c4_input_rank(%x: tensor<9x4xf32>) {
  // expected-error @below {{expected an input of rank 3, but got 2}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<9x4xf32> -> tensor<1x7x3x4xf32>
  return
}

// -----

func.func @im2col_c4_result_rank(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected a result of rank 4, but got 2}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf32> -> tensor<7x12xf32>
  return
}

// -----

func.func @im2col_c4_element_type(%x: tensor<1x9x4xf16>) {
  // expected-error @below {{expected elements of type 'f16' in the result, but got 'f32'}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf16> -> tensor<1x7x3x4xf32>
  return
}

// -----

func.func @im2col_c5_batch(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected size 1 of n as in the input, but got 2 in the result}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf32> -> tensor<2x7x3x4xf32>
  return
}

// -----

func.func @im2col_c5_channels(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected size 4 of c as in the input, but got 5 in the result}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf32> -> tensor<1x7x3x5xf32>
  return
}

// -----

func.func @im2col_c6_positions(%x: tensor<1x9x4xf32>) {
  // expected-error @below {{expected 7 output positions along w for input size 9 and 3 taps, but got 8}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x9x4xf32> -> tensor<1x8x3x4xf32>
  return
}

// -----

func.func @im2col_c7_sizes(%x: tensor<1x?x4xf32>) {
  // expected-error @below {{expected 1 sizes for the dynamic dimensions of the result, but got 0}}
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x?x4xf32> -> tensor<1x?x3x4xf32>
  return
}

// -----

func.func @im2col_c8_pad_value(%x: tensor<1x9x4xi8>, %pad: i32) {
  // expected-error @below {{expected a pad value of type 'i8', but got 'i32'}}
  %0 = convoy.im2col %x pad_value(%pad : i32) layout(nwc, nw|wc)
      : tensor<1x9x4xi8> -> tensor<1x7x3x4xi8>
  return
}

// -----

func.func @trace_c1_name(%x: tensor<3x5xf32>) {
  // expected-error @below {{expected an identifier of letters, digits and _, but got "../conv"}}
  %0 = convoy.trace "../conv" %x : tensor<3x5xf32>
  return
}

// -----

func.func @trace_c1_no_name(%x: tensor<3x5xf32>) {
  // expected-error @below {{expected an identifier of letters, digits and _, but got ""}}
  %0 = convoy.trace "" %x : tensor<3x5xf32>
  return
}

// -----

func.func @conv_transpose_c1_layout(
    %x: tensor<1x7x6xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x9x4xf32>) {
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x9x4xf32>)
      // expected-error @below {{output layout 'nwc' has 'c', but expected letters of 'nfgdhw'}}
      layout(nwc x wcf -> nwc)
  return
}

// -----

func.func @conv_transpose_c2_result_rank(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<9x4xf32>) {
  // expected-error @below {{expected rank 3 for the output in layout nwf, but got 2}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<9x4xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_transpose_c3_window(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected 1 entries in stride, but got 2}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2, 2])
  return
}

// -----

func.func @conv_transpose_c3_input_dilation(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected no input dilation}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [2])
  return
}

// -----

func.func @conv_transpose_c3_output_pad_entries(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected 1 entries in output_pad, but got 2}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
      output_pad([0, 0])
  return
}

// -----

func.func @conv_transpose_c3_output_pad_sign(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected entries of output_pad that are not negative, but got -1}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
      output_pad([-1])
  return
}

// -----

func.func @conv_transpose_c4_input_channels(
    %x: tensor<1x7x6xf32>, %w: tensor<3x5x4xf32>, %init: tensor<1x9x4xf32>) {
  // expected-error @below {{expected size 6 of c as in the input, but got 5 in the filter}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x5x4xf32>)
      outs(%init : tensor<1x9x4xf32>) layout(nwc x wcf -> nwf)
  return
}

// -----

func.func @conv_transpose_c5_size(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x16x4xf32>) {
  // expected-error @below {{expected size 15 of the result along w for input size 7 and 3 taps, but got 16}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x16x4xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2])
  return
}

// -----

func.func @conv_transpose_c5_too_much_padding(
    %x: tensor<1x2x6xf32>, %w: tensor<3x6x8xf32>, %init: tensor<1x0x8xf32>) {
  // expected-error @below {{expected padding that leaves size 0 or more along w for input size 2 and 3 taps, but got 9 and 9}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x2x6xf32>, tensor<3x6x8xf32>)
      outs(%init : tensor<1x0x8xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[9, 9]])
  return
}

// -----

func.func @conv_transpose_c6_types(
    %x: tensor<1x7x6xf32>, %w: tensor<3x6x4xf32>, %init: tensor<1x9x4xi32>) {
  // expected-error @below {{expected operands and accumulator to be all float or all integer, but got 'f32' and 'i32'}}
  %0 = convoy.conv_transpose ins(%x, %w : tensor<1x7x6xf32>, tensor<3x6x4xf32>)
      outs(%init : tensor<1x9x4xi32>) layout(nwc x wcf -> nwf)
  return
}
