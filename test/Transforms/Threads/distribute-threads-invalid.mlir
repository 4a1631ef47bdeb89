// RUN: convoy-opt %s --convoy-distribute-threads=threads=2 --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<1xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{'scf.forall' op expected a loop on buffers, but it gives tensors}}
  %r = scf.forall (%i) in (5) shared_outs(%t = %init) -> (tensor<5xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %t[%i] [1] [1] : tensor<1xf32> into tensor<5xf32>
    }
  }
  return %r : tensor<5xf32>
}

// -----

// Both loops write the same elements.
func.func @same_elements(%x: f32, %b: memref<10xf32>) {
  // expected-note @below {{the other loop}}
  scf.forall (%i) in (10) {
    memref.store %x, %b[%i] : memref<10xf32>
  } {convoy.thread_region = #convoy.thread_region<7>}
  // expected-error @below {{does not fit its plan, #convoy.thread_region<7>: threads would not wait, but it may touch what another loop writes, or write what that touches}}
  scf.forall (%i) in (10) {
    memref.store %x, %b[%i] : memref<10xf32>
  } {convoy.thread_region = #convoy.thread_region<7>}
  return
}

// -----

// One element is in both slices.
func.func @overlapping_slices(%x: f32, %b: memref<10xf32>) {
  %one = memref.subview %b[0] [6] [1] : memref<10xf32> to memref<6xf32, strided<[1]>>
  %other = memref.subview %b[5] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: 5>>
  // expected-note @below {{the other loop}}
  scf.forall (%i) in (6) {
    memref.store %x, %one[%i] : memref<6xf32, strided<[1]>>
  } {convoy.thread_region = #convoy.thread_region<7>}
  // expected-error @below {{does not fit its plan, #convoy.thread_region<7>: threads would not wait}}
  scf.forall (%i) in (5) {
    memref.store %x, %other[%i] : memref<5xf32, strided<[1], offset: 5>>
  } {convoy.thread_region = #convoy.thread_region<7>}
  return
}

// -----

// The first loop reads what the second writes.
func.func @written_later(%x: f32, %a: memref<5xf32>, %b: memref<5xf32>) {
  %c4 = arith.constant 4 : index
  // expected-note @below {{the other loop}}
  scf.forall (%i) in (5) {
    %j = arith.subi %c4, %i : index
    %y = memref.load %a[%j] : memref<5xf32>
    memref.store %y, %b[%i] : memref<5xf32>
  } {convoy.thread_region = #convoy.thread_region<0>}
  // expected-error @below {{does not fit its plan, #convoy.thread_region<0>: threads would not wait}}
  scf.forall (%i) in (5) {
    memref.store %x, %a[%i] : memref<5xf32>
  } {convoy.thread_region = #convoy.thread_region<0>}
  return
}

// -----

// What a function is handed it may write.
func.func private @fill(memref<5xf32>)
func.func @calls(%x: f32, %a: memref<5xf32>) {
  // expected-note @below {{the other loop}}
  scf.forall (%i) in (5) {
    memref.store %x, %a[%i] : memref<5xf32>
  } {convoy.thread_region = #convoy.thread_region<0>}
  // expected-error @below {{does not fit its plan, #convoy.thread_region<0>: threads would not wait}}
  scf.forall (%i) in (1) {
    func.call @fill(%a) : (memref<5xf32>) -> ()
  } {convoy.thread_region = #convoy.thread_region<0>}
  return
}

// -----

// A buffer that may be either of two.
func.func @either(%x: f32, %a: memref<5xf32>, %b: memref<5xf32>, %which: i1) {
  %either = arith.select %which, %a, %b : memref<5xf32>
  // expected-note @below {{the other loop}}
  scf.forall (%i) in (5) {
    memref.store %x, %a[%i] : memref<5xf32>
  } {convoy.thread_region = #convoy.thread_region<0>}
  // expected-error @below {{does not fit its plan, #convoy.thread_region<0>: threads would not wait}}
  scf.forall (%i) in (5) {
    memref.store %x, %either[%i] : memref<5xf32>
  } {convoy.thread_region = #convoy.thread_region<0>}
  return
}

// -----

// Slices that do not overlap in one round, but do from round to round.
func.func @slices_of_rounds(%x: f32, %a: memref<5xf32>, %b: memref<20xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %part = memref.subview %b[%k] [10] [1] : memref<20xf32> to memref<10xf32, strided<[1], offset: ?>>
    %one = memref.subview %part[0] [5] [1] : memref<10xf32, strided<[1], offset: ?>> to memref<5xf32, strided<[1], offset: ?>>
    %other = memref.subview %part[5] [5] [1] : memref<10xf32, strided<[1], offset: ?>> to memref<5xf32, strided<[1], offset: ?>>
    // expected-note @below {{the other loop}}
    scf.forall (%i) in (5) {
      %y = memref.load %one[%i] : memref<5xf32, strided<[1], offset: ?>>
      memref.store %y, %a[%i] : memref<5xf32>
    } {convoy.thread_region = #convoy.thread_region<1>}
    // expected-error @below {{does not fit its plan, #convoy.thread_region<1>: threads would not wait, but it may touch}}
    scf.forall (%i) in (5) {
      memref.store %x, %other[%i] : memref<5xf32, strided<[1], offset: ?>>
    } {convoy.thread_region = #convoy.thread_region<1>}
  } {convoy.thread_region = #convoy.thread_region<1>}
  return
}

// -----

// An iteration writes what another has written a round before.
func.func @moving(%x: f32, %b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{the loop around it}}
  scf.for %k = %c0 to %c4 step %c1 {
    // expected-error @below {{does not fit its plan, #convoy.thread_region<1>: threads would not wait, but what it touches of a buffer that it writes may be another in each round of the loop around it}}
    scf.forall (%i) in (5) {
      %j = arith.addi %i, %k : index
      memref.store %x, %b[%j] : memref<10xf32>
    } {convoy.thread_region = #convoy.thread_region<1>}
  } {convoy.thread_region = #convoy.thread_region<1>}
  return
}

// -----

// Where it writes is read from memory.
func.func @indirect(%x: f32, %places: memref<5xindex>, %b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{the loop around it}}
  scf.for %k = %c0 to %c4 step %c1 {
    // expected-error @below {{does not fit its plan, #convoy.thread_region<1>: threads would not wait, but what it touches}}
    scf.forall (%i) in (5) {
      %j = memref.load %places[%i] : memref<5xindex>
      memref.store %x, %b[%j] : memref<10xf32>
    } {convoy.thread_region = #convoy.thread_region<1>}
  } {convoy.thread_region = #convoy.thread_region<1>}
  return
}

// -----

// The loop further out moves a slice, the one inside does not.
func.func @outer_rounds(%x: f32, %b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %part = memref.subview %b[%k] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: ?>>
    // expected-note @below {{the loop around it}}
    scf.for %l = %c0 to %c4 step %c1 {
      // expected-error @below {{does not fit its plan, #convoy.thread_region<1>: threads would not wait, but what it touches}}
      scf.forall (%i) in (5) {
        memref.store %x, %part[%i] : memref<5xf32, strided<[1], offset: ?>>
      } {convoy.thread_region = #convoy.thread_region<1>}
    } {convoy.thread_region = #convoy.thread_region<1>}
  } {convoy.thread_region = #convoy.thread_region<1>}
  return
}
