// RUN: convoy-opt %s --convoy-split-f64-conversions | FileCheck %s

// CHECK-LABEL: func @extend(
// CHECK-SAME:    %[[X:.*]]: f16
// CHECK:         %[[SINGLE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK:         %[[WIDE:.*]] = arith.extf %[[SINGLE]] : f32 to f64
// CHECK:         return %[[WIDE]]
func.func @extend(%x: f16) -> f64 {
  %wide = arith.extf %x : f16 to f64
  return %wide : f64
}

// The f32 is odd where it is not exact, so that it is rounded once.
// CHECK-LABEL: func @truncate_vector(
// CHECK-SAME:    %[[X:.*]]: vector<5xf64>
// CHECK:         %[[NEAREST:.*]] = arith.truncf %[[X]] : vector<5xf64> to vector<5xf32>
// CHECK:         arith.extf %[[NEAREST]] : vector<5xf32> to vector<5xf64>
// CHECK:         %[[ODD:.*]] = arith.bitcast %{{.*}} : vector<5xi32> to vector<5xf32>
// CHECK:         %[[NARROW:.*]] = arith.truncf %[[ODD]] : vector<5xf32> to vector<5xbf16>
// CHECK:         return %[[NARROW]]
func.func @truncate_vector(%x: vector<5xf64>) -> vector<5xbf16> {
  %narrow = arith.truncf %x : vector<5xf64> to vector<5xbf16>
  return %narrow : vector<5xbf16>
}

// CHECK-LABEL: func @other_types(
// CHECK-NEXT:    arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT:    arith.extf %{{.*}} : f32 to f64
// CHECK-NEXT:    arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:    arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT:    return
func.func @other_types(%h: f16, %s: f32, %d: f64) -> (f32, f64, f32, bf16) {
  %0 = arith.extf %h : f16 to f32
  %1 = arith.extf %s : f32 to f64
  %2 = arith.truncf %d : f64 to f32
  %3 = arith.truncf %s : f32 to bf16
  return %0, %1, %2, %3 : f32, f64, f32, bf16
}
