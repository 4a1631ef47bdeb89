//===- SymbolicEvaluator.h - What a function computes -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H

#include "../Terms/Arithmetic.h"
#include "../Terms/Pieces.h"
#include "LoopRanges.h"
#include "WriteChain.h"

namespace mlir::convoy::certify {

class SymbolicEvaluator;

/// Reads the element `at` of what an op makes, in the cases that `context`
/// allows, from its operands, which it asks `evaluator` for.
using ResultReader = FailureOr<Pieces> (*)(SymbolicEvaluator &evaluator,
                                           OpResult result,
                                           ArrayRef<LinearExpr> at,
                                           const System &context);

/// Reads the element `at` of `carried`, a tensor of a loop, as each iteration
/// finds it.
using StateReader = FailureOr<Pieces> (*)(SymbolicEvaluator &evaluator,
                                          BlockArgument carried,
                                          ArrayRef<LinearExpr> at,
                                          const System &context);

/// What the ops make, and what loops carry.
struct ElementReaders {
  ResultReader readResult;
  StateReader readState;
};

/// Evaluates the tensors of one function, and the numbers that its loops and
/// branches leave, to expressions of its arguments' elements, from the ops that
/// make them, each once. Failures leave an obstacle.
class SymbolicEvaluator {
public:
  SymbolicEvaluator(Solver &solver, Arguments &arguments,
                    ElementReaders readers,
                    Arithmetic arithmetic = Arithmetic::AnyOrder);
  // Its parts refer to each other.
  SymbolicEvaluator(const SymbolicEvaluator &) = delete;
  SymbolicEvaluator &operator=(const SymbolicEvaluator &) = delete;

  /// The element of `tensor` at `at`, in the cases that `context` allows.
  FailureOr<Pieces> readAt(Value tensor, ArrayRef<LinearExpr> at,
                           const System &context);
  /// The element `at` of what an op makes, read anew each time.
  FailureOr<Pieces> readAnew(OpResult result, ArrayRef<LinearExpr> at,
                             const System &context) {
    return readers.readResult(*this, result, at, context);
  }
  /// The element `at` of `carried`, which a loop of scf.for carries, as the
  /// iteration that its index stands for finds it.
  FailureOr<Pieces> readStateAt(BlockArgument carried, ArrayRef<LinearExpr> at,
                                const System &context);
  /// The same of `tensor`, a step of `chain`, where what is written stays
  /// undefined.
  FailureOr<Pieces> readWritten(const WriteChain &chain, Value tensor,
                                ArrayRef<LinearExpr> at, const System &context);
  /// From now on, `tensor` is known as what two functions have in common.
  void setCommon(Value tensor, std::shared_ptr<const CommonValue> value);
  /// Lets tensors whose elements were not found meet their obstacles again.
  void forgetFailures();
  /// Finds out what iterations `op` has, unless it is no loop.
  LogicalResult enterLoop(Operation *op);

  /// Whether an iteration in parallel was taken to find what was there before
  /// all of them.
  bool hasReadApart() const { return isReadApart; }
  void noteReadApart() { isReadApart = true; }

  /// Whether a product of sums was found, which exact arithmetic multiplies
  /// out.
  bool hasProductsOfSums() const { return isOfProducts; }
  Arithmetic getArithmetic() const { return arithmetic; }
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
  /// The same of what a loop carries.
  std::unique_ptr<Elements> evaluateState(BlockArgument carried);
  LogicalResult evaluateResult(OpResult result, ArrayRef<LinearExpr> at,
                               Elements &elements);
  /// New unknowns for the indices of `type`, which `at` gets.
  Elements startElements(Type type, SmallVectorImpl<LinearExpr> &at);
  /// Puts `pieces`, of what `op` makes where `context` holds, into `elements`.
  LogicalResult finish(Elements &elements, FailureOr<Pieces> pieces,
                       const System &context, Operation *op);
  /// The pieces of `elements` at `at`.
  Pieces instantiateAt(const Elements &elements, ArrayRef<LinearExpr> at,
                       const System &context);
  LogicalResult enterLoopsAround(Operation *op);

  Solver &solver;
  ElementReaders readers;
  Arithmetic arithmetic;
  FirstObstacle obstacle;
  SymbolicIndices indices;
  Scopes scopes;
  SymbolicSizes sizes;
  LoopRanges loops;
  /// Null where an obstacle was met.
  using KnownElements = DenseMap<Value, std::unique_ptr<Elements>>;
  KnownElements tensors;
  /// Of what loops carry. One that needs itself has none.
  DenseMap<BlockArgument, std::unique_ptr<Elements>> states;
  DenseMap<Value, std::shared_ptr<const CommonValue>> common;
  /// The one of which `tensors` are read, or null.
  const WriteChain *chain = nullptr;
  bool isReadApart = false;
  bool isOfProducts = false;
  uint64_t written = 0; ///< sizes of all expressions in `tensors`
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICEVALUATOR_H
