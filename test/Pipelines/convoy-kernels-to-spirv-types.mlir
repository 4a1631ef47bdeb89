// RUN: convoy-test-opt %s --convoy-kernels-to-spirv-pipeline="profile=lavapipe" --test-convoy-emit-spirv -o %t.mlir --split-input-file | FileCheck %s --check-prefix=BINARY
// RUN: FileCheck %s --input-file=%t.mlir

// Each type is stored as it is, or as its bits; upstream would make 32 bits of
// some, without a word.

// bf16 is stored and moved as its bits, computed with in f32, and rounded to
// nearest in integers.
// CHECK-LABEL: spirv.module @__spv__brain
// CHECK-DAG:     spirv.GlobalVariable @__workgroup_mem__{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.array<8 x i16>)>, Workgroup>
// CHECK-DAG:     spirv.GlobalVariable @sum_arg_0 bind(0, 0) {restrict} : !spirv.ptr<!spirv.struct<(!spirv.array<7 x i16, stride=2> [0])>, StorageBuffer>
// CHECK-DAG:     spirv.GlobalVariable @sum_arg_1 bind(0, 1) {restrict} : !spirv.ptr<!spirv.struct<(!spirv.array<4 x vector<4xi16>, stride=8> [0])>, StorageBuffer>
// CHECK-LABEL:   spirv.func @sum()
// CHECK:           %[[BITS:.*]] = spirv.UConvert %{{.*}} : i16 to i32
// CHECK:           %[[HIGH:.*]] = spirv.ShiftLeftLogical %[[BITS]], %{{.*}}
// CHECK:           spirv.Bitcast %[[HIGH]] : i32 to f32
// CHECK:           spirv.FAdd %{{.*}} : f32
// CHECK:           %[[NAN:.*]] = spirv.FUnordNotEqual
// CHECK:           spirv.ShiftRightLogical {{.*}} : i32, i32
// CHECK:           spirv.IAdd
// CHECK:           spirv.SConvert %{{.*}} : i32 to i16
// CHECK:           spirv.Select %[[NAN]], {{.*}} : i1, i16
// CHECK:           spirv.FMul %{{.*}} : vector<4xf32>
// BINARY:      OpCapability StorageBuffer16BitAccess
// BINARY:      OpExecutionMode %sum RoundingModeRTE 32
// BINARY-NOT:  OpTypeFloat 16
gpu.module @brain {
  gpu.func @sum(%a: memref<7xbf16>, %b: memref<16xbf16>)
      workgroup(%s: memref<8xbf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 7, 1, 1>} {
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : bf16
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<7xbf16>
    %y = arith.addf %x, %x : bf16
    memref.store %y, %s[%i] : memref<8xbf16, #gpu.address_space<workgroup>>
    gpu.barrier
    %isFirst = arith.cmpi ult, %i, %c4 : index
    scf.if %isFirst {
      %j = arith.muli %i, %c4 : index
      %v = vector.load %b[%j] : memref<16xbf16>, vector<4xbf16>
      %w = arith.extf %v : vector<4xbf16> to vector<4xf32>
      %p = arith.mulf %w, %w : vector<4xf32>
      %r = arith.truncf %p : vector<4xf32> to vector<4xbf16>
      vector.store %r, %b[%j] : memref<16xbf16>, vector<4xbf16>
    }
    %z = memref.load %s[%i] : memref<8xbf16, #gpu.address_space<workgroup>>
    %t = arith.select %isFirst, %z, %zero : bf16
    memref.store %t, %a[%i] : memref<7xbf16>
    gpu.return
  }
}

// -----

// CHECK-LABEL: spirv.module @__spv__double
// CHECK:         !spirv.array<7 x f64, stride=8>
// CHECK:         spirv.GL.Fma {{.*}} : f64
// BINARY:      OpCapability Float64
// BINARY:      OpExecutionMode %fma RoundingModeRTE 64
gpu.module @double {
  gpu.func @fma(%a: memref<7xf64>) kernel attributes {known_block_size = array<i32: 7, 1, 1>} {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<7xf64>
    %y = math.fma %x, %x, %x : f64
    memref.store %y, %a[%i] : memref<7xf64>
    gpu.return
  }
}

// -----

// CHECK-LABEL: spirv.module @__spv__integers
// CHECK:         spirv.func @add()
// CHECK:           spirv.Load {{.*}} : i64
// CHECK:           spirv.IAdd {{.*}} : i16
// BINARY:      OpCapability Int64
gpu.module @integers {
  gpu.func @add(%a: memref<7xi64>, %b: memref<?xi16>, %c: memref<7xi8>) kernel attributes {known_block_size = array<i32: 7, 1, 1>} {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<7xi64>
    %y = memref.load %b[%i] : memref<?xi16>
    %z = arith.addi %y, %y : i16
    memref.store %z, %b[%i] : memref<?xi16>
    %w = arith.trunci %x : i64 to i8
    memref.store %w, %c[%i] : memref<7xi8>
    gpu.return
  }
}
