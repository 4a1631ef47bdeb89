// RUN: convoy-opt %s --convoy-pin-loads | FileCheck %s

#shared = #gpu.address_space<workgroup>
gpu.module @kernels {
  // What is loaded before the barrier, and what comes of it behind that.
  // CHECK-LABEL: gpu.func @prefetch(
  // CHECK-SAME:      %[[X:.*]]: memref<64xf16>, %[[W:.*]]: memref<64xf16>
  gpu.func @prefetch(%x: memref<64xf16>, %w: memref<64xf16>, %i: index, %hasPart: i1, %isTerm: i1)
      workgroup(%s: memref<64xf16, #shared>) kernel {
    // CHECK: %[[ROW:.*]] = vector.load %[[X]]
    // CHECK: %[[FILTER:.*]] = memref.load %[[W]]
    %zero = arith.constant 0.0 : f16
    %row = vector.load %x[%i] : memref<64xf16>, vector<4xf16>
    %filter = memref.load %w[%i] : memref<64xf16>
    // CHECK:      gpu.barrier
    // CHECK-NEXT: %[[TERM:.*]] = arith.select %{{.*}}, %[[FILTER]]
    // CHECK-NEXT: llvm.call_intrinsic "llvm.fake.use"(%[[ROW]], %[[TERM]]) : (vector<4xf16>, f16) -> ()
    // CHECK-NEXT: scf.if
    gpu.barrier
    %term = arith.select %isTerm, %filter, %zero : f16
    scf.if %hasPart {
      vector.store %row, %s[%i] : memref<64xf16, #shared>, vector<4xf16>
      memref.store %term, %s[%i] : memref<64xf16, #shared>
    }
    gpu.return
  }

  // What is loaded behind the barrier, or from the memory of the workgroup.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT:     fake.use
  gpu.func @others(%x: memref<64xf16>, %i: index, %hasPart: i1) workgroup(%s: memref<64xf16, #shared>) kernel {
    %shared = memref.load %s[%i] : memref<64xf16, #shared>
    gpu.barrier
    %row = memref.load %x[%i] : memref<64xf16>
    scf.if %hasPart {
      memref.store %shared, %s[%i] : memref<64xf16, #shared>
      memref.store %row, %s[%i] : memref<64xf16, #shared>
    }
    gpu.return
  }

  // Conditions before the barrier, or without one.
  // CHECK-LABEL: gpu.func @before(
  // CHECK-NOT:     fake.use
  gpu.func @before(%x: memref<64xf16>, %i: index, %hasPart: i1) workgroup(%s: memref<64xf16, #shared>) kernel {
    %row = memref.load %x[%i] : memref<64xf16>
    scf.if %hasPart {
      memref.store %row, %s[%i] : memref<64xf16, #shared>
    }
    gpu.barrier
    gpu.return
  }
}
