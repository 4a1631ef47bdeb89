// RUN: convoy-opt %s --convoy-expand-math-functions --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @trunc(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpf olt, %[[X]], %[[ZERO]]
// CHECK:         %[[UP:.*]] = math.ceil %[[X]]
// CHECK:         %[[DOWN:.*]] = math.floor %[[X]]
// CHECK:         %[[WHOLE:.*]] = arith.select %[[NEGATIVE]], %[[UP]], %[[DOWN]]
// CHECK:         return %[[WHOLE]]
func.func @trunc(%x: vector<4xf32>) -> vector<4xf32> {
  %whole = math.trunc %x : vector<4xf32>
  return %whole : vector<4xf32>
}

// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT:     math.erf
// CHECK-NOT:     math.clampf
// CHECK:         return
func.func @polynomials(%x: f32, %y: f32) -> (f32, f32, f32) {
  %erf = math.erf %x : f32
  %erfc = math.erfc %x : f32
  %clamped = math.clampf %erf to [%x, %y] : f32
  return %erf, %erfc, %clamped : f32, f32, f32
}

// SPIR-V has these.
// CHECK-LABEL: func.func @others(
// CHECK:         math.tanh %{{.*}} : f32
// CHECK:         math.exp2 %{{.*}} : f16
// CHECK:         math.sqrt %{{.*}} : f64
func.func @others(%x: f32, %y: f16, %z: f64) -> (f32, f16, f64) {
  %tanh = math.tanh %x : f32
  %power = math.exp2 %y : f16
  %root = math.sqrt %z : f64
  return %tanh, %power, %root : f32, f16, f64
}

// -----

func.func @lacking(%x: f32) -> f32 {
  // expected-error @below {{expected functions that SPIR-V has, but got 'math.cbrt' of 'f32'}}
  %y = math.cbrt %x : f32
  return %y : f32
}

// -----

func.func @wide(%x: f64) -> f64 {
  // expected-error @below {{expected functions that SPIR-V has, but got 'math.tanh' of 'f64'}}
  %y = math.tanh %x : f64
  return %y : f64
}
