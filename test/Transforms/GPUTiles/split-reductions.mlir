// RUN: convoy-opt %s --convoy-split-reductions --cse --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-split-reductions=explain=true --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=EXPLAIN

#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// EXPLAIN: remark: sums are formed in 12 parts, to have more workgroups
// CHECK-LABEL: func @filter_gradient(
// CHECK-SAME:    %[[X:.*]]: tensor<3x1010x4xf32>, %[[DY:.*]]: tensor<3x1008x8xf32>, %[[INIT:.*]]: tensor<4x3x8xf32>)
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<12x4x3x8xf32>
// CHECK:         %[[PARTS:.*]] = scf.forall (%[[S:.*]]) in (12) shared_outs(%[[OUT:.*]] = %[[EMPTY]])
// CHECK:           %[[FIRST:.*]] = affine.apply
// CHECK-DAG:       %[[XS:.*]] = tensor.extract_slice %[[X]][0, %{{.*}}, 0] [3, 86, 4]
// CHECK-DAG:       convoy.im2col %[[XS]] {{.*}} -> tensor<4x3x3x84xf32>
// CHECK-DAG:       tensor.extract_slice %[[DY]][0, %{{.*}}, 0] [3, 84, 8]
// CHECK:           %[[ZEROS:.*]] = linalg.fill
// CHECK:           %[[PART:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<4x3x8xf32>)
// CHECK:           tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%[[S]], 0, 0, 0] [1, 4, 3, 8] [1, 1, 1, 1]
// CHECK:         linalg.generic {{.*}}"parallel", "parallel", "parallel", "reduction"{{.*}} ins(%[[PARTS]] : tensor<12x4x3x8xf32>) outs(%[[INIT]] : tensor<4x3x8xf32>)
// CHECK:           arith.addf
func.func @filter_gradient(%x: tensor<3x1010x4xf32>, %dy: tensor<3x1008x8xf32>, %init: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %rows = convoy.im2col %x layout(cwn, nw|cw) : tensor<3x1010x4xf32> -> tensor<4x3x3x1008xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<4x3x3x1008xf32>, tensor<3x1008x8xf32>) outs(%init : tensor<4x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
}

// -----

// A batch of any size is no loop to divide: all parts go through its images.
#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// EXPLAIN: remark: sums are formed in {{[0-9]+}} parts, to have more workgroups
// CHECK-LABEL: func @batch(
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         scf.forall (%[[S:.*]]) in ([[PARTS:[0-9]+]])
// CHECK-DAG:       convoy.im2col %{{.*}} sizes(%{{.*}}) {{.*}} -> tensor<4x3x?x[[TERMS:[0-9]+]]xf32>
// CHECK-DAG:       tensor.extract_slice %{{.*}}[0, %{{.*}}, 0] [%{{.*}}, [[TERMS]], 8]
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<4x3x?x[[TERMS]]xf32>, tensor<?x[[TERMS]]x8xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<[[PARTS]]x4x3x8xf32>)
func.func @batch(%n: index, %x: tensor<?x1010x4xf32>, %dy: tensor<?x1008x8xf32>, %init: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %rows = convoy.im2col %x sizes(%n) layout(cwn, nw|cw) : tensor<?x1010x4xf32> -> tensor<4x3x?x1008xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<4x3x?x1008xf32>, tensor<?x1008x8xf32>) outs(%init : tensor<4x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
}

// -----

// A large result has enough workgroups, and a CPU none.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
// CHECK-LABEL: func @large_result(
// CHECK-NOT:     scf.forall
func.func @large_result(%x: tensor<1x1026x512xf32>, %w: tensor<3x512x512xf32>, %init: tensor<1x1024x512xf32>) -> tensor<1x1024x512xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x1026x512xf32> -> tensor<1x1024x3x512xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x1024x3x512xf32>, tensor<3x512x512xf32>) outs(%init : tensor<1x1024x512xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x1024x512xf32>
  return %r : tensor<1x1024x512xf32>
}
}

// -----

// Of a depthwise convolution's gradient, which has no tiles, elements are
// counted once.
#rows = affine_map<(g, n, f, h, w, c, y, x) -> (g, n, h, w, c, y, x)>
#gradient = affine_map<(g, n, f, h, w, c, y, x) -> (c, y, x, g, f)>
#result = affine_map<(g, n, f, h, w, c, y, x) -> (g, n, f, h, w)>
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
// EXPLAIN: remark: sums are formed in 18 parts, to have more workgroups
// CHECK-LABEL: func @depthwise(
// CHECK:         scf.forall (%{{.*}}) in (18)
func.func @depthwise(%x: tensor<8x56x56x32x1xf32>, %dy: tensor<8x54x54x32x1xf32>, %init: tensor<32x1x1x3x3xf32>) -> tensor<32x1x1x3x3xf32> {
  %rows = convoy.im2col %x layout(chwgn, gnhw|chw) : tensor<8x56x56x32x1xf32> -> tensor<32x1x3x3x8x54x54xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<32x1x3x3x8x54x54xf32>, tensor<8x54x54x32x1xf32>) outs(%init : tensor<32x1x1x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<32x1x1x3x3xf32>
  return %r : tensor<32x1x1x3x3xf32>
}
}

// -----

// Enough workgroups, but loops that a device would end early.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {
  convoy.vulkan_profile = #convoy.vulkan_profile<name = "short", loop_iterations = 65535>,
  convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
// EXPLAIN: remark: sums are formed in 3 parts, to have more workgroups or shorter loops
// CHECK-LABEL: func @long(
// CHECK:         scf.forall (%{{.*}}) in (3)
func.func @long(%x: tensor<8x4096x66309xf32>, %w: tensor<1x66309x512xf32>, %init: tensor<8x4096x512xf32>) -> tensor<8x4096x512xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<8x4096x66309xf32> -> tensor<8x4096x1x66309xf32>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<8x4096x1x66309xf32>, tensor<1x66309x512xf32>) outs(%init : tensor<8x4096x512xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4096x512xf32>
  return %r : tensor<8x4096x512xf32>
}
}

// -----

// Without elements there is nothing to divide.
// EXPLAIN: remark: sums are formed in one part
// CHECK-LABEL: func @empty(
// CHECK-NOT:     scf.forall
#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
func.func @empty(%x: tensor<3x1010x4xf32>, %dy: tensor<3x1008x0xf32>, %init: tensor<4x3x0xf32>) -> tensor<4x3x0xf32> {
  %rows = convoy.im2col %x layout(cwn, nw|cw) : tensor<3x1010x4xf32> -> tensor<4x3x3x1008xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<4x3x3x1008xf32>, tensor<3x1008x0xf32>) outs(%init : tensor<4x3x0xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x3x0xf32>
  return %r : tensor<4x3x0xf32>
}
}

// -----

// Three tiles and 252 workgroups, of which the compute units run two rounds.
#rows = affine_map<(c, w, f, n, k) -> (c, w, n, k)>
#gradient = affine_map<(c, w, f, n, k) -> (n, k, f)>
#result = affine_map<(c, w, f, n, k) -> (c, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, compute_units = 132>} {
// EXPLAIN: remark: sums are formed in 84 parts, to have more workgroups
// CHECK-LABEL: func @two_for_each_unit(
// CHECK: scf.forall (%{{.*}}) in (84)
func.func @two_for_each_unit(%x: tensor<3x10082x64xf32>, %dy: tensor<3x10080x64xf32>, %init: tensor<64x3x64xf32>) -> tensor<64x3x64xf32> {
  %rows = convoy.im2col %x layout(cwn, nw|cw) : tensor<3x10082x64xf32> -> tensor<64x3x3x10080xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<64x3x3x10080xf32>, tensor<3x10080x64xf32>) outs(%init : tensor<64x3x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<64x3x64xf32>
  return %r : tensor<64x3x64xf32>
}
}

// -----

// Of one tile 56 workgroups, as many as a loop has steps.
#rows = affine_map<(c, y, x, f, n, h, w) -> (c, y, x, n, h, w)>
#gradient = affine_map<(c, y, x, f, n, h, w) -> (n, h, w, f)>
#result = affine_map<(c, y, x, f, n, h, w) -> (c, y, x, f)>
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, compute_units = 132>} {
// EXPLAIN: remark: sums are formed in 56 parts, to have more workgroups
// CHECK-LABEL: func @steps_of_a_loop(
// CHECK:         scf.forall (%[[PART:.*]]) in (56)
func.func @steps_of_a_loop(%x: tensor<32x56x56x64xf32>, %dy: tensor<32x56x56x64xf32>, %init: tensor<64x1x1x64xf32>) -> tensor<64x1x1x64xf32> {
  %rows = convoy.im2col %x layout(chwn, nhw|chw) : tensor<32x56x56x64xf32> -> tensor<64x1x1x32x56x56xf32>
  %r = linalg.generic {indexing_maps = [#rows, #gradient, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%rows, %dy : tensor<64x1x1x32x56x56xf32>, tensor<32x56x56x64xf32>) outs(%init : tensor<64x1x1x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<64x1x1x64xf32>
  return %r : tensor<64x1x1x64xf32>
}
}
