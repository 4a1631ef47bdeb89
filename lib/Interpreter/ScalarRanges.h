//===- ScalarRanges.h - Between which numbers results lie -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_INTERPRETER_SCALARRANGES_H
#define CONVOY_LIB_INTERPRETER_SCALARRANGES_H

#include "convoy/Interpreter/Algebra.h"

#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// `function`, which computes `op`, with errors that do not go beyond what the
/// ops before it leave possible: exp(-|x|) lies between 0 and 1, and 1 + exp(x)
/// is no divisor that may be zero, however large the error of x.
Algebra::Function limitToRange(Algebra::Function function, Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_INTERPRETER_SCALARRANGES_H
