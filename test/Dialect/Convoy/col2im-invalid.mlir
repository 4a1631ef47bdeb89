// The constraints of col2im by number.
// RUN: convoy-opt %s --split-input-file --verify-diagnostics

func.func @c1_layout(%y: tensor<1x7x3x4xf32>) {
  // expected-error @below {{expected positions and a window with c, such as nhw|hwc or n|chw|hw, but got nw|wf}}
  %0 = convoy.col2im %y layout(nwc, nw|wf)
      : tensor<1x7x3x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c2_window_size(%y: tensor<1x7x3x4xf32>) {
  // expected-error @below {{expected 1 entries in stride, but got 2}}
  %0 = convoy.col2im %y layout(nwc, nw|wc) window(stride = [1, 1])
      : tensor<1x7x3x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c3_input_dilation(%y: tensor<1x7x3x4xf32>) {
  // expected-error @below {{expected no input dilation}}
  %0 = convoy.col2im %y layout(nwc, nw|wc) window(input_dilation = [2])
      : tensor<1x7x3x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c4_input_rank(%y: tensor<1x7x12xf32>) {
  // expected-error @below {{expected an input of rank 4, but got 3}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x12xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c4_result_rank(%y: tensor<1x7x3x4xf32>) {
  // expected-error @below {{expected a result of rank 3, but got 2}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x3x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @c4_element_type(%y: tensor<1x7x3x4xf16>) {
  // expected-error @below {{expected elements of type 'f16' in the result, but got 'f32'}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x3x4xf16> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c5_batch(%y: tensor<2x7x3x4xf32>) {
  // expected-error @below {{expected size 2 of n as in the input, but got 1 in the result}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<2x7x3x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c5_channels(%y: tensor<1x7x3x?xf32>) {
  // expected-error @below {{expected size ? of c as in the input, but got 4 in the result}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x3x?xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c6_size(%y: tensor<1x7x3x4xf32>) {
  // expected-error @below {{expected static size along w, but got ?}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x3x4xf32> -> tensor<1x?x4xf32>
  return
}

// -----

func.func @c6_taps(%y: tensor<1x7x?x4xf32>) {
  // expected-error @below {{expected static taps along w, but got ?}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x7x?x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c6_positions(%y: tensor<1x?x3x4xf32>) {
  // expected-error @below {{expected static positions along w, but got ?}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x?x3x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

func.func @c7_positions(%y: tensor<1x6x3x4xf32>) {
  // expected-error @below {{expected 7 output positions along w for input size 9 and 3 taps, but got 6}}
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<1x6x3x4xf32> -> tensor<1x9x4xf32>
  return
}
