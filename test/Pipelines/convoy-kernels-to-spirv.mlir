// RUN: convoy-test-opt %s --convoy-kernels-to-spirv-pipeline="profile=lavapipe" --test-convoy-emit-spirv -o %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=DIALECT --input-file=%t.mlir
// The same by a program of its own, for each profile that has all that the kernels need.
// RUN: convoy-test-opt %s --convoy-kernels-to-spirv-pipeline="profile=nvidia" --test-convoy-emit-spirv -o /dev/null | spirv-as --target-env spv1.0 - -o - | spirv-val --target-env vulkan1.2 -
// RUN: convoy-test-opt %s --convoy-kernels-to-spirv-pipeline="profile=amd" --test-convoy-emit-spirv -o /dev/null | spirv-as --target-env spv1.0 - -o - | spirv-val --target-env vulkan1.2 -
// RUN: not convoy-opt %s --convoy-kernels-to-spirv-pipeline="profile=generic" 2>&1 | FileCheck %s --check-prefix=GENERIC

// Products of a 20x32 and a 32x24 matrix in tiles of 8x8, staged in two buffers
// of workgroup memory in turns, with a row of tiles that is not full; one binary
// for all kernels.

// CHECK-DAG:  OpEntryPoint GLCompute %matmul_f32 "matmul_f32"
// CHECK-DAG:  OpEntryPoint GLCompute %matmul_f16 "matmul_f16"
// CHECK-DAG:  OpEntryPoint GLCompute %matmul_i8 "matmul_i8"
// CHECK-DAG:  OpExecutionMode %matmul_f32 LocalSize 2 8 1
// CHECK-DAG:  OpExecutionMode %matmul_f32 RoundingModeRTE 32
// CHECK-DAG:  OpExecutionMode %matmul_f32 SignedZeroInfNanPreserve 32
// CHECK-DAG:  OpExecutionMode %matmul_f16 RoundingModeRTE 16
// CHECK-NOT:  OpExecutionMode %matmul_i8 RoundingModeRTE
// CHECK:      OpDecorate %matmul_f32_arg_0 Binding 0
// CHECK-NOT:  NoSignedWrap
// CHECK-NOT:  NoUnsignedWrap

// GENERIC: error: kernel matmul_f16 cannot run with profile generic: a buffer of 'f16', but it has no storage of 16 bits

// The kernels are where they were, beside the host's function.
// DIALECT: func.func @host
// DIALECT: spirv.module @__spv__kernels Logical GLSL450 requires #spirv.vce<v1.0, [
func.func @host() {
  return
}

gpu.module @kernels {
  // A is read by fours and, from workgroup memory, one by one; B by fours alone.
  // DIALECT: spirv.GlobalVariable @__workgroup_mem__{{.*}}!spirv.array<32 x vector<4xf32>>)>, Workgroup>
  // DIALECT: spirv.GlobalVariable @__workgroup_mem__{{.*}}!spirv.array<128 x f32>)>, Workgroup>
  // DIALECT: spirv.func @matmul_f32()
  // DIALECT:   spirv.ControlBarrier
  // DIALECT:   spirv.mlir.loop
  // DIALECT:     spirv.Select {{.*}} : vector<4xi1>, vector<4xf32>
  // DIALECT:     spirv.GL.Fma {{.*}} : vector<4xf32>
  // DIALECT:   spirv.ControlBarrier
  gpu.func @matmul_f32(%a: memref<640xf32>, %b: memref<768xf32>, %c: memref<480xf32>)
      workgroup(%sa: memref<128xf32, #gpu.address_space<workgroup>>, %sb: memref<128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 2, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %M = arith.constant 20 : index
    %N = arith.constant 24 : index
    %K = arith.constant 32 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %c8 : index
    %row = arith.addi %row0, %ty overflow<nsw, nuw> : index
    %col0 = arith.muli %bx, %c8 overflow<nsw> : index
    %tc = arith.muli %tx, %c4 : index
    %col = arith.addi %col0, %tc : index
    %inside = arith.cmpi ult, %row, %M : index
    %rowK = arith.muli %row, %K : index
    %tyN = arith.muli %ty, %N : index
    %ty8 = arith.muli %ty, %c8 : index
    %slot = arith.addi %ty8, %tc : index
    %zeroT = arith.constant dense<0.0> : vector<4xf32>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // The first panel.
    %a0 = scf.if %inside -> vector<4xf32> {
      %i = arith.addi %rowK, %tc : index
      %v = vector.load %a[%i] : memref<640xf32>, vector<4xf32>
      scf.yield %v : vector<4xf32>
    } else {
      scf.yield %zeroT : vector<4xf32>
    }
    vector.store %a0, %sa[%slot] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %ib = arith.addi %tyN, %col : index
    %b0 = vector.load %b[%ib] : memref<768xf32>, vector<4xf32>
    vector.store %b0, %sb[%slot] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %r, %last = scf.for %k = %c0 to %K step %c8 iter_args(%acc = %zero, %half = %c0) -> (vector<4xf32>, index) {
      %next = arith.addi %k, %c8 : index
      %more = arith.cmpi ult, %next, %K : index
      %other = arith.subi %c64, %half : index
      scf.if %more {
        %kc = arith.addi %next, %tc : index
        %i = arith.addi %rowK, %kc : index
        %fetch = arith.select %inside, %i, %c0 : index
        %v0 = vector.load %a[%fetch] : memref<640xf32>, vector<4xf32>
        %v = arith.select %inside, %v0, %zeroT : vector<4xf32>
        %o = arith.addi %other, %slot : index
        vector.store %v, %sa[%o] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %kr = arith.addi %next, %ty : index
        %krN = arith.muli %kr, %N : index
        %j = arith.addi %krN, %col : index
        %w = vector.load %b[%j] : memref<768xf32>, vector<4xf32>
        vector.store %w, %sb[%o] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      }
      %sum = scf.for %q = %c0 to %c8 step %c1 iter_args(%s = %acc) -> vector<4xf32> {
        %i0 = arith.addi %half, %ty8 : index
        %i1 = arith.addi %i0, %q : index
        %x = memref.load %sa[%i1] : memref<128xf32, #gpu.address_space<workgroup>>
        %x4 = vector.broadcast %x : f32 to vector<4xf32>
        %q8 = arith.muli %q, %c8 : index
        %j0 = arith.addi %half, %q8 : index
        %j1 = arith.addi %j0, %tc : index
        %w = vector.load %sb[%j1] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %n = vector.fma %x4, %w, %s : vector<4xf32>
        scf.yield %n : vector<4xf32>
      }
      gpu.barrier
      scf.yield %sum, %other : vector<4xf32>, index
    }
    scf.if %inside {
      %rowN = arith.muli %row, %N : index
      %i = arith.addi %rowN, %col : index
      vector.store %r, %c[%i] : memref<480xf32>, vector<4xf32>
    }
    gpu.return
  }

  // DIALECT: spirv.func @matmul_f16()
  // DIALECT:   spirv.FConvert {{.*}} : vector<4xf16> to vector<4xf32>
  // DIALECT:   spirv.FConvert {{.*}} : vector<4xf32> to vector<4xf16>
  gpu.func @matmul_f16(%a: memref<640xf16>, %b: memref<768xf16>, %c: memref<480xf16>)
      workgroup(%sa: memref<128xf16, #gpu.address_space<workgroup>>, %sb: memref<128xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 2, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %M = arith.constant 20 : index
    %N = arith.constant 24 : index
    %K = arith.constant 32 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %c8 : index
    %row = arith.addi %row0, %ty overflow<nsw, nuw> : index
    %col0 = arith.muli %bx, %c8 overflow<nsw> : index
    %tc = arith.muli %tx, %c4 : index
    %col = arith.addi %col0, %tc : index
    %inside = arith.cmpi ult, %row, %M : index
    %rowK = arith.muli %row, %K : index
    %tyN = arith.muli %ty, %N : index
    %ty8 = arith.muli %ty, %c8 : index
    %slot = arith.addi %ty8, %tc : index
    %zeroT = arith.constant dense<0.0> : vector<4xf16>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // The first panel.
    %a0 = scf.if %inside -> vector<4xf16> {
      %i = arith.addi %rowK, %tc : index
      %v = vector.load %a[%i] : memref<640xf16>, vector<4xf16>
      scf.yield %v : vector<4xf16>
    } else {
      scf.yield %zeroT : vector<4xf16>
    }
    vector.store %a0, %sa[%slot] : memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %ib = arith.addi %tyN, %col : index
    %b0 = vector.load %b[%ib] : memref<768xf16>, vector<4xf16>
    vector.store %b0, %sb[%slot] : memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    gpu.barrier
    %r, %last = scf.for %k = %c0 to %K step %c8 iter_args(%acc = %zero, %half = %c0) -> (vector<4xf32>, index) {
      %next = arith.addi %k, %c8 : index
      %more = arith.cmpi ult, %next, %K : index
      %other = arith.subi %c64, %half : index
      scf.if %more {
        %kc = arith.addi %next, %tc : index
        %i = arith.addi %rowK, %kc : index
        %fetch = arith.select %inside, %i, %c0 : index
        %v0 = vector.load %a[%fetch] : memref<640xf16>, vector<4xf16>
        %v = arith.select %inside, %v0, %zeroT : vector<4xf16>
        %o = arith.addi %other, %slot : index
        vector.store %v, %sa[%o] : memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf16>
        %kr = arith.addi %next, %ty : index
        %krN = arith.muli %kr, %N : index
        %j = arith.addi %krN, %col : index
        %w = vector.load %b[%j] : memref<768xf16>, vector<4xf16>
        vector.store %w, %sb[%o] : memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      }
      %sum = scf.for %q = %c0 to %c8 step %c1 iter_args(%s = %acc) -> vector<4xf32> {
        %i0 = arith.addi %half, %ty8 : index
        %i1 = arith.addi %i0, %q : index
        %x = memref.load %sa[%i1] : memref<128xf16, #gpu.address_space<workgroup>>
        %xe = arith.extf %x : f16 to f32
        %x4 = vector.broadcast %xe : f32 to vector<4xf32>
        %q8 = arith.muli %q, %c8 : index
        %j0 = arith.addi %half, %q8 : index
        %j1 = arith.addi %j0, %tc : index
        %w = vector.load %sb[%j1] : memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf16>
        %w4 = arith.extf %w : vector<4xf16> to vector<4xf32>
        %n = vector.fma %x4, %w4, %s : vector<4xf32>
        scf.yield %n : vector<4xf32>
      }
      gpu.barrier
      scf.yield %sum, %other : vector<4xf32>, index
    }
    scf.if %inside {
      %rowN = arith.muli %row, %N : index
      %i = arith.addi %rowN, %col : index
      %o = arith.truncf %r : vector<4xf32> to vector<4xf16>
      vector.store %o, %c[%i] : memref<480xf16>, vector<4xf16>
    }
    gpu.return
  }

  // DIALECT: spirv.func @matmul_i8()
  // DIALECT:   spirv.SConvert {{.*}} : vector<4xi8> to vector<4xi32>
  gpu.func @matmul_i8(%a: memref<640xi8>, %b: memref<768xi8>, %c: memref<480xi32>)
      workgroup(%sa: memref<128xi8, #gpu.address_space<workgroup>>, %sb: memref<128xi8, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 2, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %M = arith.constant 20 : index
    %N = arith.constant 24 : index
    %K = arith.constant 32 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %c8 : index
    %row = arith.addi %row0, %ty overflow<nsw, nuw> : index
    %col0 = arith.muli %bx, %c8 overflow<nsw> : index
    %tc = arith.muli %tx, %c4 : index
    %col = arith.addi %col0, %tc : index
    %inside = arith.cmpi ult, %row, %M : index
    %rowK = arith.muli %row, %K : index
    %tyN = arith.muli %ty, %N : index
    %ty8 = arith.muli %ty, %c8 : index
    %slot = arith.addi %ty8, %tc : index
    %zeroT = arith.constant dense<0> : vector<4xi8>
    %zero = arith.constant dense<0> : vector<4xi32>
    // The first panel.
    %a0 = scf.if %inside -> vector<4xi8> {
      %i = arith.addi %rowK, %tc : index
      %v = vector.load %a[%i] : memref<640xi8>, vector<4xi8>
      scf.yield %v : vector<4xi8>
    } else {
      scf.yield %zeroT : vector<4xi8>
    }
    vector.store %a0, %sa[%slot] : memref<128xi8, #gpu.address_space<workgroup>>, vector<4xi8>
    %ib = arith.addi %tyN, %col : index
    %b0 = vector.load %b[%ib] : memref<768xi8>, vector<4xi8>
    vector.store %b0, %sb[%slot] : memref<128xi8, #gpu.address_space<workgroup>>, vector<4xi8>
    gpu.barrier
    %r, %last = scf.for %k = %c0 to %K step %c8 iter_args(%acc = %zero, %half = %c0) -> (vector<4xi32>, index) {
      %next = arith.addi %k, %c8 : index
      %more = arith.cmpi ult, %next, %K : index
      %other = arith.subi %c64, %half : index
      scf.if %more {
        %kc = arith.addi %next, %tc : index
        %i = arith.addi %rowK, %kc : index
        %fetch = arith.select %inside, %i, %c0 : index
        %v0 = vector.load %a[%fetch] : memref<640xi8>, vector<4xi8>
        %v = arith.select %inside, %v0, %zeroT : vector<4xi8>
        %o = arith.addi %other, %slot : index
        vector.store %v, %sa[%o] : memref<128xi8, #gpu.address_space<workgroup>>, vector<4xi8>
        %kr = arith.addi %next, %ty : index
        %krN = arith.muli %kr, %N : index
        %j = arith.addi %krN, %col : index
        %w = vector.load %b[%j] : memref<768xi8>, vector<4xi8>
        vector.store %w, %sb[%o] : memref<128xi8, #gpu.address_space<workgroup>>, vector<4xi8>
      }
      %sum = scf.for %q = %c0 to %c8 step %c1 iter_args(%s = %acc) -> vector<4xi32> {
        %i0 = arith.addi %half, %ty8 : index
        %i1 = arith.addi %i0, %q : index
        %x = memref.load %sa[%i1] : memref<128xi8, #gpu.address_space<workgroup>>
        %xe = arith.extsi %x : i8 to i32
        %x4 = vector.broadcast %xe : i32 to vector<4xi32>
        %q8 = arith.muli %q, %c8 : index
        %j0 = arith.addi %half, %q8 : index
        %j1 = arith.addi %j0, %tc : index
        %w = vector.load %sb[%j1] : memref<128xi8, #gpu.address_space<workgroup>>, vector<4xi8>
        %w4 = arith.extsi %w : vector<4xi8> to vector<4xi32>
        %p = arith.muli %x4, %w4 : vector<4xi32>
          %n = arith.addi %p, %s : vector<4xi32>
        scf.yield %n : vector<4xi32>
      }
      gpu.barrier
      scf.yield %sum, %other : vector<4xi32>, index
    }
    scf.if %inside {
      %rowN = arith.muli %row, %N : index
      %i = arith.addi %rowN, %col : index
      vector.store %r, %c[%i] : memref<480xi32>, vector<4xi32>
    }
    gpu.return
  }
}
