// RUN: convoy-opt %s --convoy-distribute-threads=threads=2 --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-DAG: #[[$NO_UNROLLING:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[$NO_UNROLL:.*]] = #llvm.loop_annotation<unroll = #[[$NO_UNROLLING]]>

// CHECK-LABEL: func.func @five(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         scf.parallel (%[[T:.*]]) = (%[[C0]]) to (%[[C2]]) step (%[[C1]]) {
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[T]], %[[C1]]
// CHECK-DAG:       %[[A:.*]] = arith.muli %[[T]], %[[C5]]
// CHECK-DAG:       %[[FIRST:.*]] = arith.divui %[[A]], %[[C2]]
// CHECK-DAG:       %[[B:.*]] = arith.muli %[[NEXT]], %[[C5]]
// CHECK-DAG:       %[[END:.*]] = arith.divui %[[B]], %[[C2]]
// CHECK:           scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[C1]] {
// CHECK-NEXT:        memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK-NEXT:      } {llvm.loop_annotation = #[[$NO_UNROLL]]}
// CHECK-NOT:     scf.forall
func.func @five(%x: f32, %b: memref<5xf32>) {
  scf.forall (%i) in (5) {
    memref.store %x, %b[%i] : memref<5xf32>
  }
  return
}

// -----

// The last loop is the fastest; lower bounds and steps are counted in.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %{{.*}}: f32, %[[B:.*]]: memref<?x?xf32>, %[[SIZE:.*]]: index)
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK:         scf.parallel
// CHECK:           scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step
// CHECK-DAG:         %[[COLUMN:.*]] = arith.remui %[[N]], %[[C4]]
// CHECK-DAG:         %[[ROW:.*]] = arith.divui %[[N]], %[[C4]]
// CHECK-DAG:         %[[STEPS:.*]] = arith.muli %[[COLUMN]], %[[C3]]
// CHECK-DAG:         %[[J:.*]] = arith.addi %[[STEPS]], %[[C2]]
// CHECK:             memref.store %{{.*}}, %[[B]][%[[ROW]], %[[J]]]
func.func @nest(%x: f32, %b: memref<?x?xf32>, %size: index) {
  scf.forall (%i, %j) = (0, 2) to (%size, 12) step (1, 3) {
    memref.store %x, %b[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----

// One start of the threads for a region: what stands between its loops goes
// before them, and of the second loop the other thread takes the longer part.
// CHECK-LABEL: func.func @region(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         %[[REST:.*]] = memref.subview %{{.*}}[5] [5] [1]
// CHECK-NEXT:    scf.parallel (%[[T:.*]]) =
// CHECK-DAG:       %[[MOVED:.*]] = arith.addi %[[T]], %[[C1]]
// CHECK-DAG:       %[[PART:.*]] = arith.remui %[[MOVED]], %[[C2]]
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %[[C4]]
// CHECK:             arith.muli %[[T]], %[[C5]]
// CHECK:             scf.for
// CHECK:               memref.store
// CHECK:           arith.muli %[[PART]], %[[C5]]
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[REST]]
// CHECK-NOT:     scf.parallel
func.func @region(%x: f32, %b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.subview %b[0] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1]>>
  scf.for %k = %c0 to %c4 step %c1 {
    scf.forall (%i) in (5) {
      memref.store %x, %first[%i] : memref<5xf32, strided<[1]>>
    } {convoy.thread_region = #convoy.thread_region<7>}
  } {convoy.thread_region = #convoy.thread_region<7>}
  %rest = memref.subview %b[5] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: 5>>
  scf.forall (%i) in (5) {
    memref.store %x, %rest[%i] : memref<5xf32, strided<[1], offset: 5>>
  } {convoy.thread_region = #convoy.thread_region<7>}
  return
}

// -----

// No region any more: a buffer is filled between the loops, and one in a loop;
// the last loop has not been found to be of the region.
// CHECK-LABEL: func.func @cut(
// CHECK:         scf.parallel
// CHECK:         memref.store %{{.*}}, %{{.*}}[%c0]
// CHECK:         scf.parallel
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %{{.*}}[%c0]
// CHECK:           scf.parallel
// CHECK:         scf.for
// CHECK:           scf.parallel
func.func @cut(%x: f32, %b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (5) {
    memref.store %x, %b[%i] : memref<10xf32>
  } {convoy.thread_region = #convoy.thread_region<7>}
  memref.store %x, %b[%c0] : memref<10xf32>
  scf.forall (%i) in (5) {
    memref.store %x, %b[%i] : memref<10xf32>
  } {convoy.thread_region = #convoy.thread_region<7>}
  scf.for %k = %c0 to %c4 step %c1 {
    memref.store %x, %b[%c0] : memref<10xf32>
    scf.forall (%i) in (5) {
      memref.store %x, %b[%i] : memref<10xf32>
    } {convoy.thread_region = #convoy.thread_region<7>}
  } {convoy.thread_region = #convoy.thread_region<7>}
  scf.for %k = %c0 to %c4 step %c1 {
    scf.forall (%i) in (5) {
      memref.store %x, %b[%i] : memref<10xf32>
    }
  } {convoy.thread_region = #convoy.thread_region<8>}
  return
}

// -----

// CHECK-LABEL: func.func @nested(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             scf.parallel
// CHECK:               scf.for %[[J:.*]] =
// CHECK-NEXT:            memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @nested(%x: f32, %b: memref<10x6xf32>) {
  scf.forall (%i) in (10) {
    scf.forall (%j) in (6) {
      memref.store %x, %b[%i, %j] : memref<10x6xf32>
    }
  }
  return
}

// -----

// Loops that read what none writes, that write buffers of their own, or that
// have buffers for each iteration, need not wait, whatever is read in each round.
// CHECK-LABEL: func.func @disjoint(
// CHECK-COUNT-1: scf.parallel
// CHECK-NOT:     scf.parallel
memref.global "private" constant @table : memref<6xf32> = dense<1.0>
func.func @disjoint(%a: memref<6xf32>, %b: memref<10xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %table = memref.get_global @table : memref<6xf32>
  %part = memref.subview %b[%n] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: ?>>
  %one = memref.subview %part[0] [2] [1] : memref<5xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  %other = memref.subview %part[2] [3] [1] : memref<5xf32, strided<[1], offset: ?>> to memref<3xf32, strided<[1], offset: ?>>
  scf.for %k = %c0 to %c6 step %c3 {
    %read = memref.subview %a[%k] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    scf.forall (%i) in (2) {
      %x = memref.load %read[%i] : memref<3xf32, strided<[1], offset: ?>>
      %y = memref.load %table[%k] : memref<6xf32>
      %own = memref.alloc() : memref<6xf32>
      memref.store %y, %own[%k] : memref<6xf32>
      scf.for %j = %c0 to %k step %c1 {
        memref.store %x, %one[%i] : memref<2xf32, strided<[1], offset: ?>>
      }
    } {convoy.thread_region = #convoy.thread_region<0>}
    scf.forall (%i) in (3) {
      %x = memref.load %read[%i] : memref<3xf32, strided<[1], offset: ?>>
      memref.store %x, %other[%i] : memref<3xf32, strided<[1], offset: ?>>
    } {convoy.thread_region = #convoy.thread_region<0>}
  } {convoy.thread_region = #convoy.thread_region<0>}
  return
}
