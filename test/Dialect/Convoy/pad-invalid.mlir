// RUN: convoy-opt %s --split-input-file --verify-diagnostics

func.func @pad_unknown_mode(%x: tensor<5x3xf32>) {
  // expected-error @below {{expected reflect, replicate or circular, but got zeros}}
  %0 = convoy.pad %x mode(zeros) low[1, 0] high[0, 0] : tensor<5x3xf32> -> tensor<6x3xf32>
}

// -----

func.func @pad_c1_entries(%x: tensor<5x3xf32>) {
  // expected-error @below {{expected 2 entries of high, but got 1}}
  %0 = convoy.pad %x mode(reflect) low[1, 0] high[0] : tensor<5x3xf32> -> tensor<6x3xf32>
  return
}

// -----

func.func @pad_c1_negative(%x: tensor<5x3xf32>) {
  // expected-error @below {{expected no negative entry of low, but got -1}}
  %0 = convoy.pad %x mode(reflect) low[-1, 0] high[0, 0] : tensor<5x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_c2_dynamic(%x: tensor<5x?xf32>) {
  // expected-error @below {{expected a static size of at least 1 in dimension 1 of the input, which is padded, but got ?}}
  %0 = convoy.pad %x mode(circular) low[0, 2] high[0, 0] : tensor<5x?xf32> -> tensor<5x?xf32>
  return
}

// -----

func.func @pad_c2_empty(%x: tensor<5x0xf32>) {
  // expected-error @below {{expected a static size of at least 1 in dimension 1 of the input, which is padded, but got 0}}
  %0 = convoy.pad %x mode(replicate) low[0, 0] high[0, 2] : tensor<5x0xf32> -> tensor<5x2xf32>
  return
}

// -----

func.func @pad_c3_size(%x: tensor<5x3xf32>) {
  // expected-error @below {{expected size 8 in dimension 0 of the result, but got 7}}
  %0 = convoy.pad %x mode(reflect) low[1, 0] high[2, 0] : tensor<5x3xf32> -> tensor<7x3xf32>
  return
}

// -----

func.func @pad_c3_dynamic(%x: tensor<?x3xf32>) {
  // expected-error @below {{expected size ? in dimension 0 of the result, but got 4}}
  %0 = convoy.pad %x mode(reflect) low[0, 1] high[0, 0] : tensor<?x3xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @pad_backward_c1(%y: tensor<6x3xf32>) {
  // expected-error @below {{expected 2 entries of low, but got 3}}
  %0 = convoy.pad_backward %y mode(reflect) low[1, 0, 0] high[0, 0] : tensor<6x3xf32> -> tensor<5x3xf32>
  return
}

// -----

func.func @pad_backward_c2(%y: tensor<2x3xf32>) {
  // expected-error @below {{expected a static size of at least 1 in dimension 0 of the result, which is padded, but got 0}}
  %0 = convoy.pad_backward %y mode(replicate) low[1, 0] high[1, 0] : tensor<2x3xf32> -> tensor<0x3xf32>
  return
}

// -----

func.func @pad_backward_c3(%y: tensor<6x3xf32>) {
  // expected-error @below {{expected size 5 in dimension 0 of the input, but got 6}}
  %0 = convoy.pad_backward %y mode(replicate) low[1, 0] high[0, 0] : tensor<6x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_backward_c4(%y: tensor<6x3xbf16>) {
  // expected-error @below {{expected elements of type 'bf16', or of a narrower float, in the result, but got 'f16'}}
  %0 = convoy.pad_backward %y mode(replicate) low[1, 0] high[0, 0] : tensor<6x3xbf16> -> tensor<5x3xf16>
  return
}
