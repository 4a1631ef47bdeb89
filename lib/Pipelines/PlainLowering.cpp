//===- PlainLowering.cpp - The rest of the way, without ado -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LLVMSteps.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Transforms/Floats/NarrowFloats.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

static void addPlainBufferization(OpPassManager &pm) {
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createCanonicalizerPass());
}

void mlir::convoy::buildPlainLLVMPipeline(OpPassManager &pm,
                                          const PlainLoweringOptions &options) {
  bool hasF16 = convertsF16(options.cpu);
  if (!options.hasDestinations) {
    pm.addNestedPass<func::FuncOp>(createAddDestinationsPass());
    pm.addNestedPass<func::FuncOp>(createAssertSizesPass());
  }
  addPlainBufferization(pm);
  pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  pm.addPass(createCopyToLinalgPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  if (!options.hasWorkspace) {
    pm.addPass(createOutlineSizeChecksPass());
    pm.addPass(createAllocateWorkspacePass());
  }
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addNarrowFloats(pm, hasF16);
  pm.addPass(createCallMathFunctionsPass());
  addLLVMDialect(pm, {/*barePointers=*/false, /*openMP=*/true});
  if (options.isWrapped)
    return;
  pm.addPass(createStoreFloatsAsBitsPass({/*keepF16=*/hasF16}));
  pm.addPass(createWrapKernelsPass());
}

void mlir::convoy::buildPlainLaunchesPipeline(
    OpPassManager &pm, const PlainLoweringOptions &options) {
  pm.addPass(createSplitEmptiesPass());
  addPlainBufferization(pm);
  if (!options.hasWorkspace)
    pm.addPass(createAllocateWorkspacePass());
  pm.addPass(createOutlineCopiesPass());
}
