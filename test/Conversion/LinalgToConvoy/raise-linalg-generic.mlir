// RUN: convoy-opt --convoy-raise-linalg --split-input-file %s | FileCheck %s --implicit-check-not=linalg.generic

// What a linalg.generic computes follows from its maps and its body: the order
// of loops, operands and dimensions is free.

// CHECK-LABEL: func @permuted_loops_and_operands(
// CHECK-SAME: %[[FILTER:[^:]+]]: {{[^%]+}}%[[INPUT:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK: convoy.conv ins(%[[INPUT]], %[[FILTER]] : tensor<8x5x2x6xf32>, tensor<3x4x5x2xf32>)
// CHECK-SAME: outs(%[[INIT]] :
// CHECK-SAME: layout(hcnw x wfch -> whfn) window(stride = [3, 1], dilation = [1, 2]){{$}}
func.func @permuted_loops_and_operands(%filter: tensor<3x4x5x2xf32>,
    %input: tensor<8x5x2x6xf32>, %init: tensor<2x3x4x2xf32>)
    -> tensor<2x3x4x2xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(kw, n, c, oh, f, kh, ow) -> (kw, f, c, kh)>,
                       affine_map<(kw, n, c, oh, f, kh, ow)
                                  -> (kh + oh * 3, c, n, kw * 2 + ow)>,
                       affine_map<(kw, n, c, oh, f, kh, ow) -> (ow, oh, f, n)>],
      iterator_types = ["reduction", "parallel", "reduction", "parallel",
                        "parallel", "reduction", "parallel"]}
      ins(%filter, %input : tensor<3x4x5x2xf32>, tensor<8x5x2x6xf32>)
      outs(%init : tensor<2x3x4x2xf32>) {
  ^bb0(%w: f32, %x: f32, %acc: f32):
    %product = arith.mulf %w, %x : f32
    %sum = arith.addf %product, %acc : f32
    linalg.yield %sum : f32
  } -> tensor<2x3x4x2xf32>
  return %r : tensor<2x3x4x2xf32>
}

// -----

// A window over a reduced output position and a parallel tap: the gradient of a
// filter. It sums over n, and so n takes the place of c.
#input = affine_map<(k, c, f, n, o) -> (n, o * 2 + k, c)>
#dy = affine_map<(k, c, f, n, o) -> (n, o, f)>
#filter = affine_map<(k, c, f, n, o) -> (k, c, f)>

// CHECK-LABEL: func @backward_filter(
// CHECK: convoy.conv {{.*}} layout(cwn x cwf -> wnf) window(dilation = [2]){{$}}
func.func @backward_filter(%input: tensor<2x9x5xf32>, %dy: tensor<2x4x6xf32>,
    %init: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #dy, #filter],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%input, %dy : tensor<2x9x5xf32>, tensor<2x4x6xf32>)
      outs(%init : tensor<3x5x6xf32>) {
  ^bb0(%x: f32, %g: f32, %acc: f32):
    %product = arith.mulf %x, %g : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<3x5x6xf32>
  return %r : tensor<3x5x6xf32>
}

// -----

// A forward convolution as it comes out of a backward one: taps run backwards.
#input = affine_map<(n, o, c, k, f) -> (n, o - k * 2 + 4, f)>
#filter = affine_map<(n, o, c, k, f) -> (c, k, f)>
#output = affine_map<(n, o, c, k, f) -> (n, o, c)>

// CHECK-LABEL: func @reversed_taps(
// CHECK: convoy.conv {{.*}} layout(nwc x fwc -> nwf) window(dilation = [2], reverse = [true]){{$}}
func.func @reversed_taps(%input: tensor<1x9x2xf32>, %filter: tensor<4x3x2xf32>,
    %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%input, %filter : tensor<1x9x2xf32>, tensor<4x3x2xf32>)
      outs(%init : tensor<1x5x4xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x5x4xf32>
  return %r : tensor<1x5x4xf32>
}

// -----

// The constant skips two elements; on the high side one more is never read.
#input = affine_map<(n, o, f, k, c) -> (n, o + k + 2, c)>
#filter = affine_map<(n, o, f, k, c) -> (k, c, f)>
#output = affine_map<(n, o, f, k, c) -> (n, o, f)>

// CHECK-LABEL: func @cropped_input(
// CHECK: convoy.conv {{.*}} layout(nwc x wcf -> nwf) window(pad = {{\[\[}}-2, -1]]){{$}}
func.func @cropped_input(%input: tensor<1x9x4xf32>, %filter: tensor<3x4x6xf32>,
    %init: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%input, %filter : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<1x4x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x6xf32>
  return %r : tensor<1x4x6xf32>
}

// -----

// The window's last positions do not reach the end: no crop is needed to say so.
#input = affine_map<(n, o, f, k, c) -> (n, o * 3 + k, c)>
#filter = affine_map<(n, o, f, k, c) -> (k, c, f)>
#output = affine_map<(n, o, f, k, c) -> (n, o, f)>

// CHECK-LABEL: func @stride_leaves_a_rest(
// CHECK: convoy.conv {{.*}} layout(nwc x wcf -> nwf) window(stride = [3]){{$}}
func.func @stride_leaves_a_rest(%input: tensor<1x10x4xf32>,
    %filter: tensor<2x4x6xf32>, %init: tensor<1x3x6xf32>) -> tensor<1x3x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%input, %filter : tensor<1x10x4xf32>, tensor<2x4x6xf32>)
      outs(%init : tensor<1x3x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x3x6xf32>
  return %r : tensor<1x3x6xf32>
}

// -----

// A second batch dimension is a window of one tap, a second channel dimension
// one of one position.
#input = affine_map<(n, m, o, f, c, k, e) -> (n, c, o + k, m, e)>
#filter = affine_map<(n, m, o, f, c, k, e) -> (k, e, f, c)>
#output = affine_map<(n, m, o, f, c, k, e) -> (n, m, o, f)>

// CHECK-LABEL: func @several_batches_and_channels(
// CHECK: tensor.expand_shape %{{.+}} into tensor<1x5x4x6x3xf32>
// CHECK: tensor.expand_shape %{{.+}} into tensor<1x2x7x8x6xf32>
// CHECK: convoy.conv
// CHECK-SAME: layout(ndhwc x whcfd -> dnwhf){{$}}
func.func @several_batches_and_channels(%input: tensor<2x3x12x7x4xf32>,
    %filter: tensor<5x4x6x3xf32>, %init: tensor<2x7x8x6xf32>)
    -> tensor<2x7x8x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel",
                        "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<2x3x12x7x4xf32>, tensor<5x4x6x3xf32>)
      outs(%init : tensor<2x7x8x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x7x8x6xf32>
  return %r : tensor<2x7x8x6xf32>
}

// -----

// One tap, moving in steps of two, as unit dimensions leave it.
#input = affine_map<(n, o, f, c) -> (n, o * 2, c)>
#filter = affine_map<(n, o, f, c) -> (c, f)>
#output = affine_map<(n, o, f, c) -> (n, o, f)>

// CHECK-LABEL: func @strided_pointwise(
// CHECK: tensor.expand_shape %{{.+}} : tensor<4x6xf32> into tensor<1x4x6xf32>
// CHECK: convoy.conv {{.*}} layout(nwc x wcf -> nwf) window(stride = [2]){{$}}
func.func @strided_pointwise(%input: tensor<2x9x4xf32>, %filter: tensor<4x6xf32>,
    %init: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<2x9x4xf32>, tensor<4x6xf32>)
      outs(%init : tensor<2x5x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x5x6xf32>
  return %r : tensor<2x5x6xf32>
}

// -----

// One output position, as unit dimensions leave it: the output has no
// dimension of it.
#input = affine_map<(n, f, k, c) -> (n, k * 2, c)>
#filter = affine_map<(n, f, k, c) -> (k, c, f)>
#output = affine_map<(n, f, k, c) -> (n, f)>

// CHECK-LABEL: func @one_position(
// CHECK: tensor.expand_shape %{{.+}} : tensor<2x6xf32> into tensor<1x2x6xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv {{.*}} layout(nwc x wcf -> wnf) window(dilation = [2]){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x6xf32>
func.func @one_position(%input: tensor<2x5x4xf32>, %filter: tensor<3x4x6xf32>,
    %init: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<2x5x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func @dynamic_sizes(
// CHECK-SAME: %[[INPUT:[^:]+]]: {{[^%]+}}%[[FILTER:[^:]+]]: {{[^%]+}}%[[INIT:[^:]+]]:
// CHECK-DAG: %[[WIDTH:.+]] = tensor.dim %[[INPUT]], %c1
// CHECK-DAG: %[[CHANNELS:.+]] = tensor.dim %[[INPUT]], %c2
// CHECK: tensor.expand_shape %[[INPUT]] {{.+}} output_shape [2, %[[WIDTH]], %[[CHANNELS]], 1]
// CHECK-SAME: into tensor<2x?x?x1xf32>
// CHECK: %[[SUMS:.+]] = convoy.conv {{.*}} layout(nwgc x wgfc -> nwgf){{$}}
// CHECK: tensor.collapse_shape %[[SUMS]] {{.+}} into tensor<2x?x?xf32>
func.func @dynamic_sizes(%input: tensor<2x?x?xf32>, %filter: tensor<?x?xf32>,
    %init: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc
      ins(%input, %filter : tensor<2x?x?xf32>, tensor<?x?xf32>)
      outs(%init : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %r : tensor<2x?x?xf32>
}
