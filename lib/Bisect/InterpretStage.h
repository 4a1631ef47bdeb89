//===- InterpretStage.h - A stage's numbers without a target ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_BISECT_INTERPRETSTAGE_H
#define CONVOY_LIB_BISECT_INTERPRETSTAGE_H

#include "convoy/Runtime/CompareReport.h"
#include "convoy/Runtime/HostArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::convoy {

/// Lets `function` return what it writes to its arguments that are buffers, in
/// the place of these, as it did before `convoy-add-destinations`. Fails where
/// it uses buffers otherwise.
LogicalResult returnDestinations(func::FuncOp function);

/// Compares what an interpreter makes of `stage`, still on tensors, and of
/// `function`. `arguments` are those of `function`, with its results behind
/// them. Where `stage` cannot be interpreted the report says why.
::convoy::CompareReport
interpretStage(func::FuncOp function, func::FuncOp stage,
               const std::vector<::convoy::HostArray> &arguments);

} // namespace mlir::convoy

#endif // CONVOY_LIB_BISECT_INTERPRETSTAGE_H
