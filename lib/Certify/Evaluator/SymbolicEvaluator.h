//===- SymbolicEvaluator.h - What a function computes -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H

#include "../Terms/Pieces.h"
#include "LoopRanges.h"

namespace mlir::convoy::certify {

class SymbolicEvaluator;

/// Reads the element `at` of what an op makes, in the cases that `context`
/// allows, from its operands, which it asks `evaluator` for.
using ResultReader = FailureOr<Pieces> (*)(SymbolicEvaluator &evaluator,
                                           OpResult result,
                                           ArrayRef<LinearExpr> at,
                                           const System &context);

/// Evaluates the tensors of one function, and the numbers that its loops and
/// branches leave, to expressions of its arguments' elements, from the ops that
/// make them, each once. Failures leave an obstacle.
class SymbolicEvaluator {
public:
  SymbolicEvaluator(Solver &solver, Arguments &arguments,
                    ResultReader readResult);
  // Its parts refer to each other.
  SymbolicEvaluator(const SymbolicEvaluator &) = delete;
  SymbolicEvaluator &operator=(const SymbolicEvaluator &) = delete;

  /// The element of `tensor` at `at`, in the cases that `context` allows.
  FailureOr<Pieces> readAt(Value tensor, ArrayRef<LinearExpr> at,
                           const System &context);
  /// The element `at` of what an op makes, read anew each time.
  FailureOr<Pieces> readAnew(OpResult result, ArrayRef<LinearExpr> at,
                             const System &context) {
    return readResult(*this, result, at, context);
  }
  /// From now on, `tensor` is known as what two functions have in common.
  void setCommon(Value tensor, std::shared_ptr<const CommonValue> value);
  /// Lets tensors whose elements were not found meet their obstacles again.
  void forgetFailures();
  /// Finds out what iterations `op` has, unless it is no loop.
  LogicalResult enterLoop(Operation *op);

  Solver &getSolver() { return solver; }
  SymbolicIndices &getIndices() { return indices; }
  SymbolicSizes &getSizes() { return sizes; }
  Scopes &getScopes() { return scopes; }

  FirstObstacle &getObstacle() { return obstacle; }
  /// Fails; the first reason is kept.
  LogicalResult undecided(Operation *op, const Twine &reason) {
    return obstacle.undecided(op, reason);
  }

private:
  /// What each element of a tensor is: `pieces` for disjoint sets of indices
  /// that cover all in bounds, with one unknown for each index. Other unknowns
  /// are the iterations of the loops around and the sizes of arguments.
  struct Elements {
    SmallVector<Var> indices;
    Pieces pieces;
  };
  FailureOr<const Elements *> getElements(Value tensor);
  /// The elements of `tensor`, whose inputs are known, or null.
  std::unique_ptr<Elements> evaluate(Value tensor);
  FailureOr<Pieces> evaluateResult(OpResult result, ArrayRef<LinearExpr> at);
  LogicalResult enterLoopsAround(Operation *op);

  Solver &solver;
  ResultReader readResult;
  FirstObstacle obstacle;
  SymbolicIndices indices;
  Scopes scopes;
  SymbolicSizes sizes;
  LoopRanges loops;
  /// Null where an obstacle was met.
  DenseMap<Value, std::unique_ptr<Elements>> tensors;
  DenseMap<Value, std::shared_ptr<const CommonValue>> common;
  uint64_t written = 0; ///< sizes of all expressions in `tensors`
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H
