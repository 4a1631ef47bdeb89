// RUN: convoy-opt %s --convoy-convert-gpu-to-host --canonicalize | FileCheck %s
// RUN: convoy-opt %s --convoy-convert-gpu-to-host="checks=false" --canonicalize | FileCheck %s --check-prefix=FAST

// CHECK-DAG:   func.func private @convoy_simulated_barrier(index, index)
// CHECK-DAG:   func.func private @convoy_simulated_read(index, index, index, index) -> index
// CHECK-DAG:   func.func private @convoy_simulated_write(index, index, index, index) -> index

// The host's function stays.
// CHECK:       func.func @host()
func.func @host() {
  return
}

// FAST-NOT:      convoy_simulated_read
// FAST-NOT:      convoy_simulated_write
gpu.module @kernels {
  // Checked; groups of 6x4x2; no size; 2 buffers, and 1 of the group; their elements; no
  // matrix instructions.
  // CHECK:       memref.global "private" constant @turn.layout.numbers : memref<14xi64> = dense<[1, 6, 4, 2, 0, 2, 1, 96, 4, 24, 2, 48, 4, 0]>
  // FAST:        memref.global "private" constant @turn.layout.numbers : memref<14xi64> = dense<[0, 6, 4, 2, 0, 2, 1, 96, 4, 24, 2, 48, 4, 0]>
  // CHECK:       func.func @turn.layout(%[[WHICH:.*]]: index) -> index
  // CHECK:         %[[TABLE:.*]] = memref.get_global @turn.layout.numbers
  // CHECK:         memref.load %[[TABLE]][%[[WHICH]]]
  // CHECK-LABEL: func.func @turn(
  // CHECK-SAME:    %[[ITEM:[^:]*]]: index, %[[GX:[^:]*]]: index, %[[GY:[^:]*]]: index, %[[GZ:[^:]*]]: index,
  // CHECK-SAME:    %[[X:[^:]*]]: index, %[[Y:[^:]*]]: index, %[[Z:[^:]*]]: index,
  // CHECK-SAME:    %[[A:[^:]*]]: memref<96xf32>, %[[B:[^:]*]]: memref<24xf16>, %[[S:[^:]*]]: memref<48xf32>) {
  // FAST-LABEL:  func.func @turn(
  gpu.func @turn(%a: memref<96xf32>, %b: memref<24xf16>) workgroup(%s: memref<48xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 6, 4, 2>} {
    // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
    // CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
    // CHECK-DAG:     %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
    %gx = gpu.block_id x
    %gz = gpu.block_id z
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %ny = gpu.block_dim y
    // CHECK:         %[[XY:.*]] = arith.muli %[[X]], %[[Y]]
    %xy = arith.muli %x, %y : index
    // CHECK:         %[[GXY:.*]] = arith.addi %[[GX]], %[[GZ]]
    %gxz = arith.addi %gx, %gz : index
    // CHECK:         %[[P:.*]] = arith.muli %[[XY]], %[[C4]]
    %p = arith.muli %xy, %ny : index
    // CHECK:         %[[ANSWER:.*]] = call @convoy_simulated_read(%[[ITEM]], %[[C0]], %[[GXY]], %[[C4]])
    // CHECK:         %[[ALLOWED:.*]] = arith.cmpi ne, %[[ANSWER]], %[[C0]]
    // CHECK:         %[[V:.*]] = scf.if %[[ALLOWED]] -> (vector<4xf32>) {
    // CHECK:           %[[LOADED:.*]] = vector.load %[[A]][%[[GXY]]] : memref<96xf32>, vector<4xf32>
    // CHECK:           scf.yield %[[LOADED]]
    // CHECK:         } else {
    // CHECK:           scf.yield %[[ZEROS]]
    // FAST:          vector.load
    // FAST-NOT:      scf.if
    %v = vector.load %a[%gxz] : memref<96xf32>, vector<4xf32>
    // CHECK:         call @convoy_simulated_write(%[[ITEM]], %[[C2]], %[[P]], %[[C4]])
    // CHECK:         scf.if
    // CHECK:           vector.store %[[V]], %[[S]][%[[P]]] : memref<48xf32>, vector<4xf32>
    vector.store %v, %s[%p] : memref<48xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK:         call @convoy_simulated_barrier(%[[ITEM]], %[[C0]])
    // FAST:          call @convoy_simulated_barrier
    gpu.barrier
    // CHECK:         call @convoy_simulated_read(%[[ITEM]], %[[C2]], %[[X]], %[[C1]])
    // CHECK:         %[[E:.*]] = scf.if
    // CHECK:           memref.load %[[S]][%[[X]]]
    // CHECK:           scf.yield %[[ZERO]]
    %e = memref.load %s[%x] : memref<48xf32, #gpu.address_space<workgroup>>
    // CHECK:         call @convoy_simulated_barrier(%[[ITEM]], %[[C1]])
    gpu.barrier
    // CHECK:         %[[N:.*]] = arith.truncf %[[E]]
    %n = arith.truncf %e : f32 to f16
    // CHECK:         call @convoy_simulated_write(%[[ITEM]], %[[C1]], %[[P]], %[[C1]])
    // CHECK:         memref.store %[[N]], %[[B]][%[[P]]]
    memref.store %n, %b[%p] : memref<24xf16>
    // CHECK:         return
    gpu.return
  }

  // A buffer of any size is an address of as much as indices reach; the batch
  // comes in front of the buffers.
  // CHECK:       @batch.layout.numbers : memref<10xi64> = dense<[1, 8, 1, 1, 1, 1, 0, -1, 4, 0]>
  // CHECK-LABEL: func.func @batch(
  // CHECK-SAME:    %[[N:[^:,]*]]: index, %{{[^:]*}}: memref<1073741824xf32>) {
  gpu.func @batch(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %z = gpu.block_id z
    // CHECK:         arith.cmpi ult, %{{.*}}, %[[N]]
    %batch = arith.index_cast %n : i32 to index
    %inside = arith.cmpi ult, %z, %batch : index
    scf.if %inside {
      %x = memref.load %a[%z] : memref<?xf32>
      memref.store %x, %a[%z] : memref<?xf32>
    }
    gpu.return
  }

  // Elements that are vectors, as those of kernels for Vulkan, are one each.
  // CHECK:       @vectors.layout.numbers : memref<14xi64> = dense<[1, 8, 1, 1, 0, 2, 1, 6, 16, -1, 8, 12, 8, 0]>
  // CHECK-LABEL: func.func @vectors(
  // CHECK-SAME:    %{{[^:]*}}: memref<6xvector<4xf32>>, %{{[^:]*}}: memref<1073741824xvector<2xi32>>, %{{[^:]*}}: memref<12xvector<4xf16>>) {
  gpu.func @vectors(%a: memref<6xvector<4xf32>>, %b: memref<?xvector<2xi32>>)
      workgroup(%s: memref<12xvector<4xf16>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %x = gpu.thread_id x
    // CHECK:         call @convoy_simulated_read(%{{.*}}, %{{.*}}, %[[X:.*]], %[[ONE:.*]])
    // CHECK:         scf.if %{{.*}} -> (vector<4xf32>) {
    // CHECK:           memref.load
    %e = memref.load %a[%x] : memref<6xvector<4xf32>>
    %n = arith.truncf %e : vector<4xf32> to vector<4xf16>
    // CHECK:         call @convoy_simulated_write(%{{.*}}, %{{.*}}, %[[X]], %[[ONE]])
    // CHECK:         memref.store %{{.*}} : memref<12xvector<4xf16>>
    memref.store %n, %s[%x] : memref<12xvector<4xf16>, #gpu.address_space<workgroup>>
    // CHECK:         call @convoy_simulated_read(%{{.*}}, %{{.*}}, %[[X]], %[[ONE]])
    // CHECK:         vector.load
    %w = vector.load %b[%x] : memref<?xvector<2xi32>>, vector<2xi32>
    // CHECK:         call @convoy_simulated_write(%{{.*}}, %{{.*}}, %[[X]], %[[ONE]])
    vector.store %w, %b[%x] : memref<?xvector<2xi32>>, vector<2xi32>
    gpu.return
  }
}
// CHECK-NOT: gpu.
