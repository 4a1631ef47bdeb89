// RUN: convoy-opt %s --convoy-approximate-functions | FileCheck %s

// CHECK-LABEL: func.func @functions(
// CHECK-NOT:   math.{{exp|log|tanh|erf}}
// CHECK:       return
func.func @functions(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %exp = math.exp %x : vector<8xf32>
  %exp2 = math.exp2 %x : vector<8xf32>
  %expm1 = math.expm1 %x : vector<8xf32>
  %log = math.log %x : vector<8xf32>
  %log1p = math.log1p %x : vector<8xf32>
  return %exp, %exp2, %expm1, %log, %log1p : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// A quotient of polynomials, at most 1, with the sign of its argument.
// CHECK-LABEL: func.func @odd(
// CHECK-SAME:    %[[X:.*]]: vector<2x3xf32>
func.func @odd(%x: vector<2x3xf32>) -> vector<2x3xf32> {
  // CHECK: %[[SIZE:.*]] = math.absf %[[X]]
  // CHECK: vector.fma
  // CHECK: arith.divf
  // CHECK: %[[Y:.*]] = math.copysign %{{.*}}, %[[X]]
  %y = math.tanh %x : vector<2x3xf32>
  // CHECK: math.absf %[[Y]]
  // CHECK: arith.divf
  %z = math.erf %y : vector<2x3xf32>
  return %z : vector<2x3xf32>
}

// CHECK-LABEL: func.func @number(
// CHECK-SAME:    %[[X:.*]]: f32
func.func @number(%x: f32) -> f32 {
  // CHECK: %[[ROW:.*]] = vector.broadcast %[[X]] : f32 to vector<1xf32>
  // CHECK: vector.fma {{.*}} : vector<1xf32>
  // CHECK: %[[RESULT:.*]] = vector.extract %{{.*}}[0] : f32 from vector<1xf32>
  %y = math.exp %x : f32
  // CHECK: return %[[RESULT]]
  return %y : f32
}

// CHECK-LABEL: func.func @leaves_others(
func.func @leaves_others(%x: vector<8xf64>, %y: f32, %z: tensor<4xf32>, %u: vector<f32>) -> (vector<8xf64>, f32, tensor<4xf32>, vector<f32>) {
  // CHECK: math.exp %{{.*}} : vector<8xf64>
  %exp = math.exp %x : vector<8xf64>
  // CHECK: math.erfc
  %erfc = math.erfc %y : f32
  // CHECK: math.tanh %{{.*}} : tensor<4xf32>
  %tanh = math.tanh %z : tensor<4xf32>
  // CHECK: math.log %{{.*}} : vector<f32>
  %log = math.log %u : vector<f32>
  return %exp, %erfc, %tanh, %log : vector<8xf64>, f32, tensor<4xf32>, vector<f32>
}
