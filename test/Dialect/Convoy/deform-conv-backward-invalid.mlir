// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// What a gradient shares with the convolution, test/Dialect/Convoy/deform-conv-invalid.mlir
// has; here is what it calls it.

func.func @c1_offset_letters(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %d: tensor<1x24x7x6xf32>, %init: tensor<6x4x3x2xf32>)
    -> tensor<6x4x3x2xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_filter' op expected the letters nchw in offset_layout, but got nfhw}}
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<6x4x3x2xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nfhw)
  return %0 : tensor<6x4x3x2xf32>
}

// -----

func.func @c2_filter(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %d: tensor<1x24x7x6xf32>, %init: tensor<6x4x3xf32>) -> tensor<6x4x3xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_filter' op expected rank 4 for the filter in layout fchw, but got 3}}
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<6x4x3xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<6x4x3xf32>
}

// -----

func.func @c2_mask_gradient(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<12x7x6xf32>) -> tensor<12x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_mask' op expected rank 4 of the mask's gradient, as its layout has letters, but got 3}}
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<12x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<12x7x6xf32>
}

// -----

func.func @c3_input_dilation(%dy: tensor<1x6x7x6xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %init: tensor<1x4x9x7xf32>)
    -> tensor<1x4x9x7xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_input' op expected no input dilation}}
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x6x7x6xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x4x9x7xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(input_dilation = [2, 2])
  return %0 : tensor<1x4x9x7xf32>
}

// -----

func.func @c4_output_channels(%dy: tensor<1x5x7x6xf32>,
    %x: tensor<1x4x9x7xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<6x4x3x2xf32>) -> tensor<6x4x3x2xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_filter' op expected size 6 of f as in the filter, but got 5 in the output}}
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<1x5x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<6x4x3x2xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<6x4x3x2xf32>
}

// -----

func.func @c4_offset_gradient_batch(%dy: tensor<1x6x7x6xf32>,
    %x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<2x24x7x6xf32>) -> tensor<2x24x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_offset' op expected size 1 of n as in the output, but got 2 in the offset's gradient}}
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<2x24x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<2x24x7x6xf32>
}

// -----

func.func @c5_offset_gradient(%dy: tensor<1x6x7x6xf32>,
    %x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x12x7x6xf32>) -> tensor<1x12x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_offset' op expected size 24 of c in the offset's gradient, as in the offset, but got 12}}
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x12x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x12x7x6xf32>
}

// -----

func.func @c5_mask_gradient(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x24x7x6xf32>) -> tensor<1x24x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_mask' op expected size 12 of c in the mask's gradient, half of that in the offset, but got 24}}
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x24x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x24x7x6xf32>
}

// -----

func.func @c5_unknown_mask_gradient(%dy: tensor<1x6x7x6xf32>,
    %x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x?x7x6xf32>) -> tensor<1x?x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_mask' op expected size 12 of c in the mask's gradient, half of that in the offset, but got one that is not known}}
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x?x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x?x7x6xf32>
}

// -----

func.func @c6_output(%dy: tensor<1x6x8x6xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x8x6xf32>, %init: tensor<1x4x9x7xf32>)
    -> tensor<1x4x9x7xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_input' op expected 7 output positions along h for input size 9 and 3 taps, but got 8}}
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x6x8x6xf32>, tensor<6x4x3x2xf32>, tensor<1x24x8x6xf32>)
      outs(%init : tensor<1x4x9x7xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x4x9x7xf32>
}

// -----

func.func @c6_empty(%dy: tensor<1x6x0x6xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x0x6xf32>, %init: tensor<1x4x0x7xf32>)
    -> tensor<1x4x0x7xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_input' op expected a size of h from 1 to 16777216 in the input, but got 0}}
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x6x0x6xf32>, tensor<6x4x3x2xf32>, tensor<1x24x0x6xf32>)
      outs(%init : tensor<1x4x0x7xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x4x0x7xf32>
}

// -----

func.func @c7_output(%dy: tensor<1x6x7x6xf64>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %init: tensor<1x4x9x7xf32>)
    -> tensor<1x4x9x7xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_input' op expected elements of f32, f16 or bf16 in the output, but got 'f64'}}
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x6x7x6xf64>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x4x9x7xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x4x9x7xf32>
}

// -----

func.func @c7_filter(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf16>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x12x7x6xf32>) -> tensor<1x12x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv_backward_mask' op expected elements of type 'f32' in the filter, but got 'f16'}}
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf16>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x12x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x12x7x6xf32>
}

// -----

func.func @c7_result(%dy: tensor<1x6x7x6xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %init: tensor<1x4x9x7xf16>)
    -> tensor<1x4x9x7xf16> {
  // expected-error @below {{'convoy.deform_conv_backward_input' op expected elements of type 'f32' in the input, but got 'f16'}}
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x6x7x6xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x4x9x7xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x4x9x7xf16>
}

// -----

func.func @c7_mask_gradient(%dy: tensor<1x6x7x6xf32>, %x: tensor<1x4x9x7xf32>,
    %w: tensor<6x4x3x2xf32>, %d: tensor<1x24x7x6xf32>,
    %init: tensor<1x12x7x6xf64>) -> tensor<1x12x7x6xf64> {
  // expected-error @below {{'convoy.deform_conv_backward_mask' op expected elements of f32, f16 or bf16 in the mask's gradient, but got 'f64'}}
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      outs(%init : tensor<1x12x7x6xf64>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x12x7x6xf64>
}
