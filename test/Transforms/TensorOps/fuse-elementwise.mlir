// RUN: convoy-opt %s --convoy-fuse-elementwise | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<3xf32>, %[[E:.*]]: tensor<2x3xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[B]] :
// CHECK:           %[[SUM:.*]] = arith.addf
// CHECK:           arith.negf %[[SUM]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]
func.func @chain(%x: tensor<3x2xf32>, %b: tensor<3xf32>, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = linalg.generic {indexing_maps = [#t, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<3x2xf32>, tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%v: f32, %w: f32, %out: f32):
    %r = arith.addf %v, %w : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}

// What is used twice, or by a sum, or for several elements stays.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-5: linalg.generic
func.func @apart(%x: tensor<2x3xf32>, %e: tensor<2x3xf32>, %v3: tensor<3xf32>, %v2: tensor<2xf32>)
    -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>) {
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = math.exp %v : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%twice : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%twice : tensor<2x3xf32>) outs(%v2 : tensor<2xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = arith.addf %v, %out : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %one = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
      ins(%v3 : tensor<3xf32>) outs(%v3 : tensor<3xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = math.exp %v : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  %rows = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%one : tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<2x3xf32>
  return %z, %sum, %rows : tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>
}

// Rows that there may be none of leave the init as it is.
// CHECK-LABEL: func @no_rows(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>, %[[Y:.*]]: tensor<3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<?x3xf32>) outs(%[[Y]] : tensor<3xf32>)
func.func @no_rows(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
