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

// CHECK-LABEL: func @other_types(
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK:         arith.extf %{{.*}} : f16 to f64
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         arith.truncf %{{.*}} : f64 to f16
func.func @other_types(%b: bf16, %h: f16, %s: f32, %d: f64) -> (f32, f64, bf16, f16) {
  %0 = arith.extf %b : bf16 to f32
  %1 = arith.extf %h : f16 to f64
  %2 = arith.truncf %s : f32 to bf16
  %3 = arith.truncf %d : f64 to f16
  return %0, %1, %2, %3 : f32, f64, bf16, f16
}
