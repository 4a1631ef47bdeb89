// RUN: convoy-opt %s --convoy-vectorize-buffers=explain=true --split-input-file --verify-diagnostics | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @fours(
  // CHECK-SAME:    %[[A:.*]]: memref<6xvector<4xf32>>, %[[B:.*]]: memref<24xf32>, %[[C:.*]]: memref<7xvector<4xf16>>)
  // CHECK-SAME:    workgroup(%[[S:.*]] : memref<2xvector<4xf32>, #gpu.address_space<workgroup>>)
  gpu.func @fours(%a: memref<24xf32>, %b: memref<24xf32>, %c: memref<28xf16>)
      workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    // CHECK: %[[INDEX:.*]] = arith.muli
    %i = arith.muli %t, %c4 : index
    // CHECK: %[[LANES:.*]] = arith.constant 4
    // CHECK: %[[J:.*]] = arith.divui %[[INDEX]], %[[LANES]]
    // CHECK: %[[V:.*]] = memref.load %[[A]][%[[J]]] : memref<6xvector<4xf32>>
    %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
    // CHECK: memref.store %[[V]], %[[S]][%{{.*}}] : memref<2xvector<4xf32>, #gpu.address_space<workgroup>>
    vector.store %v, %s[%i] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    // One access of a single element: all stay as they are.
    // CHECK: vector.load %[[B]]
    // CHECK: memref.load %[[B]]
    %w = vector.load %b[%i] : memref<24xf32>, vector<4xf32>
    %x = memref.load %b[%t] : memref<24xf32>
    // What the access itself says of its index holds.
    // CHECK: memref.store %{{.*}}, %[[C]][%{{.*}}] : memref<7xvector<4xf16>>
    %h = arith.truncf %v : vector<4xf32> to vector<4xf16>
    vector.store %h, %c[%t] {alignment = 8 : i64} : memref<28xf16>, vector<4xf16>
    gpu.return
  }

  // A size that is not known has the whole vectors that are accessed.
  // CHECK-LABEL: gpu.func @dynamic(
  // CHECK-SAME:    memref<?xvector<4xf32>>)
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    %c8 = arith.constant 8 : index
    %v = vector.load %a[%c8] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // Sizes that 4 does not divide, and pairs.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-SAME:    memref<7xf32>, %{{.*}}: memref<24xf32>, %{{.*}}: memref<20xf32>)
  gpu.func @others(%a: memref<7xf32>, %c: memref<24xf32>, %unused: memref<20xf32>) kernel {
    %c0 = arith.constant 0 : index
    %u = vector.load %a[%c0] : memref<7xf32>, vector<4xf32>
    %w = vector.load %c[%c0] : memref<24xf32>, vector<2xf32>
    gpu.return
  }

  // Every way to a multiple of 4.
  // CHECK-LABEL: gpu.func @multiples(
  // CHECK-SAME:    memref<256xvector<4xi8>>)
  gpu.func @multiples(%a: memref<1024xi8>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c12 = arith.constant 12 : index
    %c64 = arith.constant 64 : index
    %c-4 = arith.constant -4 : index
    %t = gpu.thread_id x
    %isFirst = arith.cmpi eq, %t, %c0 : index
    %shifted = arith.shli %t, %c2 : index
    %masked = arith.andi %t, %c-4 : index
    %twice = arith.muli %t, %c2 : index
    %product = arith.muli %twice, %c6 : index
    %rest = arith.remui %product, %c64 : index
    %selected = arith.select %isFirst, %shifted, %rest : index
    %difference = arith.subi %selected, %c12 : index
    %least = arith.minui %difference, %c64 : index
    %word = arith.index_cast %least : index to i32
    %index = arith.index_cast %word : i32 to index
    %branch = scf.if %isFirst -> index {
      scf.yield %masked : index
    } else {
      scf.yield %index : index
    }
    %r = scf.for %i = %branch to %c64 step %c12 iter_args(%j = %c0) -> index {
      %v = vector.load %a[%i] : memref<1024xi8>, vector<4xi8>
      %w = vector.load %a[%j] : memref<1024xi8>, vector<4xi8>
      %next = arith.subi %c64, %j : index
      scf.yield %next : index
    }
    %x = vector.load %a[%r] : memref<1024xi8>, vector<4xi8>
    gpu.return
  }
}

// -----

// What may not be a multiple of 4 is accessed by single elements, with a word.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @anywhere(
  // CHECK-SAME:    memref<24xf32>, %{{.*}}: memref<28xf32>, %{{.*}}: memref<32xf32>, %{{.*}}: memref<36xf32>)
  gpu.func @anywhere(%a: memref<24xf32>, %b: memref<28xf32>, %c: memref<32xf32>, %d: memref<36xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %t = gpu.thread_id x
    // expected-remark @below {{accesses single elements: its index is not known to be a multiple of 4}}
    %u = vector.load %a[%t] : memref<24xf32>, vector<4xf32>
    %product = arith.muli %t, %c6 : index
    // expected-remark @below {{is not known to be a multiple of 4}}
    vector.store %u, %b[%product] {alignment = 8 : i64} : memref<28xf32>, vector<4xf32>
    %shifted = arith.shli %t, %c2 : index
    %isFirst = arith.cmpi eq, %t, %c0 : index
    %either = arith.select %isFirst, %shifted, %c3 : index
    // expected-remark @below {{is not known to be a multiple of 4}}
    %v = vector.load %c[%either] : memref<32xf32>, vector<4xf32>
    %r = scf.for %i = %c0 to %t step %c4 iter_args(%j = %c0) -> index {
      %next = arith.addi %j, %c2 : index
      scf.yield %next : index
    }
    // expected-remark @below {{is not known to be a multiple of 4}}
    %w = vector.load %d[%r] : memref<36xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Cooperative matrices count vectors, too, if their lines are whole ones.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @matrices(
  // CHECK-SAME:    workgroup(%[[A:[^ ]*]] : memref<128xvector<4xf32>, #gpu.address_space<workgroup>>, %[[B:[^ ]*]] : memref<512xf32, #gpu.address_space<workgroup>>)
  gpu.func @matrices() workgroup(%a: memref<512xf32, #gpu.address_space<workgroup>>, %b: memref<512xf32, #gpu.address_space<workgroup>>) kernel {
    %c4 = arith.constant 4 : index
    %t = gpu.subgroup_id : index
    %i = arith.muli %t, %c4 : index
    // CHECK: %[[J:.*]] = arith.divui
    // CHECK: gpu.subgroup_mma_load_matrix %[[A]][%[[J]]] {leadDimension = 6 : index, transpose} : memref<128xvector<4xf32>, #gpu.address_space<workgroup>>
    %0 = gpu.subgroup_mma_load_matrix %a[%i] {leadDimension = 24 : index, transpose} : memref<512xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK: gpu.subgroup_mma_store_matrix %{{.*}}, %[[A]][%{{.*}}] {leadDimension = 5 : index}
    gpu.subgroup_mma_store_matrix %0, %a[%i] {leadDimension = 20 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32, #gpu.address_space<workgroup>>
    // CHECK: gpu.subgroup_mma_load_matrix %[[B]][%{{.*}}] {leadDimension = 18 : index}
    %1 = gpu.subgroup_mma_load_matrix %b[%i] {leadDimension = 18 : index} : memref<512xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.return
  }
}
