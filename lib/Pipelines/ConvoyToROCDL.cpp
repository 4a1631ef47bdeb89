//===- ConvoyToROCDL.cpp - From kernels to ROCDL ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

static void attachChip(OpPassManager &pm, const std::string &chip) {
  if (!chip.empty())
    pm.addPass(createAttachRocmChipPass({chip}));
}

void mlir::convoy::buildKernelsToROCDLPipeline(
    OpPassManager &pm, const KernelsToROCDLOptions &options) {
  attachChip(pm, options.chip);
  pm.addPass(createCheckDialectsPass());
  pm.addPass(createDropHostsPass());
  pm.addPass(createCheckRocmLimitsPass());
  pm.addPass(createContractFloatsPass());
  pm.addPass(createPinMatrixResultsPass());
  pm.addPass(createDescribeBuffersPass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertGPUToROCDLPass());
  kernels.addPass(createUBToLLVMConversionPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

void mlir::convoy::buildConvoyToROCDLPipeline(
    OpPassManager &pm, const ConvoyToROCDLOptions &options) {
  // First, since tiles are chosen for it.
  attachChip(pm, options.chip);
  ConvoyToKernelsOptions toKernels;
  toKernels.explain = options.explain;
  toKernels.copyNumericsFrom(options);
  buildConvoyToKernelsPipeline(pm, toKernels);
  buildKernelsToROCDLPipeline(pm, KernelsToROCDLOptions());
}
