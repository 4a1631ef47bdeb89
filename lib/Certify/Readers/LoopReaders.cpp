//===- LoopReaders.cpp - Elements of what loops and branches make *- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClosedForm.h"
#include "LoopStates.h"
#include "OpReaders.h"
#include "Slices.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// What all of `iterations` of `loop` leave of the element `at` of `carried`.
static FailureOr<Pieces> readCarried(SymbolicEvaluator &evaluator,
                                     scf::ForOp loop, BlockArgument carried,
                                     const Iterations &iterations,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  System inLoop = context & iterations.range;
  FailureOr<Pieces> next = evaluator.readAt(
      loop.getTiedLoopYieldedValue(carried)->get(), at, inLoop);
  if (succeeded(next))
    next = resolveStates(evaluator, std::move(*next), carried, inLoop);
  if (failed(next))
    return failure();
  return ClosedForm(evaluator, loop, carried,
                    loop.getTiedLoopInit(carried)->get(), iterations, at,
                    context)
      .read(*next);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       scf::ForOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  if (failed(evaluator.enterLoop(op)))
    return failure();
  return readCarried(evaluator, op, op.getRegionIterArg(number),
                     evaluator.getScopes().getIterations(op), at, context);
}

FailureOr<Pieces> certify::readState(SymbolicEvaluator &evaluator,
                                     BlockArgument carried,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  auto loop = dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp());
  if (!loop)
    return evaluator.undecided(carried.getOwner()->getParentOp(),
                               "an iteration that mixes tensors of the loop");
  if (loop->hasAttr(kInParallelAttrName)) {
    evaluator.noteReadApart();
    return evaluator.readAt(loop.getTiedLoopInit(carried)->get(), at, context);
  }
  Solver &solver = evaluator.getSolver();
  Iterations before = evaluator.getScopes().getIterations(loop);
  // The iteration that finds it has unknowns of its own.
  DenseMap<Var, LinearExpr> values, back;
  SmallVector<Var> own = before.getUnknowns();
  SmallVector<Var> finds = renameVars(solver, own, values);
  for (auto [var, renamed] : llvm::zip_equal(own, finds))
    back[renamed] = LinearExpr::var(var);
  before.range.addAtMost(LinearExpr::var(own.front()) + 1,
                         LinearExpr::var(finds.front()));
  FailureOr<Pieces> pieces = readCarried(evaluator, loop, carried, before, at,
                                         context.substitute(values));
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces)
    piece = instantiate(solver, piece, back);
  return pieces;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       scf::ForallOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  if (failed(evaluator.enterLoop(op)))
    return failure();
  Iterations iterations = evaluator.getScopes().getIterations(op);
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
                   insert.getDroppedDims(), at, context & iterations.range);
  if (failed(next))
    return failure();
  return ClosedForm(evaluator, op, shared, init, iterations, at, context)
      .read(*next);
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
