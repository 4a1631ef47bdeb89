// Matrices that a subgroup holds as one, in a kernel of a GPU where it is
// launched: copies of the next factors go to the other buffer while a subgroup
// multiplies those of this one.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK: certified: @steps: equal for all finite values

// RUN: %python %S/Inputs/break-steps.py %t/before.mlir %t/after.mlir %t/wrong.mlir | FileCheck %s --check-prefix=WRONG --implicit-check-not=certified
// WRONG: no barrier before the loop: undecided: {{.*}}(gpu.subgroup_mma_load_matrix at {{.*}}: a buffer that others may write, or access, before the next barrier)
// WRONG-NEXT: no barrier in the loop: undecided: {{.*}}(scf.for at {{.*}}: a loop without a barrier at its end, whose next iteration may write, or access, what this one accesses)
// WRONG-NEXT: copied to the same buffer: undecided: {{.*}}: an element that others may write, or access, meanwhile
// In this order it would be right, if it was the only one.
// WRONG-NEXT: one buffer: undecided: {{.*}}: an element that others may write, or access, meanwhile
// WRONG-NEXT: read of the other buffer: different: @steps: element
// WRONG-NEXT: lost sums: different: @steps: element [{{.*}}]: the second function lacks extf(
// WRONG-NEXT: sums of the last step alone: different: @steps: element
// WRONG-NEXT: by columns: different: @steps: element
// WRONG-NEXT: closer lines: undecided: {{.*}}: an element that an iteration in parallel may write meanwhile
// WRONG-NEXT: not stored by all: undecided: {{.*}}(scf.if at {{.*}}: a branch around ops of all work-items that not all of them may take)
// WRONG-NEXT: iterations of each item: undecided: {{.*}}(scf.for at {{.*}}: a loop around ops of all work-items that may not have the same iterations for all of them)
// WRONG-NEXT: a place of each item: undecided: {{.*}}(gpu.subgroup_mma_load_matrix at {{.*}}: a place of a matrix that work-items of a subgroup may not agree on)
// Which work-items a subgroup has is not known.
// WRONG-NEXT: a subgroup by its items: undecided: {{.*}}(gpu.subgroup_mma_store_matrix at {{.*}}: a place of a matrix that work-items of a subgroup may not agree on)
// WRONG-NEXT: a number of each item: undecided: {{.*}}(gpu.subgroup_mma_constant_matrix at {{.*}}: a number that work-items of a subgroup may not agree on)
// WRONG-NEXT: half a subgroup: undecided: {{.*}}(gpu.subgroup_mma_constant_matrix at {{.*}}: subgroups of a size that is not known, or that are not full)
// WRONG-NEXT: twice the sums: different: @steps: element [{{.*}}]: the second function adds twice extf(
// WRONG-NEXT: an op that is not read: undecided: {{.*}}convoy.launch: an op whose meaning is not known (gpu.subgroup_reduce at {{.*}}wrong.mlir:{{[0-9]+}}:{{[0-9]+}}: an op whose meaning is not known)

//--- before.mlir
func.func @steps(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x16xf16>) outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

//--- after.mlir
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
func.func @steps(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %i = tensor.empty() : tensor<32x16xf32>
  %r = convoy.launch @kernels::@steps grid [1, 1, 1] ins(%a, %b : tensor<32x64xf16>, tensor<64x16xf16>) outs(%i : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}
gpu.module @kernels {
  gpu.func @steps(%a: memref<2048xf16>, %b: memref<1024xf16>, %c: memref<512xf32>)
      workgroup(%sa: memref<1024xf16, #gpu.address_space<workgroup>>, %sb: memref<512xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %s = gpu.subgroup_id : index
    %row = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %column = arith.muli %half, %c8 : index
    %line = arith.muli %row, %c64 : index
    %in_a = arith.addi %line, %column : index
    %line_a = arith.muli %row, %c16 : index
    %in_sa = arith.addi %line_a, %column : index
    %in_b = arith.muli %t, %c4 : index
    %first_a = vector.load %a[%in_a] : memref<2048xf16>, vector<8xf16>
    %first_b = vector.load %b[%in_b] : memref<1024xf16>, vector<4xf16>
    vector.store %first_a, %sa[%in_sa] : memref<1024xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    vector.store %first_b, %sb[%in_b] : memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    gpu.barrier
    %start = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %rows = arith.muli %s, %c256 : index
    %sums = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %buffer = arith.remui %k, %c2 : index
      %tile_a = arith.muli %buffer, %c512 : index
      %place_a = arith.addi %tile_a, %rows : index
      %place_b = arith.muli %buffer, %c256 : index
      %ma = gpu.subgroup_mma_load_matrix %sa[%place_a] {leadDimension = 16 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %mb = gpu.subgroup_mma_load_matrix %sb[%place_b] {leadDimension = 16 : index} : memref<512xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %next = arith.addi %k, %c1 : index
      %terms = arith.muli %next, %c16 : index
      %from_a = arith.addi %in_a, %terms : index
      %lines_b = arith.muli %next, %c256 : index
      %from_b = arith.addi %in_b, %lines_b : index
      %next_a = vector.load %a[%from_a] : memref<2048xf16>, vector<8xf16>
      %next_b = vector.load %b[%from_b] : memref<1024xf16>, vector<4xf16>
      %product = gpu.subgroup_mma_compute %ma, %mb, %sum : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      %other = arith.remui %next, %c2 : index
      %other_a = arith.muli %other, %c512 : index
      %to_a = arith.addi %in_sa, %other_a : index
      %other_b = arith.muli %other, %c256 : index
      %to_b = arith.addi %in_b, %other_b : index
      vector.store %next_a, %sa[%to_a] : memref<1024xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %next_b, %sb[%to_b] : memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      gpu.barrier
      scf.yield %product : !gpu.mma_matrix<16x16xf32, "COp">
    }
    %last_a = arith.addi %c512, %rows : index
    %la = gpu.subgroup_mma_load_matrix %sa[%last_a] {leadDimension = 16 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %lb = gpu.subgroup_mma_load_matrix %sb[%c256] {leadDimension = 16 : index} : memref<512xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %result = gpu.subgroup_mma_compute %la, %lb, %sums : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %result, %c[%rows] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32>
    gpu.return
  }
}
}
