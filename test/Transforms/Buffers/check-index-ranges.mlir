// RUN: convoy-opt %s --convoy-check-index-ranges --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-check-index-ranges=bit-width=8 --split-input-file --verify-diagnostics
// RUN: not convoy-opt %s --convoy-check-index-ranges=bit-width=65 --split-input-file 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: expected an index of 2 to 64 bits, but got 65

// 10 * 12 + 7 is the highest index: signed numbers of 8 bits hold it.
// CHECK-LABEL: @fits
func.func @fits(%x: memref<128xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %last = scf.for %i = %c0 to %c11 step %c1 iter_args(%old = %zero) -> f32 {
    %inner = scf.for %j = %c0 to %c8 step %c1 iter_args(%ignored = %old) -> f32 {
      %row = arith.muli %i, %c12 : index
      %at = arith.addi %row, %j : index
      %value = memref.load %x[%at] : memref<128xf32>
      scf.yield %value : f32
    }
    scf.yield %inner : f32
  }
  return %last : f32
}

// -----

// One row more and the sum is 128 at most.
// CHECK-LABEL: @sum
func.func @sum(%x: memref<128xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %last = scf.for %i = %c0 to %c11 step %c1 iter_args(%old = %zero) -> f32 {
    %inner = scf.for %j = %c0 to %c9 step %c1 iter_args(%ignored = %old) -> f32 {
      %row = arith.muli %i, %c12 : index
      // expected-error @below {{computes an index from 0 to 128, which 8 bits do not hold}}
      %at = arith.addi %row, %j : index
      %value = memref.load %x[%at] : memref<128xf32>
      scf.yield %value : f32
    }
    scf.yield %inner : f32
  }
  return %last : f32
}

// -----

// CHECK-LABEL: @product
func.func @product(%x: memref<16x9xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %cm9 = arith.constant -9 : index
  %last = scf.for %i = %c0 to %c16 step %c1 iter_args(%old = %c0) -> index {
    // expected-error @below {{computes an index from -135 to 0, which 8 bits do not hold}}
    %down = arith.muli %i, %cm9 : index
    scf.yield %down : index
  }
  return %last : index
}

// -----

// Indices are small, but not the offset that they make.
// CHECK-LABEL: @buffer
func.func @buffer(%x: memref<16x9xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @below {{accesses a buffer whose last element is number 143, which 8 bits do not hold}}
  %value = memref.load %x[%c0, %c0] : memref<16x9xf32>
  return %value : f32
}

// -----

// Nothing is known of a dynamic size, nor of half of it.
// CHECK-LABEL: @dynamic
func.func @dynamic(%x: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %half = arith.divui %size, %c2 : index
  %more = arith.muli %half, %c8 : index
  return %more : index
}
