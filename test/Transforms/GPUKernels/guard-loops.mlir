// RUN: convoy-opt %s --convoy-guard-loops | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @loops(
  // CHECK-SAME:    %[[A:.*]]: memref<5xf32>, %[[N:.*]]: index)
  gpu.func @loops(%a: memref<5xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    // CHECK: %[[INIT:.*]] = arith.constant 2.0
    %init = arith.constant 2.0 : f32
    // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
    // CHECK: %[[R:.*]] = scf.if %[[RUNS]] -> (f32) {
    // CHECK:   %[[L:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
    // CHECK:     %[[INNER:.*]] = arith.cmpi ult
    // CHECK:     scf.if %[[INNER]]
    // CHECK:       scf.for unsigned
    // CHECK:   scf.yield %[[L]]
    // CHECK: } else {
    // CHECK:   scf.yield %[[INIT]]
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> f32 {
      %s = scf.for unsigned %j = %i to %n step %c1 iter_args(%y = %x) -> f32 {
        %z = arith.addf %y, %y : f32
        scf.yield %z : f32
      }
      scf.yield %s : f32
    }
    // CHECK: memref.store %[[R]]
    memref.store %r, %a[%c0] : memref<5xf32>
    // Known to run.
    // CHECK-NOT: scf.if
    %t = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %init) -> f32 {
      scf.yield %r : f32
    }
    memref.store %t, %a[%c1] : memref<5xf32>
    // Without results.
    scf.for %i = %c0 to %n step %c1 {
      memref.store %init, %a[%i] : memref<5xf32>
    }
    gpu.return
  }
}
