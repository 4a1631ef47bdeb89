// RUN: convoy-opt %s --convoy-linalg-to-loops -canonicalize | FileCheck %s

// LLVM unrolls no loop of the nest, and is told that iterations of the innermost
// run in any order.
// CHECK-DAG:     #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG:     #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-DAG:     #[[PARALLEL:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]], parallelAccesses = #{{.*}}>
// CHECK-LABEL: func @fill(
// CHECK-SAME:    %[[R:.*]]: memref<3x5xf32>, %[[VALUE:.*]]: f32)
// CHECK:         scf.for %[[I:.*]] = %c0 to %c3
// CHECK:           scf.for %[[J:.*]] = %c0 to %c5
// CHECK:             memref.store %[[VALUE]], %[[R]][%[[I]], %[[J]]]
// CHECK-NEXT:      } {llvm.loop_annotation = #[[PARALLEL]]}
// CHECK-NEXT:    } {llvm.loop_annotation = #[[LOOP]]}
func.func @fill(%r: memref<3x5xf32>, %value: f32) {
  linalg.fill ins(%value : f32) outs(%r : memref<3x5xf32>)
  return
}

// On tensors nothing is done.
// CHECK-LABEL: func @tensor(
// CHECK:         linalg.fill
func.func @tensor(%r: tensor<3xf32>, %value: f32) -> tensor<3xf32> {
  %filled = linalg.fill ins(%value : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  return %filled : tensor<3xf32>
}

// What all iterations of the innermost loop read at one place is read before it.
// CHECK-LABEL: func @gather(
// CHECK-SAME:    %[[IMAGE:.*]]: memref<?x5xf32>, %[[ROW:.*]]: memref<3xindex>,
// CHECK:         scf.for %[[I:.*]] = %c0 to %c3
// CHECK-NEXT:      %[[AT:.*]] = memref.load %[[ROW]][%[[I]]]
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0 to %c5
// CHECK-NEXT:        %[[X:.*]] = memref.load %[[IMAGE]][%[[AT]], %[[J]]]
// CHECK-NEXT:        memref.store %[[X]]
func.func @gather(%image: memref<?x5xf32>, %row: memref<3xindex>, %r: memref<3x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%row : memref<3xindex>) outs(%r : memref<3x5xf32>) {
  ^bb0(%at: index, %old: f32):
    %j = linalg.index 1 : index
    %x = memref.load %image[%at, %j] : memref<?x5xf32>
    linalg.yield %x : f32
  }
  return
}

// A loop that may have no iteration may have nothing to read.
// CHECK-LABEL: func @dynamic(
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load
func.func @dynamic(%row: memref<3xf32>, %r: memref<3x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%row : memref<3xf32>) outs(%r : memref<3x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// Sums are read and written in an order.
// CHECK-LABEL: func @sum(
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:             memref.load
// CHECK:           } {llvm.loop_annotation = #[[LOOP]]}
func.func @sum(%rows: memref<3x5xf32>, %r: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%rows : memref<3x5xf32>) outs(%r : memref<3xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %next = arith.addf %sum, %x : f32
    linalg.yield %next : f32
  }
  return
}

// Neither do loops run in any order that write one element several times,
// whatever they are called: the last one counts.
// CHECK-LABEL: func @last(
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load
// CHECK-NEXT:        memref.store
// CHECK-NEXT:      } {llvm.loop_annotation = #[[LOOP]]}
func.func @last(%rows: memref<3x5xf32>, %r: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<3x5xf32>) outs(%r : memref<3xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}
