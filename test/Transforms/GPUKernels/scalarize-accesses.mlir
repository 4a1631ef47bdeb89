// RUN: convoy-opt %s --convoy-scalarize-accesses | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @pair(
  // CHECK-SAME:    %[[A:.*]]: memref<7xf32>, %[[B:.*]]: memref<3xvector<4xf32>>)
  gpu.func @pair(%a: memref<7xf32>, %b: memref<3xvector<4xf32>>) kernel {
    // CHECK:      %[[I:.*]] = gpu.thread_id
    // CHECK:      %[[X:.*]] = memref.load %[[A]][%[[I]]]
    // CHECK:      %[[C1:.*]] = arith.constant 1
    // CHECK:      %[[J:.*]] = arith.addi %[[I]], %[[C1]]
    // CHECK:      %[[Y:.*]] = memref.load %[[A]][%[[J]]]
    // CHECK:      %[[V:.*]] = vector.from_elements %[[X]], %[[Y]] : vector<2xf32>
    %i = gpu.thread_id x
    %v = vector.load %a[%i] : memref<7xf32>, vector<2xf32>
    // CHECK:      %[[S:.*]] = vector.extract %[[V]][0]
    // CHECK:      memref.store %[[S]], %[[A]][%[[I]]]
    // CHECK:      %[[T:.*]] = vector.extract %[[V]][1]
    // CHECK:      memref.store %[[T]], %[[A]]
    vector.store %v, %a[%i] : memref<7xf32>, vector<2xf32>
    // Vectors that are elements stay.
    // CHECK:      vector.load %[[B]]
    %w = vector.load %b[%i] : memref<3xvector<4xf32>>, vector<4xf32>
    vector.store %w, %b[%i] : memref<3xvector<4xf32>>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @too_long
  // CHECK-NEXT:    vector.load
  // CHECK-NEXT:    gpu.return
  gpu.func @too_long(%a: memref<7xf32>, %i: index) kernel {
    %0 = vector.load %a[%i] : memref<7xf32>, vector<2147483648xf32>
    gpu.return
  }
}
