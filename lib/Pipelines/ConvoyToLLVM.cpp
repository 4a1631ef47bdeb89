//===- ConvoyToLLVM.cpp - From convolutions to LLVM's dialect ---*- C++ -*-===//
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
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCSEPass());
  // A tile that is put together from its rows stays that: upstream would make
  // it of its elements, some hundred, which each pass then looks at. The names
  // are those that Clang and GCC give the pattern.
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig(),
      {"(anonymous namespace)::InsertChainFullyInitialized",
       "{anonymous}::InsertChainFullyInitialized"}));
}

/// Says what tiles are made for. Comes first, since other passes ask for it.
static void attachTarget(OpPassManager &pm, const CPUOptions &options) {
  AttachTargetPassOptions target = options.machine;
  if (!options.cpu.empty())
    target = getAttachTargetOptions(options.cpu, target);
  target.explain = options.explain;
  pm.addPass(createAttachTargetPass(target));
}

void mlir::convoy::buildGenericOpsPipeline(OpPassManager &pm) {
  pm.addPass(createLowerTracesPass());
  // Those that are left would be computed as any op is, element by element.
  pm.addPass(createRaiseLinalgPass());
  pm.addPass(createGeneralizeOpsPass());
  pm.addPass(createFuseElementwisePass());
}

static void chooseAlgorithms(OpPassManager &pm,
                             const LoweringOptions &options) {
  if (options.algorithm != "direct")
    pm.addPass(
        createChooseAlgorithmsPass({options.algorithm, options.explain}));
}

void mlir::convoy::buildNumericsPipeline(OpPassManager &pm,
                                         const LoweringOptions &options) {
  pm.addPass(createApplyPolicyPass(
      {options.precision, options.targetError, options.algorithm != "direct"}));
  pm.addPass(createInferRangesPass({options.strictRanges}));
  chooseAlgorithms(pm, options);
}

void mlir::convoy::buildAlgorithmsPipeline(OpPassManager &pm,
                                           const CPUOptions &options) {
  attachTarget(pm, options);
  chooseAlgorithms(pm, options);
}

void mlir::convoy::buildConvoyToIm2colPipeline(OpPassManager &pm,
                                               const LoweringOptions &options) {
  bool explain = options.explainRewrites;
  pm.addPass(createSubtractZeroPointsPass());
  pm.addPass(createDecomposeBackwardPass());
  if (options.algorithm != "direct")
    pm.addPass(createApplyWinogradPass({options.explain}));
  pm.addPass(createWidenOperandsPass({explain}));
  pm.addPass(createTileGroupsPass({explain}));
  pm.addPass(createPlacePhasesPass({explain}));
  pm.addPass(createExpandEpiloguesPass());
  pm.addPass(createMergePhasesPass({explain}));
  pm.addPass(createInterleavePhasesPass({explain}));
  pm.addPass(createSplitPhasesPass());
  pm.addPass(createSplitBordersPass({explain}));
  pm.addPass(createWordProductsPass({explain}));
  pm.addPass(createConvToIm2colPass());
  pm.addPass(createPadIm2colPass());
  // Whether slices overlap is asked of the constraints on their sizes, which
  // take ten times as long to solve through the dimensions of results.
  pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  // Results are written where the caller wants them: before tiling, while one
  // value stands for the whole result.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
}

/// Convolutions with the type of their sums to loops over register tiles.
static void addTiles(OpPassManager &pm, const CPUOptions &options) {
  pm.addPass(createDecomposeSamplingPass({/*byRows=*/true}));
  pm.addPass(createDecomposeCol2imPass({/*byRows=*/true}));
  pm.addPass(createDecomposePaddingPass());
  pm.addPass(createSplitPadsPass());
  buildConvoyToIm2colPipeline(pm, options);
  pm.addPass(createTransposeResultsPass());
  pm.addPass(createChooseTilesPass({options.explain, options.candidate}));
  pm.addPass(createTileContractionPass());
  // While a copy whose elements stay in their order is one.
  pm.addPass(createHoistPackingPass());
  pm.addPass(createDecomposeIm2colPass());
  pm.addPass(createSkipPaddingPass({options.explain}));
  addCleanup(pm);
}

void mlir::convoy::buildConvoyToTilesPipeline(OpPassManager &pm,
                                              const CPUOptions &options) {
  attachTarget(pm, options);
  pm.addPass(createCheckDialectsPass());
  pm.addPass(createRaiseLinalgPass());
  buildNumericsPipeline(pm, options);
  addTiles(pm, options);
}

/// Vectors on tensors to loops on buffers in one workspace.
static void addBufferization(OpPassManager &pm, int64_t threads) {
  // Rows that are a result of their own have a destination only now.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(createDecomposePadsPass());
  pm.addPass(createSplitEmptiesPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  // Sizes depend on the sizes of arguments alone, not on memory, from here on.
  pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  pm.addPass(createCopyToLinalgPass());
  if (threads > 1) {
    pm.addPass(createParallelizeCopiesPass());
    pm.addPass(createDistributeThreadsPass({threads}));
  }
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addPass(createStageScatteredTilesPass());
  pm.addPass(createOutlineSizeChecksPass());
  pm.addPass(createAllocateWorkspacePass());
  pm.addPass(createVectorizeCopiesPass());
  pm.addPass(createVectorizeReductionsPass());
  pm.addPass(createLinalgToLoopsPass());
}

/// Loops on buffers to LLVM's dialect.
static void addConversionToLLVM(OpPassManager &pm, bool hasF16,
                                int64_t threads) {
  pm.addPass(createPrefetchLinesPass());
  pm.addPass(createPrefetchBlocksPass());
  // While matrices are read whole.
  pm.addPass(createMatricesToAMXPass());
  // Unrolled, since the loops would go over stack memory that is allocated
  // anew in each step of the loops around them.
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCheckIndexRangesPass());
  pm.addPass(createCheckCallsPass());
  // Before products of bf16 are taken apart.
  pm.addPass(createPairRowsPass());
  pm.addPass(createArithToIntrinsicsPass());
  addNarrowFloats(pm, hasF16);
  pm.addPass(createApproximateFunctionsPass());
  pm.addPass(createCallMathFunctionsPass());
  if (threads > 1)
    pm.addPass(createConvertSCFToOpenMPPass({unsigned(threads)}));
  addCleanup(pm);
  addLLVMDialect(pm, {/*barePointers=*/false, /*openMP=*/threads > 1});
  pm.addPass(createFoldDescriptorsPass());
  pm.addPass(createMarkParallelAccessesPass());
  if (threads > 1)
    pm.addPass(createOutlineThreadsPass());
  pm.addPass(createStoreFloatsAsBitsPass({/*keepF16=*/hasF16}));
  pm.addPass(createWrapKernelsPass());
}

void mlir::convoy::buildConvoyToCPUTilesPipeline(OpPassManager &pm,
                                                 const CPUOptions &options) {
  attachTarget(pm, options);
  pm.addPass(createCheckDialectsPass());
  buildGenericOpsPipeline(pm);
  buildNumericsPipeline(pm, options);
  if (options.packedFilters)
    pm.addNestedPass<func::FuncOp>(createMarkPackedFiltersPass());
  if (options.scalarsInMemory)
    pm.addNestedPass<func::FuncOp>(createScalarsToTensorsPass());
  pm.addNestedPass<func::FuncOp>(createMeasureSumsPass());
  pm.addNestedPass<func::FuncOp>(createAddDestinationsPass());
  pm.addNestedPass<func::FuncOp>(createAssertSizesPass());
  addTiles(pm, options);
  pm.addPass(createParallelizeTilesPass({options.threads}));
}

void mlir::convoy::buildConvoyToLLVMPipeline(OpPassManager &pm,
                                             const CPUOptions &options) {
  bool hasF16 = convertsF16(options.cpu);
  buildConvoyToCPUTilesPipeline(pm, options);
  pm.addPass(createVectorizeTilesPass());
  // The order of all sums is settled here.
  pm.addNestedPass<func::FuncOp>(createMeasureSumsPass());
  addCleanup(pm);
  pm.addPass(createOutlinePackingPass());
  addCleanup(pm);
  addBufferization(pm, options.threads);
  addConversionToLLVM(pm, hasF16, options.threads);
  if (getTriple(options.cpu).isOSLinux())
    pm.addPass(createRequestTilesPass());
  pm.addPass(createDetachTargetPass());
}
