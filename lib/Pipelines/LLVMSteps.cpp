//===- LLVMSteps.cpp - Steps down to LLVM that pipelines share --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LLVMSteps.h"

#include "convoy/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::addNarrowFloats(OpPassManager &pm, bool hasF16) {
  arith::ArithEmulateUnsupportedFloatsOptions emulation;
  emulation.sourceTypeStrs.push_back("bf16");
  if (!hasF16)
    emulation.sourceTypeStrs.push_back("f16");
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulation));
  pm.addPass(createSplitF64ConversionsPass());
  if (!hasF16)
    pm.addPass(createExpandF16Pass());
  pm.addPass(arith::createArithExpandOpsPass({/*includeBf16=*/true}));
}

void mlir::convoy::addLLVMDialect(OpPassManager &pm,
                                  const LLVMDialectOptions &options) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  if (options.openMP)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = options.barePointers;
  pm.addPass(createConvertFuncToLLVMPass(functions));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
