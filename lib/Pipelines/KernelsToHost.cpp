//===- KernelsToHost.cpp - From kernels to functions of the host *- C++ -*-===//
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

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::buildKernelsToHostPipeline(OpPassManager &pm,
                                              const SimulatorOptions &options) {
  bool hasF16 = convertsF16(options.cpu);
  pm.addPass(createCheckDialectsPass());
  pm.addPass(createDropHostsPass());
  pm.addPass(
      createConvertGPUToHostPass({options.checks, options.pairwiseSums}));
  addNarrowFloats(pm, hasF16);
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCallMathFunctionsPass());
  addLLVMDialect(pm, {/*barePointers=*/true, /*openMP=*/false});
  pm.addPass(createStoreFloatsAsBitsPass({/*keepF16=*/hasF16}));
}
