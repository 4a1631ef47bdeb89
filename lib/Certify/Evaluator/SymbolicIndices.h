//===- SymbolicIndices.h - Indices as linear expressions --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICINDICES_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICINDICES_H

#include "../Buffers/Obstacle.h"
#include "../Terms/Arguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

#include <functional>

namespace mlir::convoy::certify {

/// Evaluates indices, and conditions that compare them, to linear expressions:
/// one for each of the cases that minima, maxima and selections make.
class SymbolicIndices {
public:
  /// Finds a size of a tensor or buffer, for the ops that ask for it.
  using GetSize = std::function<FailureOr<Size>(Value, int64_t)>;

  /// Finds what the loops around an op say about their iterations.
  using GetLoops = std::function<System(Operation *)>;

  SymbolicIndices(Solver &solver, Arguments &arguments, FirstObstacle &obstacle,
                  GetSize getSize, GetLoops getLoops)
      : solver(solver), arguments(arguments), obstacle(obstacle),
        getSize(std::move(getSize)), getLoops(std::move(getLoops)) {}

  /// Lets `index`, such as an induction variable, be `expr`.
  void bind(Value index, const LinearExpr &expr) { bound[index] = expr; }

  /// The value of `index`. In a body of linalg `loops` are the indices of the
  /// iteration, elsewhere nothing.
  FailureOr<IndexCases> evaluate(Value index, ArrayRef<LinearExpr> loops = {});
  /// The values of all of `indices` at once.
  FailureOr<IndicesCases> evaluateAll(ArrayRef<OpFoldResult> indices,
                                      ArrayRef<LinearExpr> loops = {});
  /// The cases of a condition, with its value in each.
  FailureOr<ConditionCases> evaluateCondition(Value condition,
                                              ArrayRef<LinearExpr> loops = {});
  /// Where the element at `place` of `mask`, one of sizes, is set, and where
  /// not.
  FailureOr<ConditionCases> evaluateMask(Value mask, ArrayRef<LinearExpr> place,
                                         ArrayRef<LinearExpr> loops = {});
  /// `expr` of `op` with these dimensions and symbols. Quotients are new
  /// unknowns, added to the locals of `where` with what they satisfy.
  FailureOr<LinearExpr> evaluateAffine(AffineExpr expr,
                                       ArrayRef<LinearExpr> dims,
                                       ArrayRef<LinearExpr> symbols,
                                       Part &where, Operation *op);

private:
  FailureOr<IndexCases> evaluateSize(ShapedDimOpInterface op, int64_t dim);
  FailureOr<IndexCases> evaluateSelect(arith::SelectOp op,
                                       ArrayRef<LinearExpr> loops);
  FailureOr<IndexCases> evaluateResult(OpResult result,
                                       ArrayRef<LinearExpr> loops);
  /// Adds to `cases` the quotient of two numbers, rounded towards zero, or its
  /// remainder.
  LogicalResult appendQuotient(Operation *op,
                               const Case<SmallVector<LinearExpr>> &numbers,
                               IndexCases &cases);

  // Conditions.cpp
  FailureOr<ConditionCases> combineConditions(Operation *op,
                                              ArrayRef<LinearExpr> loops);

  // UnsignedIndices.cpp: bits without a sign.
  static bool isUnsigned(Operation *op);
  FailureOr<IndexCases>
  evaluateUnsigned(Operation *op, const Case<SmallVector<LinearExpr>> &numbers);
  ConditionCases compareUnsigned(arith::CmpIOp op,
                                 const Case<SmallVector<LinearExpr>> &numbers);
  /// Assumes that those of `numbers` that arguments settle have `width` bits.
  Case<SmallVector<LinearExpr>> assumeFit(Case<SmallVector<LinearExpr>> numbers,
                                          unsigned width);

  Solver &solver;
  Arguments &arguments;
  FirstObstacle &obstacle;
  GetSize getSize;
  GetLoops getLoops;
  DenseMap<Value, LinearExpr> bound;
  DenseMap<Value, IndexCases> evaluated; ///< of those outside of bodies
};

/// Whether `value` is an argument of a function, not of a loop or a body.
bool isFunctionArgument(Value value);

/// Whether `value` is an index, or an integer that is constant or an argument
/// of a function, however it is widened: no element of a tensor.
bool isNumberOfArguments(Value value);

/// Whether `mask` is a mask that is set up to a size in each dimension, a part
/// of one or an element.
bool isMaskOfSizes(Value mask);
/// Whether `condition` is an element of such a mask.
bool isElementOfMask(Value condition);

/// The fewest cases that say of `operands`, two numbers, what `predicate` does,
/// whether or not it asks for their signs.
ConditionCases getOrderCases(const Case<SmallVector<LinearExpr>> &operands,
                             arith::CmpIPredicate predicate);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICINDICES_H
