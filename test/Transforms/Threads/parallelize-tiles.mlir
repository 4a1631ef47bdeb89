// RUN: convoy-opt %s --convoy-parallelize-tiles=threads=2 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @fills(
// CHECK-SAME:    %[[X:.*]]: f32, %[[INIT:.*]]: tensor<14xf32>)
// CHECK:         %[[R:.*]] = scf.forall (%[[I:.*]]) = (0) to (14) step (2) shared_outs(%[[T:.*]] = %[[INIT]])
// CHECK-NEXT:      %[[SLICE:.*]] = tensor.extract_slice %[[T]][%[[I]]] [2] [1]
// CHECK-NEXT:      %[[FILL:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[SLICE]]
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %[[FILL]] into %[[T]][%[[I]]] [2] [1]
// CHECK:         return %[[R]]
func.func @fills(%x: f32, %init: tensor<14xf32>) -> tensor<14xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c14 = arith.constant 14 : index
  %r = scf.for %i = %c0 to %c14 step %c2 iter_args(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %v = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
    scf.yield %v : tensor<14xf32>
  }
  return %r : tensor<14xf32>
}

// -----

// Loops that are nothing but a nest become one, so that threads share all of
// its iterations; a size of the last may be dynamic.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %{{.*}}: f32, %[[INIT:.*]]: tensor<3x?xf32>, %[[SIZE:.*]]: index)
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) in (3, %[[SIZE]])
// CHECK-NOT:     scf.for %
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[I]], %[[J]]] [1, 1] [1, 1]
func.func @nest(%x: f32, %init: tensor<3x?xf32>, %size: index) -> tensor<3x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %init) -> (tensor<3x?xf32>) {
    %row = scf.for %j = %c0 to %size step %c1 iter_args(%u = %t) -> (tensor<3x?xf32>) {
      %s = tensor.extract_slice %u[%i, %j] [1, 1] [1, 1] : tensor<3x?xf32> to tensor<1x1xf32>
      %f = linalg.fill ins(%x : f32) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
      %v = tensor.insert_slice %f into %u[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<3x?xf32>
      scf.yield %v : tensor<3x?xf32>
    }
    scf.yield %row : tensor<3x?xf32>
  }
  return %r : tensor<3x?xf32>
}

// -----

// One iteration, with a copy that all of the loop inside shares: two threads
// share that loop.
// CHECK-LABEL: func.func @uneven(
// CHECK:         scf.for
// CHECK:           %[[COPY:.*]] = linalg.copy
// CHECK:           scf.forall (%{{.*}}) in (4)
// CHECK:             linalg.add ins(%[[COPY]], %[[COPY]] :
func.func @uneven(%filter: tensor<5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %f = %c0 to %c5 step %c5 iter_args(%t = %init) -> (tensor<4x5xf32>) {
    %s = tensor.extract_slice %t[0, %f] [4, 5] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
    %room = tensor.empty() : tensor<5xf32>
    %copy = linalg.copy ins(%filter : tensor<5xf32>) outs(%room : tensor<5xf32>) -> tensor<5xf32>
    %rows = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %s) -> (tensor<4x5xf32>) {
      %row = tensor.extract_slice %u[%i, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<5xf32>
      %sum = linalg.add ins(%copy, %copy : tensor<5xf32>, tensor<5xf32>) outs(%row : tensor<5xf32>) -> tensor<5xf32>
      %v = tensor.insert_slice %sum into %u[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<4x5xf32>
      scf.yield %v : tensor<4x5xf32>
    }
    %w = tensor.insert_slice %rows into %t[0, %f] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x5xf32>
    scf.yield %w : tensor<4x5xf32>
  }
  return %r : tensor<4x5xf32>
}

// -----

// A reduction stays in its order.
// CHECK-LABEL: func.func @reduction(
// CHECK-NOT:     scf.forall
func.func @reduction(%x: tensor<8xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %init) -> (tensor<2xf32>) {
    %s = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %u = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>) outs(%t : tensor<2xf32>) -> tensor<2xf32>
    %v = tensor.insert_slice %u into %t[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
    scf.yield %v : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// Slices that overlap.
// CHECK-LABEL: func.func @overlap(
// CHECK-NOT:     scf.forall
func.func @overlap(%x: f32, %init: tensor<14xf32>) -> tensor<14xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %r = scf.for %i = %c0 to %c12 step %c2 iter_args(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%i] [3] [1] : tensor<14xf32> to tensor<3xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<3xf32>) -> tensor<3xf32>
    %v = tensor.insert_slice %u into %t[%i] [3] [1] : tensor<3xf32> into tensor<14xf32>
    scf.yield %v : tensor<14xf32>
  }
  return %r : tensor<14xf32>
}

// -----

// An element of another iteration is read.
// CHECK-LABEL: func.func @reads_others(
// CHECK-NOT:     scf.forall
func.func @reads_others(%init: tensor<14xf32>) -> tensor<14xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c14 = arith.constant 14 : index
  %r = scf.for %i = %c0 to %c14 step %c2 iter_args(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
    %x = tensor.extract %t[%c0] : tensor<14xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %v = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
    scf.yield %v : tensor<14xf32>
  }
  return %r : tensor<14xf32>
}

// -----

// Threads can run all iterations of a loop that writes the same slices again and
// again, and other parts of the tensor after them, without a stop.
// CHECK-LABEL: func.func @region(
// CHECK:         scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK:           scf.forall (%{{.*}}) = (0) to (14) step (2)
// CHECK:           } {convoy.region = [[REGION:.*]] : i64}
// CHECK:           scf.forall (%{{.*}}) in (3)
// CHECK:           } {convoy.region = [[REGION]] : i64}
// CHECK:           scf.yield
// CHECK-NEXT:    } {convoy.region = [[REGION]] : i64}
// CHECK:         scf.forall
// CHECK:         } {convoy.region = [[REGION]] : i64}
func.func @region(%x: f32, %init: tensor<20xf32>) -> tensor<20xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c14 = arith.constant 14 : index
  %whole = tensor.extract_slice %init[0] [17] [1] : tensor<20xf32> to tensor<17xf32>
  %sums = scf.for %b = %c0 to %c5 step %c1 iter_args(%q = %whole) -> (tensor<17xf32>) {
    %head = tensor.extract_slice %q[0] [14] [1] : tensor<17xf32> to tensor<14xf32>
    %r = scf.for %i = %c0 to %c14 step %c2 iter_args(%t = %head) -> (tensor<14xf32>) {
      %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
      %u = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      %v = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
      scf.yield %v : tensor<14xf32>
    }
    %first = tensor.insert_slice %r into %q[0] [14] [1] : tensor<14xf32> into tensor<17xf32>
    %rest = tensor.extract_slice %first[14] [3] [1] : tensor<17xf32> to tensor<3xf32>
    %r2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %rest) -> (tensor<3xf32>) {
      %s = tensor.extract_slice %t[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
      %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
      scf.yield %v : tensor<3xf32>
    }
    %both = tensor.insert_slice %r2 into %first[14] [3] [1] : tensor<3xf32> into tensor<17xf32>
    scf.yield %both : tensor<17xf32>
  }
  %all = tensor.insert_slice %sums into %init[0] [17] [1] : tensor<17xf32> into tensor<20xf32>
  %tail = tensor.extract_slice %all[17] [3] [1] : tensor<20xf32> to tensor<3xf32>
  %r3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %tail) -> (tensor<3xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
    scf.yield %v : tensor<3xf32>
  }
  %y = tensor.insert_slice %r3 into %all[17] [3] [1] : tensor<3xf32> into tensor<20xf32>
  return %y : tensor<20xf32>
}

// -----

// The second loop reads what all threads wrote in the first; the third writes
// slices that overlap those of the second; the slices of the last move.
// CHECK-LABEL: func.func @no_region(
// CHECK-COUNT-4: scf.forall
// CHECK-NOT:     convoy.region
func.func @no_region(%init: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = tensor.extract_slice %init[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  }
  %first = tensor.insert_slice %r into %init[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %b = tensor.extract_slice %first[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %b) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %j = arith.subi %c3, %i : index
    %other = tensor.extract_slice %r[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%other, %other : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  }
  %second = tensor.insert_slice %r2 into %first[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %c = tensor.extract_slice %second[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %c) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  }
  %third = tensor.insert_slice %r3 into %second[3] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = scf.for %k = %c0 to %c4 step %c1 iter_args(%q = %third) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %q[%k] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %r4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %d) -> (tensor<4xf32>) {
      %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
      %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      scf.yield %v : tensor<4xf32>
    }
    %fourth = tensor.insert_slice %r4 into %q[%k] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %fourth : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Slices that move with the outer loop, through a loop in which they do not.
// CHECK-LABEL: func.func @moving(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.forall
// CHECK:           } {convoy.region = [[REGION:.*]] : i64}
// CHECK:           } {convoy.region = [[REGION]] : i64}
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }{{$}}
// CHECK:         return
func.func @moving(%init: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.for %k = %c0 to %c4 step %c1 iter_args(%q = %init) -> (tensor<8xf32>) {
    %all = scf.for %j = %c0 to %c4 step %c1 iter_args(%p = %q) -> (tensor<8xf32>) {
      %d = tensor.extract_slice %p[%k] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %d) -> (tensor<4xf32>) {
        %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
        %v = tensor.insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        scf.yield %v : tensor<4xf32>
      }
      %e = tensor.insert_slice %r into %p[%k] [4] [1] : tensor<4xf32> into tensor<8xf32>
      scf.yield %e : tensor<8xf32>
    }
    scf.yield %all : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
