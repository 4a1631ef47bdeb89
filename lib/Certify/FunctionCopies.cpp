//===- FunctionCopies.cpp - Functions that are compared later ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionCopies.h"
#include "UnreadOps.h"

#include "convoy/Certify/InlinePackers.h"
#include "convoy/Certify/InlineSymbols.h"
#include "convoy/Certify/MemoryStates.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

OwningOpRef<ModuleOp> certify::copyFunction(FunctionOpInterface function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  auto copy = cast<FunctionOpInterface>(function->clone());
  module->push_back(copy);
  inlineSymbols(copy, function->getParentOp());
  return module;
}

bool certify::hasOtherOpsInCopy(FunctionOpInterface function) {
  return takesPackedArgument(function) ||
         findOp(function,
                llvm::IsaPred<LaunchOp, func::CallOp, memref::GetGlobalOp>);
}

FunctionOpInterface certify::getOnlyFunction(ModuleOp module) {
  return cast<FunctionOpInterface>(module.getBody()->front());
}

Values Values::read(ModuleOp module, FunctionType type) {
  Values values;
  values.module = module.clone();
  values.certificate = rewriteMemory(getOnlyFunction(*values.module), type);
  return values;
}
