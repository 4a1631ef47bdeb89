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
