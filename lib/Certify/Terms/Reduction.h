//===- Reduction.h - What iterations make of one element --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_REDUCTION_H
#define CONVOY_LIB_CERTIFY_TERMS_REDUCTION_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// What one iteration makes of a value that it goes on with: their sum with
/// terms, or their maximum or minimum by an op. Iterations that do so may come
/// in any order, and each counts.
struct Reduction {
  StringRef extremum; ///< the op; nothing of a sum
  Families terms;
  /// Zeros that are added to an extremum.
  LeftOut zeros;
  /// Whether it holds only for a start that is a number.
  bool ofNumbers = false;

  /// What `next` is of `start`, which it reads once, or compares with the term
  /// that it chooses otherwise; nothing if it is neither.
  static std::optional<Reduction> find(const ExprRef &next,
                                       BlockArgument start);
  /// Whether the value stays what it is.
  bool isNothing() const { return extremum.empty() && terms.empty(); }

  /// Takes the terms of `other`, which holds for any number of iterations, as
  /// well; returns false if it is another op.
  bool add(const Reduction &other);
  /// What is left of `start` after all iterations; null where that is not known
  /// of a start that may be no number.
  ExprRef apply(const ExprRef &start, Operation *origin) const;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_REDUCTION_H
