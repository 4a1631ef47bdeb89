// Kernels that copy the next tile into one half of a buffer while they compute
// with the other: an iteration reads what the one before it left.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK: certified: @product:

// What is wrong in the order, or with the halves, is found.
// RUN: sed 's/gpu.barrier \/\/ at the end//' %t/after.mlir > %t/no-wait.mlir
// RUN: not convoy-certify %t/before.mlir %t/no-wait.mlir | FileCheck %s --check-prefix=NO-WAIT
// NO-WAIT: undecided: @product: {{.*}}an element that an iteration in parallel may write meanwhile
// RUN: sed 's/%into = arith.remui %following, %c2/%into = arith.remui %k, %c2/' %t/after.mlir > %t/same-half.mlir
// RUN: not convoy-certify %t/before.mlir %t/same-half.mlir | FileCheck %s --check-prefix=SAME-HALF
// SAME-HALF: undecided: @product: {{.*}}an element that an iteration in parallel may write meanwhile
// RUN: sed 's/%last = arith.constant 0/%last = arith.constant 16/' %t/after.mlir > %t/other-half.mlir
// RUN: not convoy-certify %t/before.mlir %t/other-half.mlir | FileCheck %s --check-prefix=OTHER-HALF
// OTHER-HALF: different: @product: element [{{.*}}]: the second function
// RUN: sed 's/%depth = arith.muli %following/%depth = arith.muli %k/' %t/after.mlir > %t/again.mlir
// RUN: not convoy-certify %t/before.mlir %t/again.mlir | FileCheck %s --check-prefix=AGAIN
// AGAIN: different: @product: element [{{.*}}]: the second function
// RUN: sed 's/to %c2 step/to %c1 step/' %t/after.mlir > %t/too-short.mlir
// RUN: not convoy-certify %t/before.mlir %t/too-short.mlir | FileCheck %s --check-prefix=TOO-SHORT
// TOO-SHORT: different: @product: element [{{.*}}]: the second function

//--- before.mlir
func.func @product(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- after.mlir
func.func @product(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = convoy.launch @kernels::@product grid [2, 2, 1] ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
gpu.module @kernels {
  gpu.func @product(%a: memref<96xf32>, %b: memref<96xf32>, %c: memref<64xf32>)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>, %z: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %gx = gpu.block_id x
    %gy = gpu.block_id y
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %rows = arith.muli %gy, %c4 : index
    %row = arith.addi %rows, %y : index
    %columns = arith.muli %gx, %c4 : index
    %column = arith.addi %columns, %x : index
    %out = arith.muli %row, %c8 : index
    %place = arith.addi %out, %column : index
    %init = memref.load %c[%place] : memref<64xf32>
    %line = arith.muli %row, %c12 : index
    %in = arith.muli %y, %c4 : index
    %cell = arith.addi %in, %x : index
    // The first tile.
    %from = arith.addi %line, %x : index
    %v = memref.load %a[%from] : memref<96xf32>
    memref.store %v, %s[%cell] : memref<32xf32, #gpu.address_space<workgroup>>
    %above = arith.muli %y, %c8 : index
    %right = arith.addi %above, %column : index
    %w = memref.load %b[%right] : memref<96xf32>
    memref.store %w, %z[%cell] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %init) -> (f32) {
      // The next one.
      %following = arith.addi %k, %c1 : index
      %depth = arith.muli %following, %c4 : index
      %left = arith.addi %line, %depth : index
      %nextFrom = arith.addi %left, %x : index
      %nextV = memref.load %a[%nextFrom] : memref<96xf32>
      %into = arith.remui %following, %c2 : index
      %half = arith.muli %into, %c16 : index
      %to = arith.addi %half, %cell : index
      memref.store %nextV, %s[%to] : memref<32xf32, #gpu.address_space<workgroup>>
      %nextRow = arith.addi %depth, %y : index
      %nextAbove = arith.muli %nextRow, %c8 : index
      %nextRight = arith.addi %nextAbove, %column : index
      %nextW = memref.load %b[%nextRight] : memref<96xf32>
      memref.store %nextW, %z[%to] : memref<32xf32, #gpu.address_space<workgroup>>
      // This one.
      %own = arith.remui %k, %c2 : index
      %start = arith.muli %own, %c16 : index
      %next = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %sum) -> (f32) {
        %p0 = arith.addi %in, %j : index
        %p = arith.addi %start, %p0 : index
        %q0 = arith.muli %j, %c4 : index
        %q1 = arith.addi %q0, %x : index
        %q = arith.addi %start, %q1 : index
        %u = memref.load %s[%p] : memref<32xf32, #gpu.address_space<workgroup>>
        %t = memref.load %z[%q] : memref<32xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %u, %t : f32
        %more = arith.addf %acc, %product : f32
        scf.yield %more : f32
      }
      gpu.barrier // at the end
      scf.yield %next : f32
    }
    // The last one.
    %last = arith.constant 0 : index
    %all = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %r) -> (f32) {
      %p0 = arith.addi %in, %j : index
      %p = arith.addi %last, %p0 : index
      %q0 = arith.muli %j, %c4 : index
      %q1 = arith.addi %q0, %x : index
      %q = arith.addi %last, %q1 : index
      %u = memref.load %s[%p] : memref<32xf32, #gpu.address_space<workgroup>>
      %t = memref.load %z[%q] : memref<32xf32, #gpu.address_space<workgroup>>
      %product = arith.mulf %u, %t : f32
      %more = arith.addf %acc, %product : f32
      scf.yield %more : f32
    }
    memref.store %all, %c[%place] : memref<64xf32>
    gpu.return
  }
}
