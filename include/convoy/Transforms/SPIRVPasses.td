//===- SPIRVPasses.td - Passes on kernels for Vulkan -------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SPIRVPASSES_TD
#define CONVOY_TRANSFORMS_SPIRVPASSES_TD

include "mlir/Pass/PassBase.td"

def AttachVulkanProfilePass : Pass<"convoy-attach-vulkan-profile", "::mlir::ModuleOp"> {
  let summary = "Say which Vulkan devices kernels are made for";
  let description = [{
    Puts on the module `#convoy.vulkan_profile`, what the devices can do;
    `#convoy.target`, what tiles are chosen for; and `#spirv.target_env`, what
    SPIR-V may be used. It is SPIR-V 1.3, which every device with Vulkan 1.2 takes.
    - `lavapipe`: Mesa's Vulkan on the CPU.
    - `generic`: what every device with Vulkan 1.2 has to offer.
    - `nvidia`, `amd`: GPUs of desktops and servers.

    Features of `#convoy.vulkan_profile` may follow: `nvidia-f16-f64` lacks those
    that `nvidia` has, and `generic+i16+storage16` has more than `generic`.
  }];
  let options = [
    Option<"profile", "profile", "std::string", "\"generic\"",
           "Profile: lavapipe, generic, nvidia or amd, and features as in "
           "nvidia-f16">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::spirv::SPIRVDialect"];
}

def DropHostsPass : Pass<"convoy-drop-hosts", "::mlir::ModuleOp"> {
  let summary = "Drop functions that launch kernels";
  let description = [{
    Takes a module with kernels; leaves it without the functions that launch
    them, which are data by then (`KernelInterface.h`), and whose launches name
    kernels as these were before they are lowered.
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
    Takes kernels on buffers and changes nothing. An error names the kernel, what
    it needs and the profile that lacks it: a type of its elements or values, as
    much workgroup memory, as large a workgroup or buffer. In the `f16` values of
    a kernel `storage16` and `f16` are not the same: the one is for buffers, the
    other for arithmetic and workgroup memory. bf16 is integers of 16 bits to the
    device, and so is f16 where it has `i16` but not `f16`.
    `index` has 32 bits, and 64 where a buffer may have more than 2^30 elements,
    which leaves room for what indices reach beyond the end of a buffer before
    they are masked.
  }];
}

def EmulateNarrowFloatsPass : Pass<"convoy-emulate-narrow-floats"> {
  let summary = "Compute with floats that a device lacks in f32";
  let description = [{
    Takes kernels on buffers in a module with a `convoy.vulkan_profile`; leaves
    them without bf16, which Vulkan does not know, and without f16 where the
    profile has no arithmetic for it. They are stored, moved and selected as i16,
    computed with in f32, and rounded to nearest by integer arithmetic, as
    `arith-emulate-unsupported-floats`, `arith-expand`, `convoy-expand-f16` and
    `convoy-store-floats-as-bits` do. Results are the same. Functions of the math
    dialect but `math.fma` are computed in f32 in any case, and rounded.
    ```mlir
    %y = arith.addf %x, %x : f16
    ```
    becomes
    ```mlir
    %single = .. : f32
    %sum = arith.addf %single, %single : f32
    %y = .. : i16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ReadWordsPass : Pass<"convoy-read-words"> {
  let summary = "Read several elements of a buffer as one integer";
  let description = [{
    Takes kernels on buffers of one dimension. Where the memory of the module's
    `convoy.vulkan_profile` is flat, a read of memory takes time for each of its
    elements, whatever their width. So a buffer that is read alone, by
    `vector.load` of 4 or 8 elements, becomes one of words: integers of 64 bits
    if the profile has them, or of 32, which hold 2 or 4 elements. An access has
    as many elements as all reads have, and their indices and the buffer's size
    are multiples of; what these are is seen from the ops that they come of, or
    from the alignment of an access. Elements of 64 bits stay as they are.

    In any case reads of 8 elements end: two of 4 are left of those that are not
    made of words, since SPIR-V has no longer vectors. What is made of a read of 8 is
    `vector.extract` and `vector.extract_strided_slice` of each half.
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

def ExpandMathFunctionsPass : Pass<"convoy-expand-math-functions"> {
  let summary = "Compute functions that SPIR-V lacks by others";
  let description = [{
    Takes kernels; leaves those functions of the math dialect that SPIR-V has, in
    f16 and f32, or that upstream's conversion makes of such. `trunc` becomes
    `ceil` or `floor`, `erf` and `erfc` in f32 become upstream's polynomials
    ([Numerics](Numerics.md) says how exact they are). Other functions, and those
    of f64 but the exact ones, are refused.
    ```mlir
    %whole = math.trunc %x : f32
    ```
    becomes
    ```mlir
    %isNegative = arith.cmpf olt, %x, %zero : f32
    %up = math.ceil %x : f32
    %down = math.floor %x : f32
    %whole = arith.select %isNegative, %up, %down : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeBuffersPass : Pass<"convoy-vectorize-buffers"> {
  let summary = "Make buffers that are read by fours buffers of vectors";
  let description = [{
    Takes kernels on buffers of one dimension, arguments or workgroup
    attributions. Those whose every access is a `vector.load` or `vector.store`
    of 4 elements become buffers of vectors of 4, since SPIR-V has no access to
    4 elements of a buffer of single ones. An access is taken only where its
    index is a multiple of 4: because of the ops that it comes of, or because the
    access has an alignment of 4 elements or more. Buffers accessed by 4 that
    stay as they are for that reason get a remark with `explain`.
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
    Takes `vector.load` and `vector.store` of one dimension on buffers of single
    elements; leaves a `memref.load` or `memref.store` for each element.
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
    Takes kernels with workgroup attributions; leaves each as a `memref.alloc` at
    the kernel's start, which upstream's conversion makes a variable of the
    workgroup.
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
    Takes `scf.for` with results; leaves those that may have no iteration inside
    an `scf.if`. Upstream's conversion to SPIR-V stores the results of a loop in
    its body alone, so that they are undefined where it never runs.
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

def DeclareFloatControlsPass : Pass<"convoy-declare-float-controls"> {
  let summary = "Ask for rounding to nearest and for signed zeros";
  let description = [{
    Takes SPIR-V with entry points. For each width of floats that an entry point
    has, it adds the execution modes `RoundingModeRTE` and
    `SignedZeroInfNanPreserve` where `#convoy.vulkan_profile` offers them.
    ```mlir
    spirv.ExecutionMode @f "RoundingModeRTE", 32
    spirv.ExecutionMode @f "SignedZeroInfNanPreserve", 32
    ```
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

def DeclareBufferAccessesPass : Pass<"convoy-declare-buffer-accesses"> {
  let summary = "Say which storage buffers are only read";
  let description = [{
    Takes SPIR-V whose buffers are variables, and in which no buffer that is
    written overlaps another one, as launches bind them. Each of these variables
    becomes `Restrict`, and `NonWritable` too if nothing is stored in it. One
    whose address goes elsewhere than to loads, stores and accesses to its parts
    stays as it is.
    ```mlir
    spirv.GlobalVariable @x bind(0, 0) {non_writable, restrict} : !spirv.ptr<…, StorageBuffer>
    ```
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

#endif // CONVOY_TRANSFORMS_SPIRVPASSES_TD
