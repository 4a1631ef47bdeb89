// RUN: convoy-opt %s --convoy-tile-workgroups --convoy-outline-kernels --cse --canonicalize --split-input-file | FileCheck %s

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>
module attributes {convoy.target = #target} {
// CHECK-LABEL: func @steps(
// CHECK-SAME:    %[[X:.*]]: tensor<1x66x32xf32>, %[[W:.*]]: tensor<3x32x64xf32>, %[[INIT:.*]]: tensor<1x64x64xf32>)
// CHECK-NEXT:    convoy.launch @kernels::@steps_0 grid [{{.*}}] ins(%[[X]], %[[W]] : {{.*}}) outs(%[[INIT]] : {{.*}})
func.func @steps(%x: tensor<1x66x32xf32>, %w: tensor<3x32x64xf32>, %init: tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x66x32xf32> -> tensor<1x64x3x32xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x64x3x32xf32>, tensor<3x32x64xf32>) outs(%init : tensor<1x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x64x64xf32>
  return %r : tensor<1x64x64xf32>
}
}

// Both factors are read as vectors, of channels here and of output channels
// there; the first step is filled before the loop, and each further one while
// the one before it is computed. Four of its terms are added at once.
// CHECK:       gpu.func @steps_0(%[[XS:.*]]: memref<2112xf32>, %[[WS:.*]]: memref<6144xf32>, %[[RS:.*]]: memref<4096xf32>)
// CHECK-SAME:      workgroup(%[[S0:.*]] : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>, %[[S1:.*]] : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>)
// CHECK-NOT:     memref.load
// CHECK:         vector.load %[[RS]]
// CHECK:         vector.load %[[XS]]
// CHECK:         vector.load %[[WS]]
// CHECK:         gpu.barrier
// CHECK:         %[[SUMS:.*]]:{{[0-9]+}} = scf.for
// CHECK-DAG:       vector.load %[[XS]]
// CHECK-DAG:       vector.load %[[WS]]
// CHECK:           scf.for {{.*}} to %c16 step %c4
// CHECK-DAG:         vector.load %[[S0]]
// CHECK-DAG:         vector.load %[[S1]]
// CHECK:             arith.addf %{{.*}} : vector<4xf32>
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         vector.store %{{.*}}, %[[RS]]
// CHECK-NOT:     memref.store

// -----

// Tiles that stick out of the result read nothing outside of the input and write
// nothing outside of the result; what is written next to each other by chance is
// written one by one.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>
module attributes {convoy.target = #target} {
func.func @odd(%x: tensor<1x37x5xi8>, %w: tensor<3x5x67xi8>, %init: tensor<1x35x67xi32>) -> tensor<1x35x67xi32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x37x5xi8> -> tensor<1x35x3x5xi8>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x35x3x5xi8>, tensor<3x5x67xi8>) outs(%init : tensor<1x35x67xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %wideA = arith.extsi %a : i8 to i32
    %wideB = arith.extsi %b : i8 to i32
    %product = arith.muli %wideA, %wideB : i32
    %next = arith.addi %acc, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x35x67xi32>
  return %r : tensor<1x35x67xi32>
}
}
// CHECK:       gpu.func @odd_0(%[[XS:.*]]: memref<185xi8>, %[[WS:.*]]: memref<1005xi8>, %[[RS:.*]]: memref<2345xi32>)
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:         arith.select
// CHECK:         memref.load
// CHECK:         gpu.barrier
// CHECK:         arith.extsi %{{.*}} : vector<4xi8> to vector<4xi32>
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %[[RS]]

// -----

// Parts of a reduction whose result is one tile are workgroups; a second kernel
// adds them up.
#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
#target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>
module attributes {convoy.target = #target} {
// CHECK-LABEL: func @parts(
// CHECK-SAME:    %[[X:.*]]: tensor<3x1010x4xf32>, %[[DY:.*]]: tensor<3x1008x8xf32>, %[[INIT:.*]]: tensor<4x3x8xf32>)
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<12x4x3x8xf32>
// CHECK:         %[[PARTS:.*]] = convoy.launch @kernels::@parts_0 {{.*}} ins(%[[X]], %[[DY]] : {{.*}}) outs(%[[EMPTY]] :
// CHECK:         convoy.launch @kernels::@parts_1 {{.*}} ins(%[[PARTS]] : {{.*}}) outs(%[[INIT]] :
func.func @parts(%x: tensor<3x1010x4xf32>, %dy: tensor<3x1008x8xf32>, %init: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %empty = tensor.empty() : tensor<12x4x3x8xf32>
  %parts = scf.forall (%s) in (12) shared_outs(%out = %empty) -> (tensor<12x4x3x8xf32>) {
    %first = affine.apply affine_map<(s) -> (s * 84)>(%s)
    %xs = tensor.extract_slice %x[0, %first, 0] [3, 86, 4] [1, 1, 1] : tensor<3x1010x4xf32> to tensor<3x86x4xf32>
    %rows = convoy.im2col %xs layout(cwn, nw|cw) : tensor<3x86x4xf32> -> tensor<4x3x3x84xf32>
    %dys = tensor.extract_slice %dy[0, %first, 0] [3, 84, 8] [1, 1, 1] : tensor<3x1008x8xf32> to tensor<3x84x8xf32>
    %zero = arith.constant 0.0 : f32
    %new = tensor.empty() : tensor<4x3x8xf32>
    %start = linalg.fill ins(%zero : f32) outs(%new : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
    %part = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%rows, %dys : tensor<4x3x3x84xf32>, tensor<3x84x8xf32>) outs(%start : tensor<4x3x8xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %acc, %product : f32
      linalg.yield %next : f32
    } -> tensor<4x3x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %out[%s, 0, 0, 0] [1, 4, 3, 8] [1, 1, 1, 1] : tensor<4x3x8xf32> into tensor<12x4x3x8xf32>
    }
  }
  %r = linalg.generic {indexing_maps = [affine_map<(c, w, f, s) -> (s, c, w, f)>, affine_map<(c, w, f, s) -> (c, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%parts : tensor<12x4x3x8xf32>) outs(%init : tensor<4x3x8xf32>) {
  ^bb0(%part: f32, %acc: f32):
    %next = arith.addf %acc, %part : f32
    linalg.yield %next : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
}

// -----

// Where nothing is staged, work-items read what they multiply in the loops of
// the reduction, the taps outside of the channels, four of which are added at
// once. There is no memory to share, and no barrier.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256, slow_shared_memory = true>
module attributes {convoy.target = #target} {
func.func @in_place(%x: tensor<1x192x20xf32>, %w: tensor<3x20x64xf32>, %init: tensor<1x192x64xf32>) -> tensor<1x192x64xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %w0: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x192x20xf32> to tensor<1x194x20xf32>
  %rows = convoy.im2col %padded layout(nwc, nw|wc) : tensor<1x194x20xf32> -> tensor<1x192x3x20xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x192x3x20xf32>, tensor<3x20x64xf32>) outs(%init : tensor<1x192x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x192x64xf32>
  return %r : tensor<1x192x64xf32>
}
}
// CHECK:       gpu.func @in_place_0(%[[XS:.*]]: memref<3840xf32>, %[[WS:.*]]: memref<3840xf32>, %[[RS:.*]]: memref<12288xf32>)
// CHECK-NOT:     workgroup(
// CHECK-NOT:     gpu.barrier
// CHECK:         vector.load %[[RS]]
// CHECK:         scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK:           scf.for %{{.*}} = %c0 to %c20 step %c4 iter_args
// CHECK-NOT:         memref.load
// CHECK:             arith.select %{{.*}} : index
// CHECK:             vector.load %[[XS]]
// CHECK:             vector.load %[[WS]]
// CHECK:             arith.addf %{{.*}} : vector<4xf32>
// CHECK-NOT:     gpu.barrier
// CHECK:         vector.store %{{.*}}, %[[RS]]

// -----

// Where 8 elements lie side by side they are read at once: terms of one factor,
// of which 8 are then added at once, and two groups of the other, which a
// work-item has next to each other.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<subgroup = 8, registers = 32, workgroup_bytes = 16384, workgroup_items = 256, slow_shared_memory = true>
module attributes {convoy.target = #target} {
func.func @eights(%x: tensor<1x194x24xf32>, %w: tensor<3x24x64xf32>, %init: tensor<1x192x64xf32>) -> tensor<1x192x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x194x24xf32> -> tensor<1x192x3x24xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x192x3x24xf32>, tensor<3x24x64xf32>) outs(%init : tensor<1x192x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x192x64xf32>
  return %r : tensor<1x192x64xf32>
}
}
// CHECK:       gpu.func @eights_0(%[[XS:.*]]: memref<4656xf32>, %[[WS:.*]]: memref<4608xf32>, %[[RS:.*]]: memref<12288xf32>)
// CHECK:           scf.for %{{.*}} = %c0 to %c24 step %c8 iter_args
// CHECK-COUNT-8:     vector.load %[[XS]][%{{.*}}] : memref<4656xf32>, vector<8xf32>
// CHECK-NOT:         vector.load %[[XS]]
// CHECK:             %[[F:.*]] = vector.load %[[WS]][%{{.*}}] : memref<4608xf32>, vector<8xf32>
// CHECK:             vector.extract_strided_slice %[[F]] {offsets = [0], sizes = [4]
// CHECK:             vector.extract_strided_slice %[[F]] {offsets = [4], sizes = [4]
// CHECK-COUNT-7:     vector.load %[[WS]][%{{.*}}] : memref<4608xf32>, vector<8xf32>
// CHECK-NOT:         vector.load %[[WS]]
// CHECK:             arith.addf %{{.*}} : vector<4xf32>

// -----

// Six work-items would have all of a result of 12 x 8: each sum has 32, which
// take four terms in turn. Then half of them give theirs to the other half, five
// times, each time by places of their own and one barrier; the first has all.
#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
#target = #convoy.target<subgroup = 32, workgroup_bytes = 16384, workgroup_items = 256>
module attributes {convoy.target = #target} {
func.func @shared(%x: tensor<3x1010x4xf32>, %dy: tensor<3x1008x8xf32>, %init: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %empty = tensor.empty() : tensor<12x4x3x8xf32>
  %parts = scf.forall (%s) in (12) shared_outs(%out = %empty) -> (tensor<12x4x3x8xf32>) {
    %first = affine.apply affine_map<(s) -> (s * 84)>(%s)
    %xs = tensor.extract_slice %x[0, %first, 0] [3, 86, 4] [1, 1, 1] : tensor<3x1010x4xf32> to tensor<3x86x4xf32>
    %rows = convoy.im2col %xs layout(cwn, nw|cw) : tensor<3x86x4xf32> -> tensor<4x3x3x84xf32>
    %dys = tensor.extract_slice %dy[0, %first, 0] [3, 84, 8] [1, 1, 1] : tensor<3x1008x8xf32> to tensor<3x84x8xf32>
    %zero = arith.constant 0.0 : f32
    %new = tensor.empty() : tensor<4x3x8xf32>
    %start = linalg.fill ins(%zero : f32) outs(%new : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
    %part = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%rows, %dys : tensor<4x3x3x84xf32>, tensor<3x84x8xf32>) outs(%start : tensor<4x3x8xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %acc, %product : f32
      linalg.yield %next : f32
    } -> tensor<4x3x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %out[%s, 0, 0, 0] [1, 4, 3, 8] [1, 1, 1, 1] : tensor<4x3x8xf32> into tensor<12x4x3x8xf32>
    }
  }
  %r = linalg.generic {indexing_maps = [affine_map<(c, w, f, s) -> (s, c, w, f)>, affine_map<(c, w, f, s) -> (c, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%parts : tensor<12x4x3x8xf32>) outs(%init : tensor<4x3x8xf32>) {
  ^bb0(%part: f32, %acc: f32):
    %next = arith.addf %acc, %part : f32
    linalg.yield %next : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
}
// CHECK:       gpu.func @shared_0(%[[XS:.*]]: memref<12120xf32>, %[[DYS:.*]]: memref<24192xf32>, %[[RS:.*]]: memref<1152xf32>)
// CHECK-SAME:      workgroup(%[[SUMS:.*]] : memref<3072xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:      known_block_size = array<i32: 192, 1, 1>
// CHECK:         %[[ITEM:.*]] = gpu.thread_id x
// CHECK:         %[[SHARER:.*]] = arith.remui %[[ITEM]], %c32
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for %{{.*}} = %[[SHARER]] to %{{.*}} step %c32
// CHECK:           vector.load %[[DYS]]
// CHECK:         %[[GIVES:.*]] = arith.cmpi uge, %[[SHARER]], %c16
// CHECK:         scf.if
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[SUMS]]
// CHECK:         gpu.barrier
// CHECK:         arith.cmpi ult, %[[SHARER]], %c16
// CHECK:         scf.if
// CHECK-COUNT-4:   vector.load %[[SUMS]]
// CHECK-COUNT-4: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.if %{{.*}} {
// CHECK:           vector.store %{{.*}}, %[[RS]]

// -----

// Of 16 work-items two have no sums: they read with the others, and load what the
// last one does.
#rows = affine_map<(w, f, c) -> (w, c)>
#filter = affine_map<(w, f, c) -> (c, f)>
#result = affine_map<(w, f, c) -> (w, f)>
#tile = #convoy.workgroup_tile<extents = [56, 16, 32], sizes = [28, 8, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, idle = 2>
// CHECK-LABEL: func @idle(
func.func @idle(%x: tensor<56x32xf32>, %w: tensor<32x16xf32>, %init: tensor<56x16xf32>) -> tensor<56x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %r = scf.forall (%row, %lane) = (0, 0) to (56, 16) step (28, 8) shared_outs(%out = %init) -> tensor<56x16xf32> {
    %start = tensor.extract_slice %out[%row, %lane] [28, 8] [1, 1] : tensor<56x16xf32> to tensor<28x8xf32>
    %sum = scf.for %c = %c0 to %c32 step %c16 iter_args(%acc = %start) -> tensor<28x8xf32> {
      %a = tensor.extract_slice %x[%row, %c] [28, 16] [1, 1] : tensor<56x32xf32> to tensor<28x16xf32>
      %b = tensor.extract_slice %w[%c, %lane] [16, 8] [1, 1] : tensor<32x16xf32> to tensor<16x8xf32>
      %next = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<28x16xf32>, tensor<16x8xf32>) outs(%acc : tensor<28x8xf32>) attrs = {convoy.workgroup_tile = #tile} {
      ^bb0(%e: f32, %g: f32, %s: f32):
        %product = arith.mulf %e, %g : f32
        %t = arith.addf %s, %product : f32
        linalg.yield %t : f32
      } -> tensor<28x8xf32>
      scf.yield %next : tensor<28x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%row, %lane] [28, 8] [1, 1] : tensor<28x8xf32> into tensor<56x16xf32>
    }
  }
  return %r : tensor<56x16xf32>
}
// CHECK:       gpu.func @idle_0(%{{.*}}, %{{.*}}, %[[RS:.*]]: memref<896xf32>)
// CHECK-SAME:      known_block_size = array<i32: 16, 1, 1>
// CHECK:         %[[ITEM:.*]] = gpu.thread_id x
// CHECK:         arith.minui %[[ITEM]], %c13
// CHECK:         gpu.barrier
// CHECK-NOT:     vector.store %{{.*}}, %[[RS]]
// CHECK:         %[[OWNS:.*]] = arith.cmpi ult, %[[ITEM]], %c14
// CHECK-NEXT:    scf.if %[[OWNS]]
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[RS]]
