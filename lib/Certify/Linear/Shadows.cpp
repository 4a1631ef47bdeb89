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

/// An unknown's factors, by the numbers of their constraints, divided by their
/// greatest common divisor; the first is positive.
using Column = std::vector<std::pair<size_t, DynamicAPInt>>;

/// Divides `column` and returns by what.
static DynamicAPInt divideByFactors(Column &column) {
  DynamicAPInt divisor(0);
  for (const auto &[number, factor] : column)
    divisor = llvm::gcd(divisor, llvm::abs(factor));
  if (column.front().second < 0)
    divisor = -divisor;
  for (auto &[number, factor] : column)
    factor = factor / divisor;
  return divisor;
}

bool certify::takeOutMultiples(Constraints &constraints) {
  llvm::MapVector<Var, Column> columns;
  for (auto [number, constraint] : llvm::enumerate(constraints))
    for (const auto &[var, factor] : constraint.expr.getTerms())
      columns[var].push_back({number, factor});
  std::map<Column, SmallVector<std::pair<DynamicAPInt, Var>, 1>> unknowns;
  for (auto &[var, column] : columns) {
    DynamicAPInt divisor = divideByFactors(column);
    unknowns[column].push_back({llvm::abs(divisor), var});
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
