// RUN: convoy-opt %s --convoy-pin-matrix-results | FileCheck %s

gpu.module @kernels {
  // Sums that only a condition needs.
  // CHECK-LABEL: gpu.func @masked(
  gpu.func @masked(%a: vector<16xf16>, %c: vector<8xf32>, %buffer: memref<64xf32>, %isInside: i1) kernel {
    // CHECK:      %[[D:.*]] = amdgpu.wmma
    // CHECK-NEXT: %[[E:.*]] = amdgpu.wmma 16x16x16 %{{.*}} * %{{.*}} + %[[D]]
    // CHECK-NEXT: llvm.call_intrinsic "llvm.fake.use"(%[[E]]) : (vector<8xf32>) -> ()
    // CHECK-NEXT: scf.if
    %d = amdgpu.wmma 16x16x16 %a * %a + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    %e = amdgpu.wmma 16x16x16 %a * %a + %d : vector<16xf16>, vector<16xf16>, vector<8xf32>
    scf.if %isInside {
      %zero = arith.constant 0 : index
      vector.store %e, %buffer[%zero] : memref<64xf32>, vector<8xf32>
    }
    gpu.return
  }

  // A step of a loop, whose sums another instruction needs behind it.
  // CHECK-LABEL: gpu.func @step(
  gpu.func @step(%a: vector<4xf16>, %c: vector<4xf32>, %steps: index) kernel {
    // CHECK:      scf.for
    // CHECK-NEXT:   %[[D:.*]] = amdgpu.mfma
    // CHECK-NEXT:   llvm.call_intrinsic "llvm.fake.use"(%[[D]])
    // CHECK-NEXT:   scf.yield
    // CHECK:      %[[E:.*]] = amdgpu.mfma
    // CHECK-NEXT: llvm.call_intrinsic "llvm.fake.use"(%[[E]])
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r = scf.for %i = %zero to %steps step %one iter_args(%sum = %c) -> vector<4xf32> {
      %d = amdgpu.mfma 16x16x16 %a * %a + %sum blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    }
    %e = amdgpu.mfma 16x16x16 %a * %a + %r blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    gpu.return
  }
}

// CHECK-NOT: fake.use
