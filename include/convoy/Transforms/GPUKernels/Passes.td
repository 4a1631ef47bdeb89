//===- Passes.td - Kernels of GPUs -------------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_GPUKERNELS_PASSES_TD
#define CONVOY_TRANSFORMS_GPUKERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckRocmLimitsPass : Pass<"convoy-check-rocm-limits"> {
  let summary = "Refuse kernels that a chip cannot run";
  let description = [{
    - Needs: kernels on buffers, in a module with `convoy.rocm_chip`.
    - Leaves: the IR as it is.

    An error names the kernel, what it needs and the chip that lacks it: as
    much LDS, as large a workgroup, buffers that are not of one dimension,
    values of types that none of AMD's GPUs has, matrix instructions of
    `Support/GPUMatrixInstruction.h` that the chip lacks, or others than
    those, a barrier in a condition or a loop that the work-items of a group
    may decide differently.
  }];
}

def DescribeBuffersPass : Pass<"convoy-describe-buffers"> {
  let summary = "Say where buffers of kernels lie, and how";
  let description = [{
    - Needs: kernels on buffers.
    - Leaves: buffers in the memory that a whole GPU shares, with what holds
      for them in attributes.

    Buffers that come as arguments are put in the memory that a whole GPU
    shares. What holds for them, since the runtime allocates them and each
    launch binds what it writes once, is said in LLVM's attributes: no two
    overlap, they are aligned to 16 bytes, they have so many bytes, some are
    read only. Buffers of workgroups are aligned to 16 bytes, too. Accesses of
    vectors whose index is known to be a multiple of the vector's elements get
    the vector's alignment.
    ```mlir
    gpu.func @f(%a: memref<24xf32>)
        workgroup(%s: memref<24xf32, #gpu.address_space<workgroup>>) kernel {
      %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<24xf32, #gpu.address_space<global>>
          {llvm.align = 16 : i64, llvm.dereferenceable = 96 : i64, llvm.noalias, llvm.readonly})
        workgroup(%s: memref<24xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %v = vector.load %a[%i] {alignment = 16 : i64} : memref<24xf32, ..>, vector<4xf32>
    ```
  }];
}

def PinLoadsPass : Pass<"convoy-pin-loads"> {
  let summary = "Keep loads before the next barrier";
  let description = [{
    - Needs: kernels, with or without conditions behind a `gpu.barrier`.
    - Leaves: before each of these a use of what it needs that was loaded from
      memory before the barrier.

    LLVM would move such loads into the condition: what was to be on its way
    while matrices are multiplied would be asked for behind the barrier, and
    waited for.
    ```mlir
    %v = memref.load %memory[%i] : memref<64xf32>
    gpu.barrier
    scf.if %hasPart {
      memref.store %v, %shared[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    ```
    becomes
    ```mlir
    %v = memref.load %memory[%i] : memref<64xf32>
    gpu.barrier
    llvm.call_intrinsic "llvm.fake.use"(%v) : (f32) -> ()
    scf.if %hasPart {
      memref.store %v, %shared[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PinMatrixResultsPass : Pass<"convoy-pin-matrix-results"> {
  let summary = "Keep matrix instructions where all of a wave execute them";
  let description = [{
    - Needs: kernels, with or without `amdgpu.mfma` and `amdgpu.wmma`.
    - Leaves: a use behind each of these that no other op needs.

    LLVM 22 would move instructions of RDNA to where their results are used
    first (`MachineSink` takes none of them for convergent): into a condition
    on the work-item, such as the mask of a store, where some lanes of the wave
    no longer hold their part of the factors.
    ```mlir
    %d = amdgpu.wmma 16x16x16 %a * %b + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    ```
    becomes
    ```mlir
    %d = amdgpu.wmma 16x16x16 %a * %b + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    llvm.call_intrinsic "llvm.fake.use"(%d) : (vector<8xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def DropHostsPass : Pass<"convoy-drop-hosts", "::mlir::ModuleOp"> {
  let summary = "Drop functions that launch kernels";
  let description = [{
    - Needs: a module with kernels, whose launches have been read
      (`KernelInterface.h`).
    - Leaves: it without the functions that launch them, and without constants
      that only these read.

    Launches name kernels as these were before they are lowered.
    ```mlir
    func.func @conv(%a: memref<2x3xf32>) {
      convoy.launch @kernels::@conv_0 grid [1, 1, 1] outs(%a : memref<2x3xf32>)
      return
    }
    ```
    goes.
  }];
}

def CheckVulkanLimitsPass : Pass<"convoy-check-vulkan-limits"> {
  let summary = "Refuse kernels that a Vulkan profile cannot run";
  let description = [{
    - Needs: kernels on buffers, in a module with `#convoy.vulkan_profile`.
    - Leaves: the IR as it is.

    An error names the kernel, what it needs and the profile that lacks it: a
    type of its elements or values, as much workgroup memory, as large a
    workgroup or buffer. So does a barrier in a condition or a loop that the
    work-items of a group may decide differently, as far as can be seen from
    what depends on their numbers: no device promises anything there. In the `f16` values of a kernel `storage16` and `f16`
    are not the same: the one is for buffers, the other for arithmetic and
    workgroup memory. bf16 is integers of 16 bits to the device, and so is f16
    where it has `i16` but not `f16`. `index` has 32 bits, and 64 where a
    buffer may have more than 2^30 elements, which leaves room for what indices
    reach beyond the end of a buffer before they are masked.
  }];
}

def ReadWordsPass : Pass<"convoy-read-words"> {
  let summary = "Read several elements of a buffer as one integer";
  let description = [{
    - Needs: kernels on buffers of one dimension, in a module with
      `#convoy.vulkan_profile`.
    - Leaves: buffers of words where shared memory is slow and elements are
      read by 4 or 8, and where all reads take 16 bytes; no read of 8 elements.

    Where the profile's shared memory is slow (`slow_shared_memory`), a read of
    any memory takes time for each of its elements, whatever their width. So a
    buffer that is read alone, by `vector.load` of 4 or 8 elements, becomes one
    of words: integers of 64 bits if the profile has them, or of 32, which hold
    2 or 4 elements. An access has as many elements as all reads have, and
    their indices and the buffer's size are multiples of; what these are is
    seen from the ops that they come of, or from the alignment of an access.
    Elements of 64 bits stay as they are.

    Elsewhere the same is done of buffers with elements of less than 32 bits of
    which all reads take 16 bytes, or several times as many: vectors of four
    words are what a GPU reads at once, and those of four elements are shorter.

    In any case reads of 8 elements or more end: those of 4 are left where they
    are not made of words, since SPIR-V has no longer vectors. What is made of
    such a read is `vector.extract` and `vector.extract_strided_slice` of each
    half.
    ```mlir
    gpu.func @f(%a: memref<24xf32>) kernel {
      %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<6xvector<2xi64>>) kernel {
      %j = arith.divui %i, %c4 : index
      %words = memref.load %a[%j] : memref<6xvector<2xi64>>
      %v = vector.bitcast %words : vector<2xi64> to vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeBuffersPass : Pass<"convoy-vectorize-buffers"> {
  let summary = "Make buffers that are read by fours buffers of vectors";
  let description = [{
    - Needs: kernels on buffers of one dimension, arguments or workgroup
      attributions.
    - Leaves: buffers of vectors of 4 where every access is to 4 elements at a
      multiple of 4; others stay.

    Buffers whose every access is a `vector.load` or `vector.store` of 4
    elements become buffers of vectors of 4, since SPIR-V has no access to 4
    elements of a buffer of single ones. An access is taken only where its
    index is a multiple of 4: because of the ops that it comes of, or because
    the access has an alignment of 4 elements or more. Buffers accessed by 4
    that stay as they are for that reason get a remark with `explain`.
    ```mlir
    gpu.func @f(%a: memref<24xf32>) kernel {
      %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<6xvector<4xf32>>) kernel {
      %j = arith.divui %i, %c4 : index
      %v = memref.load %a[%j] : memref<6xvector<4xf32>>
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which buffers are accessed by single elements">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ScalarizeAccessesPass : Pass<"convoy-scalarize-accesses"> {
  let summary = "Access buffers of single elements one by one";
  let description = [{
    - Needs: `vector.load` and `vector.store` of one dimension on buffers of
      single elements.
    - Leaves: a `memref.load` or `memref.store` for each element.

    ```mlir
    %v = vector.load %a[%i] : memref<7xf32>, vector<2xf32>
    ```
    becomes
    ```mlir
    %x = memref.load %a[%i] : memref<7xf32>
    %j = arith.addi %i, %c1 : index
    %y = memref.load %a[%j] : memref<7xf32>
    %v = vector.from_elements %x, %y : vector<2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def AllocateAttributionsPass : Pass<"convoy-allocate-attributions"> {
  let summary = "Allocate workgroup memory inside kernels";
  let description = [{
    - Needs: kernels with workgroup attributions.
    - Leaves: each as a `memref.alloc` at the kernel's start.

    Upstream's conversion makes such an allocation a variable of the workgroup.
    ```mlir
    gpu.func @f() workgroup(%s: memref<24xf32, #gpu.address_space<workgroup>>) kernel {
    ```
    becomes
    ```mlir
    gpu.func @f() kernel {
      %s = memref.alloc() : memref<24xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def GuardLoopsPass : Pass<"convoy-guard-loops"> {
  let summary = "Enter loops with results only where they run";
  let description = [{
    - Needs: `scf.for` with results.
    - Leaves: those that may have no iteration inside an `scf.if`.

    Upstream's conversion to SPIR-V stores the results of a loop in its body
    alone, so that they are undefined where it never runs.
    ```mlir
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%x = %init) -> (f32) { .. }
    ```
    becomes
    ```mlir
    %runs = arith.cmpi slt, %lb, %ub : index
    %r = scf.if %runs -> (f32) {
      %s = scf.for %i = %lb to %ub step %c1 iter_args(%x = %init) -> (f32) { .. }
      scf.yield %s : f32
    } else {
      scf.yield %init : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def DeclareBufferAccessesPass : Pass<"convoy-declare-buffer-accesses"> {
  let summary = "Say which storage buffers are only read";
  let description = [{
    - Needs: SPIR-V whose buffers are variables, and in which no buffer that is
      written overlaps another one, as launches bind them.
    - Leaves: these variables as `Restrict`, and those that nothing is stored
      in as `NonWritable`.

    A variable whose address goes elsewhere than to loads, stores and accesses
    to its parts stays as it is.
    ```mlir
    spirv.GlobalVariable @x bind(0, 0) {non_writable, restrict} : !spirv.ptr<…, StorageBuffer>
    ```
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

def DeclareSubgroupsPass : Pass<"convoy-declare-subgroups"> {
  let summary = "Say which kernels ask for their subgroups";
  let description = [{
    - Needs: SPIR-V that says what versions, capabilities and extensions it is of
      (`spirv-update-vce`).
    - Leaves: `GroupNonUniform` among the capabilities of modules that read the
      number of a subgroup or of a work-item in it, and
      `BFloat16CooperativeMatrixKHR` where these multiply matrices of bf16:
      upstream's pass looks at neither. A constant `subgroup_size` says what
      subgroups the module is made for (see docs/VulkanUsage.md).

    ```mlir
    spirv.module Logical Vulkan requires #spirv.vce<v1.6, [Shader, GroupNonUniform], []> {
      spirv.SpecConstant @subgroup_size = 32 : i32
      spirv.GlobalVariable @subgroup built_in("SubgroupId") : !spirv.ptr<i32, Input>
      ..
    ```
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

#endif // CONVOY_TRANSFORMS_GPUKERNELS_PASSES_TD
