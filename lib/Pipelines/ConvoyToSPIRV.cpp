//===- ConvoyToSPIRV.cpp - From kernels to SPIR-V ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

/// Says which devices kernels are made for. Comes first, since tiles are chosen
/// for them.
static void attachProfile(OpPassManager &pm, const VulkanOptions &options) {
  pm.addPass(createAttachVulkanProfilePass({options.profile}));
}

void mlir::convoy::buildKernelsForSPIRVPipeline(OpPassManager &pm,
                                                const VulkanOptions &options) {
  attachProfile(pm, options);
  pm.addPass(createCheckDialectsPass());
  pm.addPass(createDropHostsPass());
  pm.addPass(createCheckVulkanLimitsPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createEmulateNarrowFloatsPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createExpandMathFunctionsPass());
  pm.addPass(createReadWordsPass());
  pm.addPass(createVectorizeBuffersPass({options.explain}));
  pm.addPass(createScalarizeAccessesPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createCanonicalizerPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
  pm.addPass(createGuardLoopsPass());
}

/// What `buildKernelsForSPIRVPipeline` leaves to SPIR-V.
static void addSPIRV(OpPassManager &pm) {
  pm.addPass(createAllocateAttributionsPass());
  pm.addPass(mlir::convoy::createConvertGPUToSPIRVPass());

  pm.addNestedPass<spirv::ModuleOp>(spirv::createSPIRVLowerABIAttributesPass());
  // Not canonicalized: that makes selects that SPIR-V has from 1.4 on.
  pm.addNestedPass<spirv::ModuleOp>(createCSEPass());
  pm.addPass(createDeclareBufferAccessesPass());
  pm.addPass(createDeclareFloatControlsPass());
  pm.addNestedPass<spirv::ModuleOp>(spirv::createSPIRVUpdateVCEPass());
  pm.addPass(createDeclareSubgroupsPass());
}

void mlir::convoy::buildKernelsToSPIRVPipeline(OpPassManager &pm,
                                               const VulkanOptions &options) {
  buildKernelsForSPIRVPipeline(pm, options);
  addSPIRV(pm);
}

void mlir::convoy::buildConvoyToSPIRVPipeline(OpPassManager &pm,
                                              const VulkanOptions &options) {
  attachProfile(pm, options);
  buildConvoyToKernelsPipeline(pm, options);
  VulkanOptions attached = options;
  attached.profile.clear();
  buildKernelsToSPIRVPipeline(pm, attached);
}
