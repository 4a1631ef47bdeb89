// RUN: convoy-opt %s --convoy-choose-algorithms=algorithm=winograd --split-input-file --verify-diagnostics
// RUN: not convoy-opt %s --convoy-choose-algorithms=algorithm=fast --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not convoy-opt %s --convoy-choose-algorithms=algorithm=winograd:5 --split-input-file 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: convoy-opt %s --convoy-choose-algorithms="algorithm=auto explain" --split-input-file 2>&1 | FileCheck %s --check-prefix=AUTO

// NAME: error: expected direct, winograd, winograd:2, winograd:4, winograd:6 or auto for algorithm, but got 'fast'
// SIZE: error: expected direct, winograd, winograd:2, winograd:4, winograd:6 or auto for algorithm, but got 'winograd:5'
// AUTO: remark: sums its products: its stride along 'h' is 2, not 1
// AUTO: remark: sums its products: for the target error, tiles of 2 results along each dimension may be further off
// AUTO-NOT: convoy.winograd

func.func @stride(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x5xf32>, %init: tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its stride along 'h' is 2, not 1}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x9x4xf32>, tensor<3x3x4x5xf32>) outs(%init : tensor<1x4x7x5xf32>) layout(nhwc x hwcf -> nhwf) window(stride = [2, 1])
  return %r : tensor<1x4x7x5xf32>
}

// -----

func.func @dilation(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x5xf32>, %init: tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its dilation along 'w' is 2, not 1}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x9x4xf32>, tensor<3x3x4x5xf32>) outs(%init : tensor<1x7x5x5xf32>) layout(nhwc x hwcf -> nhwf) window(dilation = [1, 2])
  return %r : tensor<1x7x5x5xf32>
}

// -----

func.func @input_dilation(%x: tensor<1x9x4xf32>, %w: tensor<3x4x5xf32>, %init: tensor<1x15x5xf32>) -> tensor<1x15x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: the dilation of its input along 'w' is 2, not 1}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x5xf32>) outs(%init : tensor<1x15x5xf32>) layout(nwc x wcf -> nwf) window(input_dilation = [2])
  return %r : tensor<1x15x5xf32>
}

// -----

func.func @taps(%x: tensor<1x9x9x4xf32>, %w: tensor<5x3x4x5xf32>, %init: tensor<1x5x7x5xf32>) -> tensor<1x5x7x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its filter has 5 taps along 'h', not 3}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x9x4xf32>, tensor<5x3x4x5xf32>) outs(%init : tensor<1x5x7x5xf32>) layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x5x7x5xf32>
}

// -----

func.func @dynamic_taps(%x: tensor<1x9x4xf32>, %w: tensor<?x4x5xf32>, %init: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its number of taps is dynamic}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<?x4x5xf32>) outs(%init : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x5xf32>
}

// -----

func.func @dynamic_size(%x: tensor<1x?x4xf32>, %w: tensor<3x4x5xf32>, %init: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: its size along 'w' is dynamic}}
  %r = convoy.conv ins(%x, %w : tensor<1x?x4xf32>, tensor<3x4x5xf32>) outs(%init : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x5xf32>
}

// -----

func.func @bytes(%x: tensor<1x9x4xi8>, %w: tensor<3x4x5xi8>, %init: tensor<1x7x5xi32>) -> tensor<1x7x5xi32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: it has numbers of i32, not f32 alone}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x5xi8>) outs(%init : tensor<1x7x5xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x5xi32>
}

// -----

func.func @f64(%x: tensor<1x9x4xf64>, %w: tensor<3x4x5xf64>, %init: tensor<1x7x5xf64>) -> tensor<1x7x5xf64> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: it has numbers of f64, not f32 alone}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf64>, tensor<3x4x5xf64>) outs(%init : tensor<1x7x5xf64>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x7x5xf64>
}

// -----

func.func @groups(%x: tensor<1x2x9x4xf32>, %w: tensor<2x3x4x5xf32>, %init: tensor<1x2x7x5xf32>) -> tensor<1x2x7x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: it has groups}}
  %r = convoy.conv ins(%x, %w : tensor<1x2x9x4xf32>, tensor<2x3x4x5xf32>) outs(%init : tensor<1x2x7x5xf32>) layout(ngwc x gwcf -> ngwf)
  return %r : tensor<1x2x7x5xf32>
}

// -----

func.func @policy(%x: tensor<1x9x4xf32>, %w: tensor<3x4x5xf32>, %init: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: policy high forbids it}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x5xf32>) outs(%init : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf) numerics(policy = high)
  return %r : tensor<1x7x5xf32>
}

// -----

func.func @backward_filter(%x: tensor<1x9x4xf32>, %dy: tensor<1x7x5xf32>, %init: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: it is a gradient of the filter}}
  %r = convoy.conv_backward_filter ins(%x, %dy : tensor<1x9x4xf32>, tensor<1x7x5xf32>) outs(%init : tensor<3x4x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<3x4x5xf32>
}

// -----

func.func @target_error(%x: tensor<1x9x4xf32>, %w: tensor<3x4x5xf32>, %init: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {
  // expected-error @below {{expected a convolution that Winograd's algorithm can compute: for the target error, tiles of 2 results along each dimension may be further off}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x5xf32>) outs(%init : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf) {convoy.most_winograd = 0 : i64}
  return %r : tensor<1x7x5xf32>
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 128, subgroup = 32, workgroup_bytes = 32768, workgroup_items = 256>} {
  func.func @gpu(%x: tensor<1x9x4xf32>, %w: tensor<3x4x5xf32>, %init: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {
    // expected-error @below {{expected a convolution that Winograd's algorithm can compute: the target is a GPU}}
    %r = convoy.conv ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x5xf32>) outs(%init : tensor<1x7x5xf32>) layout(nwc x wcf -> nwf)
    return %r : tensor<1x7x5xf32>
  }
}
