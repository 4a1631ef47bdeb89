//===- Passes.td - What kernels are compiled for -----------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TARGETS_PASSES_TD
#define CONVOY_TRANSFORMS_TARGETS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"convoy-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say which machine tiles are made for";
  let description = [{
    - Needs: any module.
    - Leaves: `#convoy.target` on it.

    What no option says of a core and of tiles stays as the module has it, or is
    that of `#convoy.target<>`. It is a GPU only if the options say so.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "0",
           "Width of a vector register in bytes; 0 keeps the module's">,
    Option<"registers", "registers", "int64_t", "0",
           "Number of vector registers; 0 keeps the module's">,
    Option<"l1Bytes", "l1-bytes", "int64_t", "0",
           "Size of a core's first cache in bytes; 0 keeps the module's">,
    Option<"l2Bytes", "l2-bytes", "int64_t", "0",
           "Size of a core's second cache in bytes; 0 keeps the module's">,
    Option<"lineBytes", "line-bytes", "int64_t", "0",
           "Size of a line of the caches in bytes; 0 keeps the module's">,
    Option<"pageBytes", "page-bytes", "int64_t", "0",
           "Size of a page in bytes; 0 keeps the module's">,
    Option<"criticalStride", "critical-stride", "int64_t", "0",
           "How many bytes apart addresses share a set of the first cache; 0 "
           "keeps the module's">,
    Option<"tlbEntries", "tlb-entries", "int64_t", "0",
           "Pages that the first level of the TLB translates; 0 keeps the "
           "module's">,
    Option<"lastLevelBytes", "last-level-bytes", "int64_t", "0",
           "A core's part of the last cache in bytes; 0 keeps the module's">,
    Option<"prefetchStreams", "prefetch-streams", "int64_t", "0",
           "Rows that are read in turn and prefetched all the same; 0 keeps the "
           "module's">,
    Option<"vectorUnits", "vector-units", "int64_t", "0",
           "Multiply-adds of vectors that start in a cycle, and as many loads; 0 "
           "keeps the module's">,
    Option<"fmaLatency", "fma-latency", "int64_t", "0",
           "Cycles from a multiply-add to the next that adds to its sum; 0 keeps "
           "the module's">,
    Option<"maskedBytes", "masked-bytes", "int64_t", "0",
           "Size of the smallest vectors that are masked at no cost, in bytes; 0 "
           "keeps the module's">,
    Option<"indexedBytes", "indexed-bytes", "int64_t", "0",
           "Size of vectors any element of which multiplies a vector, in bytes; 0 "
           "keeps the module's">,
    ListOption<"dot", "dot", "std::string",
               "Names of the CPU's instructions that sum products of neighbours; "
               "'none' for none, empty keeps the module's">,
    ListOption<"tile", "tile", "int64_t",
               "Rows and vectors of the register tile; empty keeps the "
               "module's, or chooses them from the registers">,
    Option<"subgroup", "subgroup", "int64_t", "0",
           "Work-items of a GPU that run in step; 0 for what is not a GPU">,
    Option<"workgroupBytes", "workgroup-bytes", "int64_t", "0",
           "Memory that a workgroup shares in bytes; 0 for what is not a GPU">,
    Option<"workgroupItems", "workgroup-items", "int64_t", "0",
           "Most work-items in a workgroup; 0 for what is not a GPU">,
    Option<"slowSharedMemory", "slow-shared-memory", "bool", "false",
           "Whether the memory that a workgroup shares is no faster than any "
           "other">,
    Option<"computeUnits", "compute-units", "int64_t", "0",
           "Units of a GPU that run workgroups of their own; 0 where their number "
           "is not known">,
    Option<"explain", "explain", "bool", "false",
           "Say in a remark what tiles are made for">,
    ListOption<"asked", "asked", "std::string",
               "Names of the target's numbers that this machine was asked for, "
               "which 'explain' says">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def AttachRocmChipPass : Pass<"convoy-attach-rocm-chip", "::mlir::ModuleOp"> {
  let summary = "Say which of AMD's GPUs kernels are made for";
  let description = [{
    - Needs: any module.
    - Leaves: `convoy.rocm_chip` and `#convoy.target` on it.

    `#convoy.target` is what tiles are chosen for: the chip's waves, its LDS
    and the size of its workgroups.
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

def AttachVulkanProfilePass : Pass<"convoy-attach-vulkan-profile", "::mlir::ModuleOp"> {
  let summary = "Say which Vulkan devices kernels are made for";
  let description = [{
    - Needs: any module.
    - Leaves: `#convoy.vulkan_profile`, `#convoy.target` and
      `#spirv.target_env` on it.

    `#convoy.vulkan_profile` is what the devices can do, `#convoy.target` what
    tiles are chosen for, and `#spirv.target_env` what SPIR-V may be used. It
    is SPIR-V 1.3 at most, which every device with Vulkan 1.2 takes.
    - `lavapipe`: Mesa's Vulkan on the CPU.
    - `generic`: what every device with Vulkan 1.2 has to offer.
    - `nvidia`, `amd`: GPUs of desktops and servers.

    Features of `#convoy.vulkan_profile` may follow: `nvidia-f16-f64` lacks
    those that `nvidia` has, and `generic+i16+storage16` has more than
    `generic`. An empty name stands for the module's own profile: the other two
    attributes are added where they are missing.
  }];
  let options = [
    Option<"profile", "profile", "std::string", "\"generic\"",
           "Profile: lavapipe, generic, nvidia or amd, and features as in "
           "nvidia-f16; empty for the module's">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::spirv::SPIRVDialect"];
}

def DetachTargetPass : Pass<"convoy-detach-target", "::mlir::ModuleOp"> {
  let summary = "Forget which machine tiles are for";
  let description = [{
    - Needs: any module.
    - Leaves: no `#convoy.target` on it.

    At the end of the way to LLVM's dialect, which upstream's tools translate
    without knowing ours.
  }];
}

#endif // CONVOY_TRANSFORMS_TARGETS_PASSES_TD
