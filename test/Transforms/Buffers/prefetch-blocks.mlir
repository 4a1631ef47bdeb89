// RUN: convoy-opt %s --convoy-prefetch-blocks --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=l1-bytes=1048576 --convoy-prefetch-blocks --split-input-file | FileCheck %s --check-prefix=NEAR
// RUN: convoy-opt %s --convoy-attach-target=line-bytes=128 --convoy-prefetch-blocks --split-input-file | FileCheck %s --check-prefix=LINES

// NEAR-NOT: memref.prefetch

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Blocks of 100 x 48 elements are read for five rows, in 500 steps: each asks
  // for ten elements of the next.
  // CHECK-DAG: #[[SHARE:.*]] = affine_map<(d0, d1) -> (d0 * 10 + d1 * 1000 + 4800)>
  // CHECK-LABEL: @rows
  // CHECK: %[[BLOCK:.*]] = memref.subview
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
  // CHECK: scf.for %[[STEP:.*]] = %{{.*}} to
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[NEXT:.*]] = affine.apply #[[SHARE]](%[[STEP]], %[[ROW]])
  // CHECK-NEXT: memref.prefetch %[[BLOCK]][%[[C0]], %[[NEXT]]], read, locality<2>, data
  // CHECK-NEXT: memref.subview %[[BLOCK]]
  // CHECK-NOT: memref.prefetch
  func.func @rows(%filter: memref<9x100x48xf32>, %x: vector<16xf32>, %result: memref<9x5x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c9 = arith.constant 9 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c100 = arith.constant 100 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %pad = arith.constant 0.0 : f32
    scf.for %b = %c0 to %c9 step %c1 {
      %block = memref.subview %filter[%b, 0, 0] [1, 100, 48] [1, 1, 1] : memref<9x100x48xf32> to memref<100x48xf32, strided<[48, 1], offset: ?>>
      scf.for %row = %c0 to %c5 step %c1 {
        %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%a = %zero) -> (vector<16xf32>) {
          %step = memref.subview %block[%i, 0] [1, 48] [1, 1] : memref<100x48xf32, strided<[48, 1], offset: ?>> to memref<48xf32, strided<[1], offset: ?>>
          %y = vector.transfer_read %step[%c0], %pad {in_bounds = [true]} : memref<48xf32, strided<[1], offset: ?>>, vector<16xf32>
          %z = vector.load %step[%c16] : memref<48xf32, strided<[1], offset: ?>>, vector<16xf32>
          %w = vector.load %step[%c32] : memref<48xf32, strided<[1], offset: ?>>, vector<16xf32>
          %u = vector.fma %x, %y, %a : vector<16xf32>
          %v = vector.fma %x, %z, %u : vector<16xf32>
          %s = vector.fma %x, %w, %v : vector<16xf32>
          scf.yield %s : vector<16xf32>
        }
        vector.store %sum, %result[%b, %row, %c0] : memref<9x5x16xf32>, vector<16xf32>
      }
    }
    return
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Rows are counted by threes from 2 on, and some of them are left out; steps
  // go over taps, and two by two over channels. A step's share of 32 elements is
  // in two lines, where these have 64 bytes.
  // CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * 320 + d2 * 320 + 1280)>
  // CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * 320 + d2 * 320 + 1296)>
  // LINES-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * 320 + d2 * 320 + 1280)>
  // CHECK-LABEL: @taps
  // CHECK: memref.subview
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
  // CHECK: scf.for %[[TAP:.*]] = %{{.*}} to
  // CHECK: scf.for %[[CHANNEL:.*]] = %{{.*}} to
  // CHECK: affine.apply #[[FIRST]](%[[CHANNEL]], %[[TAP]], %[[ROW]])
  // CHECK-NEXT: memref.prefetch
  // CHECK-NEXT: affine.apply #[[SECOND]](%[[CHANNEL]], %[[TAP]], %[[ROW]])
  // CHECK-NEXT: memref.prefetch
  // CHECK-NOT: memref.prefetch
  // LINES-LABEL: @taps
  // LINES: affine.apply #[[FIRST]]
  // LINES-NEXT: memref.prefetch
  // LINES-NOT: memref.prefetch
  // LINES-LABEL: @read_once
  func.func @taps(%filter: memref<21x3x20x32xf32>, %x: vector<32xf32>, %holds: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %c21 = arith.constant 21 : index
    %zero = arith.constant dense<0.0> : vector<32xf32>
    scf.for %b = %c0 to %c21 step %c1 {
      %block = memref.subview %filter[%b, 0, 0, 0] [1, 3, 20, 32] [1, 1, 1, 1] : memref<21x3x20x32xf32> to memref<3x20x32xf32, strided<[640, 32, 1], offset: ?>>
      scf.for %row = %c2 to %c8 step %c3 {
        scf.if %holds {
          %sum = scf.for %tap = %c0 to %c3 step %c1 iter_args(%a = %zero) -> (vector<32xf32>) {
            %part = memref.subview %block[%tap, 0, 0] [1, 20, 32] [1, 1, 1] : memref<3x20x32xf32, strided<[640, 32, 1], offset: ?>> to memref<20x32xf32, strided<[32, 1], offset: ?>>
            %t = scf.for %i = %c0 to %c20 step %c2 iter_args(%d = %a) -> (vector<32xf32>) {
              %next = arith.addi %i, %c1 : index
              %y = vector.load %part[%i, %c0] : memref<20x32xf32, strided<[32, 1], offset: ?>>, vector<32xf32>
              %z = vector.load %part[%next, %c0] : memref<20x32xf32, strided<[32, 1], offset: ?>>, vector<32xf32>
              %u = vector.fma %x, %y, %d : vector<32xf32>
              %v = vector.fma %x, %z, %u : vector<32xf32>
              scf.yield %v : vector<32xf32>
            }
            scf.yield %t : vector<32xf32>
          }
        }
      }
    }
    return
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // No other row reads the block: the core's own prefetching follows its steps.
  // CHECK-LABEL: @read_once
  // CHECK-NOT: memref.prefetch
  func.func @read_once(%filter: memref<100x100x16xf32>, %x: vector<16xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %block = memref.subview %filter[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    scf.for %i = %c0 to %c100 step %c1 {
      %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
    }
    return
  }

  // At most three taps, which some rows have less of.
  // CHECK-LABEL: @some_taps
  // CHECK: affine.apply #{{.*}}(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK-NEXT: memref.prefetch
  func.func @some_taps(%filter: memref<100x3x50x16xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c50 = arith.constant 50 : index
    %block = memref.subview %filter[%b, 0, 0, 0] [1, 3, 50, 16] [1, 1, 1, 1] : memref<100x3x50x16xf32> to memref<3x50x16xf32, strided<[800, 16, 1], offset: ?>>
    scf.for %row = %c0 to %c5 step %c1 {
      %first = affine.max affine_map<(d0) -> (1 - d0, 0)>(%row)
      %end = affine.min affine_map<(d0) -> (5 - d0, 3)>(%row)
      scf.for %tap = %first to %end step %c1 {
        scf.for %i = %c0 to %c50 step %c1 {
          %y = vector.load %block[%tap, %i, %c0] : memref<3x50x16xf32, strided<[800, 16, 1], offset: ?>>, vector<16xf32>
        }
      }
    }
    return
  }

  // More steps than there can be.
  // CHECK-LABEL: @endless
  // CHECK-NOT: memref.prefetch
  func.func @endless(%filter: memref<100x100x16xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %least = arith.constant -9223372036854775808 : index
    %most = arith.constant 9223372036854775807 : index
    %block = memref.subview %filter[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    scf.for %row = %c0 to %most step %c1 {
      scf.for %i = %c0 to %most step %most {
        %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
      }
    }
    scf.for %row = %least to %c0 step %most {
      %y = vector.load %block[%row, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
    }
    return
  }

  // An argument, and blocks, whose size no integer holds.
  // CHECK-LABEL: @endless_filter
  // CHECK-NOT: memref.prefetch
  func.func @endless_filter(%filter: memref<9x2147483648x2147483648xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %block = memref.subview %filter[%b, 0, 0] [1, 2147483648, 2147483648] [1, 1, 1] : memref<9x2147483648x2147483648xf32> to memref<2147483648x2147483648xf32, strided<[2147483648, 1], offset: ?>>
    scf.for %row = %c0 to %c100 step %c1 {
      scf.for %i = %c0 to %c100 step %c1 {
        %y = vector.load %block[%i, %c0] : memref<2147483648x2147483648xf32, strided<[2147483648, 1], offset: ?>>, vector<16xf32>
      }
    }
    return
  }

  // Rows that nobody has counted.
  // CHECK-LABEL: @some_rows
  // CHECK-NOT: memref.prefetch
  func.func @some_rows(%filter: memref<100x100x16xf32>, %b: index, %rows: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %block = memref.subview %filter[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    scf.for %row = %c0 to %rows step %c1 {
      scf.for %i = %c0 to %c100 step %c1 {
        %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
      }
    }
    return
  }

  // Rows of a block that do not follow each other.
  // CHECK-LABEL: @apart
  // CHECK-NOT: memref.prefetch
  func.func @apart(%filter: memref<100x100x32xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %block = memref.subview %filter[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x32xf32> to memref<100x16xf32, strided<[32, 1], offset: ?>>
    scf.for %row = %c0 to %c100 step %c1 {
      scf.for %i = %c0 to %c100 step %c1 {
        %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[32, 1], offset: ?>>, vector<16xf32>
      }
    }
    return
  }

  // What the function has filled itself, and an argument of unknown size, as the
  // workspace is.
  // CHECK-LABEL: @written
  // CHECK-NOT: memref.prefetch
  func.func @written(%workspace: memref<?xi8>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %copy = memref.view %workspace[%c0][] : memref<?xi8> to memref<100x100x16xf32>
    %own = memref.alloc() : memref<100x100x16xf32>
    %block = memref.subview %copy[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    %other = memref.subview %own[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    scf.for %row = %c0 to %c100 step %c1 {
      scf.for %i = %c0 to %c100 step %c1 {
        %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
        %z = vector.load %other[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
      }
    }
    memref.dealloc %own : memref<100x100x16xf32>
    return
  }

  // Other loops than those of rows and steps, and a block without dimensions.
  // CHECK-LABEL: @in_parallel
  // CHECK-NOT: memref.prefetch
  func.func @in_parallel(%filter: memref<100x100x16xf32>, %scale: memref<20000xf32>, %b: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %pad = arith.constant 0.0 : f32
    %block = memref.subview %filter[%b, 0, 0] [1, 100, 16] [1, 1, 1] : memref<100x100x16xf32> to memref<100x16xf32, strided<[16, 1], offset: ?>>
    %element = memref.subview %scale[0] [1] [1] : memref<20000xf32> to memref<f32, strided<[]>>
    scf.parallel (%row) = (%c0) to (%c100) step (%c1) {
      scf.for %i = %c0 to %c100 step %c1 {
        %y = vector.load %block[%i, %c0] : memref<100x16xf32, strided<[16, 1], offset: ?>>, vector<16xf32>
        %z = vector.transfer_read %element[], %pad : memref<f32, strided<[]>>, vector<f32>
      }
    }
    return
  }
}
