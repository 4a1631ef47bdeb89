//===- LoopReaders.cpp - Elements of what loops and branches make *- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClosedForm.h"
#include "OpReaders.h"
#include "Slices.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// `context` in any iteration of `loop`.
static FailureOr<System> getIterations(SymbolicEvaluator &evaluator,
                                       Operation *loop, const System &context) {
  if (failed(evaluator.enterLoop(loop)))
    return failure();
  return context & evaluator.getScopes().getIterations(loop).range;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       scf::ForOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<System> inLoop = getIterations(evaluator, op, context);
  if (failed(inLoop))
    return failure();
  FailureOr<Pieces> next =
      evaluator.readAt(op.getYieldedValues()[number], at, *inLoop);
  if (failed(next))
    return failure();
  return ClosedForm(evaluator, op, op.getRegionIterArg(number),
                    op.getInitArgs()[number], at, context)
      .read(*next);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       scf::ForallOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<System> inLoop = getIterations(evaluator, op, context);
  if (failed(inLoop))
    return failure();
  BlockArgument shared = op.getRegionIterArgs()[number];
  Value init = op.getOutputs()[number];
  tensor::ParallelInsertSliceOp insert;
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto candidate = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!candidate)
      return evaluator.undecided(&yielding, "an op whose meaning is not known");
    if (candidate.getDest() != shared)
      continue;
    if (insert)
      return evaluator.undecided(op, "iterations that insert several slices");
    insert = candidate;
  }
  if (!insert)
    return evaluator.readAt(init, at, context);
  FailureOr<Pieces> next =
      readInserted(evaluator, insert, insert.getSource(), shared,
                   insert.getDroppedDims(), at, *inLoop);
  if (failed(next))
    return failure();
  return ClosedForm(evaluator, op, shared, init, at, context).read(*next);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       scf::IfOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<ConditionCases> conditions =
      evaluator.getIndices().evaluateCondition(op.getCondition());
  if (failed(conditions))
    return failure();
  return readCases(
      evaluator.getSolver(), *conditions, context,
      [&](bool isTrue, const System &inCase) {
        scf::YieldOp yield = isTrue ? op.thenYield() : op.elseYield();
        return evaluator.readAt(yield.getOperand(number), at, inCase);
      });
}
