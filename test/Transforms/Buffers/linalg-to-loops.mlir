// RUN: convoy-opt %s --convoy-linalg-to-loops -canonicalize | FileCheck %s
// RUN: convoy-opt %s --convoy-linalg-to-loops | FileCheck %s --check-prefix=INDICES

// Indices that are a loop's own are not computed.
// INDICES-LABEL: func @fill(
// INDICES-NOT:     affine.apply
// INDICES-LABEL: func @tensor(

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

// The innermost loop goes over elements that lie side by side in what is read and
// written, also where a reduction was; the parts of one sum keep their order.
// CHECK-LABEL: func @pool(
// CHECK-SAME:    %[[X:.*]]: memref<2x11x19x8xf32>, %{{.*}}, %[[R:.*]]: memref<2x5x9x8xf32>)
// CHECK:         scf.for %[[N:.*]] = %c0 to %c2
// CHECK:         scf.for %[[H:.*]] = %c0 to %c5
// CHECK:         scf.for %[[W:.*]] = %c0 to %c9
// CHECK:         scf.for %[[P:.*]] = %c0 to %c3
// CHECK:         scf.for %[[Q:.*]] = %c0 to %c2
// CHECK:         scf.for %[[C:.*]] = %c0 to %c8
// CHECK:           memref.load %[[X]][%[[N]], %{{.*}}, %{{.*}}, %[[C]]]
// CHECK:           memref.load %[[R]][%[[N]], %[[H]], %[[W]], %[[C]]]
// CHECK:           memref.store %{{.*}}, %[[R]][%[[N]], %[[H]], %[[W]], %[[C]]]
// CHECK-NEXT:    } {llvm.loop_annotation = #loop_annotation{{[0-9]+}}}
// CHECK-NEXT:    } {llvm.loop_annotation = #[[LOOP]]}
func.func @pool(%x: memref<2x11x19x8xf32>, %window: memref<3x2xf32>, %r: memref<2x5x9x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, h, w, c, p, q) -> (n, h * 2 + p, w * 2 + q, c)>,
                                   affine_map<(n, h, w, c, p, q) -> (p, q)>,
                                   affine_map<(n, h, w, c, p, q) -> (n, h, w, c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : memref<2x11x19x8xf32>, memref<3x2xf32>) outs(%r : memref<2x5x9x8xf32>) {
  ^bb0(%in: f32, %unread: f32, %old: f32):
    %max = arith.maximumf %old, %in : f32
    linalg.yield %max : f32
  }
  return
}

// Not where the reduction goes over such elements, nor where a vector would have a
// few alone.
// CHECK-LABEL: func @rows(
// CHECK:         scf.for %{{.*}} = %c0 to %c9
// CHECK:         scf.for %{{.*}} = %c0 to %c5
// CHECK-LABEL: func @few(
// CHECK:         scf.for %{{.*}} = %c0 to %c3
// CHECK:         scf.for %{{.*}} = %c0 to %c5
func.func @rows(%x: memref<9x5xf32>, %r: memref<9xf32>) {
  linalg.generic {indexing_maps = [affine_map<(c, p) -> (c, p)>, affine_map<(c, p) -> (c)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<9x5xf32>) outs(%r : memref<9xf32>) {
  ^bb0(%in: f32, %old: f32):
    %sum = arith.addf %old, %in : f32
    linalg.yield %sum : f32
  }
  return
}
func.func @few(%x: memref<5x3xf32>, %r: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(c, p) -> (p, c)>, affine_map<(c, p) -> (c)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<5x3xf32>) outs(%r : memref<3xf32>) {
  ^bb0(%in: f32, %old: f32):
    %sum = arith.addf %old, %in : f32
    linalg.yield %sum : f32
  }
  return
}
