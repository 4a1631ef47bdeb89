// RUN: convoy-opt %s --split-input-file --verify-diagnostics --convoy-hoist-packing
// RUN: convoy-opt %s --split-input-file --verify-diagnostics --convoy-tile-contraction

#read = affine_map<(a, b) -> (b, a)>
#write = affine_map<(a, b) -> (a, b)>
func.func @computes(%w: tensor<8x5xf32> {convoy.prepacked}, %init: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %init) -> (tensor<8x5xf32>) {
    %panel = tensor.extract_slice %w[%i, 0] [4, 5] [1, 1] : tensor<8x5xf32> to tensor<4x5xf32>
    %empty = tensor.empty() : tensor<5x4xf32>
    // expected-error @below {{does not fit its plan, convoy.packed: expected a copy of one tensor}}
    %packed = linalg.generic {indexing_maps = [#read, #write], iterator_types = ["parallel", "parallel"]}
        ins(%panel : tensor<4x5xf32>) outs(%empty : tensor<5x4xf32>) attrs = {convoy.packed} {
    ^bb0(%in: f32, %out: f32):
      %negated = arith.negf %in : f32
      linalg.yield %negated : f32
    } -> tensor<5x4xf32>
    %back = linalg.transpose ins(%packed : tensor<5x4xf32>) outs(%panel : tensor<4x5xf32>) permutation = [1, 0]
    %next = tensor.insert_slice %back into %t[%i, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x5xf32>
    scf.yield %next : tensor<8x5xf32>
  }
  return %0 : tensor<8x5xf32>
}

// -----

func.func @reads_nothing(%init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{does not fit its plan, convoy.packed: expected a copy of one tensor}}
  %0 = linalg.fill {convoy.packed} ins(%zero : f32) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

#same = affine_map<(a, b) -> (a, b)>
func.func @buffers(%x: memref<4x5xf32>, %y: memref<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error @below {{does not fit its plan, convoy.packed: expected a copy of one tensor}}
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4x5xf32>) outs(%y : memref<4x5xf32>) attrs = {convoy.packed} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
  }
  return
}
