// What is asked for workgroups and finds nothing says so.
// RUN: convoy-opt %s --convoy-split-reductions=explain --convoy-tile-workgroups=explain --split-input-file --verify-diagnostics -o /dev/null

// expected-remark @below {{no reduction is split: the target is no GPU}}
// expected-remark @below {{workgroups get no tiles: the target is no GPU}}
module attributes {convoy.target = #convoy.target<vector_bytes = 64>} {
  func.func @for_a_cpu(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}

// -----

// expected-remark @below {{no reduction is split: there is no contraction over convoy.im2col}}
// expected-remark @below {{workgroups get no tiles: there is no contraction over convoy.im2col}}
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @no_contraction(%x: tensor<2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
    %y = linalg.abs ins(%x : tensor<2xf32>) outs(%init : tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
}

// -----

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @few_terms(%x: tensor<1x5x3xf32>, %w: tensor<2x3x7xf32>, %init: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
    %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x5x3xf32> -> tensor<1x4x2x3xf32>
    // expected-remark @below {{sums are formed in one part: there are workgroups enough, or too few terms}}
    // expected-remark @below {{each work-item computes one element, since no factor is used by several workgroups}}
    %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%rows, %w : tensor<1x4x2x3xf32>, tensor<2x3x7xf32>) outs(%init : tensor<1x4x7xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %acc, %product : f32
      linalg.yield %next : f32
    } -> tensor<1x4x7xf32>
    return %r : tensor<1x4x7xf32>
  }
}
