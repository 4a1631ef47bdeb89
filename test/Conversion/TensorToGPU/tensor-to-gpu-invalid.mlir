// RUN: convoy-opt %s --convoy-outline-kernels --split-input-file --verify-diagnostics

func.func @scalar(%value: f32, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected numbers that are constants, elements of tensors, or computed from such}}
  %r = linalg.fill ins(%value : f32) outs(%x : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @loop(%init: tensor<3xf32>, %count: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // expected-error @below {{expected nothing but what convoy-generalize-ops leaves, of which kernels of GPUs are made}}
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%x = %init) -> (tensor<3xf32>) {
    %next = linalg.fill ins(%one : f32) outs(%x : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

// -----

func.func @own_size(%n: index, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected an argument of the function that has its dynamic size}}
  %y = tensor.empty(%n) : tensor<?xf32>
  return %x : tensor<3xf32>
}

// -----

func.func @named(%x: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected nothing but what convoy-generalize-ops leaves, of which kernels of GPUs are made}}
  %r = linalg.exp ins(%x : tensor<3xf32>) outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @call(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected nothing but what convoy-generalize-ops leaves, of which kernels of GPUs are made}}
  %r = func.call @call(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @branch(%x: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%e: f32, %out: f32):
    %isPositive = arith.cmpf ogt, %e, %zero : f32
    // expected-error @below {{expected arithmetic on elements, of which kernels of GPUs are made}}
    %y = scf.if %isPositive -> f32 {
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Elements that two iterations write have no value of their own.
func.func @written_twice(%x: tensor<3x2xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected results of which each element is computed once}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x2xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @somewhere(%x: tensor<3xf32>, %place: index, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected an element at an affine place}}
  %value = tensor.extract %x[%place] : tensor<3xf32>
  %r = linalg.fill ins(%value : f32) outs(%init : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @rows_on_top_of_each_other(%x: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected offsets from 0 on and positive strides, but got 1 and 0}}
  %s = tensor.insert_slice %x into %init[1] [2] [0] : tensor<2xf32> into tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

func.func @pad_without_its_sizes(%x: tensor<3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.pad' op expected an operand for each dynamic size of padding}}
  %pad = "tensor.pad"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: -9223372036854775808>, static_high = array<i64: 0>}> ({
  ^bb0(%i: index):
    tensor.yield %zero : f32
  }) : (tensor<3xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%pad : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @slice_somewhere(%x: tensor<5xf32>, %place: index, %init: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{'tensor.extract_slice' op expected a slice at affine offsets}}
  %slice = tensor.extract_slice %x[%place] [3] [1] : tensor<5xf32> to tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%slice : tensor<3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @slice_put_somewhere(%x: tensor<3xf32>, %place: index, %init: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{'tensor.insert_slice' op expected a slice at a static place}}
  %r = tensor.insert_slice %x into %init[%place] [3] [1] : tensor<3xf32> into tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @padding_that_differs(%x: tensor<3xi64>) -> tensor<5xi64> {
  // expected-error @below {{'tensor.pad' op expected one value for all of the padding}}
  %pad = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %value = arith.index_cast %i : index to i64
    tensor.yield %value : i64
  } : tensor<3xi64> to tensor<5xi64>
  return %pad : tensor<5xi64>
}

// -----

func.func @padding_of_any_size(%x: tensor<3xf32>, %low: index, %batch: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.pad' op expected static padding}}
  %pad = tensor.pad %x low[%low] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<?xf32>
  return %pad : tensor<?xf32>
}

// -----

// Where a batch is padded, what follows it is only known as the kernel runs.
func.func @padded_batch(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.pad' op expected static padding}}
  %pad = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x3xf32> to tensor<?x3xf32>
  return %pad : tensor<?x3xf32>
}

// -----

func.func @padded_windows(%x: tensor<1x9x4xf32>) -> tensor<1x9x3x4xf32> {
  // expected-error @below {{'convoy.im2col' op expected windows that stay in the input}}
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]]) : tensor<1x9x4xf32> -> tensor<1x9x3x4xf32>
  return %rows : tensor<1x9x3x4xf32>
}

// -----

func.func @any_number_of_reversed_taps(%x: tensor<1x9x4xf32>, %taps: index, %batch: tensor<?xf32>) -> tensor<1x7x?x4xf32> {
  // expected-error @below {{'convoy.im2col' op expected affine numbers of reversed taps}}
  %rows = convoy.im2col %x sizes(%taps) layout(nwc, nw|wc) window(reverse = [true]) : tensor<1x9x4xf32> -> tensor<1x7x?x4xf32>
  return %rows : tensor<1x7x?x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func @expanded_from_any_size(%x: tensor<?xf32>, %half: index, %init: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // expected-error @below {{'tensor.expand_shape' op expected static sizes}}
  %halves = tensor.expand_shape %x [[0, 1]] output_shape [2, %half] : tensor<?xf32> into tensor<2x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%halves : tensor<2x?xf32>) outs(%init : tensor<2x?xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @collapsed_from_any_size(%x: tensor<2x?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'tensor.collapse_shape' op expected static sizes}}
  %both = tensor.collapse_shape %x [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%both : tensor<?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @loop_over_two_tensors(%x: tensor<3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{'scf.forall' op expected one result}}
  %r:2 = scf.forall (%i) in (3) shared_outs(%as = %a, %bs = %b) -> (tensor<3xf32>, tensor<3xf32>) {
    %e = tensor.extract_slice %x[%i] [1] [1] : tensor<3xf32> to tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %as[%i] [1] [1] : tensor<f32> into tensor<3xf32>
      tensor.parallel_insert_slice %e into %bs[%i] [1] [1] : tensor<f32> into tensor<3xf32>
    }
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @loop_that_writes_twice(%x: tensor<2x3xf32>, %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{'scf.forall' op expected one slice that is written}}
  %r = scf.forall (%i) in (3) shared_outs(%out = %init) -> (tensor<2x3xf32>) {
    %a = tensor.extract_slice %x[0, %i] [1, 1] [1, 1] : tensor<2x3xf32> to tensor<f32>
    %b = tensor.extract_slice %x[1, %i] [1, 1] [1, 1] : tensor<2x3xf32> to tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %out[0, %i] [1, 1] [1, 1] : tensor<f32> into tensor<2x3xf32>
      tensor.parallel_insert_slice %b into %out[1, %i] [1, 1] [1, 1] : tensor<f32> into tensor<2x3xf32>
    }
  }
  return %r : tensor<2x3xf32>
}

// -----

func.func @loop_over_blocks(%x: tensor<6xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @below {{'scf.forall' op expected iterations that write one index each}}
  %r = scf.forall (%i) = (0) to (6) step (2) shared_outs(%out = %init) -> (tensor<6xf32>) {
    %two = tensor.extract_slice %x[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %two into %out[%i] [2] [1] : tensor<2xf32> into tensor<6xf32>
    }
  }
  return %r : tensor<6xf32>
}

// -----

func.func @loop_around_a_named_op(%x: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = scf.forall (%i) in (3) shared_outs(%out = %init) -> (tensor<3xf32>) {
    %e = tensor.extract_slice %x[%i] [1] [1] : tensor<3xf32> to tensor<f32>
    %new = tensor.empty() : tensor<f32>
    // expected-error @below {{'linalg.exp' op expected an op whose elements are known one by one}}
    %y = linalg.exp ins(%e : tensor<f32>) outs(%new : tensor<f32>) -> tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i] [1] [1] : tensor<f32> into tensor<3xf32>
    }
  }
  return %r : tensor<3xf32>
}

// -----

// An element that is read twice would be computed twice.
#id = affine_map<() -> ()>
func.func @loop_that_reads_twice(%x: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %r = scf.forall (%i) in (3) shared_outs(%out = %init) -> (tensor<3xf32>) {
    %e = tensor.extract_slice %x[%i] [1] [1] : tensor<3xf32> to tensor<f32>
    %new = tensor.empty() : tensor<f32>
    // expected-error @below {{'linalg.generic' op expected a tensor that a kernel has written}}
    %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = []} ins(%e : tensor<f32>) outs(%new : tensor<f32>) {
    ^bb0(%value: f32, %o: f32):
      %sum = arith.addf %value, %value : f32
      linalg.yield %sum : f32
    } -> tensor<f32>
    %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = []} ins(%twice, %twice : tensor<f32>, tensor<f32>) outs(%new : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %product = arith.mulf %a, %b : f32
      linalg.yield %product : f32
    } -> tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i] [1] [1] : tensor<f32> into tensor<3xf32>
    }
  }
  return %r : tensor<3xf32>
}

// -----

func.func @narrow_gradient(%y: tensor<2x5x6x4xf16>, %g: tensor<2x5x6x2xf32>)
    -> tensor<2x9x7x4xf16> {
  // expected-error @below {{expected a result of f32, as convoy-decompose-sampling leaves it}}
  %0 = convoy.grid_sample_backward_input %y, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<2x5x6x4xf16>, tensor<2x5x6x2xf32> -> tensor<2x9x7x4xf16>
  return %0 : tensor<2x9x7x4xf16>
}
