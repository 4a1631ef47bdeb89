// RUN: convoy-opt %s --convoy-convert-gpu-to-host="checks=false" --canonicalize --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-convert-gpu-to-host --split-input-file | FileCheck %s --check-prefix=CHECKED

#target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>
module attributes {convoy.target = #target} {
gpu.module @kernels {
  // One operation: cooperative 16x16x16 of f16 with 4 registers of A and 8 of C.
  // CHECK:       @product.layout.numbers
  // CHECK-SAME:    dense<[0, 64, 1, 1, 0, 3, 0, 512, 2, 512, 2, 512, 4, 1, 2, 16, 16, 16, 1, 4, 8, 0, 0, 0]>
  // CHECK-LABEL: func.func @product(
  // CHECK-SAME:    %[[X:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[A:[^:]*]]: memref<512xf16>, %[[B:[^:]*]]: memref<512xf16>, %[[C:[^:]*]]: memref<512xf32>)
  gpu.func @product(%a: memref<512xf16>, %b: memref<512xf16>, %c: memref<512xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c256 = arith.constant 256 : index
    // CHECK-DAG:     arith.divui
    // CHECK-DAG:     arith.remui %{{.*}}, %{{.*}}
    %subgroup = gpu.subgroup_id : index
    %start = arith.muli %subgroup, %c256 : index
    // A part is 8 elements of a line, of B of a column.
    // CHECK:         %[[PA:.*]] = vector.load %[[A]]{{.*}}, vector<8xf16>
    // CHECK:         %[[PB:.*]] = vector.load %[[B]]{{.*}}, vector<8xf16>
    %0 = gpu.subgroup_mma_load_matrix %a[%start] {leadDimension = 16 : index} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = gpu.subgroup_mma_load_matrix %b[%start] {leadDimension = 16 : index, transpose} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK-DAG:     vector.bitcast %[[PA]] : vector<8xf16> to vector<4xi32>
    // CHECK-DAG:     vector.bitcast %[[PB]] : vector<8xf16> to vector<4xi32>
    // CHECK:         call @convoy_simulated_multiply
    // CHECK:         %[[D:.*]] = vector.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
    %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK:         vector.store %[[D]], %[[C]]{{.*}}, vector<8xf32>
    // CHECKED:       call @convoy_simulated_write
    gpu.subgroup_mma_store_matrix %3, %c[%start] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32>
    gpu.return
  }

  // Sums that a loop hands on, in buffers of vectors.
  // CHECK-LABEL: func.func @loop(
  // CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
  // CHECK-COUNT-2:   memref.load {{.*}} : memref<128xvector<4xf16>>
  // CHECK-COUNT-2: memref.store {{.*}} : memref<64xvector<4xf32>>
  // CHECKED:         call @convoy_simulated_read
  gpu.func @loop(%a: memref<128xvector<4xf16>>, %c: memref<64xvector<4xf32>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %2 = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %2) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %0 = gpu.subgroup_mma_load_matrix %a[%i] {leadDimension = 4 : index} : memref<128xvector<4xf16>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %1 = gpu.subgroup_mma_load_matrix %a[%i] {leadDimension = 4 : index, transpose} : memref<128xvector<4xf16>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %3 = gpu.subgroup_mma_compute %0, %1, %sum : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %3 : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.subgroup_mma_store_matrix %r, %c[%c0] {leadDimension = 4 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64xvector<4xf32>>
    gpu.return
  }

  // Matrices that lie across their parts: one access for each element. Factors
  // that are bf16 are moved as f16; number 2 of the elements is bf16.
  // CHECK-LABEL: func.func @across(
  // CHECK-COUNT-8: memref.load %{{.*}} : memref<512xf16>
  // CHECK:         vector.from_elements
  // CHECK-COUNT-8: memref.load %{{.*}} : memref<512xf16>
  // CHECK:         vector.from_elements
  // CHECK:         call @convoy_simulated_multiply
  // CHECK-COUNT-8: memref.store %{{.*}} : memref<512xf32>
  gpu.func @across(%a: memref<512xf16>, %c: memref<512xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 17 : index, transpose} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 18 : index} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %3 = gpu.subgroup_mma_compute %0, %1, %2 {convoy.bf16_factors} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %3, %c[%c0] {leadDimension = 16 : index, transpose} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32>
    gpu.return
  }

  // What goes element by element does so in each part.
  // CHECK-LABEL: func.func @elementwise(
  // CHECK:         %[[H:.*]] = vector.load
  // CHECK:         %[[X:.*]] = arith.extf %[[H]] : vector<8xf16> to vector<8xf32>
  // CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : vector<8xf32>
  // CHECK:         %[[P:.*]] = arith.mulf %[[SUM]], %[[X]]
  // CHECK:         %[[D:.*]] = arith.subf %[[P]], %[[X]]
  // CHECK:         %[[MAX:.*]] = arith.maximumf %[[D]], %[[X]]
  // CHECK:         %[[MIN:.*]] = arith.minimumf %[[MAX]], %[[P]]
  // CHECK:         %[[Q:.*]] = arith.divf %[[MIN]], %[[SUM]]
  // CHECK:         %[[N:.*]] = arith.negf %[[Q]]
  // CHECK:         vector.store %[[N]]
  gpu.func @elementwise(%a: memref<512xf16>, %c: memref<512xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %h = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 16 : index} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
    %x = gpu.subgroup_mma_elementwise extf %h : (!gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %sum = gpu.subgroup_mma_elementwise addf %x, %x : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %p = gpu.subgroup_mma_elementwise mulf %sum, %x : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_elementwise subf %p, %x : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %max = gpu.subgroup_mma_elementwise maxf %d, %x : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %min = gpu.subgroup_mma_elementwise minf %max, %p : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %q = gpu.subgroup_mma_elementwise divf %min, %sum : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %n = gpu.subgroup_mma_elementwise negatef %q : (!gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %n, %c[%c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32>
    gpu.return
  }

  // CHECK-LABEL: func.func @integers(
  // CHECK:         %[[X:.*]] = vector.load
  // CHECK:         %[[SUM:.*]] = arith.addi %[[X]], %[[X]] : vector<8xi32>
  // CHECK:         %[[P:.*]] = arith.muli %[[SUM]], %[[X]]
  // CHECK:         %[[D:.*]] = arith.subi %[[P]], %[[X]]
  // CHECK:         %[[N:.*]] = arith.subi %{{.*}}, %[[D]]
  // CHECK:         vector.store %[[N]]
  gpu.func @integers(%a: memref<512xi32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 16 : index} : memref<512xi32> -> !gpu.mma_matrix<16x16xi32, "COp">
    %sum = gpu.subgroup_mma_elementwise addi %x, %x : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
    %p = gpu.subgroup_mma_elementwise muli %sum, %x : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
    %d = gpu.subgroup_mma_elementwise subi %p, %x : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
    %n = gpu.subgroup_mma_elementwise negates %d : (!gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
    gpu.subgroup_mma_store_matrix %n, %a[%c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xi32, "COp">, memref<512xi32>
    gpu.return
  }
}
}
