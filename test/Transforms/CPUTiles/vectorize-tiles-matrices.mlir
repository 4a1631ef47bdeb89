// RUN: convoy-opt %s --convoy-vectorize-tiles --cse --canonicalize --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-vectorize-tiles --convoy-certify-each --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: certified 1 change of functions

#x = affine_map<(r, l, t) -> (r, t)>
#w = affine_map<(r, l, t) -> (t, l)>
#y = affine_map<(r, l, t) -> (r, l)>
#low = affine_map<(r, t) -> (r, t * 2)>
#high = affine_map<(r, t) -> (r, t * 2 + 1)>
#id = affine_map<(r, t) -> (r, t)>

// 18 rows are two matrices of nine, and 20 lanes are columns of two: 16 and 4. What
// words are copies of is read in their place, and sums are written as matrices.
// CHECK-LABEL: @matrices
// CHECK-SAME: %[[X:.+]]: tensor<18x6xbf16>, %[[W:.+]]: tensor<3x20xi32>, %[[Y:.+]]: tensor<18x20xf32>
// CHECK-DAG: %[[W0:.+]] = vector.transfer_read %[[W]][%c0, %c0], {{.*}} : tensor<3x20xi32>, vector<3x16xi32>
// CHECK-DAG: %[[W1:.+]] = vector.transfer_read %[[W]][%c0, %c16], {{.*}} : tensor<3x20xi32>, vector<3x4xi32>
// CHECK-DAG: %[[X0:.+]] = vector.transfer_read %[[X]][%c0, %c0], {{.*}} : tensor<18x6xbf16>, vector<9x6xbf16>
// CHECK: %[[WORDS:.+]] = vector.bitcast %[[X0]] : vector<9x6xbf16> to vector<9x3xi32>
// CHECK: arith.shrui %[[WORDS]], %{{.+}} : vector<9x3xi32>
// CHECK: %[[ODD:.+]] = vector.contract {{.*}} : vector<9x3xf32>, vector<3x16xf32> into vector<9x16xf32>
// CHECK: %[[S0:.+]] = vector.contract {{.*}}, %[[ODD]] : vector<9x3xf32>, vector<3x16xf32> into vector<9x16xf32>
// CHECK: %[[S1:.+]] = vector.contract {{.*}} into vector<9x4xf32>
// CHECK: vector.transfer_read %[[X]][%c9, %c0]
// CHECK: %[[Y0:.+]] = vector.transfer_write %[[S0]], %[[Y]][%c0, %c0]
// CHECK: vector.transfer_write %{{.+}}, %[[Y0]][%c0, %c16] {in_bounds = [true, true]} : vector<9x4xf32>
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%c9, %c0]
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%c9, %c16]
func.func @matrices(%x: tensor<18x6xbf16>, %w: tensor<3x20xi32>, %y: tensor<18x20xf32>) -> tensor<18x20xf32> {
  %empty = tensor.empty() : tensor<18x3xi32>
  %words = linalg.generic {indexing_maps = [#low, #high, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<18x6xbf16>, tensor<18x6xbf16>) outs(%empty : tensor<18x3xi32>) {
  ^bb0(%a: bf16, %b: bf16, %out: i32):
    %c16 = arith.constant 16 : i32
    %a16 = arith.bitcast %a : bf16 to i16
    %a32 = arith.extui %a16 : i16 to i32
    %b16 = arith.bitcast %b : bf16 to i16
    %b32 = arith.extui %b16 : i16 to i32
    %bhigh = arith.shli %b32, %c16 : i32
    %word = arith.ori %a32, %bhigh : i32
    linalg.yield %word : i32
  } -> tensor<18x3xi32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"], convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 16, matrices = true>}
      ins(%words, %w : tensor<18x3xi32>, tensor<3x20xi32>) outs(%y : tensor<18x20xf32>) {
  ^bb0(%a: i32, %b: i32, %sum: f32):
    %c16 = arith.constant 16 : i32
    %ah = arith.shrui %a, %c16 : i32
    %at = arith.trunci %ah : i32 to i16
    %ab = arith.bitcast %at : i16 to bf16
    %ae = arith.extf %ab : bf16 to f32
    %bh = arith.shrui %b, %c16 : i32
    %bt = arith.trunci %bh : i32 to i16
    %bb = arith.bitcast %bt : i16 to bf16
    %be = arith.extf %bb : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %s = arith.addf %sum, %p : f32
    %lt = arith.trunci %a : i32 to i16
    %lb = arith.bitcast %lt : i16 to bf16
    %le = arith.extf %lb : bf16 to f32
    %mt = arith.trunci %b : i32 to i16
    %mb = arith.bitcast %mt : i16 to bf16
    %me = arith.extf %mb : bf16 to f32
    %q = arith.mulf %le, %me : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<18x20xf32>
  return %0 : tensor<18x20xf32>
}
