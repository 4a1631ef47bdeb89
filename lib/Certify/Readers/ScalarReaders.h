//===- ScalarReaders.h - Values of scalars ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_SCALARREADERS_H
#define CONVOY_LIB_CERTIFY_READERS_SCALARREADERS_H

#include "../Evaluator/SymbolicEvaluator.h"

namespace mlir::convoy::certify {

/// What stands for the arguments of a body of scalar ops, and the body's place
/// in the iteration space.
struct Body {
  SmallVector<LinearExpr> loops;
  DenseMap<Value, ExprRef> arguments;
};

/// The value of a scalar, which may stand in `body`, in the cases that
/// `context` allows.
FailureOr<Pieces> readScalar(SymbolicEvaluator &evaluator, Value value,
                             const Body &body, const System &context);

/// `value`, whose element `at` that is if it is no scalar.
FailureOr<Pieces> readValue(SymbolicEvaluator &evaluator, Value value,
                            ArrayRef<LinearExpr> at, const System &context);

/// `there`, at `place` if it is no scalar, where `inside` holds, and the
/// element `at` of `elsewhere` where it does not.
FailureOr<Pieces> readReplaced(SymbolicEvaluator &evaluator, Value there,
                               ArrayRef<LinearExpr> place, const System &inside,
                               Value elsewhere, ArrayRef<LinearExpr> at,
                               const System &context);

/// Whether `op` computes one element of its only result from one element of
/// each operand.
bool isElementwise(Operation *op);

/// The element `at` of the result of such an op on tensors.
FailureOr<Pieces> readElementwise(SymbolicEvaluator &evaluator, Operation *op,
                                  ArrayRef<LinearExpr> at,
                                  const System &context);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_SCALARREADERS_H
