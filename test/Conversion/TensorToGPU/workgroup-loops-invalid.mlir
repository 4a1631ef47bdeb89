// RUN: convoy-opt %s --convoy-outline-kernels --split-input-file --verify-diagnostics

// What the loops around a contraction do not do as its tile says.
#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @other_steps(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  // expected-note @below {{loop 1 here}}
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 4) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected steps of 8 from 0 to 16 along loop 1}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @other_terms(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    // expected-note @below {{loop 0 here}}
    %sum = scf.for %k = %c0 to %c6 step %c2 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected steps of 3 from 0 to 6 along loop 2}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @starts_later(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  // expected-note @below {{loop 0 here}}
  %r = scf.forall (%i, %j) = (4, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected steps of 4 from 0 to 8 along loop 0}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @too_few_loops(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %c0] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %c0] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected the number of loops over tiles to be 2, but got 1}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %c0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @no_steps(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %rows = tensor.extract_slice %x[%i, 0] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
    %lanes = tensor.extract_slice %w[0, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected the number of loops over the reduction to be 1, but got 0}}
    %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%part : tensor<4x8xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @smaller(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [2, 8] [1, 1] : tensor<8x16xf32> to tensor<2x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<2x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [2, 3] [1, 1] : tensor<8x6xf32> to tensor<2x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected 4 iterations of loop 0, but got 2}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<2x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<2x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<2x8xf32>
      scf.yield %next : tensor<2x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @other_rank(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16], sizes = [4, 8], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected an extent and a size for each of 3 loops}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16], sizes = [4, 8], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @lanes_of_the_sum(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %r = scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 8) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %sum = scf.for %k = %c0 to %c6 step %c3 iter_args(%acc = %part) -> (tensor<4x8xf32>) {
      %rows = tensor.extract_slice %x[%i, %k] [4, 3] [1, 1] : tensor<8x6xf32> to tensor<4x3xf32>
      %lanes = tensor.extract_slice %w[%k, %j] [3, 8] [1, 1] : tensor<6x16xf32> to tensor<3x8xf32>
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 2, item_rows = 4, item_lanes = 4>: expected a lane_loop from 0 to 1, loops of the result}}
      %next = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%rows, %lanes : tensor<4x3xf32>, tensor<3x8xf32>) outs(%acc : tensor<4x8xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 2, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<4x8xf32>
      scf.yield %next : tensor<4x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// Nothing goes through the tiles: it would be computed as any op is.
func.func @no_loops(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected an scf.forall around it}}
  %r = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x6xf32>, tensor<6x16xf32>) outs(%init : tensor<8x16xf32>)
      attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %added = arith.addf %c, %product : f32
    linalg.yield %added : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// One tile, in parts of which it is not known how many there are.
func.func @unknown_parts(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<2x8x16xf32>, %n: index) -> tensor<2x8x16xf32> {
  %r = scf.forall (%p) in (%n) shared_outs(%all = %init) -> (tensor<2x8x16xf32>) {
    %part = tensor.extract_slice %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<2x8x16xf32> to tensor<8x16xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected parts of the reduction from 0 to a constant in steps of 1}}
    %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<8x6xf32>, tensor<6x16xf32>) outs(%part : tensor<8x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<8x16xf32> into tensor<2x8x16xf32>
    }
  }
  return %r : tensor<2x8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @two_contractions(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<2x8x16xf32>, %n: index) -> tensor<2x8x16xf32> {
  %r = scf.forall (%p) in (2) shared_outs(%all = %init) -> (tensor<2x8x16xf32>) {
    %part = tensor.extract_slice %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<2x8x16xf32> to tensor<8x16xf32>
    %before = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<8x6xf32>, tensor<6x16xf32>) outs(%part : tensor<8x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<8x16xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected no other tiled contraction in the loops around it}}
    %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<8x6xf32>, tensor<6x16xf32>) outs(%part : tensor<8x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<8x16xf32> into tensor<2x8x16xf32>
    }
  }
  return %r : tensor<2x8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @loops_between(%x: tensor<8x6xf32>, %w: tensor<6x16xf32>, %init: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %r = scf.forall (%p) in (2) shared_outs(%all = %init) -> (tensor<2x8x16xf32>) {
    %part = tensor.extract_slice %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<2x8x16xf32> to tensor<8x16xf32>
    %tiles = scf.forall (%i) in (1) shared_outs(%t = %part) -> (tensor<8x16xf32>) {
      // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected no loops but those over tiles inside those over parts of the reduction}}
      %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %w : tensor<8x6xf32>, tensor<6x16xf32>) outs(%t : tensor<8x16xf32>)
          attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [8, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %product = arith.mulf %a, %b : f32
        %added = arith.addf %c, %product : f32
        linalg.yield %added : f32
      } -> tensor<8x16xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %t[%i, 0] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x16xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tiles into %all[%p, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<8x16xf32> into tensor<2x8x16xf32>
    }
  }
  return %r : tensor<2x8x16xf32>
}

// -----

#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#lanes = affine_map<(b, m, n, k) -> (b, k, n)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>

// Two contractions in one tile, which share nothing.
func.func @both_factors(%x: tensor<6x8x5xf32>, %w: tensor<6x5x16xf32>, %init: tensor<6x8x16xf32>) -> tensor<6x8x16xf32> {
  %r = scf.forall (%i) = (0) to (6) step (2) shared_outs(%all = %init) -> (tensor<6x8x16xf32>) {
    %part = tensor.extract_slice %all[%i, 0, 0] [2, 8, 16] [1, 1, 1] : tensor<6x8x16xf32> to tensor<2x8x16xf32>
    %rows = tensor.extract_slice %x[%i, 0, 0] [2, 8, 5] [1, 1, 1] : tensor<6x8x5xf32> to tensor<2x8x5xf32>
    %lanes = tensor.extract_slice %w[%i, 0, 0] [2, 5, 16] [1, 1, 1] : tensor<6x5x16xf32> to tensor<2x5x16xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [6, 8, 16, 5], sizes = [2, 8, 16, 5], lane_loop = 2, item_rows = 4, item_lanes = 4>: expected a size of 1 of loop 0, which both factors have}}
    %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%rows, %lanes : tensor<2x8x5xf32>, tensor<2x5x16xf32>) outs(%part : tensor<2x8x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [6, 8, 16, 5], sizes = [2, 8, 16, 5], lane_loop = 2, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<2x8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, 0, 0] [2, 8, 16] [1, 1, 1] : tensor<2x8x16xf32> into tensor<6x8x16xf32>
    }
  }
  return %r : tensor<6x8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @one_factor(%x: tensor<8x6xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%all = %init) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %all[%i, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
    %rows = tensor.extract_slice %x[%i, 0] [4, 6] [1, 1] : tensor<8x6xf32> to tensor<4x6xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>: expected 2 factors, but got 1}}
    %sum = linalg.generic {indexing_maps = [#rows, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%rows : tensor<4x6xf32>) outs(%part : tensor<4x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 16, 6], lane_loop = 1, item_rows = 4, item_lanes = 4>} {
    ^bb0(%a: f32, %c: f32):
      %added = arith.addf %c, %a : f32
      linalg.yield %added : f32
    } -> tensor<4x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#lanes = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @other_elements(%x: tensor<32x16xf32>, %w: tensor<16x16xf32>, %init: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %r = scf.forall (%i) = (0) to (32) step (16) shared_outs(%all = %init) -> (tensor<32x16xf32>) {
    %part = tensor.extract_slice %all[%i, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
    %rows = tensor.extract_slice %x[%i, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
    // expected-error @below {{'linalg.generic' op does not fit #convoy.workgroup_tile<extents = [32, 16, 16], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 16, matrix = "mfma_f32_16x16x16f16">: expected elements of 'f16' for its matrix instruction, but got 'f32'}}
    %sum = linalg.generic {indexing_maps = [#rows, #lanes, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%rows, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%part : tensor<16x16xf32>)
        attrs = {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [32, 16, 16], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 16, matrix = "mfma_f32_16x16x16f16">} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %product = arith.mulf %a, %b : f32
      %added = arith.addf %c, %product : f32
      linalg.yield %added : f32
    } -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %all[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x16xf32>
    }
  }
  return %r : tensor<32x16xf32>
}
