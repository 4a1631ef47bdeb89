// RUN: convoy-opt %s --split-input-file --verify-diagnostics

func.func @c1_one_dimension(%x: tensor<1x4x7xf32>, %w: tensor<6x4x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x6xf32>)
    -> tensor<1x6x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected 2 spatial dimensions, but got 1}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x7xf32>, tensor<6x4x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x6xf32>)
      layout(ncw x fcw -> nfw) offset_layout(nchw)
  return %0 : tensor<1x6x6xf32>
}

// -----

func.func @c1_offset_letters(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected the letters nchw in offset_layout, but got nfhw}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nfhw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c2_input(%x: tensor<4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected rank 4 for the input in layout nchw, but got 3}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c2_offset(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected rank 4 of the offset, as its layout has letters, but got 3}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c3_entries(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected 2 entries in stride, but got 1}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(stride = [1])
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c3_input_dilation(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected no input dilation}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(input_dilation = [2, 1])
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c3_reverse(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected no reversed taps}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(reverse = [true, false])
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c3_large(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected numbers of at most 16777216 in the window, but got 16777217}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(dilation = [1, 16777217])
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c4_channels(%x: tensor<1x4x9x7xf32>, %w: tensor<6x5x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected size 4 of c as in the input, but got 5 in the filter}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x5x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c4_offset_batch(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<2x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected size 1 of n as in the output, but got 2 in the offset}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<2x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c4_mask_rows(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x5x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected size 7 of h as in the output, but got 5 in the mask}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x5x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_taps(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x?x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected a static size of h in the filter}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x?x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_channels(%x: tensor<1x?x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected a static size of c in the input}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x?x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_no_taps(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x0x2xf32>,
    %d: tensor<1x24x?x?xf32>, %m: tensor<1x12x?x?xf32>, %init: tensor<1x6x0x6xf32>)
    -> tensor<1x6x0x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected taps in the filter, but got none}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x0x2xf32>, tensor<1x24x?x?xf32>)
      mask(%m : tensor<1x12x?x?xf32>) outs(%init : tensor<1x6x0x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x0x6xf32>
}

// -----

func.func @c5_offset(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x36x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected a size of c in the offset that is 12 times a number which divides 4 channels, but got 36}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x36x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_unknown_offset(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x?x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected a size of c in the offset that is 12 times a number which divides 4 channels, but got one that is not known}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x?x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_mask(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x24x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected size 12 of c in the mask, half of that in the offset, but got 24}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x24x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c5_unknown_mask(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x?x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected size 12 of c in the mask, half of that in the offset, but got one that is not known}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x?x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c6_output(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x8x6xf32>, %m: tensor<1x12x8x6xf32>, %init: tensor<1x6x8x6xf32>)
    -> tensor<1x6x8x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected 7 output positions along h for input size 9 and 3 taps, but got 8}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x8x6xf32>)
      mask(%m : tensor<1x12x8x6xf32>) outs(%init : tensor<1x6x8x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x8x6xf32>
}

// -----

func.func @c6_empty(%x: tensor<1x4x0x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x0x6xf32>, %m: tensor<1x12x0x6xf32>, %init: tensor<1x6x0x6xf32>)
    -> tensor<1x6x0x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected a size of h from 1 to 16777216 in the input, but got 0}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x0x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x0x6xf32>)
      mask(%m : tensor<1x12x0x6xf32>) outs(%init : tensor<1x6x0x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x0x6xf32>
}

// -----

func.func @c7_input(%x: tensor<1x4x9x7xf64>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected elements of f32, f16 or bf16 in the input, but got 'f64'}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf64>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c7_offset(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xi8>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected elements of f32, f16 or bf16 in the offset, but got 'i8'}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xi8>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c7_filter(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf16>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  // expected-error @below {{'convoy.deform_conv' op expected elements of type 'f32' in the filter, but got 'f16'}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf16>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// -----

func.func @c7_init(%x: tensor<1x4x9x7xf32>, %w: tensor<6x4x3x2xf32>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf16>)
    -> tensor<1x6x7x6xf16> {
  // expected-error @below {{'convoy.deform_conv' op expected elements of type 'f32' in the init, but got 'f16'}}
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf16>
}
