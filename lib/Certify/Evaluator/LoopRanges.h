//===- LoopRanges.h - Iterations of loops -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_LOOPRANGES_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_LOOPRANGES_H

#include "SymbolicSizes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::convoy::certify {

/// Finds what iterations loops have from their bounds and steps.
class LoopRanges {
public:
  LoopRanges(Solver &solver, SymbolicIndices &indices, Scopes &scopes,
             SymbolicSizes &sizes, FirstObstacle &obstacle)
      : solver(solver), indices(indices), scopes(scopes), sizes(sizes),
        obstacle(obstacle) {}

  /// Gives `loop` its place in the scopes and its induction variables their
  /// values; does nothing if it has them.
  LogicalResult enter(LoopLikeOpInterface loop);

private:
  /// One dimension of a loop.
  struct Dimension {
    Value index;
    OpFoldResult lower, upper;
    int64_t step;
  };

  LogicalResult addDimension(Operation *loop, const Dimension &dimension,
                             Iterations &iterations);
  /// Gives quotients and remainders in the body of `loop`, by constants of
  /// numbers that are not negative, one value for each iteration, so that loops
  /// and sizes within may depend on them.
  void addQuotients(LoopLikeOpInterface loop, Iterations &iterations);
  /// `dividend` / `divisor`, rounded down or up.
  struct Quotient {
    LinearExpr dividend;
    int64_t divisor;
    bool isUp;
  };

  /// Whether `limit` is the least or the greatest of several numbers, or a
  /// quotient.
  static bool isCompound(OpFoldResult limit, bool isUpper);
  std::optional<Quotient> getQuotient(Operation *limit, Operation *loop);
  /// Adds to `range` that `index` is at least, or `isUpper` below, `limit`.
  LogicalResult addLimit(OpFoldResult limit, bool isUpper,
                         const LinearExpr &index, System &range,
                         Operation *loop);
  void addLimit(const Quotient &limit, bool isUpper, const LinearExpr &index,
                System &range);
  /// Whether `type`, an index or integer, has `number` where `scope` holds.
  bool fits(const LinearExpr &number, Type type, const System &scope);
  /// Adds to `range` that `index` is at least, or `areUpper` below, each value
  /// of `map` with these operands.
  LogicalResult addLimits(AffineMap map, ValueRange operands, bool areUpper,
                          const LinearExpr &index, System &range,
                          Operation *loop);

  Solver &solver;
  SymbolicIndices &indices;
  Scopes &scopes;
  SymbolicSizes &sizes;
  FirstObstacle &obstacle;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_LOOPRANGES_H
