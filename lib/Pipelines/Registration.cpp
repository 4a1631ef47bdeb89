//===- Registration.cpp - Flags of the pipelines ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::registerConvoyPipelines() {
  PassPipelineRegistration<>(
      "convoy-import-pipeline",
      "Raise convolutions of linalg and TOSA, lower the rest of TOSA",
      buildConvoyImportPipeline);
  PassPipelineRegistration<ConvoyToTilesOptions>(
      "convoy-to-tiles-pipeline",
      "Lower convolutions to loops over register tiles that read slices",
      buildConvoyToTilesPipeline);
  PassPipelineRegistration<ConvoyToKernelsOptions>(
      "convoy-to-kernels-pipeline",
      "Lower functions with convolutions to kernels of a GPU and launches",
      buildConvoyToKernelsPipeline);
  PassPipelineRegistration<ConvoyToLLVMOptions>(
      "convoy-to-llvm-pipeline",
      "Lower functions with convolutions to kernels in LLVM's dialect",
      buildConvoyToLLVMPipeline);
  PassPipelineRegistration<KernelsToSPIRVOptions>(
      "convoy-kernels-to-spirv-pipeline",
      "Lower kernels on buffers to SPIR-V for Vulkan",
      buildKernelsToSPIRVPipeline);
  PassPipelineRegistration<ConvoyToSPIRVOptions>(
      "convoy-to-spirv-pipeline",
      "Lower functions with convolutions to kernels in SPIR-V for Vulkan",
      buildConvoyToSPIRVPipeline);
  PassPipelineRegistration<KernelsToHostOptions>(
      "convoy-kernels-to-host-pipeline",
      "Lower kernels on buffers to functions that execute them on the host",
      buildKernelsToHostPipeline);
  PassPipelineRegistration<KernelsToROCDLOptions>(
      "convoy-kernels-to-rocdl-pipeline",
      "Lower kernels on buffers to ROCDL for AMD's GPUs",
      buildKernelsToROCDLPipeline);
  PassPipelineRegistration<ConvoyToROCDLOptions>(
      "convoy-to-rocdl-pipeline",
      "Lower functions with convolutions to kernels in ROCDL for AMD's GPUs",
      buildConvoyToROCDLPipeline);
}
