// RUN: convoy-opt %s --convoy-outline-copies | FileCheck %s

// CHECK-LABEL: func @copied(
// CHECK-SAME:    %[[X:.*]]: memref<5x7xf16>, %[[OUT:.*]]: memref<5x7xf16>
// CHECK-NEXT:    convoy.launch @kernels::@copied_copy_0 grid [1, 1, 1] ins(%[[X]] : memref<5x7xf16>) outs(%[[OUT]] : memref<5x7xf16>)
// CHECK-NEXT:    return
func.func @copied(%x: memref<5x7xf16>, %out: memref<5x7xf16>) {
  memref.copy %x, %out : memref<5x7xf16> to memref<5x7xf16>
  return
}
// CHECK:       gpu.func @copied_copy_0(%[[FROM:.*]]: memref<35xf16>, %[[TO:.*]]: memref<35xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>}
// CHECK:         %[[E:.*]] = memref.load %[[FROM]][%[[I:.*]]]
// CHECK-NEXT:    memref.store %[[E]], %[[TO]][%[[I]]]
gpu.module @kernels {
}
