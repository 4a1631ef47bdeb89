// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia" --convoy-allocate-attributions --convoy-convert-gpu-to-spirv --split-input-file | FileCheck %s

// Vulkan's memory model: what work-items share is not private, and barriers make
// it visible. Factors are loaded as matrices of their own type, of vectors.
// CHECK-LABEL: spirv.module @__spv__f16 Logical Vulkan
gpu.module @f16 {
  // CHECK-LABEL: spirv.func @f
  gpu.func @f(%out: memref<512xf32>) workgroup(%s: memref<128xvector<4xf16>, #gpu.address_space<workgroup>>, %sums: memref<512xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %four = arith.constant dense<4.0> : vector<4xf16>
    // CHECK: spirv.Store "Workgroup" %{{.*}}, %{{.*}} ["NonPrivatePointer"] : vector<4xf16>
    memref.store %four, %s[%t] : memref<128xvector<4xf16>, #gpu.address_space<workgroup>>
    // CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible>
    gpu.barrier
    // CHECK: %[[A:.*]] = spirv.KHR.CooperativeMatrixLoad %{{.*}}, %{{.*}}, <RowMajor>, <NonPrivatePointer> : !spirv.ptr<vector<4xf16>, Workgroup>, i32 -> !spirv.coopmatrix<16x16xf16, Subgroup, MatrixA>
    %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    // CHECK: %[[B:.*]] = spirv.KHR.CooperativeMatrixLoad %{{.*}}, %{{.*}}, <ColumnMajor>, <NonPrivatePointer>
    %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index, transpose} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK: %[[D:.*]] = spirv.KHR.CooperativeMatrixMulAdd %[[A]], %[[B]], %{{[^<]*}} :
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK: spirv.KHR.CooperativeMatrixStore %{{.*}}, %[[D]], %{{.*}}, <RowMajor>, <NonPrivatePointer>
    gpu.subgroup_mma_store_matrix %d, %sums[%c0] {leadDimension = 20 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<512xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // CHECK: spirv.Load "Workgroup" %{{.*}} ["NonPrivatePointer"] : f32
    %x = memref.load %sums[%t] : memref<512xf32, #gpu.address_space<workgroup>>
    // CHECK: spirv.Store "StorageBuffer" %{{.*}}, %{{.*}} : f32
    memref.store %x, %out[%t] : memref<512xf32>
    gpu.return
  }
}

// -----

// Factors of bf16 are moved as f16, bit for bit.
// CHECK-LABEL: spirv.module @__spv__bf16 Logical Vulkan
gpu.module @bf16 {
  gpu.func @f() workgroup(%s: memref<128xvector<4xf16>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: !spirv.ptr<vector<4xf16>, Workgroup>, i32 -> !spirv.coopmatrix<16x16xbf16, Subgroup, MatrixA>
    // CHECK: !spirv.ptr<vector<4xf16>, Workgroup>, i32 -> !spirv.coopmatrix<16x16xbf16, Subgroup, MatrixB>
    %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index, transpose} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    // CHECK: spirv.KHR.CooperativeMatrixMulAdd
    // CHECK-NOT: convoy.bf16_factors
    // CHECK-SAME: !spirv.coopmatrix<16x16xbf16, Subgroup, MatrixA>, !spirv.coopmatrix<16x16xbf16, Subgroup, MatrixB> -> !spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>
    %d = gpu.subgroup_mma_compute %a, %b, %c {convoy.bf16_factors} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.return
  }
}

// -----

// Bytes are signed.
// CHECK-LABEL: spirv.module @__spv__bytes Logical Vulkan
gpu.module @bytes {
  gpu.func @f() workgroup(%s: memref<256xvector<4xi8>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 12 : index} : memref<256xvector<4xi8>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xsi8, "AOp">
    %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 12 : index, transpose} : memref<256xvector<4xi8>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xsi8, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
    // CHECK: spirv.KHR.CooperativeMatrixMulAdd %{{.*}}, %{{.*}}, %{{.*}}, <ASigned|BSigned|CSigned|ResultSigned> :
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xsi8, "AOp">, !gpu.mma_matrix<32x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
    gpu.return
  }
}

// -----

// A kernel beside it whose work-items hand each other elements of a buffer.
// CHECK-LABEL: spirv.module @__spv__buffers Logical Vulkan
gpu.module @buffers {
  // CHECK-LABEL: spirv.func @handed
  gpu.func @handed(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    // CHECK: spirv.Store "StorageBuffer" %{{.*}}, %{{.*}} ["NonPrivatePointer"] : f32
    memref.store %one, %a[%t] : memref<32xf32>
    // CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible>
    gpu.barrier
    // CHECK: spirv.Load "StorageBuffer" %{{.*}} ["NonPrivatePointer"] : f32
    %x = memref.load %a[%c0] : memref<32xf32>
    gpu.return
  }
  gpu.func @matrices() workgroup(%s: memref<128xvector<4xf16>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 6 : index, transpose} : memref<128xvector<4xf16>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.return
  }
}

// -----

// Without matrices the model is as it was.
// CHECK-LABEL: spirv.module @__spv__none Logical GLSL450
gpu.module @none {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

// Without a sign there is no word of it.
// CHECK-LABEL: spirv.module @__spv__unsigned Logical Vulkan
gpu.module @unsigned {
  gpu.func @f() workgroup(%s: memref<256xvector<4xi8>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 12 : index} : memref<256xvector<4xi8>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xui8, "AOp">
    %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 12 : index, transpose} : memref<256xvector<4xi8>, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xui8, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
    // CHECK: spirv.KHR.CooperativeMatrixMulAdd %{{[^<]*}} :
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xui8, "AOp">, !gpu.mma_matrix<32x16xui8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
    gpu.return
  }
}
