//===- ConvoyToROCDL.cpp - From kernels to ROCDL ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

/// Says which chip kernels are made for. Comes first, since tiles are chosen
/// for it.
static void attachChip(OpPassManager &pm, const RocmOptions &options) {
  if (!options.chip.empty())
    pm.addPass(createAttachRocmChipPass({options.chip}));
}

/// Kernels for the chip that the module says to ROCDL.
static void addROCDL(OpPassManager &pm) {
  pm.addPass(createCheckDialectsPass());
  pm.addPass(createDropHostsPass());
  pm.addPass(createCheckRocmLimitsPass());
  pm.addPass(createContractFloatsPass());
  pm.addPass(createPinLoadsPass());
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

void mlir::convoy::buildKernelsToROCDLPipeline(OpPassManager &pm,
                                               const RocmOptions &options) {
  attachChip(pm, options);
  addROCDL(pm);
}

void mlir::convoy::buildConvoyToROCDLPipeline(OpPassManager &pm,
                                              const RocmOptions &options) {
  attachChip(pm, options);
  buildConvoyToKernelsPipeline(pm, options);
  addROCDL(pm);
}
