// RUN: convoy-opt --convoy-raise-linalg %s --verify-diagnostics | FileCheck %s --implicit-check-not=convoy.

// Maps that are not those of a convolution: the ops are left alone.

// CHECK: module

func.func @window_in_both_inputs(%input: tensor<9x4xf32>, %filter: tensor<6x3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a loop of its own for each dimension of operand #1, but got d1 + d2}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, c) -> (o + k, c)>,
          affine_map<(o, k, c) -> (k + c, k)>,
          affine_map<(o, k, c) -> (o)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<9x4xf32>, tensor<6x3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// A transposed convolution that scatters into its output.
func.func @window_in_output(%input: tensor<9x2xf32>, %filter: tensor<3x7xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a loop of its own for each dimension of operand #2, but got d0 + d2}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, j) -> (o + k, j)>,
          affine_map<(o, k, j) -> (k, o)>,
          affine_map<(o, k, j) -> (o + j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%input, %filter : tensor<9x2xf32>, tensor<3x7xf32>)
      outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @diagonal_filter(%input: tensor<9xf32>, %filter: tensor<3x3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a loop of its own for each dimension of operand #1, but got d1}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k)>,
          affine_map<(o, k) -> (k, k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3x3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @parallel_tap(%input: tensor<9x4xf32>, %filter: tensor<3x4xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected d1 to be a reduction loop, as it does not index the output}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, c) -> (o + k, c)>,
          affine_map<(o, k, c) -> (k, c)>,
          affine_map<(o, k, c) -> (o)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<9x4xf32>, tensor<3x4xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @reduced_position(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected d0 to be a parallel loop, as it indexes the output}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["reduction", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @floor_division(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected linear indices, but got d0 floordiv 2 + d1}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o floordiv 2 + k)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @loop_twice_in_input(%input: tensor<9x3xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected each loop once in the input's map, but got d1 twice}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k, k)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9x3xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @two_positions(%input: tensor<12xf32>, %filter: tensor<3xf32>, %init: tensor<7x4xf32>) -> tensor<7x4xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a window over one output and one filter dimension, but got both d0 and d1 as positions}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, p, k) -> (o + p + k)>,
          affine_map<(o, p, k) -> (k)>,
          affine_map<(o, p, k) -> (o, p)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<12xf32>, tensor<3xf32>)
      outs(%init : tensor<7x4xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}

func.func @two_taps(%input: tensor<12xf32>, %filter: tensor<3x4xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a window over one output and one filter dimension, but got both d1 and d2 as taps}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, j) -> (o + k + j)>,
          affine_map<(o, k, j) -> (k, j)>,
          affine_map<(o, k, j) -> (o)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<12xf32>, tensor<3x4xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @backward_positions(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a positive stride, but got -1}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (k - o + 6)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @input_summed_alone(%input: tensor<9x4xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected sums over products, but d2 sums the input alone}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, c) -> (o + k, c)>,
          affine_map<(o, k, c) -> (k)>,
          affine_map<(o, k, c) -> (o)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<9x4xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @filter_summed_alone(%input: tensor<9xf32>, %filter: tensor<3x4xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected sums over products, but d2 sums the filter alone}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, c) -> (o + k)>,
          affine_map<(o, k, c) -> (k, c)>,
          affine_map<(o, k, c) -> (o)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3x4xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @filter_per_position(%input: tensor<9xf32>, %filter: tensor<7x3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a filter that is the same at each position, but d0 indexes it}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k)>,
          affine_map<(o, k) -> (o, k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<7x3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @repeated_output(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7x2xf32>) -> tensor<7x2xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected input or filter to vary along each dimension of the output, but d2 indexes neither}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k, p) -> (o + k)>,
          affine_map<(o, k, p) -> (k)>,
          affine_map<(o, k, p) -> (o, p)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7x2xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}

func.func @two_groups(%input: tensor<2x3x9xf32>, %filter: tensor<2x3x4xf32>, %init: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected at most one group dimension, but got d0 and d1}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(a, b, o, k) -> (a, b, o + k)>,
          affine_map<(a, b, o, k) -> (a, b, k)>,
          affine_map<(a, b, o, k) -> (a, b, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<2x3x9xf32>, tensor<2x3x4xf32>)
      outs(%init : tensor<2x3x6xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x3x6xf32>
  return %r : tensor<2x3x6xf32>
}

func.func @two_output_channels(%input: tensor<9xf32>, %filter: tensor<2x3x4xf32>, %init: tensor<2x7x4xf32>) -> tensor<2x7x4xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected at most one output channel dimension, but got d1 and d3}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, e, k, f) -> (o + k)>,
          affine_map<(o, e, k, f) -> (e, k, f)>,
          affine_map<(o, e, k, f) -> (e, o, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%input, %filter : tensor<9xf32>, tensor<2x3x4xf32>)
      outs(%init : tensor<2x7x4xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x7x4xf32>
  return %r : tensor<2x7x4xf32>
}

func.func @four_windows(%input: tensor<3x4x5x6xf32>, %filter: tensor<2x2x2x2xf32>, %init: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected at most 3 window dimensions, but got 4}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(a, b, c, d, i, j, k, l) -> (a + i, b + j, c + k, d + l)>,
          affine_map<(a, b, c, d, i, j, k, l) -> (i, j, k, l)>,
          affine_map<(a, b, c, d, i, j, k, l) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<3x4x5x6xf32>, tensor<2x2x2x2xf32>)
      outs(%init : tensor<2x3x4x5xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

func.func @dynamic_reversed_taps(%input: tensor<?xf32>, %filter: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a static number of taps for d1, which runs backwards}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o - k + 2)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<?xf32>, tensor<?xf32>)
      outs(%init : tensor<?xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @read_before_the_start(%input: tensor<?xf32>, %filter: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected reads inside of the input, but the window begins 1 before it}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k - 1)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<?xf32>, tensor<3xf32>)
      outs(%init : tensor<?xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @no_taps(%input: tensor<9xf32>, %filter: tensor<0xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected 7 positions of a window of 0 taps}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<0xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @window_past_64_bits(%input: tensor<?xf32>, %filter: tensor<9xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a window that reaches less than 64 bits}}
  %r = linalg.generic {indexing_maps = [
          affine_map<(o, k) -> (o + k * -4611686018427387904)>,
          affine_map<(o, k) -> (k)>,
          affine_map<(o, k) -> (o)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<?xf32>, tensor<9xf32>)
      outs(%init : tensor<?xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
