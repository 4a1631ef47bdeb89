// RUN: convoy-opt %s --convoy-expand-f16 | FileCheck %s

// CHECK-LABEL: func @extend(
// CHECK-SAME:    %[[X:.*]]: f16
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[X]] : f16 to i16
// CHECK:         arith.extui %[[BITS]] : i16 to i32
// CHECK:         %[[RESULT:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         return %[[RESULT]]
func.func @extend(%x: f16) -> f32 {
  %wide = arith.extf %x : f16 to f32
  return %wide : f32
}

// CHECK-LABEL: func @truncate_vector(
// CHECK-SAME:    %[[X:.*]]: vector<5xf32>
// CHECK-NOT:     arith.truncf
// CHECK:         %[[BITS:.*]] = arith.trunci %{{.*}} : vector<5xi32> to vector<5xi16>
// CHECK:         arith.bitcast %[[BITS]] : vector<5xi16> to vector<5xf16>
func.func @truncate_vector(%x: vector<5xf32>) -> vector<5xf16> {
  %narrow = arith.truncf %x : vector<5xf32> to vector<5xf16>
  return %narrow : vector<5xf16>
}

// f64 goes through f32, rounded to odd so that it is rounded once.
// CHECK-LABEL: func @truncate_f64(
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.trunci %{{.*}} : i32 to i16
// CHECK-LABEL: func @extend_f64(
// CHECK:         arith.extui %{{.*}} : i16 to i32
// CHECK:         arith.extf %{{.*}} : f32 to f64
func.func @truncate_f64(%x: f64) -> f16 {
  %narrow = arith.truncf %x : f64 to f16
  return %narrow : f16
}
func.func @extend_f64(%x: f16) -> f64 {
  %wide = arith.extf %x : f16 to f64
  return %wide : f64
}

// CHECK-LABEL: func @other_types(
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.truncf %{{.*}} : f128 to f16
func.func @other_types(%b: bf16, %d: f64, %q: f128) -> (f32, f32, f16) {
  %0 = arith.extf %b : bf16 to f32
  %1 = arith.truncf %d : f64 to f32
  %2 = arith.truncf %q : f128 to f16
  return %0, %1, %2 : f32, f32, f16
}
