// RUN: convoy-opt %s --convoy-stage-scattered-tiles --canonicalize --cse | FileCheck %s

#lanes_outside = affine_map<(f, c) -> (c, f)>

// Rows along c whose lanes, along f, lie 90 elements apart go through a buffer;
// LLVM is to leave the loop as it is.
// CHECK-DAG: #[[NO_UNROLL:.+]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[NO_VECTORS:.+]] = #llvm.loop_vectorize<disable = true>
// CHECK-DAG: #[[LEFT_ALONE:.+]] = #llvm.loop_annotation<vectorize = #[[NO_VECTORS]], unroll = #[[NO_UNROLL]]>
// CHECK-LABEL: func.func @written
// CHECK-SAME: %[[ROWS:.+]]: vector<3x4xf32>, %[[RESULT:.+]]: memref<8x3xf32, strided<[90, 9]>>, %[[AT:.+]]: index
// CHECK: %[[STAGE:.+]] = memref.alloc() : memref<3x4xf32>
// CHECK: vector.transfer_write %[[ROWS]], %[[STAGE]][%c0, %c0] {in_bounds = [true, true]}
// CHECK: scf.for %[[LANE:.+]] = %c0 to %c4 step %c1 {
// CHECK: %[[F:.+]] = affine.apply #{{.+}}(%[[LANE]])[%[[AT]]]
// CHECK: %[[E0:.+]] = memref.load %[[STAGE]][%c0, %[[LANE]]]
// CHECK: memref.store %[[E0]], %[[RESULT]][%[[F]], %c0]
// CHECK: %[[E2:.+]] = memref.load %[[STAGE]][%c2, %[[LANE]]]
// CHECK: memref.store %[[E2]], %[[RESULT]][%[[F]], %c2]
// CHECK: } {llvm.loop_annotation = #[[LEFT_ALONE]]}
// CHECK-NOT: vector.transfer_write
func.func @written(%rows: vector<3x4xf32>, %result: memref<8x3xf32, strided<[90, 9]>>, %at: index) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %rows, %result[%at, %c0] {in_bounds = [true, true], permutation_map = #lanes_outside} : vector<3x4xf32>, memref<8x3xf32, strided<[90, 9]>>
  return
}

// Two that follow each other fill their stages before either leaves; the stages
// are outside of the loop over tiles.
// CHECK-LABEL: func.func @read_and_written
// CHECK-SAME: %[[BUFFER:.+]]: memref<8x3xf32, strided<[90, 9]>>
// CHECK-DAG: %[[A:.+]] = memref.alloc() : memref<3x4xf32>
// CHECK-DAG: %[[B:.+]] = memref.alloc() : memref<3x4xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %{{.+}}, %[[A_OR_B:.+]][%c0,
// CHECK: scf.for
// CHECK: %[[R0:.+]] = vector.transfer_read %[[A_OR_B]]
// CHECK: %[[R1:.+]] = vector.transfer_read
// CHECK: vector.transfer_write %[[R1]]
// CHECK: vector.transfer_write %[[R0]]
// CHECK: scf.for
// CHECK: scf.for
func.func @read_and_written(%buffer: memref<8x3xf32, strided<[90, 9]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %poison = ub.poison : f32
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = vector.transfer_read %buffer[%c0, %c0], %poison {in_bounds = [true, true], permutation_map = #lanes_outside} : memref<8x3xf32, strided<[90, 9]>>, vector<3x4xf32>
    %1 = vector.transfer_read %buffer[%c4, %c0], %poison {in_bounds = [true, true], permutation_map = #lanes_outside} : memref<8x3xf32, strided<[90, 9]>>, vector<3x4xf32>
    vector.transfer_write %1, %buffer[%c0, %c0] {in_bounds = [true, true], permutation_map = #lanes_outside} : vector<3x4xf32>, memref<8x3xf32, strided<[90, 9]>>
    vector.transfer_write %0, %buffer[%c4, %c0] {in_bounds = [true, true], permutation_map = #lanes_outside} : vector<3x4xf32>, memref<8x3xf32, strided<[90, 9]>>
  }
  return
}

// Each thread has a stage of its own.
// CHECK-LABEL: func.func @threads
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc() : memref<3x4xf32>
func.func @threads(%rows: vector<3x4xf32>, %result: memref<2x4x3xf32, strided<[360, 90, 9]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    vector.transfer_write %rows, %result[%i, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(i, f, c) -> (c, f)>} : vector<3x4xf32>, memref<2x4x3xf32, strided<[360, 90, 9]>>
  }
  return
}

// Lanes that lie side by side, a single row, and what may be out of bounds.
// CHECK-LABEL: func.func @left
// CHECK-NOT: memref.alloc
// CHECK: vector.transfer_write {{.*}} vector<3x4xf32>, memref<3x4xf32>
// CHECK: vector.transfer_write {{.*}} vector<4xf32>, memref<8x3xf32
// CHECK: vector.transfer_write {{.*}} vector<3x4xf32>, memref<8x3xf32
func.func @left(%rows: vector<3x4xf32>, %row: vector<4xf32>, %dense: memref<3x4xf32>, %apart: memref<8x3xf32, strided<[90, 9]>>, %at: index) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %rows, %dense[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, memref<3x4xf32>
  vector.transfer_write %row, %apart[%c0, %c0] {in_bounds = [true], permutation_map = affine_map<(f, c) -> (f)>} : vector<4xf32>, memref<8x3xf32, strided<[90, 9]>>
  vector.transfer_write %rows, %apart[%at, %c0] {permutation_map = #lanes_outside} : vector<3x4xf32>, memref<8x3xf32, strided<[90, 9]>>
  return
}
