//===- Pipelines.h - The ways down to machine code --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PIPELINES_PIPELINES_H
#define CONVOY_PIPELINES_PIPELINES_H

#include "convoy/Pipelines/Options.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::convoy {

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
void buildNumericsPipeline(OpPassManager &pm, const LoweringOptions &options);

/// Takes convolutions with the type of their sums; writes on them by which
/// algorithm the pipelines for CPUs compute them.
void buildAlgorithmsPipeline(OpPassManager &pm, const CPUOptions &options);

/// Takes convolutions in any direction; leaves contractions of rows that im2col
/// unfolds from a padded input. All targets share these steps.
void buildConvoyToIm2colPipeline(OpPassManager &pm,
                                 const LoweringOptions &options);

/// Takes convolutions in any direction; leaves loops over register tiles that
/// read slices.
void buildConvoyToTilesPipeline(OpPassManager &pm, const CPUOptions &options);

/// The part of `buildConvoyToLLVMPipeline` that works on tensors: leaves tiles
/// whose results are written to buffers of the caller.
void buildConvoyToCPUTilesPipeline(OpPassManager &pm,
                                   const CPUOptions &options);

/// Takes functions on tensors with convolutions; leaves kernels in LLVM's
/// dialect with the interface that `convoy-wrap-kernels` gives them.
void buildConvoyToLLVMPipeline(OpPassManager &pm, const CPUOptions &options);

/// The part of `buildConvoyToKernelsPipeline` that works on tensors: leaves
/// tiles for workgroups.
void buildConvoyToGPUTilesPipeline(OpPassManager &pm,
                                   const LoweringOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves functions that launch kernels on their arguments and
/// their workspace, and the kernels in a `gpu.module`.
void buildConvoyToKernelsPipeline(OpPassManager &pm,
                                  const LoweringOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves them with the types, the
/// vectors and the accesses that SPIR-V has for the devices of the profile, and
/// drops what launches them: their interfaces are to be asked for before.
void buildKernelsForSPIRVPipeline(OpPassManager &pm,
                                  const VulkanOptions &options);

/// The same, and leaves SPIR-V with the same entry points in its place.
void buildKernelsToSPIRVPipeline(OpPassManager &pm,
                                 const VulkanOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves the SPIR-V of their kernels.
void buildConvoyToSPIRVPipeline(OpPassManager &pm,
                                const VulkanOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves functions that execute
/// their work-items on the host, in LLVM's dialect.
void buildKernelsToHostPipeline(OpPassManager &pm,
                                const SimulatorOptions &options);

/// Takes kernels on buffers in a `gpu.module`; leaves them in ROCDL and LLVM's
/// dialect, without the functions that launch them.
void buildKernelsToROCDLPipeline(OpPassManager &pm, const RocmOptions &options);

/// Takes functions on tensors of static shape but for a batch's size, with
/// convolutions; leaves the kernels that they launch in ROCDL and LLVM's
/// dialect.
void buildConvoyToROCDLPipeline(OpPassManager &pm, const RocmOptions &options);

/// What IR has left behind on its way down.
struct PlainLoweringOptions {
  CPUChoice cpu;                ///< empty: any
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
