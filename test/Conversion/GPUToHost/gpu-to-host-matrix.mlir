// RUN: convoy-opt %s --convoy-convert-gpu-to-host="checks=false" --canonicalize | FileCheck %s
// RUN: convoy-opt %s --convoy-convert-gpu-to-host="checks=false pairwise-sums=true" | FileCheck %s --check-prefix=PAIRWISE

// CHECK-DAG:   func.func private @convoy_simulated_multiply(index, index, index, memref<64xi32>)

gpu.module @kernels {
  // Groups of 64; no size; 1 buffer of 256 elements; 2 operations: MFMA 16x16x4 of f32
  // with 1 register of A and 4 of C, and MFMA 16x16x16 of f16 with 2 and 4.
  // CHECK:       memref.global "private" constant @mfma.layout.numbers : memref<30xi64>
  // CHECK-SAME:    dense<[0, 64, 1, 1, 0, 1, 0, 256, 4, 2, 0, 16, 16, 4, 0, 1, 4, 0, 0, 0, 0, 16, 16, 16, 1, 2, 4, 0, 0, 0]>
  // PAIRWISE:      dense<[0, 64, 1, 1, 0, 1, 0, 256, 4, 2, 0, 16, 16, 4, 0, 1, 4, 0, 0, 1, 0, 16, 16, 16, 1, 2, 4, 0, 0, 1]>
  // CHECK-LABEL: func.func @mfma(
  // CHECK-SAME:    %[[ITEM:[^:]*]]: index,
  gpu.func @mfma(%m: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
    // CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
    // CHECK:         %[[REGISTERS:.*]] = memref.alloca() : memref<64xi32>
    // CHECK:         %[[A:.*]] = memref.load
    // CHECK:         %[[C:.*]] = vector.load
    %x = gpu.thread_id x
    %a = memref.load %m[%x] : memref<256xf32>
    %c = vector.load %m[%x] : memref<256xf32>, vector<4xf32>
    // CHECK:         %[[A1:.*]] = vector.broadcast %[[A]] : f32 to vector<1xf32>
    // CHECK:         %[[RA:.*]] = vector.bitcast %[[A1]] : vector<1xf32> to vector<1xi32>
    // CHECK:         vector.store %[[RA]], %[[REGISTERS]][%[[C0]]]
    // CHECK:         vector.store %{{.*}}, %[[REGISTERS]][%[[C1]]] : memref<64xi32>, vector<1xi32>
    // CHECK:         %[[RC:.*]] = vector.bitcast %[[C]] : vector<4xf32> to vector<4xi32>
    // CHECK:         vector.store %[[RC]], %[[REGISTERS]][%[[C2]]]
    // CHECK:         call @convoy_simulated_multiply(%[[ITEM]], %[[C0]], %[[C0]], %[[REGISTERS]])
    // CHECK:         %[[RD:.*]] = vector.load %[[REGISTERS]][%[[C2]]] : memref<64xi32>, vector<4xi32>
    // CHECK:         vector.bitcast %[[RD]] : vector<4xi32> to vector<4xf32>
    %d = amdgpu.mfma 16x16x4 %a * %a + %c blgp = none : f32, f32, vector<4xf32>
    // CHECK:         %[[NARROW:.*]] = arith.truncf
    %t = arith.truncf %d : vector<4xf32> to vector<4xf16>
    // CHECK:         %[[RT:.*]] = vector.bitcast %[[NARROW]] : vector<4xf16> to vector<2xi32>
    // CHECK:         vector.store %[[RT]], %[[REGISTERS]][%[[C0]]]
    // CHECK:         vector.store %[[RD]], %[[REGISTERS]][%[[C4]]]
    // CHECK:         call @convoy_simulated_multiply(%[[ITEM]], %[[C1]], %[[C1]], %[[REGISTERS]])
    %e = amdgpu.mfma 16x16x16 %t * %t + %d blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    // It is for LLVM's scheduler alone.
    amdgpu.sched_barrier allow = <none>
    // The operation of the first one, at another place.
    // CHECK:         call @convoy_simulated_multiply(%[[ITEM]], %[[C2]], %[[C0]], %[[REGISTERS]])
    %f = amdgpu.mfma 16x16x4 %a * %a + %e blgp = none : f32, f32, vector<4xf32>
    vector.store %f, %m[%x] : memref<256xf32>, vector<4xf32>
    gpu.return
  }

  // WMMA 16x16x16 of i8, of which A is unsigned, with 4 registers of A and 8 of C.
  // CHECK:       @wmma.layout.numbers
  // CHECK-SAME:    dense<[0, 32, 1, 1, 0, 2, 0, 512, 1, 256, 4, 1, 1, 16, 16, 16, 3, 4, 8, 1, 0, 0]>
  // CHECK-LABEL: func.func @wmma(
  // CHECK:         vector.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
  // CHECK:         call @convoy_simulated_multiply
  // CHECK:         %[[SUMS:.*]] = vector.load %{{.*}} : memref<64xi32>, vector<8xi32>
  // CHECK:         vector.store %[[SUMS]], %{{.*}} : memref<256xi32>, vector<8xi32>
  gpu.func @wmma(%m: memref<512xi8>, %s: memref<256xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %a = vector.load %m[%x] : memref<512xi8>, vector<16xi8>
    %c = vector.load %s[%x] : memref<256xi32>, vector<8xi32>
    %d = amdgpu.wmma 16x16x16 %a * %a + %c {unsignedA} : vector<16xi8>, vector<16xi8>, vector<8xi32>
    vector.store %d, %s[%x] : memref<256xi32>, vector<8xi32>
    gpu.return
  }

  // CHECK:       @bf16.layout.numbers
  // CHECK-SAME:    dense<[0, 32, 1, 1, 0, 1, 0, 512, 2, 1, 1, 16, 16, 16, 2, 4, 8, 0, 0, 0]>
  gpu.func @bf16(%m: memref<512xbf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c = arith.constant dense<0.0> : vector<8xf32>
    %a = vector.load %m[%x] : memref<512xbf16>, vector<8xbf16>
    %d = amdgpu.wmma 16x16x16 %a * %a + %c : vector<8xbf16>, vector<8xbf16>, vector<8xf32>
    gpu.return
  }
}
// CHECK-NOT: amdgpu.
