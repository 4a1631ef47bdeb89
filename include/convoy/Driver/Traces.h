//===- Traces.h - Values that tools record ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_TRACES_H
#define CONVOY_DRIVER_TRACES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace mlir::convoy {

/// Stands for the names of all values that can be traced.
constexpr StringLiteral kAllTraces = "all";

/// Leaves in the public functions of `module` the traces `names`: those that
/// the functions have and, behind other ops, those of `convoy-insert-trace`.
/// Without names the functions keep what they have. Calls are inlined where
/// there is a trace, so that it is in the function that callers see. A name
/// that no function has is an error. `configure` is called with each pass
/// manager before it runs.
LogicalResult
chooseTraces(ModuleOp module, ArrayRef<std::string> names,
             const std::function<LogicalResult(PassManager &)> &configure = {});

/// Makes results of what functions of `module` trace (`convoy-lower-traces`).
LogicalResult
lowerTraces(ModuleOp module,
            const std::function<LogicalResult(PassManager &)> &configure = {});

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_TRACES_H
