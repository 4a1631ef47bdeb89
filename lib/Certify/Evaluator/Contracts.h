//===- Contracts.h - What ops take for granted ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_CONTRACTS_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_CONTRACTS_H

#include "../Terms/Expr.h"
#include "SymbolicEvaluator.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Adds to `arguments` what `function`, which `evaluator` is for, takes for
/// granted of them: equal sizes of one letter or loop, windows that reach no
/// further than the padding, accesses of linalg's ops within their operands,
/// zero points that their operand's type holds.
LogicalResult assumeContracts(FunctionOpInterface function,
                              SymbolicEvaluator &evaluator,
                              Arguments &arguments);

/// Adds to `arguments` that `buffer` is as large as `result`, a tensor whose
/// sizes these are.
LogicalResult assumeBufferSizes(BlockArgument buffer, Value result,
                                SymbolicSizes &sizes, Arguments &arguments);

/// `expr` with zero points that fit their narrow types widened back.
ExprRef applyContracts(const ExprRef &expr, const Arguments &arguments);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_CONTRACTS_H
