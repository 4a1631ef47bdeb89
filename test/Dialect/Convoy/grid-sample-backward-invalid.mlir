// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// The constraints of the gradients of convoy.grid_sample by number.

func.func @input_c1_letters(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample_backward_input %y, %g
      // expected-error @below {{expected the letters nhwc in the samples, but got nhwf}}
      layout(nhwc x nhwc -> nhwf) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c2_gradient(%y: tensor<5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the output gradient, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c2_result(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the result, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<9x7x3xf32>
  return
}

// -----

func.func @input_c3_f64(%y: tensor<2x5x4x3xf64>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of f32, f16 or bf16 in the output gradient, but got 'f64'}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf64>, tensor<2x5x4x2xf32> -> tensor<2x9x7x3xf64>
  return
}

// -----

func.func @input_c3_grid(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xi32>) {
  // expected-error @below {{expected elements of f32, f16 or bf16 in the grid, but got 'i32'}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xi32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c3_types(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of type 'f32' in the result, but got 'f16'}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x9x7x3xf16>
  return
}

// -----

func.func @input_c3_narrow_types(%y: tensor<2x5x4x3xf16>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of type 'f16' or f32 in the result, but got 'bf16'}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf16>, tensor<2x5x4x2xf32> -> tensor<2x9x7x3xbf16>
  return
}

// -----

func.func @input_c4_coordinates(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x3xf32>) {
  // expected-error @below {{expected 2 coordinates along c of the grid, but got 3}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c5_images(%y: tensor<2x5x4x3xf32>, %g: tensor<1x5x4x2xf32>) {
  // expected-error @below {{expected size 2 of n as in the result, but got 1 in the grid}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<1x5x4x2xf32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c5_gradients(%y: tensor<2x5x4x3xf32>, %g: tensor<3x5x4x2xf32>) {
  // expected-error @below {{expected size 3 of n as in the grid, but got 2 in the output gradient}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<3x5x4x2xf32> -> tensor<?x9x7x3xf32>
  return
}

// -----

func.func @input_c5_channels(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 5 of c as in the result, but got 3 in the output gradient}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x9x7x5xf32>
  return
}

// -----

func.func @input_c5_samples(%y: tensor<2x5x4x3xf32>, %g: tensor<2x6x4x2xf32>) {
  // expected-error @below {{expected size 6 of h as in the grid, but got 5 in the output gradient}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x6x4x2xf32> -> tensor<2x9x7x3xf32>
  return
}

// -----

func.func @input_c6_dynamic(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected a static size of w in the result}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x9x?x3xf32>
  return
}

// -----

func.func @input_c6_empty(%y: tensor<2x5x4x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected a size of h from 1 to 16777216 in the result, but got 0}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x0x7x3xf32>
  return
}

// -----

func.func @input_c7_cubic(%y: tensor<2x5x4x6x3xf32>, %g: tensor<2x5x4x6x3xf32>) {
  // expected-error @below {{expected 2 spatial dimensions for cubic, but got 3}}
  %0 = convoy.grid_sample_backward_input %y, %g
      layout(ndhwc x ndhwc -> ndhwc) mode(cubic) padding(zeros)
      : tensor<2x5x4x6x3xf32>, tensor<2x5x4x6x3xf32> -> tensor<2x9x7x8x3xf32>
  return
}

// -----

func.func @grid_c1_letters(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      // expected-error @below {{expected the letters nhwc in the grid, but got nhw}}
      layout(nhwc x nhw -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c2_grid(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x7x3xf32>, %g: tensor<5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the grid, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x7x3xf32>, tensor<5x4x2xf32>
  return
}

// -----

func.func @grid_c3_input(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x7x3xbf16>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of type 'f32' in the input, but got 'bf16'}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x7x3xbf16>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c3_i8(%y: tensor<2x5x4x3xi8>, %x: tensor<2x9x7x3xi8>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of f32, f16 or bf16 in the output gradient, but got 'i8'}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xi8>, tensor<2x9x7x3xi8>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c4_not_known(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x?xf32>) {
  // expected-error @below {{expected 2 coordinates along c of the grid, but got a size that is not known}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x7x3xf32>, tensor<2x5x4x?xf32>
  return
}

// -----

func.func @grid_c5_images(%y: tensor<2x5x4x3xf32>, %x: tensor<1x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 1 of n as in the input, but got 2 in the grid}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<1x9x7x3xf32>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c5_channels(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x7x4xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 4 of c as in the input, but got 3 in the output gradient}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x7x4xf32>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c5_samples(%y: tensor<2x5x6x3xf32>, %x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 4 of w as in the grid, but got 6 in the output gradient}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x6x3xf32>, tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c6_large(%y: tensor<2x5x4x3xf32>, %x: tensor<2x9x16777217x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected a size of w from 1 to 16777216 in the input, but got 16777217}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x5x4x3xf32>, tensor<2x9x16777217x3xf32>, tensor<2x5x4x2xf32>
  return
}

// -----

func.func @grid_c7_cubic(%y: tensor<2x5x4x6x3xf32>, %x: tensor<2x9x7x8x3xf32>, %g: tensor<2x5x4x6x3xf32>) {
  // expected-error @below {{expected 2 spatial dimensions for cubic, but got 3}}
  %0 = convoy.grid_sample_backward_grid %y, %x, %g
      layout(ndhwc x ndhwc -> ndhwc) mode(cubic) padding(zeros)
      : tensor<2x5x4x6x3xf32>, tensor<2x9x7x8x3xf32>, tensor<2x5x4x6x3xf32>
  return
}
