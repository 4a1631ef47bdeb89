// Tiles of workgroups that convoy-tile-workgroups would not leave.
// RUN: convoy-opt %s --convoy-outline-kernels --split-input-file --verify-diagnostics

#rows = affine_map<(w, f, c) -> (w, c)>
#filter = affine_map<(w, f, c) -> (c, f)>
#result = affine_map<(w, f, c) -> (w, f)>
#tile = #convoy.workgroup_tile<extents = [32, 16, 8], sizes = [16, 16, 8], lane_loop = 1, item_rows = 8, item_lanes = 4>
func.func @written_twice(%x: tensor<32x8xf32>, %w: tensor<8x16xf32>, %init: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @below {{'scf.forall' op expected one slice that is written}}
  %r = scf.forall (%i) = (0) to (32) step (16) shared_outs(%out = %init) -> (tensor<64x16xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [16, 8] [1, 1] : tensor<32x8xf32> to tensor<16x8xf32>
    %start = tensor.extract_slice %out[%i, 0] [16, 16] [1, 1] : tensor<64x16xf32> to tensor<16x16xf32>
    %sum = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%xs, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%start : tensor<16x16xf32>) attrs = {convoy.workgroup_tile = #tile} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %acc, %product : f32
      linalg.yield %next : f32
    } -> tensor<16x16xf32>
    %second = affine.apply affine_map<(i) -> (i + 32)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x16xf32>
      tensor.parallel_insert_slice %sum into %out[%second, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x16xf32>
    }
  }
  return %r : tensor<64x16xf32>
}

// -----

// Around the contraction stands a loop that sums two tensors.
#rows = affine_map<(w, f, c) -> (w, c)>
#filter = affine_map<(w, f, c) -> (c, f)>
#result = affine_map<(w, f, c) -> (w, f)>
#tile = #convoy.workgroup_tile<extents = [32, 16, 8], sizes = [16, 16, 8], lane_loop = 1, item_rows = 8, item_lanes = 4>
func.func @two_sums(%x: tensor<32x8xf32>, %w: tensor<8x16xf32>, %init: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error @below {{'scf.forall' op expected loops over steps of the reduction}}
  %r = scf.forall (%i) = (0) to (32) step (16) shared_outs(%out = %init) -> (tensor<32x16xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [16, 8] [1, 1] : tensor<32x8xf32> to tensor<16x8xf32>
    %start = tensor.extract_slice %out[%i, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
    %sums:2 = scf.for %c = %c0 to %c8 step %c8 iter_args(%first = %start, %other = %start) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
      %sum = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%xs, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%first : tensor<16x16xf32>) attrs = {convoy.workgroup_tile = #tile} {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %product = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %product : f32
        linalg.yield %next : f32
      } -> tensor<16x16xf32>
      scf.yield %sum, %other : tensor<16x16xf32>, tensor<16x16xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums#0 into %out[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x16xf32>
    }
  }
  return %r : tensor<32x16xf32>
}

// -----

// A factor is what the step before has summed.
#rows = affine_map<(w, f, c) -> (w, c)>
#filter = affine_map<(w, f, c) -> (c, f)>
#result = affine_map<(w, f, c) -> (w, f)>
#tile = #convoy.workgroup_tile<extents = [32, 16, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 8, item_lanes = 4>
func.func @power(%w: tensor<16x16xf32>, %init: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %r = scf.forall (%i) = (0) to (32) step (16) shared_outs(%out = %init) -> (tensor<32x16xf32>) {
    %start = tensor.extract_slice %out[%i, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
    // expected-error @below {{'scf.for' op expected no loop that carries tensors}}
    %power = scf.for %c = %c0 to %c64 step %c16 iter_args(%factor = %start) -> (tensor<16x16xf32>) {
      %product = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%factor, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%factor : tensor<16x16xf32>) attrs = {convoy.workgroup_tile = #tile} {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %part = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %part : f32
        linalg.yield %next : f32
      } -> tensor<16x16xf32>
      scf.yield %product : tensor<16x16xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %power into %out[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x16xf32>
    }
  }
  return %r : tensor<32x16xf32>
}
