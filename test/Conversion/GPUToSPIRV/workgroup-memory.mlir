// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia" --convoy-convert-gpu-to-spirv --split-input-file --verify-diagnostics | FileCheck %s

!singles = memref<1000xf32, #gpu.address_space<workgroup>>
!less = memref<700xf32, #gpu.address_space<workgroup>>
!least = memref<30xf32, #gpu.address_space<workgroup>>
!halves = memref<500xf16, #gpu.address_space<workgroup>>

// Two kernels have one variable, if their elements are of one type.
// CHECK-LABEL: spirv.module @__spv__shared
// CHECK-DAG: spirv.GlobalVariable @[[LARGE:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<1000 x f32>)>, Workgroup>
// CHECK-DAG: spirv.GlobalVariable @[[SMALL:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<30 x f32>)>, Workgroup>
// CHECK-DAG: spirv.GlobalVariable @[[HALVES:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<500 x f16>)>, Workgroup>
// CHECK-NOT: GlobalVariable {{.*}}Workgroup>
gpu.module @shared {
  // CHECK-LABEL: spirv.func @f(
  gpu.func @f(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : !less
    %t = memref.alloc() : !least
    %i = gpu.thread_id x
    // CHECK-DAG: spirv.mlir.addressof @[[LARGE]] : !spirv.ptr<!spirv.struct<(!spirv.array<1000 x f32>)>, Workgroup>
    // CHECK-DAG: spirv.mlir.addressof @[[SMALL]] :
    %x = memref.load %s[%i] : !less
    memref.store %x, %t[%i] : !least
    gpu.return
  }
  // CHECK-LABEL: spirv.func @g(
  gpu.func @g(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : !singles
    %t = memref.alloc() : !halves
    %i = gpu.thread_id x
    // CHECK-DAG: spirv.mlir.addressof @[[LARGE]] :
    // CHECK-DAG: spirv.mlir.addressof @[[HALVES]] :
    %x = memref.load %s[%i] : !singles
    %y = arith.truncf %x : f32 to f16
    memref.store %y, %t[%i] : !halves
    gpu.return
  }
}

// -----

!singles = memref<6000xf32, #gpu.address_space<workgroup>>
!vectors = memref<2000xvector<4xf32>, #gpu.address_space<workgroup>>
!halves = memref<500xf16, #gpu.address_space<workgroup>>

// 24,000, 32,000 and 1,000 bytes are more than 49,152, but no kernel has more.
// CHECK-LABEL: spirv.module @__spv__packed
// CHECK: spirv.GlobalVariable @[[ALL:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<16500 x i16>)>, Workgroup>
// CHECK-NOT: GlobalVariable {{.*}}Workgroup>
gpu.module @packed {
  // CHECK-LABEL: spirv.func @single(
  gpu.func @single(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : !singles
    %i = gpu.thread_id x
    %j = gpu.block_id x
    // CHECK: %[[LOW:.*]] = spirv.Load "Workgroup" %{{.*}} : i16
    // CHECK: %[[HIGH:.*]] = spirv.Load "Workgroup" %{{.*}} : i16
    // CHECK: %[[BOTH:.*]] = spirv.CompositeConstruct %[[LOW]], %[[HIGH]] : (i16, i16) -> vector<2xi16>
    // CHECK: spirv.Bitcast %[[BOTH]] : vector<2xi16> to f32
    %x = memref.load %s[%i] : !singles
    memref.store %x, %s[%j] : !singles
    gpu.return
  }
  // CHECK-LABEL: spirv.func @four(
  gpu.func @four(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : !vectors
    %t = memref.alloc() : !halves
    %i = gpu.thread_id x
    %j = gpu.block_id x
    // CHECK-COUNT-8: spirv.Load "Workgroup" %{{.*}} : i16
    %v = memref.load %s[%i] : !vectors
    // CHECK-COUNT-8: spirv.Store "Workgroup" %{{.*}} : i16
    memref.store %v, %s[%j] : !vectors
    // Behind 16,000 numbers.
    // CHECK: spirv.Constant 16000 : i32
    // CHECK: %[[HALF:.*]] = spirv.Load "Workgroup" %{{.*}} : i16
    // CHECK: spirv.Bitcast %[[HALF]] : i16 to f16
    %h = memref.load %t[%i] : !halves
    memref.store %h, %t[%j] : !halves
    gpu.return
  }
}

// -----

!much = memref<12000xf32, #gpu.address_space<workgroup>>
!little = memref<400xf32, #gpu.address_space<workgroup>>

// Elements of one type stay as they are.
// CHECK-LABEL: spirv.module @__spv__one_type
// CHECK: spirv.GlobalVariable @{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.array<12200 x f32>)>, Workgroup>
// CHECK-NOT: GlobalVariable {{.*}}Workgroup>
gpu.module @one_type {
  gpu.func @uneven(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : !much
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : !much
    memref.store %x, %a[%i] : memref<8xf32>
    gpu.return
  }
  gpu.func @even(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : memref<6100xf32, #gpu.address_space<workgroup>>
    %t = memref.alloc() : memref<6100xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : memref<6100xf32, #gpu.address_space<workgroup>>
    memref.store %x, %t[%i] : memref<6100xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

!left = memref<1800xvector<4xf16>, #gpu.address_space<workgroup>>
!right = memref<2400xvector<4xf16>, #gpu.address_space<workgroup>>
!sums = memref<640xvector<4xf32>, #gpu.address_space<workgroup>>
!words = memref<3600xvector<4xi16>, #gpu.address_space<workgroup>>

// Arrays of which matrices are loaded follow each other in one. A kernel without
// matrices moves what is as long as their elements there, bit for bit: 14,400,
// 19,200 and 28,800 bytes are no more than 33,600 then.
// CHECK-LABEL: spirv.module @__spv__matrices
// CHECK-DAG: spirv.GlobalVariable @[[FACTORS:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<4200 x vector<4xf16>>)>, Workgroup>
// CHECK-DAG: spirv.GlobalVariable @{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.array<640 x vector<4xf32>>)>, Workgroup>
// CHECK-NOT: GlobalVariable {{.*}}Workgroup>
gpu.module @matrices {
  // CHECK-LABEL: spirv.func @multiply(
  gpu.func @multiply(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = memref.alloc() : !left
    %r = memref.alloc() : !right
    %s = memref.alloc() : !sums
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c5 = arith.constant 5 : index
    %x = gpu.subgroup_mma_load_matrix %l[%c5] {leadDimension = 10 : index} : !left -> !gpu.mma_matrix<16x16xf16, "AOp">
    // CHECK: %[[PLACE:.*]] = spirv.Constant 1805 : i32
    // CHECK: %[[FROM:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %[[PLACE]]]
    // CHECK: spirv.KHR.CooperativeMatrixLoad %[[FROM]]
    %y = gpu.subgroup_mma_load_matrix %r[%c5] {leadDimension = 10 : index, transpose} : !right -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %x, %y, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %d, %s[%c5] {leadDimension = 5 : index} : !gpu.mma_matrix<16x16xf32, "COp">, !sums
    gpu.return
  }
  // CHECK-LABEL: spirv.func @copy(
  gpu.func @copy(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %w = memref.alloc() : !words
    %i = gpu.thread_id x
    %j = gpu.block_id x
    // CHECK: spirv.mlir.addressof @[[FACTORS]]
    // CHECK: %[[BITS:.*]] = spirv.Load "Workgroup" %{{.*}} : vector<4xf16>
    // CHECK: spirv.Bitcast %[[BITS]] : vector<4xf16> to vector<4xi16>
    %v = memref.load %w[%i] : !words
    %n = arith.addi %v, %v : vector<4xi16>
    // CHECK: %[[SUM:.*]] = spirv.Bitcast %{{.*}} : vector<4xi16> to vector<4xf16>
    // CHECK: spirv.Store "Workgroup" %{{.*}}, %[[SUM]]
    memref.store %n, %w[%j] : !words
    gpu.return
  }
}

// -----

// What one kernel has too much of stays too much.
// expected-error @below {{the kernels cannot run with profile nvidia: together they have 49156 bytes of workgroup memory, but up to 49152 are possible}}
gpu.module @much {
  gpu.func @f(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : memref<12289xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : memref<12289xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%i] : memref<8xf32>
    gpu.return
  }
}

// -----

// Matrices of several types have no array in common.
// expected-error @below {{together they have 56000 bytes of workgroup memory, but up to 49152 are possible; compile fewer of them to one module}}
gpu.module @types {
  gpu.func @f(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = memref.alloc() : memref<3500xvector<4xf16>, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 10 : index} : memref<3500xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %y = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 10 : index} : memref<3500xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %x, %y, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %d, %a[%c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<8xf32>
    gpu.return
  }
  gpu.func @g(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = memref.alloc() : memref<7000xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : memref<7000xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%i] : memref<8xf32>
    gpu.return
  }
}
