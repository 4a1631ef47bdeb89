// RUN: convoy-opt %s --convoy-outline-kernels --split-input-file --verify-diagnostics

func.func @scalar(%value: f32, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected a constant, since kernels of GPUs take no scalars}}
  %r = linalg.fill ins(%value : f32) outs(%x : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @constant_tensor(%init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected no constant tensor, since kernels of GPUs take all data as arguments}}
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @loop(%init: tensor<3xf32>, %count: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // expected-error @below {{expected nothing but linalg ops, slices, pads and rows, of which kernels of GPUs are made}}
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
