//===- Unknowns.h - A system that unknowns are taken out of -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_LINEAR_UNKNOWNS_H
#define CONVOY_LIB_CERTIFY_LINEAR_UNKNOWNS_H

#include "convoy/Certify/Linear/LinearSystem.h"

namespace mlir::convoy::certify {

/// What is left of a system while unknowns are taken out of it, and what it
/// says of those that are not solved.
class Unknowns {
public:
  Unknowns(Solver &solver, ArrayRef<Var> vars, const System &system);

protected:
  bool isUnsolved(Var var) const {
    return llvm::is_contained(result.unsolved, var);
  }
  unsigned countUnsolved(const LinearExpr &expr) const;
  /// `expr` without the terms of unknowns that are not solved.
  LinearExpr dropUnsolved(const LinearExpr &expr) const;

  /// var = value, which may have unknowns that are not solved.
  void solve(Var var, const LinearExpr &value);
  /// A new unknown, floor(dividend / divisor).
  LinearExpr makeQuotient(const LinearExpr &dividend,
                          const DynamicAPInt &divisor);
  /// var = floor(dividend / divisor).
  void solveByQuotient(Var var, const LinearExpr &dividend,
                       const DynamicAPInt &divisor);
  /// What was found.
  Elimination finish();

  struct Range {
    DynamicAPInt least, most;
  };
  /// Between which constants `var` lies by constraints of its own and, if it
  /// `hasOthers`, of others beside it that have such constraints.
  std::optional<Range> getRange(Var var, bool hasOthers = true) const;
  /// Between which constants the terms of `expr` lie whose unknowns are not
  /// solved, without that of `var`.
  std::optional<Range> getRangeOfOthers(const LinearExpr &expr, Var var) const;
  /// What lies between `upper`, a bound of `expr` from above, and the bound
  /// from below that is nearest to it, if one is of the same form; 0 for an
  /// equation.
  std::optional<DynamicAPInt> getWidth(const Constraint &upper) const;

  Solver &solver;
  Constraints constraints;
  /// Equations that were put off.
  Constraints deferred;
  Elimination result;

private:
  /// Puts constants in the place of others than the unknowns, in constraints of
  /// these: of two bounds that meet in such a number one may have been left
  /// out, and what is left of the other no longer looks like it.
  void useConstants();
  /// The most that the terms of `expr` but that of `var` are by constraints of
  /// their unknowns alone.
  std::optional<DynamicAPInt> getMost(const LinearExpr &expr, Var var) const;

  SmallVector<Var> order;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_LINEAR_UNKNOWNS_H
