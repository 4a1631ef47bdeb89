// RUN: convoy-opt %s --convoy-prefetch-lines --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=l2-bytes=8388608 --convoy-prefetch-lines --split-input-file | FileCheck %s --check-prefix=NEAR
// RUN: convoy-opt %s --convoy-attach-target=page-bytes=65536 --convoy-prefetch-lines --split-input-file | FileCheck %s --check-prefix=NEAR
// RUN: convoy-opt %s --convoy-attach-target=vector-units=1 --convoy-prefetch-lines --split-input-file | FileCheck %s --check-prefix=UNITS

// NEAR-NOT: memref.prefetch

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Steps lie two pages apart, in an array of 4 MiB. Two multiply-adds take a
  // cycle, and a line 200 of them: it is asked for 200 steps before.
  // CHECK-LABEL: @part_of_a_step
  // CHECK-SAME: (%[[FILTER:.*]]: memref<512x2048xf32>, %{{.*}}: vector<16xf32>, %[[FIRST:.*]]: index)
  // UNITS-LABEL: @part_of_a_step
  func.func @part_of_a_step(%filter: memref<512x2048xf32>, %x: vector<16xf32>, %first: index) -> (vector<16xf32>, vector<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %pad = arith.constant 0.0 : f32
    // CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
    // CHECK: %[[LATER:.*]] = arith.addi %[[STEP]], %c200
    // CHECK: memref.prefetch %[[FILTER]][%[[LATER]], %[[FIRST]]], read, locality<2>, data
    // CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %c16
    // CHECK: memref.prefetch %[[FILTER]][%[[LATER]], %[[SECOND]]], read, locality<2>, data
    // CHECK-NOT: memref.prefetch
    // CHECK: memref.subview %[[FILTER]][%[[STEP]],
    // UNITS: arith.addi %{{.*}}, %c100
    %sums:2 = scf.for %i = %c0 to %c512 step %c1 iter_args(%a = %zero, %b = %zero) -> (vector<16xf32>, vector<16xf32>) {
      %part = memref.subview %filter[%i, %first] [1, 32] [1, 1] : memref<512x2048xf32> to memref<1x32xf32, strided<[2048, 1], offset: ?>>
      %y = vector.transfer_read %part[%c0, %c0], %pad {in_bounds = [true]} : memref<1x32xf32, strided<[2048, 1], offset: ?>>, vector<16xf32>
      %z = vector.transfer_read %part[%c0, %c16], %pad {in_bounds = [true]} : memref<1x32xf32, strided<[2048, 1], offset: ?>>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      %d = vector.fma %x, %z, %b : vector<16xf32>
      scf.yield %c, %d : vector<16xf32>, vector<16xf32>
    }
    return %sums#0, %sums#1 : vector<16xf32>, vector<16xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Vectors of half a line take as long as they come.
  // CHECK-LABEL: @short_vectors
  // CHECK-NOT: memref.prefetch
  func.func @short_vectors(%filter: memref<1600x256xf32>, %x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
    %c32 = arith.constant 32 : index
    %c2 = arith.constant 2 : index
    %c40 = arith.constant 40 : index
    %c1536 = arith.constant 1536 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %sums:2 = scf.for %i = %c2 to %c1536 step %c2 iter_args(%a = %zero, %b = %zero) -> (vector<8xf32>, vector<8xf32>) {
      %y = vector.load %filter[%i, %c32] : memref<1600x256xf32>, vector<8xf32>
      %z = vector.load %filter[%i, %c40] : memref<1600x256xf32>, vector<8xf32>
      %c = vector.fma %x, %y, %a : vector<8xf32>
      %d = vector.fma %x, %z, %b : vector<8xf32>
      scf.yield %c, %d : vector<8xf32>, vector<8xf32>
    }
    return %sums#0, %sums#1 : vector<8xf32>, vector<8xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Every other step, from the second on.
  // CHECK-LABEL: @steps_of_two
  // CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[LATER:.*]] = arith.addi %[[STEP]], %c400
  // CHECK: memref.prefetch %{{.*}}[%[[LATER]], %c32{{.*}}], read, locality<2>, data
  func.func @steps_of_two(%filter: memref<1600x256xf32>, %x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
    %c32 = arith.constant 32 : index
    %c2 = arith.constant 2 : index
    %c1536 = arith.constant 1536 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %sums:2 = scf.for %i = %c2 to %c1536 step %c2 iter_args(%a = %zero, %b = %zero) -> (vector<16xf32>, vector<16xf32>) {
      %y = vector.load %filter[%i, %c32] : memref<1600x256xf32>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      %d = vector.fma %y, %y, %b : vector<16xf32>
      scf.yield %c, %d : vector<16xf32>, vector<16xf32>
    }
    return %sums#0, %sums#1 : vector<16xf32>, vector<16xf32>
  }

  // Panels are read line after line, which hardware prefetches.
  // CHECK-LABEL: @panel
  // CHECK-NOT: memref.prefetch
  func.func @panel(%filter: memref<65536x32xf32>, %x: vector<16xf32>) -> vector<16xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c65536 = arith.constant 65536 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %sum = scf.for %i = %c0 to %c65536 step %c1 iter_args(%a = %zero) -> vector<16xf32> {
      %y = vector.load %filter[%i, %c0] : memref<65536x32xf32>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      scf.yield %c : vector<16xf32>
    }
    return %sum : vector<16xf32>
  }

  // Too few steps to ask before.
  // CHECK-LABEL: @few_steps
  // CHECK-NOT: memref.prefetch
  func.func @few_steps(%filter: memref<512x2048xf32>, %x: vector<16xf32>) -> vector<16xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %sum = scf.for %i = %c0 to %c512 step %c1 iter_args(%a = %zero) -> vector<16xf32> {
      %y = vector.load %filter[%i, %c0] : memref<512x2048xf32>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      scf.yield %c : vector<16xf32>
    }
    return %sum : vector<16xf32>
  }

  // How many elements there are, or how far apart, is not known.
  // CHECK-LABEL: @any_size
  // CHECK-NOT: memref.prefetch
  func.func @any_size(%filter: memref<?x2048xf32>, %apart: memref<2048x512xf32, strided<[?, 1]>>, %x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %sums:2 = scf.for %i = %c0 to %c2048 step %c1 iter_args(%a = %zero, %b = %zero) -> (vector<16xf32>, vector<16xf32>) {
      %y = vector.load %filter[%i, %c0] : memref<?x2048xf32>, vector<16xf32>
      %z = vector.load %apart[%i, %c0] : memref<2048x512xf32, strided<[?, 1]>>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      %d = vector.fma %x, %z, %b : vector<16xf32>
      scf.yield %c, %d : vector<16xf32>, vector<16xf32>
    }
    return %sums#0, %sums#1 : vector<16xf32>, vector<16xf32>
  }

  // Copies have nothing to do meanwhile.
  // CHECK-LABEL: @copy
  // CHECK-NOT: memref.prefetch
  func.func @copy(%filter: memref<1024x2048xf32>, %to: memref<1024x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c1 {
      %y = vector.load %filter[%i, %c0] : memref<1024x2048xf32>, vector<16xf32>
      vector.store %y, %to[%i, %c0] : memref<1024x16xf32>, vector<16xf32>
    }
    return
  }

  // Where a step reads depends on more than the step.
  // CHECK-LABEL: @other_places
  // CHECK-NOT: memref.prefetch
  func.func @other_places(%filter: memref<512x2048xf32>, %x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %sums:2 = scf.for %i = %c0 to %c512 step %c1 iter_args(%a = %zero, %b = %zero) -> (vector<16xf32>, vector<16xf32>) {
      %mirrored = arith.subi %c512, %i : index
      %y = vector.load %filter[%mirrored, %c0] : memref<512x2048xf32>, vector<16xf32>
      %row = memref.subview %filter[%i, 0] [1, 2048] [1, 1] : memref<512x2048xf32> to memref<2048xf32, strided<[1], offset: ?>>
      %z = vector.load %row[%c0] : memref<2048xf32, strided<[1], offset: ?>>, vector<16xf32>
      %c = vector.fma %x, %y, %a : vector<16xf32>
      %d = vector.fma %x, %z, %b : vector<16xf32>
      scf.yield %c, %d : vector<16xf32>, vector<16xf32>
    }
    return %sums#0, %sums#1 : vector<16xf32>, vector<16xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  // Seven readings of a panel of two lines a row: the first four ask for the
  // next panel, each for half a line in a step.
  // CHECK-LABEL: @panels
  // CHECK-SAME: %[[FILTER:[a-z0-9]*]]: memref<512x2048xf32>
  // CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %c32
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[PANEL:.*]] = memref.subview %[[FILTER]][0, %[[FIRST]]] [512, 32]
  // CHECK-DAG: %[[ASKS:.*]] = arith.cmpi ult, %[[ROW]], %c4
  // CHECK-DAG: %[[DONE:.*]] = arith.muli %[[ROW]], %c512
  // CHECK-DAG: %[[BEGIN:.*]] = arith.select %[[ASKS]], %[[DONE]], %c0
  // CHECK-DAG: %[[SHIFT:.*]] = arith.select %[[ASKS]], %c2{{.*}}, %c0
  // CHECK-DAG: %[[MASK:.*]] = arith.select %[[ASKS]], %c3{{.*}}, %c0
  // CHECK-DAG: %[[LANE:.*]] = arith.select %[[ASKS]], %c32{{.*}}, %c0
  // CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[NUMBER:.*]] = affine.apply {{.*}}(%[[STEP]], %[[BEGIN]])
  // CHECK: %[[ASKED:.*]] = arith.shrui %[[NUMBER]], %[[SHIFT]]
  // CHECK: %[[PART:.*]] = arith.andi %[[NUMBER]], %[[MASK]]
  // CHECK: %[[LINE:.*]] = affine.apply {{.*}}(%[[LANE]], %[[PART]])
  // CHECK: memref.prefetch %[[PANEL]][%[[ASKED]], %[[LINE]]], read, locality<2>, data
  // CHECK-NOT: memref.prefetch
  func.func @panels(%filter: memref<512x2048xf32>, %x: memref<7x512xvector<16xf32>>, %to: memref<7x2048xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %c2048 = arith.constant 2048 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    scf.for %first = %c0 to %c2048 step %c32 {
      scf.for %row = %c0 to %c7 step %c1 {
        %panel = memref.subview %filter[0, %first] [512, 32] [1, 1] : memref<512x2048xf32> to memref<512x32xf32, strided<[2048, 1], offset: ?>>
        %sums:2 = scf.for %i = %c0 to %c512 step %c1 iter_args(%a = %zero, %b = %zero) -> (vector<16xf32>, vector<16xf32>) {
          %y = vector.load %panel[%i, %c0] : memref<512x32xf32, strided<[2048, 1], offset: ?>>, vector<16xf32>
          %z = vector.load %panel[%i, %c16] : memref<512x32xf32, strided<[2048, 1], offset: ?>>, vector<16xf32>
          %w = memref.load %x[%row, %i] : memref<7x512xvector<16xf32>>
          %c = vector.fma %w, %y, %a : vector<16xf32>
          %d = vector.fma %w, %z, %b : vector<16xf32>
          scf.yield %c, %d : vector<16xf32>, vector<16xf32>
        }
        %next = arith.addi %first, %c16 : index
        vector.store %sums#0, %to[%row, %first] : memref<7x2048xf32>, vector<16xf32>
        vector.store %sums#1, %to[%row, %next] : memref<7x2048xf32>, vector<16xf32>
      }
    }
    return
  }

  // Two panels do not fit the L2 cache: lines are asked for as they are read.
  // CHECK-LABEL: @long_panels
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[LATER:.*]] = arith.addi %[[STEP]],
  // CHECK: memref.prefetch %{{.*}}[%[[LATER]], %c0{{.*}}]
  // CHECK: memref.prefetch %{{.*}}[%[[LATER]], %c16{{.*}}]
  // CHECK: memref.prefetch %{{.*}}[%[[LATER]], %c32{{.*}}]
  func.func @long_panels(%filter: memref<3000x512xf32>, %x: memref<7x3000xvector<16xf32>>, %to: memref<7x512xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c480 = arith.constant 480 : index
    %c3000 = arith.constant 3000 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    scf.for %first = %c0 to %c480 step %c48 {
      scf.for %row = %c0 to %c7 step %c1 {
        %panel = memref.subview %filter[0, %first] [3000, 48] [1, 1] : memref<3000x512xf32> to memref<3000x48xf32, strided<[512, 1], offset: ?>>
        %sum = scf.for %i = %c0 to %c3000 step %c1 iter_args(%a = %zero) -> (vector<16xf32>) {
          %y = vector.load %panel[%i, %c0] : memref<3000x48xf32, strided<[512, 1], offset: ?>>, vector<16xf32>
          %z = vector.load %panel[%i, %c16] : memref<3000x48xf32, strided<[512, 1], offset: ?>>, vector<16xf32>
          %u = vector.load %panel[%i, %c32] : memref<3000x48xf32, strided<[512, 1], offset: ?>>, vector<16xf32>
          %w = memref.load %x[%row, %i] : memref<7x3000xvector<16xf32>>
          %b = vector.fma %w, %y, %a : vector<16xf32>
          %c = vector.fma %w, %z, %b : vector<16xf32>
          %d = vector.fma %w, %u, %c : vector<16xf32>
          scf.yield %d : vector<16xf32>
        }
        vector.store %sum, %to[%row, %first] : memref<7x512xf32>, vector<16xf32>
      }
    }
    return
  }
}
