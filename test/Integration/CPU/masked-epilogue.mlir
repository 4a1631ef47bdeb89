// What finishes sums in registers has their masks: here of vectors that have
// half the lanes that masks are meant for, so that a CPU with AVX2 runs it.
// RUN: convoy-run %s --check --cpu=haswell --data=int,normal --explain --quiet 2>&1 | FileCheck %s
// CHECK: remark: tile: 13 lanes of f in vectors of 8, the last masked
// CHECK: 2 cases on cpu: 2 passed, 0 failed

#all = affine_map<(n, w, f) -> (n, w, f)>
#ch = affine_map<(n, w, f) -> (f)>
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 32768, l2_bytes = 524288, masked_bytes = 32>} {
func.func @f(%x: tensor<1x19x5xf32>, %w: tensor<3x5x13xf32>, %r: tensor<1x17x13xf32>, %s: tensor<13xf32>) -> tensor<1x17x13xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x17x13xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x17x13xf32>) -> tensor<1x17x13xf32>
  %sums = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x19x5xf32>, tensor<3x5x13xf32>) outs(%init : tensor<1x17x13xf32>) -> tensor<1x17x13xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #ch, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums, %r, %s : tensor<1x17x13xf32>, tensor<1x17x13xf32>, tensor<13xf32>) outs(%empty : tensor<1x17x13xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %t = arith.addf %m, %b : f32
    %u = math.tanh %t : f32
    linalg.yield %u : f32
  } -> tensor<1x17x13xf32>
  return %y : tensor<1x17x13xf32>
}
}
