//===- LLVMSteps.cpp - Steps down to LLVM that pipelines share --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LLVMSteps.h"

#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::addLLVMDialect(OpPassManager &pm,
                                  const LLVMDialectOptions &options) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  if (options.openMP)
    pm.addPass(createConvertOpenMPToLLVMPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = options.barePointers;
  pm.addPass(createConvertFuncToLLVMPass(functions));
  // The rest at once: each conversion looks at all ops.
  ConvertToLLVMPassOptions rest;
  rest.filterDialects = {"arith", "cf", "index", "math", "memref", "ub"};
  pm.addPass(createConvertToLLVMPass(rest));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createGuardDivisionsPass());
}
