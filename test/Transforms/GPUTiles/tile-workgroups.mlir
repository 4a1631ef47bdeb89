// RUN: convoy-opt %s --convoy-tile-workgroups --cse --canonicalize --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-tile-workgroups=explain=true --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=EXPLAIN

#rows = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, kh, kw, c)>
#filter = affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>
#result = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>
#id = affine_map<(n, h, w, f) -> (n, h, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// The reduction runs in steps; the conversion of the result is in the tile.
// EXPLAIN: remark: workgroups of {{[0-9]+}} work-items compute tiles of {{[0-9]+}} x {{[0-9]+}} elements, {{[48]}} x {{[48]}} each, from {{[0-9]+}} terms at a time in shared memory
// CHECK-LABEL: func @pixels(
// CHECK-SAME:    %[[X:.*]]: tensor<1x30x26x32xf16>, %[[W:.*]]: tensor<3x3x32x128xf16>, %[[INIT:.*]]: tensor<1x28x24x128xf16>)
// CHECK:         scf.forall (%{{.*}}) = {{.*}} shared_outs(%[[OUT:.*]] = %[[INIT]]) -> (tensor<1x28x24x128xf16>)
// CHECK:           linalg.fill
// CHECK:           %[[SUM:.*]] = scf.for %{{.*}} to %c3 step %c1
// CHECK:             scf.for %{{.*}} to %c3 step %c1
// CHECK:               scf.for %{{.*}} to %c32 step
// CHECK:                 %[[ROWS:.*]] = tensor.expand_shape {{.*}} into tensor<1x{{[0-9]+}}x{{[0-9]+}}x1x1x{{[0-9]+}}xf16>
// CHECK:                 linalg.generic {{.*}} ins(%[[ROWS]],
// CHECK-SAME:                {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [1, 28, 24, 128, 3, 3, 32], sizes = [1,
// CHECK-SAME:                lane_loop = 3, item_rows = {{[48]}}, item_lanes = {{[48]}}>}
// CHECK:           %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SUM]] :
// CHECK:           tensor.parallel_insert_slice %[[NARROW]] into %[[OUT]]
func.func @pixels(%x: tensor<1x30x26x32xf16>, %w: tensor<3x3x32x128xf16>, %init: tensor<1x28x24x128xf16>) -> tensor<1x28x24x128xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x24x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x24x128xf32>) -> tensor<1x28x24x128xf32>
  %rows = convoy.im2col %x layout(nhwc, nhw|hwc) : tensor<1x30x26x32xf16> -> tensor<1x28x24x3x3x32xf16>
  %sum = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x28x24x3x3x32xf16>, tensor<3x3x32x128xf16>) outs(%start : tensor<1x28x24x128xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %wideA = arith.extf %a : f16 to f32
    %wideB = arith.extf %b : f16 to f32
    %product = arith.mulf %wideA, %wideB : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x28x24x128xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x28x24x128xf32>) outs(%init : tensor<1x28x24x128xf16>) {
  ^bb0(%e: f32, %out: f16):
    %narrow = arith.truncf %e : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<1x28x24x128xf16>
  return %r : tensor<1x28x24x128xf16>
}
}

// -----

// Each channel has its own filter: nothing is shared.
#rows = affine_map<(n, w, g, k, c) -> (g, n, w, k, c)>
#filter = affine_map<(n, w, g, k, c) -> (k, c, g)>
#result = affine_map<(n, w, g, k, c) -> (n, w, g)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// EXPLAIN: remark: each work-item computes one element, since no factor is used by several workgroups
// CHECK-LABEL: func @depthwise(
// CHECK-NOT:     scf.forall
func.func @depthwise(%x: tensor<1x9x24x1xf32>, %w: tensor<3x1x24xf32>, %init: tensor<1x7x24xf32>) -> tensor<1x7x24xf32> {
  %rows = convoy.im2col %x layout(nwgc, gnw|wc) : tensor<1x9x24x1xf32> -> tensor<24x1x7x3x1xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<24x1x7x3x1xf32>, tensor<3x1x24xf32>) outs(%init : tensor<1x7x24xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x7x24xf32>
  return %r : tensor<1x7x24xf32>
}
}

// -----

// One tile would be one workgroup.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// EXPLAIN: remark: each work-item computes one element
// CHECK-LABEL: func @small(
// CHECK-NOT:     scf.forall
// CHECK-NOT:     scf.for
func.func @small(%x: tensor<1x4x5xf32>, %w: tensor<2x5x6xf32>, %init: tensor<1x3x6xf32>) -> tensor<1x3x6xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x4x5xf32> -> tensor<1x3x2x5xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x3x2x5xf32>, tensor<2x5x6xf32>) outs(%init : tensor<1x3x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x6xf32>
  return %r : tensor<1x3x6xf32>
}
}

// -----

// Registers hold more elements of a work-item, and seven taps are one step, since
// only one of them would divide it.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {convoy.target = #convoy.target<registers = 48, subgroup = 8, workgroup_bytes = 32768, workgroup_items = 1024>} {
// EXPLAIN: remark: workgroups of {{[0-9]+}} work-items compute tiles of {{[0-9]+}} x {{[0-9]+}} elements, {{16 x 8|8 x 16}} each, from 21 terms at a time
// CHECK-LABEL: func @registers(
// CHECK:         scf.forall
// CHECK-NOT:       scf.for
// CHECK:           sizes = [1, {{[0-9]+, [0-9]+}}, 7, 3], lane_loop = 2, item_rows = {{16|8}}, item_lanes = {{16|8}}>
func.func @registers(%x: tensor<1x4102x3xf32>, %w: tensor<7x3x64xf32>, %init: tensor<1x4096x64xf32>) -> tensor<1x4096x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x4102x3xf32> -> tensor<1x4096x7x3xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x4096x7x3xf32>, tensor<7x3x64xf32>) outs(%init : tensor<1x4096x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x4096x64xf32>
  return %r : tensor<1x4096x64xf32>
}
}

// -----

// Memory that a workgroup shares is no faster than any other: nothing is staged,
// and the reduction has no steps.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 8, workgroup_bytes = 32768, workgroup_items = 1024, slow_shared_memory = true>} {
// EXPLAIN: remark: workgroups of 64 work-items compute tiles of 64 x 64 elements, 8 x 8 each, from factors that they read in place
// CHECK-LABEL: func @slow_shared_memory(
// CHECK:         scf.forall
// CHECK-NOT:       scf.for
// CHECK:           sizes = [1, 64, 64, 7, 20], lane_loop = 2, item_rows = 8, item_lanes = 8, staged = false>
func.func @slow_shared_memory(%x: tensor<1x1926x20xf32>, %w: tensor<7x20x64xf32>, %init: tensor<1x1920x64xf32>) -> tensor<1x1920x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x1926x20xf32> -> tensor<1x1920x7x20xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x1920x7x20xf32>, tensor<7x20x64xf32>) outs(%init : tensor<1x1920x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x1920x64xf32>
  return %r : tensor<1x1920x64xf32>
}
}

// -----

// Of neither factor four elements lie side by side: larger tiles read less.
#rows = affine_map<(n, f, w, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, f, w, k, c) -> (f, k, c)>
#result = affine_map<(n, f, w, k, c) -> (n, f, w)>
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 8, workgroup_bytes = 32768, workgroup_items = 1024, slow_shared_memory = true>} {
// EXPLAIN: remark: workgroups of {{.*}} elements, 12 x 8 each, from factors that they read in place
// CHECK-LABEL: func @single_elements(
// CHECK:           item_rows = 12, item_lanes = 8, staged = false>
func.func @single_elements(%x: tensor<1x1923x22xf32>, %w: tensor<960x2x22xf32>, %init: tensor<1x960x1922xf32>) -> tensor<1x960x1922xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x1923x22xf32> -> tensor<1x1922x2x22xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x1922x2x22xf32>, tensor<960x2x22xf32>) outs(%init : tensor<1x960x1922xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x960x1922xf32>
  return %r : tensor<1x960x1922xf32>
}
}
