// RUN: convoy-opt %s --convoy-parallelize-tiles=threads=2 --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-parallelize-tiles --split-input-file | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @fills(
// CHECK-SAME:    %[[X:.*]]: f32, %[[INIT:.*]]: tensor<14xf32>)
// CHECK:         %[[R:.*]] = scf.forall (%[[I:.*]]) = (0) to (14) step (2) shared_outs(%[[T:.*]] = %[[INIT]])
// CHECK-NEXT:      %[[SLICE:.*]] = tensor.extract_slice %[[T]][%[[I]]] [2] [1]
// CHECK-NEXT:      %[[FILL:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[SLICE]]
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %[[FILL]] into %[[T]][%[[I]]] [2] [1]
// CHECK:         return %[[R]]
// ONE-LABEL: func.func @fills(
// ONE-SAME:    %[[X:.*]]: f32, %[[INIT:.*]]: tensor<14xf32>)
// ONE-DAG:     %[[C0:.*]] = arith.constant 0 : index
// ONE-DAG:     %[[C14:.*]] = arith.constant 14 : index
// ONE-DAG:     %[[C2:.*]] = arith.constant 2 : index
// ONE:         %[[R:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C14]] step %[[C2]] iter_args(%[[T:.*]] = %[[INIT]])
// ONE-NEXT:      %[[SLICE:.*]] = tensor.extract_slice %[[T]][%[[I]]] [2] [1]
// ONE-NEXT:      %[[FILL:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[SLICE]]
// ONE-NEXT:      %[[NEXT:.*]] = tensor.insert_slice %[[FILL]] into %[[T]][%[[I]]] [2] [1]
// ONE-NEXT:      scf.yield %[[NEXT]]
// ONE:         return %[[R]]
func.func @fills(%x: f32, %init: tensor<14xf32>) -> tensor<14xf32> {
  %r = scf.forall (%i) = (0) to (14) step (2) shared_outs(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
    }
  }
  return %r : tensor<14xf32>
}

// -----

// Without threads each loop is one of its own, the first outermost.
// CHECK-LABEL: func.func @nest(
// CHECK:         scf.forall
// ONE-LABEL: func.func @nest(
// ONE-SAME:    %{{.*}}: f32, %[[INIT:.*]]: tensor<3x?xf32>, %[[SIZE:.*]]: index)
// ONE:         %[[R:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args(%[[T:.*]] = %[[INIT]])
// ONE:           %[[ROW:.*]] = scf.for %[[J:.*]] = %c0{{.*}} to %[[SIZE]] step %c1{{.*}} iter_args(%[[U:.*]] = %[[T]])
// ONE:             %[[NEXT:.*]] = tensor.insert_slice %{{.*}} into %[[U]][%[[I]], %[[J]]] [1, 1] [1, 1]
// ONE-NEXT:        scf.yield %[[NEXT]]
// ONE:           scf.yield %[[ROW]]
// ONE:         return %[[R]]
func.func @nest(%x: f32, %init: tensor<3x?xf32>, %size: index) -> tensor<3x?xf32> {
  %r = scf.forall (%i, %j) in (3, %size) shared_outs(%t = %init) -> (tensor<3x?xf32>) {
    %s = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<3x?xf32> to tensor<1x1xf32>
    %f = linalg.fill ins(%x : f32) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %t[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<3x?xf32>
    }
  }
  return %r : tensor<3x?xf32>
}

// -----

// Iterations read what was there before all of them.
// ONE-LABEL: func.func @reads_others(
// ONE-SAME:    %[[A:.*]]: tensor<14xf32>, %[[B:.*]]: tensor<7xf32>)
// ONE:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[T:.*]] = %[[A]], %[[U:.*]] = %[[B]])
// ONE:           %[[S:.*]] = tensor.extract_slice %[[T]][%[[I:.*]]] [2] [1]
// ONE:           %[[X:.*]] = tensor.extract %[[A]][%{{.*}}]
// ONE:           %[[E:.*]] = tensor.extract_slice %[[B]][0] [1] [1]
// ONE:           %[[FILL:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[S]]
// ONE:           %[[FIRST:.*]] = tensor.insert_slice %[[E]] into %[[U]]
// ONE:           %[[SECOND:.*]] = tensor.insert_slice %[[FILL]] into %[[T]]
// ONE:           scf.yield %[[SECOND]], %[[FIRST]]
// ONE:         return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func.func @reads_others(
// CHECK:         scf.forall
func.func @reads_others(%a: tensor<14xf32>, %b: tensor<7xf32>) -> (tensor<14xf32>, tensor<7xf32>) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.forall (%i) = (0) to (14) step (2) shared_outs(%t = %a, %u = %b) -> (tensor<14xf32>, tensor<7xf32>) {
    %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
    %x = tensor.extract %t[%c0] : tensor<14xf32>
    %e = tensor.extract_slice %u[0] [1] [1] : tensor<7xf32> to tensor<1xf32>
    %f = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %u[%half] [1] [1] : tensor<1xf32> into tensor<7xf32>
      tensor.parallel_insert_slice %f into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
    }
  }
  return %r#0, %r#1 : tensor<14xf32>, tensor<7xf32>
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
  %r = scf.forall (%f) = (0) to (5) step (5) shared_outs(%t = %init) -> (tensor<4x5xf32>) {
    %s = tensor.extract_slice %t[0, %f] [4, 5] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
    %room = tensor.empty() : tensor<5xf32>
    %copy = linalg.copy ins(%filter : tensor<5xf32>) outs(%room : tensor<5xf32>) -> tensor<5xf32>
    %rows = scf.forall (%i) in (4) shared_outs(%u = %s) -> (tensor<4x5xf32>) {
      %row = tensor.extract_slice %u[%i, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<5xf32>
      %sum = linalg.add ins(%copy, %copy : tensor<5xf32>, tensor<5xf32>) outs(%row : tensor<5xf32>) -> tensor<5xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %u[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<4x5xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %rows into %t[0, %f] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x5xf32>
    }
  }
  return %r : tensor<4x5xf32>
}

// -----

// A reduction stays in its order, as does any `scf.for`.
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

// Threads can run all iterations of a loop that writes the same slices again and
// again, and other parts of the tensor after them, without a stop.
// CHECK-LABEL: func.func @region(
// CHECK:         scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK:           scf.forall (%{{.*}}) = (0) to (14) step (2)
// CHECK:           } {convoy.thread_region = #convoy.thread_region<[[REGION:[0-9]+]]>}
// CHECK:           scf.forall (%{{.*}}) in (3)
// CHECK:           } {convoy.thread_region = #convoy.thread_region<[[REGION]]>}
// CHECK:           scf.yield
// CHECK-NEXT:    } {convoy.thread_region = #convoy.thread_region<[[REGION]]>}
// CHECK:         scf.forall
// CHECK:         } {convoy.thread_region = #convoy.thread_region<[[REGION]]>}
func.func @region(%x: f32, %init: tensor<20xf32>) -> tensor<20xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %whole = tensor.extract_slice %init[0] [17] [1] : tensor<20xf32> to tensor<17xf32>
  %sums = scf.for %b = %c0 to %c5 step %c1 iter_args(%q = %whole) -> (tensor<17xf32>) {
    %head = tensor.extract_slice %q[0] [14] [1] : tensor<17xf32> to tensor<14xf32>
    %r = scf.forall (%i) = (0) to (14) step (2) shared_outs(%t = %head) -> (tensor<14xf32>) {
      %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
      %u = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
      }
    }
    %first = tensor.insert_slice %r into %q[0] [14] [1] : tensor<14xf32> into tensor<17xf32>
    %rest = tensor.extract_slice %first[14] [3] [1] : tensor<17xf32> to tensor<3xf32>
    %r2 = scf.forall (%i) in (3) shared_outs(%t = %rest) -> (tensor<3xf32>) {
      %s = tensor.extract_slice %t[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
      }
    }
    %both = tensor.insert_slice %r2 into %first[14] [3] [1] : tensor<3xf32> into tensor<17xf32>
    scf.yield %both : tensor<17xf32>
  }
  %all = tensor.insert_slice %sums into %init[0] [17] [1] : tensor<17xf32> into tensor<20xf32>
  %tail = tensor.extract_slice %all[17] [3] [1] : tensor<20xf32> to tensor<3xf32>
  %r3 = scf.forall (%i) in (3) shared_outs(%t = %tail) -> (tensor<3xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
    }
  }
  %y = tensor.insert_slice %r3 into %all[17] [3] [1] : tensor<3xf32> into tensor<20xf32>
  return %y : tensor<20xf32>
}

// -----

// The second loop reads what all threads wrote in the first; the third writes
// slices that overlap those of the second; the slices of the last move.
// CHECK-LABEL: func.func @no_region(
// CHECK-COUNT-4: scf.forall
// CHECK-NOT:     thread_region
func.func @no_region(%init: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = tensor.extract_slice %init[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = scf.forall (%i) in (4) shared_outs(%t = %a) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %first = tensor.insert_slice %r into %init[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %b = tensor.extract_slice %first[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r2 = scf.forall (%i) in (4) shared_outs(%t = %b) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %j = arith.subi %c3, %i : index
    %other = tensor.extract_slice %r[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%other, %other : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %second = tensor.insert_slice %r2 into %first[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %c = tensor.extract_slice %second[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r3 = scf.forall (%i) in (4) shared_outs(%t = %c) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %third = tensor.insert_slice %r3 into %second[3] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = scf.for %k = %c0 to %c4 step %c1 iter_args(%q = %third) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %q[%k] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %r4 = scf.forall (%i) in (4) shared_outs(%t = %d) -> (tensor<4xf32>) {
      %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
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
// CHECK:           } {convoy.thread_region = #convoy.thread_region<[[REGION:[0-9]+]]>}
// CHECK:           } {convoy.thread_region = #convoy.thread_region<[[REGION]]>}
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
      %r = scf.forall (%i) in (4) shared_outs(%t = %d) -> (tensor<4xf32>) {
        %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %u = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %u into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        }
      }
      %e = tensor.insert_slice %r into %p[%k] [4] [1] : tensor<4xf32> into tensor<8xf32>
      scf.yield %e : tensor<8xf32>
    }
    scf.yield %all : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
