//===- Pipelines.h - The ways down to machine code --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PIPELINES_PIPELINES_H
#define CONVOY_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::convoy {

/// Options of pipelines through register tiles.
struct RegisterTileOptions : virtual mlir::detail::PassOptions {
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark how each contraction is tiled"),
      llvm::cl::init(false)};
  Option<uint64_t> candidate{
      *this, "candidate",
      llvm::cl::desc("How many register tiles with better estimates to pass "
                     "over"),
      llvm::cl::init(0)};
};

/// Options of pipelines through convolutions.
struct NumericsOptions : virtual mlir::detail::PassOptions {
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc("Policy of convolutions that have no other than normal: "
                     "normal, high or low"),
      llvm::cl::init("")};
  Option<bool> strictRanges{
      *this, "strict-ranges",
      llvm::cl::desc("Fail where f16 or integers are not proved to be wide "
                     "enough"),
      llvm::cl::init(false)};

  void copyNumericsFrom(const NumericsOptions &other) {
    precision = other.precision.getValue();
    strictRanges = other.strictRanges.getValue();
  }
};

/// Options of `convoy-to-tiles-pipeline`.
struct ConvoyToTilesOptions : PassPipelineOptions<ConvoyToTilesOptions>,
                              RegisterTileOptions,
                              NumericsOptions {};

/// Options of `convoy-to-llvm-pipeline`.
struct ConvoyToLLVMOptions : PassPipelineOptions<ConvoyToLLVMOptions>,
                             RegisterTileOptions,
                             NumericsOptions {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("CPU to compile for, as in LLVM's -mcpu, or host; empty "
                     "makes tiles for the module's #convoy.target and needs no "
                     "instruction that only some CPUs have"),
      llvm::cl::init("")};
  Option<bool> keepTarget{
      *this, "keep-target",
      llvm::cl::desc("Make tiles for the module's #convoy.target, not for the "
                     "CPU"),
      llvm::cl::init(false)};
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Threads that a kernel runs in; with more than 1 it calls "
                     "LLVM's OpenMP library"),
      llvm::cl::init(1)};
  Option<bool> packedFilters{
      *this, "packed-filters",
      llvm::cl::desc("Let kernels take their filters as functions of their own "
                     "pack them"),
      llvm::cl::init(false)};
  Option<bool> scalarsInMemory{
      *this, "scalars-in-memory",
      llvm::cl::desc(
          "Let kernels take numbers as buffers of rank 0, and not by "
          "value"),
      llvm::cl::init(false)};
};

/// Options of `convoy-to-kernels-pipeline`.
struct ConvoyToKernelsOptions : PassPipelineOptions<ConvoyToKernelsOptions>,
                                NumericsOptions {
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark how each contraction is tiled"),
      llvm::cl::init(false)};
};

/// Options of `convoy-kernels-to-spirv-pipeline`.
struct KernelsToSPIRVOptions : PassPipelineOptions<KernelsToSPIRVOptions> {
  Option<std::string> profile{
      *this, "profile",
      llvm::cl::desc("Vulkan profile, lavapipe, generic, nvidia or amd, and "
                     "features as in nvidia-f16; empty "
                     "takes the module's #convoy.vulkan_profile"),
      llvm::cl::init("")};
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark which buffers are accessed by single "
                     "elements"),
      llvm::cl::init(false)};
};

/// Options of `convoy-to-spirv-pipeline`.
struct ConvoyToSPIRVOptions : PassPipelineOptions<ConvoyToSPIRVOptions>,
                              NumericsOptions {
  Option<std::string> profile{
      *this, "profile",
      llvm::cl::desc("Vulkan profile, lavapipe, generic, nvidia or amd, and "
                     "features as in nvidia-f16; empty "
                     "takes the module's #convoy.vulkan_profile"),
      llvm::cl::init("")};
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark how each contraction is tiled"),
      llvm::cl::init(false)};
};

/// Options of `convoy-kernels-to-host-pipeline`.
struct KernelsToHostOptions : PassPipelineOptions<KernelsToHostOptions> {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("CPU to compile for, as in LLVM's -mcpu, or host; empty "
                     "needs no instruction that only some CPUs have"),
      llvm::cl::init("")};
  Option<bool> checks{
      *this, "checks",
      llvm::cl::desc("Ask the runtime before each access to memory"),
      llvm::cl::init(true)};
  Option<bool> pairwiseSums{
      *this, "pairwise-sums",
      llvm::cl::desc("Let matrix instructions add products pair by pair"),
      llvm::cl::init(false)};
};

/// Options of `convoy-kernels-to-rocdl-pipeline`.
struct KernelsToROCDLOptions : PassPipelineOptions<KernelsToROCDLOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip, gfx90a, gfx942, gfx950, gfx1100 or gfx1201; empty "
                     "takes the module's convoy.rocm_chip"),
      llvm::cl::init("")};
};

/// Options of `convoy-to-rocdl-pipeline`.
struct ConvoyToROCDLOptions : PassPipelineOptions<ConvoyToROCDLOptions>,
                              NumericsOptions {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip, gfx90a, gfx942, gfx950, gfx1100 or gfx1201; empty "
                     "takes the module's convoy.rocm_chip"),
      llvm::cl::init("")};
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark how each contraction is tiled"),
      llvm::cl::init(false)};
};

/// Takes functions on tensors in linalg, TOSA and our dialect; leaves their
/// convolutions as ops of our dialect and the rest in linalg, tensor and arith.
void buildConvoyImportPipeline(OpPassManager &pm);

/// Takes functions on tensors; leaves the ops around convolutions in one form,
/// and warns of convolutions of linalg that cannot be raised. All targets begin
/// with it.
void buildGenericOpsPipeline(OpPassManager &pm);

/// Takes convolutions in any direction; leaves them with the type of their
/// sums, and warns of numbers that overflow or vanish. To be run before
/// functions write to destinations: of what lies in memory no ranges are known.
void buildNumericsPipeline(OpPassManager &pm, const NumericsOptions &options);

/// Takes convolutions in any direction; leaves contractions of rows that im2col
/// unfolds from a padded input. All targets share these steps.
void buildConvoyToIm2colPipeline(OpPassManager &pm);

/// Takes convolutions in any direction; leaves loops over register tiles that
/// read slices.
void buildConvoyToTilesPipeline(OpPassManager &pm,
                                const ConvoyToTilesOptions &options);

/// The part of `buildConvoyToLLVMPipeline` that works on tensors: leaves tiles
/// whose results are written to buffers of the caller.
void buildConvoyToCPUTilesPipeline(OpPassManager &pm,
                                   const ConvoyToLLVMOptions &options);

/// Takes functions on tensors with convolutions; leaves kernels in LLVM's
/// dialect with the interface that `convoy-wrap-kernels` gives them.
void buildConvoyToLLVMPipeline(OpPassManager &pm,
                               const ConvoyToLLVMOptions &options);

/// The part of `buildConvoyToKernelsPipeline` that works on tensors: leaves
/// tiles for workgroups.
void buildConvoyToGPUTilesPipeline(OpPassManager &pm,
                                   const ConvoyToKernelsOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves functions that launch kernels on their arguments and
/// their workspace, and the kernels in a `gpu.module`.
void buildConvoyToKernelsPipeline(OpPassManager &pm,
                                  const ConvoyToKernelsOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves SPIR-V with the same
/// entry points in its place, and drops what launches them: their interfaces
/// are to be asked for before.
void buildKernelsToSPIRVPipeline(OpPassManager &pm,
                                 const KernelsToSPIRVOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves the SPIR-V of their kernels.
void buildConvoyToSPIRVPipeline(OpPassManager &pm,
                                const ConvoyToSPIRVOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves functions that execute
/// their work-items on the host, in LLVM's dialect.
void buildKernelsToHostPipeline(OpPassManager &pm,
                                const KernelsToHostOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves them in ROCDL and LLVM's
/// dialect, without the functions that launch them.
void buildKernelsToROCDLPipeline(OpPassManager &pm,
                                 const KernelsToROCDLOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves the kernels that they launch in ROCDL and LLVM's
/// dialect.
void buildConvoyToROCDLPipeline(OpPassManager &pm,
                                const ConvoyToROCDLOptions &options);

/// What IR has left behind on its way down.
struct PlainLoweringOptions {
  std::string cpu;              ///< as in LLVM's -mcpu, or host
  bool hasDestinations = false; ///< results are arguments of functions
  bool hasWorkspace = false;    ///< so is memory
  bool isWrapped = false;       ///< functions have the interface of kernels
};

/// Finishes what any pass of `buildConvoyToLLVMPipeline` leaves of functions
/// without ops of our dialect, with no more of our passes than the interface of
/// kernels and narrow floats take: for tools that judge the others.
void buildPlainLLVMPipeline(OpPassManager &pm,
                            const PlainLoweringOptions &options);

/// The same of `buildConvoyToKernelsPipeline` from `convoy-outline-kernels` on:
/// leaves launches on buffers.
void buildPlainLaunchesPipeline(OpPassManager &pm,
                                const PlainLoweringOptions &options);

/// Registers the pipelines as flags.
void registerConvoyPipelines();

} // namespace mlir::convoy

#endif // CONVOY_PIPELINES_PIPELINES_H
