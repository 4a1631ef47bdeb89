//===- PlanErrors.h - What does not fit its plan ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_PLANERRORS_H
#define CONVOY_TRANSFORMS_UTILS_PLANERRORS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace mlir::convoy {

/// Begins an error: `op` does not fit the plan that a pass before has left on
/// it. The caller says why.
InFlightDiagnostic emitPlanError(Operation *op, Attribute plan);

/// Reports a plan called `name` that an op in `root` has where no pass takes it
/// any more, or yet; `reason` says why.
LogicalResult verifyNoPlan(Operation *root, StringRef name, StringRef reason);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_PLANERRORS_H
