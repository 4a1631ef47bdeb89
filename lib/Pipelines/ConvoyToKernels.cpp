//===- ConvoyToKernels.cpp - From convolutions to launches ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

static void addKernelCleanup(OpPassManager &pm) {
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
}

/// Launches on tensors to launches on arguments and workspace.
static void addKernelBufferization(OpPassManager &pm) {
  pm.addPass(createSplitEmptiesPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addKernelCleanup(pm);
  pm.addPass(createAllocateWorkspacePass());
  addKernelCleanup(pm);
  pm.addPass(createOutlineCopiesPass());
}

void mlir::convoy::buildConvoyToGPUTilesPipeline(
    OpPassManager &pm, const LoweringOptions &options) {
  pm.addPass(createCheckDialectsPass());
  buildGenericOpsPipeline(pm);
  buildNumericsPipeline(pm, options);
  pm.addPass(createCheckBatchPass());
  pm.addNestedPass<func::FuncOp>(createScalarsToTensorsPass());
  pm.addNestedPass<func::FuncOp>(createMeasureSumsPass());
  pm.addNestedPass<func::FuncOp>(createAddDestinationsPass());
  pm.addPass(createDecomposeSamplingPass());
  pm.addPass(createDecomposeCol2imPass());
  pm.addPass(createDecomposePaddingPass());
  buildConvoyToIm2colPipeline(pm, options);
  pm.addPass(createSplitReductionsPass({options.explain}));
  pm.addPass(createTileWorkgroupsPass({options.explain}));
  addKernelCleanup(pm);
}

void mlir::convoy::buildConvoyToKernelsPipeline(
    OpPassManager &pm, const LoweringOptions &options) {
  buildConvoyToGPUTilesPipeline(pm, options);
  // What is a loop still is the order of sums; kernels choose that of the rest.
  pm.addNestedPass<func::FuncOp>(createMeasureSumsPass());
  pm.addPass(createOutlineKernelsPass());
  addKernelCleanup(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
  addKernelBufferization(pm);
}
