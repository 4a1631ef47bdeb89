// RUN: convoy-opt %s --convoy-allocate-workspace --canonicalize --split-input-file | FileCheck %s

// Buffers follow each other, each at a multiple of 64 bytes.
// CHECK-LABEL: func @static(
// CHECK-SAME:    %[[X:.*]]: memref<7xf32>, %[[WORKSPACE:.*]]: memref<?xi8>)
// CHECK-SAME:    convoy.workspace = 192 : i64
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     memref.view %[[WORKSPACE]][%[[C0]]][] : memref<?xi8> to memref<17xf32>
// CHECK-DAG:     memref.view %[[WORKSPACE]][%[[C128]]][] : memref<?xi8> to memref<3x2xf64>
// CHECK-NOT:     memref.alloc
func.func @static(%x: memref<7xf32>) attributes {convoy.arguments = []} {
  %i = arith.constant 2 : index
  %first = memref.alloc() : memref<17xf32>
  %second = memref.alloc() : memref<3x2xf64>
  %v = memref.load %first[%i] : memref<17xf32>
  %d = memref.load %second[%i, %i] : memref<3x2xf64>
  memref.store %v, %first[%i] : memref<17xf32>
  %u = arith.truncf %d : f64 to f32
  memref.store %u, %x[%i] : memref<7xf32>
  memref.store %v, %x[%i] : memref<7xf32>
  return
}

// -----

// Buffers that are not in use at the same time share a place, views and loops
// counted in; the larger one says how large it is.
// CHECK-LABEL: func @turns(
// CHECK-SAME:    %[[WORKSPACE:[^:]*]]: memref<?xi8>)
// CHECK-SAME:    convoy.workspace = 320 : i64
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C192:.*]] = arith.constant 192 : index
// CHECK-DAG:     memref.view %[[WORKSPACE]][%[[C0]]][] : memref<?xi8> to memref<33xf32>
// CHECK-DAG:     memref.view %[[WORKSPACE]][%[[C192]]][] : memref<?xi8> to memref<17xf32>
// CHECK-DAG:     memref.view %[[WORKSPACE]][%[[C0]]][] : memref<?xi8> to memref<40xf32>
func.func @turns(%x: memref<7xf32>) attributes {convoy.arguments = []} {
  %zero = arith.constant 0 : index
  %i = arith.constant 2 : index
  %first = memref.alloc() : memref<33xf32>
  %other = memref.alloc() : memref<17xf32>
  %second = memref.alloc() : memref<40xf32>
  %part = memref.subview %first[3] [4] [1] : memref<33xf32> to memref<4xf32, strided<[1], offset: 3>>
  %v = memref.load %other[%i] : memref<17xf32>
  scf.for %k = %zero to %i step %i {
    memref.store %v, %part[%k] : memref<4xf32, strided<[1], offset: 3>>
  }
  %u = memref.load %second[%i] : memref<40xf32>
  memref.store %u, %other[%i] : memref<17xf32>
  memref.store %u, %x[%i] : memref<7xf32>
  return
}

// -----

// Each of 3 threads has room of its own, behind what they share; loops that run
// one after the other have the same.
// CHECK-LABEL: func @threads(
// CHECK-SAME:    %[[WORKSPACE:[^:]*]]: memref<?xi8>)
// CHECK-SAME:    convoy.workspace = 448 : i64
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[SHARED:.*]] = memref.view %[[WORKSPACE]][%[[C0]]][] : memref<?xi8> to memref<7xf32>
// CHECK:         scf.parallel (%[[T:.*]]) =
// CHECK-DAG:       %[[BEFORE:.*]] = arith.muli %[[T]], %[[C128]]
// CHECK-DAG:       %[[OFFSET:.*]] = arith.addi %[[BEFORE]], %[[C64]]
// CHECK-DAG:       memref.view %[[WORKSPACE]][%[[OFFSET]]][] : memref<?xi8> to memref<17xf32>
// CHECK:         scf.parallel (%[[T2:.*]]) =
// CHECK-DAG:       %[[BEFORE2:.*]] = arith.muli %[[T2]], %[[C64]]
// CHECK-DAG:       %[[OFFSET2:.*]] = arith.addi %[[BEFORE2]], %[[C64]]
// CHECK-DAG:       memref.view %[[WORKSPACE]][%[[OFFSET2]]][] : memref<?xi8> to memref<5xf32>
// CHECK-NOT:     memref.alloc
func.func @threads(%x: memref<7xf32>) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %shared = memref.alloc() : memref<7xf32>
  %v = memref.load %x[%c1] : memref<7xf32>
  memref.store %v, %shared[%c1] : memref<7xf32>
  scf.parallel (%t) = (%c0) to (%c3) step (%c1) {
    %own = memref.alloc() : memref<17xf32>
    %u = memref.load %shared[%c1] : memref<7xf32>
    memref.store %u, %own[%t] : memref<17xf32>
    %w = memref.load %own[%c1] : memref<17xf32>
    memref.store %w, %x[%t] : memref<7xf32>
  }
  scf.parallel (%t) = (%c0) to (%c3) step (%c1) {
    %own = memref.alloc() : memref<5xf32>
    memref.store %v, %own[%t] : memref<5xf32>
    %w = memref.load %own[%c1] : memref<5xf32>
    memref.store %w, %x[%t] : memref<7xf32>
  }
  return
}

// -----

// The same for sizes that are dynamic.
// CHECK-LABEL: func @dynamic_threads_workspace_size(
// CHECK-SAME:    %[[N:.*]]: i64)
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK:         %[[PIECES:.*]] = arith.ceildivui
// CHECK-NEXT:    %[[BOTH:.*]] = arith.muli %[[PIECES]], %[[C128]]
// CHECK-NEXT:    arith.select %{{.*}}, %[[BOTH]],
func.func @dynamic_threads(%x: memref<?xf32>) attributes {convoy.arguments = [{name = "x", type = tensor<?xf32>, layout = "w", written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %v = memref.load %x[%c1] : memref<?xf32>
  scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
    %own = memref.alloc(%n) : memref<?xf32>
    memref.store %v, %own[%t] : memref<?xf32>
    %w = memref.load %own[%c1] : memref<?xf32>
    memref.store %w, %x[%t] : memref<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func @nothing(
// CHECK-SAME:    %{{.*}}: memref<7xf32>, %{{.*}}: memref<?xi8>)
// CHECK-SAME:    convoy.workspace = 0 : i64
func.func @nothing(%x: memref<7xf32>) attributes {convoy.arguments = []} {
  return
}

// -----

// Dynamic sizes: a function repeats the computation from the arguments' sizes,
// and gives -1 where one is negative.
// CHECK-LABEL: func @dynamic_workspace_size(
// CHECK-SAME:    %{{.*}}: i64, %[[N:.*]]: i64, %{{.*}}: i64) -> i64
// CHECK:         %[[SIZE:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK:         %[[PADDED:.*]] = arith.addi %[[SIZE]], %{{.*}}
// CHECK:         %[[BYTES:.*]] = arith.muli %[[PADDED]], %{{.*}}
// CHECK-DAG:     %[[UNITS:.*]] = arith.ceildivui %[[BYTES]], %[[C64:.*]] :
// CHECK:         %[[ALIGNED:.*]] = arith.muli %[[UNITS]], %[[C64]]
// CHECK:         %[[KNOWN:.*]] = arith.select %{{.*}}, %[[ALIGNED]], %c-1
// CHECK:         %[[RESULT:.*]] = arith.index_cast %[[KNOWN]]
// CHECK:         return %[[RESULT]]
// CHECK-LABEL: func @dynamic(
// CHECK-NOT:     convoy.workspace
// CHECK-NOT:     memref.alloc
func.func @dynamic(%x: memref<?x7xf32>, %y: memref<?x3x?xf32>) attributes {convoy.arguments = [
    {layout = "", name = "x", type = tensor<?x7xf32>, written = true},
    {layout = "", name = "y", type = tensor<?x3x?xf32>, written = false}]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %y, %c0 : memref<?x3x?xf32>
  %padded = arith.addi %n, %c2 : index
  %buffer = memref.alloc(%padded) : memref<?x9xf32>
  %v = memref.load %buffer[%c0, %c0] : memref<?x9xf32>
  memref.store %v, %x[%c0, %c0] : memref<?x7xf32>
  return
}

// -----

// Functions that are no kernels keep their buffers.
// CHECK-LABEL: func @not_a_kernel(
// CHECK:         memref.alloc
func.func @not_a_kernel() -> memref<7xf32> {
  %buffer = memref.alloc() : memref<7xf32>
  return %buffer : memref<7xf32>
}

// -----

// On a GPU the one dynamic size is the batch's: a place has a part that does not
// depend on it and one for each image, both at multiples of 256 bytes.
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 32768, workgroup_items = 64>} {
  // CHECK-LABEL: func @images(
  // CHECK-SAME:    convoy.image_workspace = 768 : i64, convoy.workspace = 256 : i64
  // CHECK:         %[[N:.*]] = memref.dim
  // CHECK-DAG:     memref.view %{{.*}}[%{{.*}}][%[[N]]] : memref<?xi8> to memref<?x33xf32>
  // CHECK-DAG:     memref.view %{{.*}}[%{{.*}}][%[[N]]] : memref<?xi8> to memref<?x70xf32>
  // CHECK-DAG:     memref.view %{{.*}}[%{{.*}}][] : memref<?xi8> to memref<17xf32>
  func.func @images(%x: memref<?x7xf32>) attributes {convoy.arguments = []} {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?x7xf32>
    %first = memref.alloc(%n) : memref<?x33xf32>
    %second = memref.alloc(%n) : memref<?x70xf32>
    %third = memref.alloc() : memref<17xf32>
    %v = memref.load %x[%c0, %c0] : memref<?x7xf32>
    memref.store %v, %first[%c0, %c0] : memref<?x33xf32>
    memref.store %v, %second[%c0, %c0] : memref<?x70xf32>
    memref.store %v, %third[%c0] : memref<17xf32>
    memref.store %v, %first[%c0, %c0] : memref<?x33xf32>
    memref.store %v, %second[%c0, %c0] : memref<?x70xf32>
    return
  }
}
