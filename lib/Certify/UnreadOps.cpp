//===- UnreadOps.cpp - Ops that are not read on tensors ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnreadOps.h"
#include "Readers/IntrinsicReaders.h"
#include "Readers/VectorReaders.h"

#include "convoy/Certify/InlinePackers.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

bool certify::isOfVectors(Operation *op) {
  auto isVector = llvm::IsaPred<VectorType>;
  return llvm::any_of(op->getOperandTypes(), isVector) ||
         llvm::any_of(op->getResultTypes(), isVector);
}

bool certify::hasSeveralBlocks(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() && !region.hasOneBlock();
  });
}

Operation *certify::findOp(FunctionOpInterface function,
                           function_ref<bool(Operation *)> predicate) {
  Operation *found = nullptr;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (predicate(op))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

Operation *certify::findUnreadOp(FunctionOpInterface function) {
  if (takesPackedArgument(function))
    return function;
  return findOp(function, [](Operation *op) {
    if (op->getName().getDialectNamespace() == "llvm")
      return !certify::isKnownIntrinsic(op) && !isOpTriviallyDead(op);
    return isa<LaunchOp>(op) || isOfMemory(op) ||
           (isOfVectors(op) && !certify::isKnownVectorOp(op));
  });
}
