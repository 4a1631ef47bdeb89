//===- Cases.h - Values that differ from case to case -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_LINEAR_CASES_H
#define CONVOY_LIB_CERTIFY_LINEAR_CASES_H

#include "convoy/Certify/Linear/LinearSystem.h"

namespace mlir::convoy::certify {

/// A value where `domain` holds. `locals` are unknowns that have one value, or
/// none, for each value of the surroundings.
template <typename T>
struct Case {
  SmallVector<Var> locals;
  System domain;
  T value;
};

/// A value in all cases that there are, which exclude each other.
template <typename T>
using Cases = SmallVector<Case<T>, 0>;

using IndexCases = Cases<LinearExpr>;
using IndicesCases = Cases<SmallVector<LinearExpr>>;
using ConditionCases = Cases<bool>;

/// Lets `one`, a case or a part, hold only where `where` does as well.
template <typename One, typename Where>
void addConditions(One &one, const Where &where) {
  for (Var local : where.locals)
    if (!llvm::is_contained(one.locals, local))
      one.locals.push_back(local);
  one.domain.append(where.domain);
}

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_LINEAR_CASES_H
