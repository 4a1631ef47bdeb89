// RUN: convoy-opt %s --convoy-copy-to-linalg | FileCheck %s

// CHECK-LABEL: func @strided(
// CHECK-SAME:    %[[FROM:.*]]: memref<5x3xf32, {{.*}}>, %[[TO:[^ ]*]]: memref<5x3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
// CHECK-NOT:     memref.copy
func.func @strided(%from: memref<5x3xf32, strided<[4, 1]>>,
                   %to: memref<5x3xf32>) {
  memref.copy %from, %to
      : memref<5x3xf32, strided<[4, 1]>> to memref<5x3xf32>
  return
}

// CHECK-LABEL: func @unranked(
// CHECK:         memref.copy
func.func @unranked(%from: memref<*xf32>, %to: memref<*xf32>) {
  memref.copy %from, %to : memref<*xf32> to memref<*xf32>
  return
}
