//===- Shadows.cpp - Systems with fewer unknowns ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An unknown x with bounds e <= a x and b x <= f has a value where b e <= a f,
// if a or b is one: the real shadow is exact there (Pugh, "The Omega test",
// 1991). With bounds on one side only it always has one.
//
// Where x and y stand only in multiples of r x + y, which takes any value for
// any x, x may be 0.
//
//===----------------------------------------------------------------------===//

#include "Shadows.h"

#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// How an unknown is bounded.
struct Bounded {
  unsigned numLower = 0, numUpper = 0;
  bool isUnitBelow = true, isUnitAbove = true; ///< whether all factors are 1
  bool isInEquation = false;

  void add(const DynamicAPInt &factor) {
    ++(factor > 0 ? numLower : numUpper);
    (factor > 0 ? isUnitBelow : isUnitAbove) &= llvm::abs(factor) == 1;
  }
  bool hasExactShadow() const {
    return !isInEquation && (isUnitBelow || isUnitAbove);
  }
  /// How many constraints its shadow has more than it.
  int getGrowth() const {
    return int(numLower * numUpper) - int(numLower + numUpper);
  }
};
} // namespace

/// The unknown whose shadow is exact and grows least, if not at all.
static std::optional<Var> findUnknown(const Constraints &constraints) {
  llvm::MapVector<Var, Bounded> unknowns;
  for (const Constraint &constraint : constraints)
    for (const auto &[var, factor] : constraint.expr.getTerms()) {
      unknowns[var].isInEquation |= constraint.isEquality;
      unknowns[var].add(factor);
    }
  std::optional<Var> best;
  int least = 1;
  for (const auto &[var, bounded] : unknowns)
    if (bounded.hasExactShadow() && bounded.getGrowth() < least) {
      best = var;
      least = bounded.getGrowth();
    }
  return best;
}

bool certify::takeOutUnknown(Constraints &constraints) {
  std::optional<Var> var = findUnknown(constraints);
  if (!var)
    return false;
  Constraints kept, lower, upper;
  for (const Constraint &constraint : constraints) {
    DynamicAPInt factor = constraint.expr.getFactor(*var);
    (factor == 0 ? kept : factor > 0 ? lower : upper).push_back(constraint);
  }
  for (const Constraint &low : lower)
    for (const Constraint &high : upper)
      kept.push_back({low.expr * -high.expr.getFactor(*var) +
                          high.expr * low.expr.getFactor(*var),
                      /*isEquality=*/false});
  constraints = std::move(kept);
  return true;
}

bool certify::takeOutMultiples(Constraints &constraints) {
  // The factors of an unknown are a linear form, too: of the constraints.
  using Terms = std::vector<std::pair<Var, DynamicAPInt>>;
  llvm::MapVector<Var, Terms> columns;
  for (auto [number, constraint] : llvm::enumerate(constraints))
    for (const auto &[var, factor] : constraint.expr.getTerms())
      columns[var].push_back({Var(number), factor});
  std::map<Terms, SmallVector<std::pair<DynamicAPInt, Var>, 1>> unknowns;
  for (const auto &[var, column] : columns) {
    LinearExpr divided = LinearExpr::form(column).divideByFactors().first;
    if (divided.getTerms().front().second < 0)
      divided *= DynamicAPInt(-1);
    ArrayRef<std::pair<Var, DynamicAPInt>> terms = divided.getTerms();
    DynamicAPInt multiple = column.front().second / terms.front().second;
    unknowns[Terms(terms.begin(), terms.end())].push_back(
        {llvm::abs(multiple), var});
  }
  DenseMap<Var, LinearExpr> zeros;
  for (auto &[column, multiples] : unknowns) {
    auto [least, kept] = *llvm::min_element(multiples);
    for (const auto &[multiple, var] : multiples)
      if (var != kept && multiple % least == 0)
        zeros[var] = LinearExpr(0);
  }
  if (zeros.empty())
    return false;
  for (Constraint &constraint : constraints)
    constraint.expr = constraint.expr.substitute(zeros);
  return true;
}
