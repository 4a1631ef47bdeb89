// RUN: convoy-opt %s --convoy-parallelize-copies --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @fill(
// CHECK-SAME:    %[[X:.*]]: f32, %[[B:.*]]: memref<8x9216xf32>)
// CHECK:         scf.forall (%[[I:.*]]) in (8) {
// CHECK:           %[[ROW:.*]] = memref.subview %[[B]][%[[I]], 0] [1, 9216] [1, 1]
// CHECK:           linalg.fill ins(%[[X]] : f32) outs(%[[ROW]]
func.func @fill(%x: f32, %b: memref<8x9216xf32>) {
  linalg.fill ins(%x : f32) outs(%b : memref<8x9216xf32>)
  return
}

// -----

// Loops go along the destination or the source; each iteration writes 4 KiB or
// more.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME:    %[[A:.*]]: memref<?x1024x17xf32>, %[[B:.*]]: memref<17x?x1024xf32>)
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) in (17, %{{.*}}) {
// CHECK-DAG:       %[[FROM:.*]] = memref.subview %[[A]][%[[J]], 0, %[[I]]] [1, 1024, 1] [1, 1, 1]
// CHECK-DAG:       %[[TO:.*]] = memref.subview %[[B]][%[[I]], %[[J]], 0] [1, 1, 1024] [1, 1, 1]
// CHECK:           linalg.generic {{.*}} ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
func.func @transpose(%a: memref<?x1024x17xf32>, %b: memref<17x?x1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k, i)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<?x1024x17xf32>) outs(%b : memref<17x?x1024xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK-NOT:     scf.forall
func.func @small(%x: f32, %b: memref<8x2047xf32>) {
  linalg.fill ins(%x : f32) outs(%b : memref<8x2047xf32>)
  return
}

// -----

// Reductions are shared, too, where others are inside the loops that threads
// share, and with them what fills their results.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[A:.*]]: memref<8x9216xf32>, %[[C:.*]]: memref<8xf32>, %[[ZERO:.*]]: f32)
// CHECK-NEXT:    scf.forall (%[[I:.*]]) in (8) {
// CHECK-DAG:       %[[FROM:.*]] = memref.subview %[[A]][%[[I]], 0] [1, 9216] [1, 1]
// CHECK-DAG:       %[[TO:.*]] = memref.subview %[[C]][%[[I]]] [1] [1]
// CHECK:           linalg.fill ins(%[[ZERO]] : f32) outs(%[[TO]]
// CHECK:           linalg.generic {{.*}} ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @sum(%a: memref<8x9216xf32>, %c: memref<8xf32>, %zero: f32) {
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<8x9216xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Elements side by side are reduced 64 and more at a time, by vectors.
// CHECK-LABEL: func.func @lanes(
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (144) step (72) {
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : memref<2048x72xi32, {{.*}}>) outs(%{{.*}} : memref<72xi32, {{.*}}>)
func.func @lanes(%a: memref<2048x144xi32>, %c: memref<144xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<2048x144xi32>) outs(%c : memref<144xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  }
  return
}

// -----

// The outer loop adds to the same elements again and again.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     scf.forall
func.func @columns(%a: memref<8x9216xf32>, %c: memref<9216xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<8x9216xf32>) outs(%c : memref<9216xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Two iterations are too few: the loop inside is cut, of which one step writes
// 1.5 KiB, into the shortest equal parts of 16 steps or more.
// CHECK-LABEL: func.func @pieces(
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (2, 90) step (1, 18) {
// CHECK-DAG:       %[[FROM:.*]] = memref.subview %{{.*}}[%[[J]], %[[I]], 0] [18, 1, 384] [1, 1, 1]
// CHECK-DAG:       %[[TO:.*]] = memref.subview %{{.*}}[%[[I]], %[[J]], 0] [1, 18, 384] [1, 1, 1]
// CHECK:           linalg.generic {{.*}} ins(%[[FROM]] : {{.*}}) outs(%[[TO]] : {{.*}})
func.func @pieces(%a: memref<90x2x384xf32>, %b: memref<2x90x384xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<90x2x384xf32>) outs(%b : memref<2x90x384xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Six loops, as of a packed im2col; sums of loops are no reason to stay.
// CHECK-LABEL: func.func @packed(
// CHECK:         scf.forall (%{{.*}}, %[[J:.*]]) = (0, 0) to (1, 64) step (1, 16) {
// CHECK:           memref.subview %{{.*}}[%{{.*}}, %[[J]], 0, 0] [1, 16, 18, 56] [1, 1, 1, 1]
func.func @packed(%a: memref<1x64x18x56xf32>, %b: memref<1x64x1x1x18x56xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, c, r, s, h, w) -> (n, c, h + r, w + s)>,
                                   affine_map<(n, c, r, s, h, w) -> (n, c, r, s, h, w)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a : memref<1x64x18x56xf32>) outs(%b : memref<1x64x1x1x18x56xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// What runs in parallel already.
// CHECK-LABEL: func.func @inside(
// CHECK:         scf.forall
// CHECK-NOT:     scf.forall (
func.func @inside(%x: f32, %b: memref<2x8x9216xf32>) {
  scf.forall (%i) in (2) {
    %row = memref.subview %b[%i, 0, 0] [1, 8, 9216] [1, 1, 1]
        : memref<2x8x9216xf32> to memref<8x9216xf32, strided<[9216, 1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%row : memref<8x9216xf32, strided<[9216, 1], offset: ?>>)
  }
  return
}
