// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// The constraints of convoy.grid_sample by number.

func.func @c1_image_letters(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g
      // expected-error @below {{input layout 'nhwf' has 'f', but expected letters of 'ncgdhw'}}
      layout(nhwf x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c1_one_dimension(%x: tensor<2x7x3xf32>, %g: tensor<2x4x1xf32>) {
  %0 = convoy.grid_sample %x, %g
      // expected-error @below {{expected n, c and hw or dhw in the image, but got nwc}}
      layout(nwc x nwc -> nwc) mode(linear) padding(zeros)
      : tensor<2x7x3xf32>, tensor<2x4x1xf32> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @c1_groups(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g
      // expected-error @below {{expected n, c and hw or dhw in the image, but got nghwc}}
      layout(nghwc x nhwc -> nhwc) mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c1_grid_letters(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g
      // expected-error @below {{expected the letters nhwc in the grid, but got nhw}}
      layout(nhwc x nhw -> nhwc) mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c1_sample_letters(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g
      // expected-error @below {{expected the letters nhwc in the samples, but got nhwf}}
      layout(nhwc x nhwc -> nhwf) mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @mode(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      // expected-error @below {{expected linear, nearest or cubic, but got bilinear}}
      mode(bilinear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @padding(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc) mode(linear)
      // expected-error @below {{expected zeros, border or reflection, but got circular}}
      padding(circular)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c2_input_rank(%x: tensor<9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the input, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c2_grid_rank(%x: tensor<2x9x7x3xf32>, %g: tensor<5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the grid, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c2_result_rank(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected rank 4 of the result, as its layout has letters, but got 3}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<5x4x3xf32>
  return
}

// -----

func.func @c3_input_type(%x: tensor<2x9x7x3xf64>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of f32, f16 or bf16 in the input, but got 'f64'}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf64>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf64>
  return
}

// -----

func.func @c3_grid_type(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xi32>) {
  // expected-error @below {{expected elements of f32, f16 or bf16 in the grid, but got 'i32'}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xi32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c3_result_type(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected elements of type 'f32' in the result, but got 'f16'}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf16>
  return
}

// -----

func.func @c4_coordinates(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x3xf32>) {
  // expected-error @below {{expected 2 coordinates along c of the grid, but got 3}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x3xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c4_coordinates_not_known(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x?xf32>) {
  // expected-error @below {{expected 2 coordinates along c of the grid, but got a size that is not known}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x?xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c5_batch_of_grid(%x: tensor<2x9x7x3xf32>, %g: tensor<3x5x4x2xf32>) {
  // expected-error @below {{expected size 2 of n as in the input, but got 3 in the grid}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<3x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c5_batch_of_result(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 2 of n as in the input, but got 3 in the result}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<3x5x4x3xf32>
  return
}

// -----

func.func @c5_batches_without_input(%x: tensor<?x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 2 of n as in the grid, but got 3 in the result}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<?x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<3x5x4x3xf32>
  return
}

// -----

func.func @c5_channels(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 3 of c as in the input, but got 6 in the result}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x6xf32>
  return
}

// -----

func.func @c5_positions(%x: tensor<2x9x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected size 4 of w as in the grid, but got 6 in the result}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x6x3xf32>
  return
}

// -----

func.func @c6_no_elements(%x: tensor<2x0x7x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected a size of h from 1 to 16777216 in the input, but got 0}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x0x7x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c6_too_many_elements(%x: tensor<2x9x16777217x3xf32>, %g: tensor<2x5x4x2xf32>) {
  // expected-error @below {{expected a size of w from 1 to 16777216 in the input, but got 16777217}}
  %0 = convoy.grid_sample %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<2x9x16777217x3xf32>, tensor<2x5x4x2xf32> -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @c7_cubic(%x: tensor<2x8x9x7x3xf32>, %g: tensor<2x6x5x4x3xf32>) {
  // expected-error @below {{expected 2 spatial dimensions for cubic, but got 3}}
  %0 = convoy.grid_sample %x, %g layout(ndhwc x ndhwc -> ndhwc)
      mode(cubic) padding(zeros)
      : tensor<2x8x9x7x3xf32>, tensor<2x6x5x4x3xf32> -> tensor<2x6x5x4x3xf32>
  return
}
