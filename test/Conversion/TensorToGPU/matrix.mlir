// RUN: convoy-opt %s --convoy-tile-workgroups --convoy-outline-kernels --cse --canonicalize --split-input-file | FileCheck %s

#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 64, workgroup_bytes = 16384, workgroup_items = 1024, matrix = ["mfma_f32_16x16x16f16"]>
module attributes {convoy.target = #target} {
func.func @steps(%x: tensor<1x66x64xf16>, %w: tensor<3x64x64xf16>, %init: tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x66x64xf16> -> tensor<1x64x3x64xf16>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x64x3x64xf16>, tensor<3x64x64xf16>) outs(%init : tensor<1x64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %wideA = arith.extf %a : f16 to f32
    %wideB = arith.extf %b : f16 to f32
    %product = arith.mulf %wideA, %wideB : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x64x64xf32>
  return %r : tensor<1x64x64xf32>
}
}

// Pixels are read along channels, 16 bytes at a time, and the filter along
// output channels, two rows for two terms of four lines of LDS, so that all
// work-items have a part of it; a lane reads 8 terms for two instructions, and the next 8 before
// these. What the next step needs is loaded before all of them, while the first
// 8 are read, and stored after them, when no wave reads the last one any more. Output channels are rows
// of D, which lie side by side in a lane.
// CHECK:       gpu.func @steps_0(%[[WS:.*]]: memref<12288xf16>, %[[XS:.*]]: memref<4224xf16>, %[[RS:.*]]: memref<4096xf32>)
// CHECK-SAME:      workgroup(%[[S0:.*]] : memref<2304xf16, #gpu.address_space<workgroup>>, %[[S1:.*]] : memref<4608xf16, #gpu.address_space<workgroup>>)
// CHECK-SAME:      known_block_size = array<i32: 256, 1, 1>
// CHECK-NOT:     memref.load
// CHECK:         %[[INIT0:.*]] = vector.load %[[RS]]{{.*}}, vector<4xf32>
// CHECK:         %[[INIT1:.*]] = vector.load %[[RS]]{{.*}}, vector<4xf32>
// CHECK-COUNT-2: vector.load %[[WS]]{{.*}}, vector<4xf16>
// CHECK-COUNT-2: vector.load %[[XS]]{{.*}}, vector<8xf16>
// CHECK-NOT:     scf.if
// CHECK-COUNT-4: vector.store %{{.*}}, %[[S0]]{{.*}}, vector<2xf16>
// CHECK-COUNT-2: vector.store %{{.*}}, %[[S1]]{{.*}}, vector<8xf16>
// CHECK:         gpu.barrier
// CHECK:         scf.for {{.*}} iter_args(%[[ACC0:.*]] = %[[INIT0]], %[[ACC1:.*]] = %[[INIT1]]) -> (vector<4xf32>, vector<4xf32>)
// CHECK:           %[[X0:.*]] = vector.load %[[S1]]{{.*}}, vector<8xf16>
// CHECK:           %[[X1:.*]] = vector.load %[[S1]]{{.*}}, vector<8xf16>
// CHECK:           %[[W:.*]] = vector.load %[[S0]]{{.*}}, vector<8xf16>
// CHECK:           vector.load %[[WS]]
// CHECK:           vector.load %[[XS]]
// CHECK:           amdgpu.sched_barrier allow = <none>
// CHECK-COUNT-2:   vector.load %[[S1]]{{.*}}, vector<8xf16>
// CHECK:           vector.load %[[S0]]{{.*}}, vector<8xf16>
// CHECK:           amdgpu.sched_barrier allow = <none>
// CHECK:           %[[B0:.*]] = vector.shuffle %[[X0]], %[[X0]] [0, 1, 2, 3]
// CHECK:           vector.shuffle %[[X1]], %[[X1]] [0, 1, 2, 3]
// CHECK:           %[[A0:.*]] = vector.shuffle %[[W]], %[[W]] [0, 1, 2, 3]
// CHECK:           %[[D0:.*]] = amdgpu.mfma 16x16x16 %[[A0]] * %[[B0]] + %[[ACC0]] blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
// CHECK:           amdgpu.mfma 16x16x16 %[[A0]] * %{{.*}} + %[[ACC1]]
// CHECK:           %[[B1:.*]] = vector.shuffle %[[X0]], %[[X0]] [4, 5, 6, 7]
// CHECK:           %[[A1:.*]] = vector.shuffle %[[W]], %[[W]] [4, 5, 6, 7]
// CHECK:           amdgpu.mfma 16x16x16 %[[A1]] * %[[B1]] + %[[D0]]
// CHECK:           amdgpu.sched_barrier allow = <none>
// CHECK-NOT:       vector.load
// CHECK-COUNT-4:   amdgpu.mfma
// CHECK-NEXT:      amdgpu.sched_barrier allow = <none>
// CHECK-NEXT:      gpu.barrier
// CHECK:           vector.store %{{.*}}, %[[S0]]
// CHECK:           vector.store %{{.*}}, %[[S1]]
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK-COUNT-8: amdgpu.mfma
// CHECK-NOT:     gpu.barrier
// CHECK:         vector.store %{{.*}}, %[[RS]]{{.*}}, vector<4xf32>
// CHECK-NOT:     memref.store

// -----

// Where there is memory for two steps and more workgroups, the next step has a
// buffer of its own, and one barrier behind it: of each factor the second half
// of the memory in every other step.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 64, workgroup_bytes = 131072, workgroup_items = 1024, matrix = ["mfma_f32_16x16x16f16"]>
module attributes {convoy.target = #target} {
func.func @buffers(%x: tensor<1x66x64xf16>, %w: tensor<3x64x64xf16>, %init: tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x66x64xf16> -> tensor<1x64x3x64xf16>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x64x3x64xf16>, tensor<3x64x64xf16>) outs(%init : tensor<1x64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %wideA = arith.extf %a : f16 to f32
    %wideB = arith.extf %b : f16 to f32
    %product = arith.mulf %wideA, %wideB : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x64x64xf32>
  return %r : tensor<1x64x64xf32>
}
}
// CHECK:       gpu.func @buffers_0(%[[WS:.*]]: memref<12288xf16>, %[[XS:.*]]: memref<4224xf16>, %[[RS:.*]]: memref<4096xf32>)
// CHECK-SAME:      workgroup(%[[S0:.*]] : memref<{{[0-9]+}}xf16, #gpu.address_space<workgroup>>, %[[S1:.*]] : memref<{{[0-9]+}}xf16, #gpu.address_space<workgroup>>)
// CHECK:         vector.store %{{.*}}, %[[S0]]
// CHECK:         vector.store %{{.*}}, %[[S1]]
// CHECK:         gpu.barrier
// CHECK:         scf.for %[[STEP:.*]] = %c0
// CHECK:           %[[NUMBER:.*]] = arith.remui %[[STEP]], %c2
// CHECK:           %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c[[SIZE:[0-9]+]]
// CHECK:           vector.load %[[S1]]
// CHECK:           vector.load %[[S0]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[STEP]], %c1
// CHECK:           vector.load %[[WS]]
// CHECK:           vector.load %[[XS]]
// CHECK:           amdgpu.mfma
// CHECK-NOT:       gpu.barrier
// CHECK:           arith.remui %[[NEXT]], %c2
// CHECK-NOT:       gpu.barrier
// CHECK:           vector.store %{{.*}}, %[[S0]]
// CHECK-NOT:       gpu.barrier
// CHECK:           vector.store %{{.*}}, %[[S1]]
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK:         vector.load %[[S1]]
// CHECK:         amdgpu.mfma
// CHECK-NOT:     gpu.barrier
// CHECK:         vector.store %{{.*}}, %[[RS]]

// -----

// 15 terms become 16: what is past the last is zero in both factors. Lanes of
// the wave hold every other row of D, so lanes of the result are its columns.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_i32_16x16x16_iu8_w32"]>
module attributes {convoy.target = #target} {
func.func @odd(%x: tensor<1x37x5xi8>, %w: tensor<3x5x67xi8>, %init: tensor<1x35x67xi32>) -> tensor<1x35x67xi32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x37x5xi8> -> tensor<1x35x3x5xi8>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x35x3x5xi8>, tensor<3x5x67xi8>) outs(%init : tensor<1x35x67xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %wideA = arith.extsi %a : i8 to i32
    %wideB = arith.extsi %b : i8 to i32
    %product = arith.muli %wideA, %wideB : i32
    %next = arith.addi %acc, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x35x67xi32>
  return %r : tensor<1x35x67xi32>
}
}
// CHECK:       gpu.func @odd_0(%[[WS:.*]]: memref<1005xi8>, %[[XS:.*]]: memref<185xi8>, %[[RS:.*]]: memref<2345xi32>)
// CHECK:         %[[IS_TERM:.*]] = arith.cmpi ult, %{{.*}}, %c15
// CHECK:         %[[W:.*]] = memref.load %[[WS]]
// CHECK:         arith.select %[[IS_TERM]], %[[W]], %c0_i8 : i8
// CHECK:         memref.load %[[XS]]
// CHECK:         arith.select %{{.*}}, %{{.*}}, %c0_i8 : i8
// CHECK:         gpu.barrier
// CHECK-NOT:     scf.for
// CHECK:         %[[X:.*]] = vector.load %{{.*}}, vector<16xi8>
// CHECK:         %[[F:.*]] = vector.load %{{.*}}, vector<16xi8>
// CHECK:         amdgpu.wmma 16x16x16 %[[X]] * %[[F]] + %{{.*}} : vector<16xi8>, vector<16xi8>, vector<8xi32>
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %[[RS]]

// -----

// RDNA's instructions take integers with and without a sign: columns of D are
// lanes of the result, so that B is the filter.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_i32_16x16x16_iu8_w32"]>
module attributes {convoy.target = #target} {
func.func @unsigned_rows(%x: tensor<1x37x5xi8>, %w: tensor<3x5x67xi8>, %init: tensor<1x35x67xi32>) -> tensor<1x35x67xi32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x37x5xi8> -> tensor<1x35x3x5xi8>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x35x3x5xi8>, tensor<3x5x67xi8>) outs(%init : tensor<1x35x67xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %wideA = arith.extui %a : i8 to i32
    %wideB = arith.extsi %b : i8 to i32
    %product = arith.muli %wideA, %wideB : i32
    %next = arith.addi %acc, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x35x67xi32>
  return %r : tensor<1x35x67xi32>
}
}
// CHECK:       gpu.func @unsigned_rows_0(
// CHECK:         amdgpu.wmma 16x16x16 %{{.*}} * %{{.*}} + %{{.*}} {unsignedA} : vector<16xi8>, vector<16xi8>, vector<8xi32>

// -----

// Steps of 37 terms, which become 48. What needs a loaded element, such as the
// zero in its place, comes after the multiplications: they need not wait.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_i32_16x16x16_iu8_w32"]>
module attributes {convoy.target = #target} {
func.func @odd_steps(%x: tensor<1x37x37xi8>, %w: tensor<3x37x67xi8>, %init: tensor<1x35x67xi32>) -> tensor<1x35x67xi32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x37x37xi8> -> tensor<1x35x3x37xi8>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x35x3x37xi8>, tensor<3x37x67xi8>) outs(%init : tensor<1x35x67xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %wideA = arith.extsi %a : i8 to i32
    %wideB = arith.extsi %b : i8 to i32
    %product = arith.muli %wideA, %wideB : i32
    %next = arith.addi %acc, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x35x67xi32>
  return %r : tensor<1x35x67xi32>
}
}
// CHECK:       gpu.func @odd_steps_0(%[[WS:.*]]: memref<7437xi8>, %[[XS:.*]]: memref<1369xi8>, %[[RS:.*]]: memref<2345xi32>)
// CHECK:         scf.for
// CHECK:           %[[W:.*]] = memref.load %[[WS]]
// CHECK-NOT:       arith.select {{.*}} : i8
// CHECK:           amdgpu.sched_barrier
// CHECK:           amdgpu.wmma
// CHECK:           amdgpu.sched_barrier allow = <none>
// CHECK-NOT:       gpu.barrier
// CHECK:           %{{.*}} = arith.select %{{.*}}, %[[W]], %c0_i8 : i8
// CHECK:           vector.store
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield

// -----

// Zero points are subtracted first, which no instruction does: no matrices.
#rows = affine_map<(n, w, f, k, c) -> (n, w, k, c)>
#filter = affine_map<(n, w, f, k, c) -> (k, c, f)>
#result = affine_map<(n, w, f, k, c) -> (n, w, f)>
#target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_i32_16x16x16_iu8_w32"]>
module attributes {convoy.target = #target} {
// CHECK-LABEL: gpu.func @zero_point_0
// CHECK-NOT:     amdgpu
// CHECK:         gpu.return
func.func @zero_point(%x: tensor<1x66x64xi8>, %w: tensor<3x64x64xi8>, %init: tensor<1x64x64xi32>) -> tensor<1x64x64xi32> {
  %zero = arith.constant 3 : i32
  %rows = convoy.im2col %x layout(nwc, nw|wc) : tensor<1x66x64xi8> -> tensor<1x64x3x64xi8>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%rows, %w : tensor<1x64x3x64xi8>, tensor<3x64x64xi8>) outs(%init : tensor<1x64x64xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %wideA = arith.extsi %a : i8 to i32
    %difference = arith.subi %wideA, %zero : i32
    %wideB = arith.extsi %b : i8 to i32
    %product = arith.muli %difference, %wideB : i32
    %next = arith.addi %acc, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x64x64xi32>
  return %r : tensor<1x64x64xi32>
}
}
