// Terms that stand in a sum more often, or that elements do not tell apart, and
// values of other kinds.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: undecided: @predicate: {{.*}}the first function has cmpf ogt(argument0[3], 0), and has cmpf oge(argument0[3], 0) instead

//--- before.mlir
// CHECK-DAG: different: @unwritten: element [3]: only the second function writes it: argument0[3]
func.func @unwritten(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}
// CHECK-DAG: undecided: @other_type: {{.*}}the second function computes in another type: fptosi(argument0[3])
func.func @other_type(%a: tensor<4xf32>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %b : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// CHECK-DAG: different: @once: element []: the second function adds only once argument0[3] * argument1[3]
func.func @once(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// CHECK-DAG: certified: @twice:
func.func @twice(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// CHECK-DAG: different: @thrice: element []: the first function computes 52, the second 76
func.func @thrice(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// CHECK-DAG: undecided: @twice_in_parts: {{.*}}after.mlir:{{[0-9:]+}} linalg.dot: terms that stand in a sum several times: the first function has argument0[{{[0-9]}}] * argument1[{{[0-9]}}] (linalg.dot at {{.*}}before.mlir:{{[0-9:]+}}), the second argument0[{{[0-9]}}] * argument1[{{[0-9]}}] (linalg.dot at {{.*}}after.mlir:{{[0-9:]+}})
func.func @twice_in_parts(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// A read of 3 i + 5 j has one i and j.
// CHECK-DAG: certified: @lattice:
func.func @lattice(%a: tensor<23xf32>, %init: tensor<f32>) -> tensor<f32> {
  %ones = arith.constant dense<1.0> : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 3 + j * 5)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %ones : tensor<23xf32>, tensor<5x3xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %one: f32, %so_far: f32):
    %more = arith.addf %so_far, %x : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// That of 6 i + 7 j + 2 k has, too, but it is not found.
// CHECK-DAG: undecided: @lattice_of_three: {{.*}}linalg.generic: terms that their elements do not determine
func.func @lattice_of_three(%a: tensor<32xf32>, %init: tensor<f32>) -> tensor<f32> {
  %ones = arith.constant dense<1.0> : tensor<2x4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i * 6 + j * 7 + k * 2)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%a, %ones : tensor<32xf32>, tensor<2x4x3xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %one: f32, %so_far: f32):
    %more = arith.addf %so_far, %x : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @predicate(%x: tensor<4xf32>) -> tensor<4xi1> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.cmpf ogt, %x, %z : tensor<4xf32>
  return %r : tensor<4xi1>
}

//--- after.mlir
func.func @unwritten(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func @other_type(%a: tensor<4xf32>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %n = arith.fptosi %a : tensor<4xf32> to tensor<4xi16>
  %r = arith.extsi %n : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @once(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @twice(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %unused = arith.constant 7 : index
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @thrice(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %1 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  %3 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func @twice_in_parts(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %a0 = tensor.extract_slice %a[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %b0 = tensor.extract_slice %b[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %a1 = tensor.extract_slice %a[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %b1 = tensor.extract_slice %b[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %1 = linalg.dot ins(%a0, %b0 : tensor<1xf32>, tensor<1xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%a1, %b1 : tensor<3xf32>, tensor<3xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  %3 = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func @lattice(%a: tensor<23xf32>, %init: tensor<f32>) -> tensor<f32> {
  %ones = arith.constant dense<1.0> : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 3 + j * 5)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %ones : tensor<23xf32>, tensor<5x3xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %one: f32, %so_far: f32):
    %more = arith.addf %x, %so_far : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @lattice_of_three(%a: tensor<32xf32>, %init: tensor<f32>) -> tensor<f32> {
  %ones = arith.constant dense<1.0> : tensor<4x2x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i * 7 + j * 6 + k * 2)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%a, %ones : tensor<32xf32>, tensor<4x2x3xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %one: f32, %so_far: f32):
    %more = arith.addf %x, %so_far : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @predicate(%x: tensor<4xf32>) -> tensor<4xi1> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.cmpf oge, %x, %z : tensor<4xf32>
  return %r : tensor<4xi1>
}
