// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia-matrix" --convoy-convert-gpu-to-spirv --split-input-file --verify-diagnostics | FileCheck %s

// Bindings are the arguments' numbers, whatever is used first.
// CHECK-LABEL: spirv.module @__spv__bindings Logical GLSL450
gpu.module @bindings {
  // CHECK:      spirv.func @f(
  // CHECK-SAME:   %[[A:[^:]*]]: !spirv.ptr<!spirv.struct<(!spirv.array<5 x f32, stride=4> [0])>, StorageBuffer> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}
  // CHECK-SAME:   %[[B:[^:]*]]: !spirv.ptr<!spirv.struct<(!spirv.array<6 x vector<4xf32>, stride=16> [0])>, StorageBuffer> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1)>}
  // CHECK-SAME:   %[[C:[^:]*]]: !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 2)>}
  // CHECK-SAME:   spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [6, 1, 2]>
  gpu.func @f(%a: memref<5xf32>, %b: memref<6xvector<4xf32>>, %c: memref<?xf32>)
      kernel attributes {known_block_size = array<i32: 6, 1, 2>} {
    %i = gpu.thread_id x
    // CHECK: spirv.AccessChain %[[C]]
    %x = memref.load %c[%i] : memref<?xf32>
    // CHECK: spirv.AccessChain %[[B]]
    // CHECK: spirv.Load "StorageBuffer" %{{.*}} : vector<4xf32>
    %v = memref.load %b[%i] : memref<6xvector<4xf32>>
    // CHECK: spirv.AccessChain %[[A]]
    memref.store %x, %a[%i] : memref<5xf32>
    memref.store %v, %b[%i] : memref<6xvector<4xf32>>
    gpu.return
  }
}

// -----

// CHECK-LABEL: spirv.module @__spv__types
gpu.module @types {
  // CHECK-DAG: spirv.GlobalVariable @[[S:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<24 x f16>)>, Workgroup>
  // CHECK-DAG: spirv.GlobalVariable @[[T:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<5 x vector<4xi8>>)>, Workgroup>
  // CHECK:      spirv.func @f(
  // CHECK-SAME:   !spirv.array<7 x i8, stride=1>
  // CHECK-SAME:   !spirv.array<7 x vector<4xi8>, stride=4>
  // CHECK-SAME:   !spirv.array<7 x f16, stride=2>
  // CHECK-SAME:   !spirv.array<7 x vector<4xf16>, stride=8>
  // CHECK-SAME:   !spirv.array<7 x i64, stride=8>
  // CHECK-SAME:   !spirv.array<7 x f64, stride=8>
  // CHECK-SAME:   !spirv.array<7 x i16, stride=2>
  gpu.func @f(%a: memref<7xi8>, %b: memref<7xvector<4xi8>>, %c: memref<7xf16>, %d: memref<7xvector<4xf16>>,
              %e: memref<7xi64>, %f: memref<7xf64>, %g: memref<7xi16>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = memref.alloc() : memref<24xf16, #gpu.address_space<workgroup>>
    %t = memref.alloc() : memref<5xvector<4xi8>, #gpu.address_space<workgroup>>
    // Index has 32 bits.
    // CHECK: %[[ID:.*]] = spirv.CompositeExtract %{{.*}}[0 : i32] : vector<3xi32>
    // CHECK: spirv.AccessChain %{{.*}}[%{{.*}}, %[[ID]]] : {{.*}}, i32, i32
    %i = gpu.thread_id x
    %x = memref.load %c[%i] : memref<7xf16>
    // CHECK: spirv.FConvert %{{.*}} : f16 to f32
    %y = arith.extf %x : f16 to f32
    memref.store %x, %s[%i] : memref<24xf16, #gpu.address_space<workgroup>>
    // CHECK: spirv.SConvert %{{.*}} : vector<4xi8> to vector<4xi32>
    %v = memref.load %b[%i] : memref<7xvector<4xi8>>
    %w = arith.extsi %v : vector<4xi8> to vector<4xi32>
    memref.store %v, %t[%i] : memref<5xvector<4xi8>, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// CHECK-LABEL: spirv.module @__spv__ops
gpu.module @ops {
  gpu.func @f(%a: memref<6xvector<4xf32>>, %b: memref<5xf32>)
      kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
    %c3 = arith.constant 3 : index
    // CHECK: %[[I:.*]] = spirv.CompositeExtract %{{.*}}[0 : i32] : vector<3xi32>
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<6xvector<4xf32>>
    %x = memref.load %b[%i] : memref<5xf32>
    // CHECK: %[[C:.*]] = spirv.ULessThan
    // CHECK: %[[CS:.*]] = spirv.CompositeConstruct %[[C]], %[[C]], %[[C]], %[[C]] : (i1, i1, i1, i1) -> vector<4xi1>
    // CHECK: spirv.Select %[[CS]]
    %c = arith.cmpi ult, %i, %c3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %r = arith.select %c, %v, %zero : vector<4xf32>
    // CHECK: %[[D:.*]] = spirv.FOrdLessThan
    // CHECK: spirv.Select %[[D]], {{.*}} : vector<4xi1>, vector<4xf32>
    %d = arith.cmpf olt, %v, %r : vector<4xf32>
    %s = arith.select %d, %v, %r : vector<4xi1>, vector<4xf32>
    // CHECK: spirv.GL.Fma %{{.*}} : f32
    // CHECK: spirv.GL.Exp2 %{{.*}} : f32
    %sum = math.fma %x, %x, %x : f32
    %y = math.exp2 %sum : f32
    // What a device must not contract says so, and nothing else does.
    // CHECK: %[[ROUNDED:.*]] = spirv.FMul %{{.*}}, %{{.*}} {no_contraction} : f32
    // CHECK: spirv.FAdd %[[ROUNDED]], %{{.*}} {no_contraction} : f32
    // CHECK: spirv.FSub %[[ROUNDED]], %{{.*}} {no_contraction} : f32
    // CHECK: spirv.FMul %[[ROUNDED]], %{{[^ ]*}} : f32
    %rounded = arith.mulf %x, %x {convoy.uncontracted} : f32
    %add = arith.addf %rounded, %x {convoy.uncontracted} : f32
    %sub = arith.subf %rounded, %x {convoy.uncontracted} : f32
    %mul = arith.mulf %rounded, %x : f32
    // CHECK: spirv.Select %[[C]], {{.*}} : i1, f32
    %z = arith.select %c, %x, %y : f32
    // Wrapping around is left to the ops themselves.
    // CHECK: spirv.IMul %{{[^ ]*}}, %{{[^ ]*}} : i32
    %j = arith.muli %i, %c3 overflow<nsw, nuw> : index
    memref.store %z, %b[%j] : memref<5xf32>
    // CHECK: %[[UNDEF:.*]] = spirv.Undef : vector<4xf32>
    // CHECK: spirv.Store "StorageBuffer" %{{.*}}, %[[UNDEF]]
    %poison = ub.poison : vector<4xf32>
    memref.store %poison, %a[%i] : memref<6xvector<4xf32>>
    gpu.return
  }

  // CHECK-LABEL: spirv.func @writes(
  gpu.func @writes(%a: memref<5xf32>, %b: memref<5xf32>) kernel attributes {known_block_size = array<i32: 5, 1, 1>} {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<5xf32>
    // CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>
    gpu.barrier
    memref.store %x, %b[%i] : memref<5xf32>
    gpu.return
  }

  // CHECK-LABEL: spirv.func @reads_and_writes
  gpu.func @reads_and_writes(%b: memref<5xf32>) kernel attributes {known_block_size = array<i32: 5, 1, 1>} {
    %i = gpu.thread_id x
    %x = memref.load %b[%i] : memref<5xf32>
    // CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory>
    gpu.barrier
    memref.store %x, %b[%i] : memref<5xf32>
    gpu.return
  }
}

// -----

// Indices have 64 bits where a buffer needs it.
// CHECK-LABEL: spirv.module @__spv__large
gpu.module @large {
  gpu.func @f(%a: memref<1073741825xi8>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c7 = arith.constant 7 : i8
    // CHECK: %[[ID:.*]] = spirv.UConvert %{{.*}} : i32 to i64
    // CHECK: spirv.AccessChain {{.*}}, i64, i64
    %i = gpu.thread_id x
    memref.store %c7, %a[%i] : memref<1073741825xi8>
    gpu.return
  }
}

// -----

// No type is replaced by another one.
gpu.module @kernels {
  // expected-error @below {{failed to legalize operation 'gpu.func'}}
  gpu.func @f(%a: memref<7xbf16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected known_block_size on kernel f}}
  gpu.func @f() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error @below {{expected memory of buffers or of a workgroup}}
    %a = memref.alloca() : memref<7xf32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

// The batch is a push constant.
// CHECK-LABEL: spirv.module @__spv__batch
gpu.module @batch {
  // CHECK:      spirv.GlobalVariable @[[BATCH:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<1 x i32, stride=4> [0])>, PushConstant>
  // CHECK:      spirv.func @f(%{{[^:]*}}: !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>})
  // CHECK:        %[[ADDRESS:.*]] = spirv.mlir.addressof @[[BATCH]]
  // CHECK:        %[[ELEMENT:.*]] = spirv.AccessChain %[[ADDRESS]]
  // CHECK:        %[[N:.*]] = spirv.Load "PushConstant" %[[ELEMENT]] : i32
  // CHECK:        spirv.ULessThan %{{.*}}, %[[N]]
  gpu.func @f(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.block_id z
    %batch = arith.index_cast %n : i32 to index
    %inside = arith.cmpi ult, %i, %batch : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<?xf32>
      memref.store %x, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
