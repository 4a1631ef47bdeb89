// RUN: convoy-opt %s --convoy-hoist-packing --split-input-file | FileCheck %s

#transpose_in = affine_map<(c, l) -> (l, c)>
#identity = affine_map<(c, l) -> (c, l)>

// Panels of 4 lanes from the second on, read in steps of 2 channels: whole, from
// lane 4, there are two panels for three blocks of channels.
// CHECK-DAG: #[[SOURCE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 4 + d3, d1 * 2 + d2)>
// CHECK-DAG: #[[PANEL:.*]] = affine_map<(d0) -> (d0 floordiv 4 - 1)>
// CHECK-DAG: #[[BLOCK:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-LABEL: func.func @panels(
// CHECK-SAME:    %[[W:.*]]: tensor<12x6xf32> {convoy.prepacked}
// CHECK:         %[[BOX:.*]] = tensor.extract_slice %[[W]][4, 0] [8, 6] [1, 1]
// CHECK:         %[[ALL:.*]] = linalg.generic {indexing_maps = [#[[SOURCE]], #{{.*}}]
// CHECK-SAME:      ins(%[[BOX]] : tensor<8x6xf32>) outs(%{{.*}} : tensor<2x3x2x4xf32>)
// CHECK:         scf.for %[[L:.*]] = %c4 to %c12 step %c4
// CHECK:           scf.for %[[C:.*]] = %c0 to %c6 step %c2
// CHECK:             %[[I:.*]] = affine.apply #[[PANEL]](%[[L]])
// CHECK:             %[[J:.*]] = affine.apply #[[BLOCK]](%[[C]])
// CHECK:             tensor.extract_slice %[[ALL]][%[[I]], %[[J]], 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x4xf32>
func.func @panels(%w: tensor<12x6xf32> {convoy.prepacked}, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c12 = arith.constant 12 : index
  %r = scf.for %l = %c4 to %c12 step %c4 iter_args(%t = %y) -> (tensor<2x4xf32>) {
    %lanes = tensor.extract_slice %w[%l, 0] [4, 6] [1, 1] : tensor<12x6xf32> to tensor<4x6xf32>
    %s = scf.for %c = %c0 to %c6 step %c2 iter_args(%u = %t) -> (tensor<2x4xf32>) {
      %panel = tensor.extract_slice %lanes[0, %c] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
      %empty = tensor.empty() : tensor<2x4xf32>
      %packed = linalg.generic {indexing_maps = [#transpose_in, #identity], iterator_types = ["parallel", "parallel"]}
          ins(%panel : tensor<4x2xf32>) outs(%empty : tensor<2x4xf32>) attrs = {convoy.packed} {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x4xf32>
      %sum = linalg.add ins(%u, %packed : tensor<2x4xf32>, tensor<2x4xf32>) outs(%u : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %sum : tensor<2x4xf32>
    }
    scf.yield %s : tensor<2x4xf32>
  }
  return %r : tensor<2x4xf32>
}

// -----

#identity = affine_map<(c, l) -> (c, l)>

// A loop that the panel does not depend on, steps between its rows, and no
// reordering: it is copied all the same, since its rows lie apart.
// CHECK-DAG: #[[SOURCE:.*]] = affine_map<(d0, d1, d2) -> (d1 * 2, d0 * 4 + d2)>
// CHECK-LABEL: func.func @rows(
// CHECK:         tensor.extract_slice %{{.*}}[1, 0] [3, 8] [1, 1] : tensor<5x8xf32> to tensor<3x8xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[SOURCE]], #{{.*}}]
// CHECK-SAME:      outs(%{{.*}} : tensor<2x2x4xf32>)
func.func @rows(%w: tensor<5x8xf32> {convoy.prepacked}, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %rows = tensor.extract_slice %w[1, 0] [2, 8] [2, 1] : tensor<5x8xf32> to tensor<2x8xf32>
  %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%t = %y) -> (tensor<2x4xf32>) {
    %s = scf.for %l = %c0 to %c8 step %c4 iter_args(%u = %t) -> (tensor<2x4xf32>) {
      %panel = tensor.extract_slice %rows[0, %l] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
      %empty = tensor.empty() : tensor<2x4xf32>
      %packed = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
          ins(%panel : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) attrs = {convoy.packed} {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x4xf32>
      %sum = linalg.add ins(%u, %packed : tensor<2x4xf32>, tensor<2x4xf32>) outs(%u : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %sum : tensor<2x4xf32>
    }
    scf.yield %s : tensor<2x4xf32>
  }
  return %r : tensor<2x4xf32>
}

// -----

#identity = affine_map<(c, l) -> (c, l)>

// The loops that one `scf.forall` stands for.
// CHECK-DAG: #[[SOURCE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 4 + d3)>
// CHECK-LABEL: func.func @tiles(
// CHECK:         %[[ALL:.*]] = linalg.generic {indexing_maps = [#[[SOURCE]], #{{.*}}]
// CHECK-SAME:      outs(%{{.*}} : tensor<3x2x2x4xf32>)
// CHECK:         scf.forall (%[[C:.*]], %[[L:.*]]) =
// CHECK:           %[[I:.*]] = affine.apply #{{.*}}(%[[C]])
// CHECK:           %[[J:.*]] = affine.apply #{{.*}}(%[[L]])
// CHECK:           tensor.extract_slice %[[ALL]][%[[I]], %[[J]], 0, 0] [1, 1, 2, 4]
func.func @tiles(%w: tensor<6x8xf32> {convoy.prepacked}, %y: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %r = scf.forall (%c, %l) = (0, 0) to (6, 8) step (2, 4) shared_outs(%t = %y) -> (tensor<6x8xf32>) {
    %panel = tensor.extract_slice %w[%c, %l] [2, 4] [1, 1] : tensor<6x8xf32> to tensor<2x4xf32>
    %empty = tensor.empty() : tensor<2x4xf32>
    %packed = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
        ins(%panel : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) attrs = {convoy.packed} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %packed into %t[%c, %l] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<6x8xf32>
    }
  }
  return %r : tensor<6x8xf32>
}

// -----

#identity = affine_map<(c, l) -> (c, l)>

// Nobody packs this beforehand, and the bound of that is unknown.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-2: scf.for
// CHECK:           linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4xf32>) attrs = {convoy.packed}
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4xf32>) attrs = {convoy.packed}
func.func @stays(%x: tensor<2x8xf32>, %w: tensor<2x8xf32> {convoy.prepacked}, %end: index, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%t = %y) -> (tensor<2x4xf32>) {
    %s = scf.for %l = %c0 to %c8 step %c4 iter_args(%u = %t) -> (tensor<2x4xf32>) {
      %panel = tensor.extract_slice %x[0, %l] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
      %empty = tensor.empty() : tensor<2x4xf32>
      %packed = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
          ins(%panel : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) attrs = {convoy.packed} {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x4xf32>
      %sum = linalg.add ins(%u, %packed : tensor<2x4xf32>, tensor<2x4xf32>) outs(%u : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %sum : tensor<2x4xf32>
    }
    scf.yield %s : tensor<2x4xf32>
  }
  %q = scf.for %l = %c0 to %end step %c4 iter_args(%u = %r) -> (tensor<2x4xf32>) {
    %panel = tensor.extract_slice %w[0, %l] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
    %empty = tensor.empty() : tensor<2x4xf32>
    %packed = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
        ins(%panel : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) attrs = {convoy.packed} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4xf32>
    %sum = linalg.add ins(%u, %packed : tensor<2x4xf32>, tensor<2x4xf32>) outs(%u : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.yield %sum : tensor<2x4xf32>
  }
  return %q : tensor<2x4xf32>
}
