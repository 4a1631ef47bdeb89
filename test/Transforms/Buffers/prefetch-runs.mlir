// RUN: convoy-opt %s --convoy-prefetch-lines --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=l2-bytes=8388608 --convoy-prefetch-lines --split-input-file | FileCheck %s --check-prefix=NEAR

// NEAR-NOT: memref.prefetch

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Each step of the outer loop reads a run of four lines, which lie 36 apart in an
  // array of 4.7 MiB: all are asked for seven steps before. What is written, and
  // an array that the L2 cache holds, are not.
  // CHECK-LABEL: @runs
  // CHECK-SAME: (%[[ROWS:.*]]: memref<2048x9x64xf32>, %{{.*}}: memref<128x64xf32>, %[[K:.*]]: index)
  // CHECK: scf.for %[[STEP:.*]] = %c0 to %c128 step
  // CHECK: %[[LATER:.*]] = arith.addi %[[STEP]], %c7
  // CHECK: memref.prefetch %[[ROWS]][%[[LATER]], %[[K]], %c0{{.*}}], read, locality<3>, data
  // CHECK: memref.prefetch %[[ROWS]][%[[LATER]], %[[K]], %c16{{.*}}], read
  // CHECK: memref.prefetch %[[ROWS]][%[[LATER]], %[[K]], %c32{{.*}}], read
  // CHECK: memref.prefetch %[[ROWS]][%[[LATER]], %[[K]], %c48{{.*}}], read
  // CHECK-NOT: memref.prefetch
  // CHECK: scf.for
  // CHECK-NOT: memref.prefetch
  func.func @runs(%rows: memref<2048x9x64xf32>, %sums: memref<128x64xf32>, %k: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %c = %c0 to %c64 step %c1 {
        %x = memref.load %rows[%i, %k, %c] : memref<2048x9x64xf32>
        %y = memref.load %sums[%i, %c] : memref<128x64xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %sums[%i, %c] : memref<128x64xf32>
      }
    }
    return
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Runs that hardware follows, since one begins where the last ends, or each is
  // long; less than a line; fewer steps than twice the distance; and what lies
  // apart along the inner loop.
  // CHECK-LABEL: @other_runs
  // CHECK-NOT: memref.prefetch
  func.func @other_runs(%dense: memref<8192x64xf32>, %long: memref<512x1024xf32>, %short: memref<65536x15xf32>, %few: memref<2048x9x64xf32>, %s: memref<128x512xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c13 = arith.constant 13 : index
    %c15 = arith.constant 15 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %c = %c0 to %c64 step %c1 {
        %x = memref.load %dense[%i, %c] : memref<8192x64xf32>
        %y = memref.load %few[%c, %c0, %i] : memref<2048x9x64xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %s[%i, %c] : memref<128x512xf32>
      }
    }
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %c = %c0 to %c512 step %c1 {
        %x = memref.load %long[%i, %c] : memref<512x1024xf32>
        memref.store %x, %s[%i, %c] : memref<128x512xf32>
      }
    }
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %c = %c0 to %c15 step %c1 {
        %x = memref.load %short[%i, %c] : memref<65536x15xf32>
        memref.store %x, %s[%i, %c] : memref<128x512xf32>
      }
    }
    scf.for %i = %c0 to %c13 step %c1 {
      scf.for %c = %c0 to %c64 step %c1 {
        %x = memref.load %few[%i, %c0, %c] : memref<2048x9x64xf32>
        memref.store %x, %s[%i, %c] : memref<128x512xf32>
      }
    }
    return
  }
}
