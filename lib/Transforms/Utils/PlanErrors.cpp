//===- PlanErrors.cpp - What does not fit its plan --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/PlanErrors.h"

using namespace mlir;

InFlightDiagnostic mlir::convoy::emitPlanError(Operation *op, Attribute plan) {
  return op->emitError() << "does not fit its plan, " << plan << ": ";
}

LogicalResult mlir::convoy::verifyNoPlan(Operation *root, StringRef name,
                                         StringRef reason) {
  WalkResult walk = root->walk([&](Operation *op) -> WalkResult {
    if (Attribute plan = op->getAttr(name))
      return emitPlanError(op, plan) << reason;
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
