// RUN: convoy-opt %s --allow-unregistered-dialect --convoy-call-math-functions --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: func.func private @erff(f32) -> f32
// CHECK-DAG: func.func private @erfc(f64) -> f64
// CHECK-DAG: func.func private @expm1f(f32) -> f32

// CHECK-LABEL: func.func @functions(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f64
func.func @functions(%x: f32, %y: f64) -> (f32, f64, f32, f32) {
  // CHECK: %[[ERF:.*]] = call @erff(%[[X]])
  %erf = math.erf %x : f32
  // CHECK: %[[ERFC:.*]] = call @erfc(%[[Y]])
  %erfc = math.erfc %y : f64
  // CHECK: %[[EXPM1:.*]] = call @expm1f(%[[X]])
  %expm1 = math.expm1 %x : f32
  // LLVM has these.
  // CHECK: %[[TANH:.*]] = math.tanh %[[X]]
  %tanh = math.tanh %x : f32
  // CHECK: return %[[ERF]], %[[ERFC]], %[[EXPM1]], %[[TANH]]
  return %erf, %erfc, %expm1, %tanh : f32, f64, f32, f32
}

// CHECK-LABEL: func.func @vectors(
// CHECK-COUNT-2: call @cbrtf(
// CHECK-NOT:     math
func.func @vectors(%x: vector<2xf32>) -> vector<2xf32> {
  %y = math.cbrt %x : vector<2xf32>
  return %y : vector<2xf32>
}

// CHECK-LABEL: func.func @clamp(
// CHECK-NOT:     math
func.func @clamp(%x: f32, %low: f32, %high: f32) -> f32 {
  %y = math.clampf %x to [%low, %high] : f32
  return %y : f32
}

// -----

func.func @neither(%x: i32) -> i32 {
  // expected-error @below {{expected functions that a CPU has, but got 'math.ipowi'}}
  %y = math.ipowi %x, %x : i32
  return %y : i32
}

// -----

func.func @power(%x: vector<4xf32>, %n: vector<4xi32>) -> vector<4xf32> {
  // expected-error @below {{expected functions that a CPU has, but got 'math.fpowi'}}
  %y = math.fpowi %x, %n : vector<4xf32>, vector<4xi32>
  return %y : vector<4xf32>
}

// -----

func.func @long_vector(%x: vector<9223372036854775807xf32>) -> vector<9223372036854775807xf32> {
  // expected-error @below {{expected a vector of at most 4096 elements, but got 'vector<9223372036854775807xf32>'}}
  %0 = math.cbrt %x : vector<9223372036854775807xf32>
  return %0 : vector<9223372036854775807xf32>
}

// -----

"a.b"() ({
  func.func @no_module(%x: f32) -> f32 {
    // expected-error @below {{expected an op inside of a module}}
    %0 = math.cbrt %x : f32
    return %0 : f32
  }
}) : () -> ()
