// RUN: convoy-opt %s --convoy-allocate-attributions | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @two(
  // CHECK-SAME:    %[[A:.*]]: memref<5xf32>) kernel
  // CHECK-DAG:     %[[S:.*]] = memref.alloc() : memref<24xf32, #gpu.address_space<workgroup>>
  // CHECK-DAG:     %[[T:.*]] = memref.alloc() : memref<7xi8, #gpu.address_space<workgroup>>
  // CHECK:         memref.load %[[S]]
  // CHECK:         memref.load %[[T]]
  gpu.func @two(%a: memref<5xf32>)
      workgroup(%s: memref<24xf32, #gpu.address_space<workgroup>>, %t: memref<7xi8, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : memref<24xf32, #gpu.address_space<workgroup>>
    %y = memref.load %t[%i] : memref<7xi8, #gpu.address_space<workgroup>>
    memref.store %x, %a[%i] : memref<5xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @none(
  // CHECK-NOT:     memref.alloc
  gpu.func @none(%a: memref<5xf32>) kernel {
    gpu.return
  }
}
