//===- Interpolation.h - What lies between expressions ------------ -*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_INTERPOLATION_H
#define CONVOY_LIB_CERTIFY_TERMS_INTERPOLATION_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// Finds the expression that is one of two where a step is 0 and the other
/// where it is 1: constants of linear terms are those of the first and steps.
class Interpolation {
public:
  /// `step` in unknowns that both expressions share; null if it is always 0, so
  /// that only equal expressions have one in common.
  explicit Interpolation(const LinearExpr *step) : step(step) {}

  std::optional<LinearExpr> find(const LinearExpr &first,
                                 const LinearExpr &second) const;
  std::optional<System> find(const System &first, const System &second) const;
  ExprRef find(const ExprRef &first, const ExprRef &second);

private:
  /// Takes unknowns that are bound in the second for those of the first.
  bool rename(ArrayRef<Var> first, ArrayRef<Var> second);
  std::optional<Family> find(const Family &first, const Family &second);

  const LinearExpr *step;
  DenseMap<Var, LinearExpr> renamed;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_INTERPOLATION_H
