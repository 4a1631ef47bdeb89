//===- ROCDLPasses.td - Passes on kernels for AMD's GPUs ---*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_ROCDLPASSES_TD
#define CONVOY_TRANSFORMS_ROCDLPASSES_TD

include "mlir/Pass/PassBase.td"

def AttachRocmChipPass : Pass<"convoy-attach-rocm-chip", "::mlir::ModuleOp"> {
  let summary = "Say which of AMD's GPUs kernels are made for";
  let description = [{
    Puts on the module `convoy.rocm_chip` and `#convoy.target`, what tiles are
    chosen for: the chip's waves, its LDS and the size of its workgroups.
    ```mlir
    module attributes {convoy.rocm_chip = "gfx942",
                       convoy.target = #convoy.target<vector_bytes = 16, registers = 32,
                         l1_bytes = 32768, l2_bytes = 262144, subgroup = 64,
                         workgroup_bytes = 65536, workgroup_items = 1024>} {
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"gfx942\"",
           "Chip: gfx90a, gfx942, gfx950, gfx1100 or gfx1201">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def CheckRocmLimitsPass : Pass<"convoy-check-rocm-limits"> {
  let summary = "Refuse kernels that a chip cannot run";
  let description = [{
    Takes kernels on buffers, with `convoy.rocm_chip` on the module, and changes
    nothing. An error names the kernel, what it needs and the chip that lacks it:
    as much LDS, as large a workgroup, buffers that are not of one dimension,
    values of types that none of AMD's GPUs has, matrix instructions
    of `Support/RocmMatrixInstruction.h` that the chip lacks, or others than those.
  }];
}

def ContractFloatsPass : Pass<"convoy-contract-floats"> {
  let summary = "Let products be added without being rounded";
  let description = [{
    Takes kernels; leaves `arith.mulf` and `arith.addf` of floats with the flag
    `contract`, so that the two become one multiply-add. Our bounds of errors hold
    with it and without.
    ```mlir
    %p = arith.mulf %x, %y : vector<4xf32>
    %r = arith.addf %p, %s : vector<4xf32>
    ```
    becomes
    ```mlir
    %p = arith.mulf %x, %y fastmath<contract> : vector<4xf32>
    %r = arith.addf %p, %s fastmath<contract> : vector<4xf32>
    ```
  }];
}

def DescribeBuffersPass : Pass<"convoy-describe-buffers"> {
  let summary = "Say where buffers of kernels lie, and how";
  let description = [{
    Takes kernels on buffers. Those that come as arguments are put in the memory
    that a whole GPU shares. What holds for them, since the runtime allocates
    them and each launch binds what it writes once, is said in LLVM's attributes:
    no two overlap, they are aligned to 16 bytes, they have so many bytes, some
    are read only. Buffers of workgroups are aligned to 16 bytes, too. Accesses
    of vectors whose index is known to be a multiple of the vector's elements get
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

def PinMatrixResultsPass : Pass<"convoy-pin-matrix-results"> {
  let summary = "Keep matrix instructions where all of a wave execute them";
  let description = [{
    Takes kernels; leaves a use of each result of `amdgpu.mfma` and `amdgpu.wmma`
    that no other one needs, behind it. LLVM 22 would move instructions of RDNA
    to where their results are used first (`MachineSink` takes none of them for
    convergent): into a condition on the work-item, such as the mask of a store,
    where some lanes of the wave no longer hold their part of the factors.
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

#endif // CONVOY_TRANSFORMS_ROCDLPASSES_TD
