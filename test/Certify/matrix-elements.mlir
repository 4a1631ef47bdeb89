// Ops on the elements of matrices that a subgroup holds, each on its own.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @floats: equal for all finite values
// CHECK-DAG: certified: @integers: equal for all finite values

// RUN: sed 's/ maxf / minf /' %t/after.mlir > %t/minimum.mlir
// RUN: not convoy-certify %t/before.mlir %t/minimum.mlir | FileCheck %s --check-prefix=MINIMUM
// MINIMUM: different: @floats: element

// RUN: sed 's/ subf %%sum, %%y / subf %%y, %%sum /' %t/after.mlir > %t/turned.mlir
// RUN: not convoy-certify %t/before.mlir %t/turned.mlir | FileCheck %s --check-prefix=TURNED
// TURNED: different: @floats

// RUN: sed 's/ negates %%d : (!integer)/ addi %%d, %%d : (!integer, !integer)/' %t/after.mlir > %t/doubled.mlir
// RUN: not convoy-certify %t/before.mlir %t/doubled.mlir | FileCheck %s --check-prefix=DOUBLED
// DOUBLED: different: @integers

// A division by zero has no result.
// RUN: sed 's/ addi / divs /' %t/after.mlir > %t/quotient.mlir
// RUN: not convoy-certify %t/before.mlir %t/quotient.mlir | FileCheck %s --check-prefix=QUOTIENT
// QUOTIENT: undecided: @integers: {{.*}}(gpu.subgroup_mma_elementwise at {{.*}}quotient.mlir:{{[0-9]+}}:{{[0-9]+}}: an op on elements of matrices whose meaning is not known)

//--- before.mlir
#id = affine_map<(i) -> (i)>
func.func @floats(%x: tensor<256xf16>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %i = tensor.empty() : tensor<256xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<256xf16>, tensor<256xf32>) outs(%i : tensor<256xf32>) {
  ^bb0(%half: f16, %b: f32, %o: f32):
    %a = arith.extf %half : f16 to f32
    %sum = arith.addf %a, %b : f32
    %d = arith.subf %sum, %b : f32
    %p = arith.mulf %d, %a : f32
    %max = arith.maximumf %p, %b : f32
    %min = arith.minimumf %max, %a : f32
    %n = arith.negf %min : f32
    linalg.yield %n : f32
  } -> tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @integers(%x: tensor<256xi32>, %y: tensor<256xi32>) -> tensor<256xi32> {
  %i = tensor.empty() : tensor<256xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<256xi32>, tensor<256xi32>) outs(%i : tensor<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %zero = arith.constant 0 : i32
    %sum = arith.addi %a, %b : i32
    %p = arith.muli %sum, %a : i32
    %d = arith.subi %p, %b : i32
    %n = arith.subi %zero, %d : i32
    linalg.yield %n : i32
  } -> tensor<256xi32>
  return %r : tensor<256xi32>
}

//--- after.mlir
!half = !gpu.mma_matrix<16x16xf16, "COp">
!float = !gpu.mma_matrix<16x16xf32, "COp">
!integer = !gpu.mma_matrix<16x16xi32, "COp">
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
func.func @floats(%x: tensor<256xf16>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %i = tensor.empty() : tensor<256xf32>
  %r = convoy.launch @kernels::@floats grid [1, 1, 1] ins(%x, %y : tensor<256xf16>, tensor<256xf32>) outs(%i : tensor<256xf32>) -> tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @integers(%x: tensor<256xi32>, %y: tensor<256xi32>) -> tensor<256xi32> {
  %i = tensor.empty() : tensor<256xi32>
  %r = convoy.launch @kernels::@integers grid [1, 1, 1] ins(%x, %y : tensor<256xi32>, tensor<256xi32>) outs(%i : tensor<256xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}
gpu.module @kernels {
  gpu.func @floats(%in: memref<256xf16>, %in_y: memref<256xf32>, %out: memref<256xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %h = gpu.subgroup_mma_load_matrix %in[%c0] {leadDimension = 16 : index} : memref<256xf16> -> !half
    %y = gpu.subgroup_mma_load_matrix %in_y[%c0] {leadDimension = 16 : index} : memref<256xf32> -> !float
    %x = gpu.subgroup_mma_elementwise extf %h : (!half) -> !float
    %sum = gpu.subgroup_mma_elementwise addf %x, %y : (!float, !float) -> !float
    %d = gpu.subgroup_mma_elementwise subf %sum, %y : (!float, !float) -> !float
    %p = gpu.subgroup_mma_elementwise mulf %d, %x : (!float, !float) -> !float
    %max = gpu.subgroup_mma_elementwise maxf %p, %y : (!float, !float) -> !float
    %min = gpu.subgroup_mma_elementwise minf %max, %x : (!float, !float) -> !float
    %n = gpu.subgroup_mma_elementwise negatef %min : (!float) -> !float
    gpu.subgroup_mma_store_matrix %n, %out[%c0] {leadDimension = 16 : index} : !float, memref<256xf32>
    gpu.return
  }
  gpu.func @integers(%in: memref<256xi32>, %in_y: memref<256xi32>, %out: memref<256xi32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = gpu.subgroup_mma_load_matrix %in[%c0] {leadDimension = 16 : index} : memref<256xi32> -> !integer
    %y = gpu.subgroup_mma_load_matrix %in_y[%c0] {leadDimension = 16 : index} : memref<256xi32> -> !integer
    %sum = gpu.subgroup_mma_elementwise addi %x, %y : (!integer, !integer) -> !integer
    %p = gpu.subgroup_mma_elementwise muli %sum, %x : (!integer, !integer) -> !integer
    %d = gpu.subgroup_mma_elementwise subi %p, %y : (!integer, !integer) -> !integer
    %n = gpu.subgroup_mma_elementwise negates %d : (!integer) -> !integer
    gpu.subgroup_mma_store_matrix %n, %out[%c0] {leadDimension = 16 : index} : !integer, memref<256xi32>
    gpu.return
  }
}
}
