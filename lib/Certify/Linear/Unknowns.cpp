//===- Unknowns.cpp - A system that unknowns are taken out of ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unknowns.h"

using namespace mlir;
using namespace mlir::convoy::certify;

Unknowns::Unknowns(Solver &solver, ArrayRef<Var> vars, const System &system)
    : solver(solver), constraints(system.getConstraints()) {
  result.unsolved.assign(vars.begin(), vars.end());
  useConstants();
}

/// Bounds of one form look alike where they are divided by all factors, and
/// in equations a factor of one may be left.
static void substitute(Constraint &constraint,
                       const DenseMap<Var, LinearExpr> &values) {
  constraint.expr = constraint.expr.substitute(values);
  auto [divided, rest] = constraint.expr.divideByFactors();
  if (!constraint.isEquality || rest == 0)
    constraint.expr = divided;
}

void Unknowns::useConstants() {
  DenseMap<Var, LinearExpr> values;
  for (const Constraint &constraint : constraints) {
    ArrayRef<std::pair<Var, DynamicAPInt>> terms = constraint.expr.getTerms();
    if (constraint.isEquality && terms.size() == 1 &&
        llvm::abs(terms[0].second) == 1 && !isUnsolved(terms[0].first))
      values[terms[0].first] =
          LinearExpr(-terms[0].second * constraint.expr.getConstant());
  }
  for (Constraint &constraint : constraints)
    if (countUnsolved(constraint.expr) > 0)
      substitute(constraint, values);
}

unsigned Unknowns::countUnsolved(const LinearExpr &expr) const {
  return llvm::count_if(expr.getTerms(), [&](const auto &term) {
    return isUnsolved(term.first);
  });
}

LinearExpr Unknowns::dropUnsolved(const LinearExpr &expr) const {
  LinearExpr rest(expr.getConstant());
  for (const auto &[var, factor] : expr.getTerms())
    if (!isUnsolved(var))
      rest += LinearExpr::var(var) * factor;
  return rest;
}

void Unknowns::solve(Var var, const LinearExpr &value) {
  llvm::erase(result.unsolved, var);
  order.push_back(var);
  result.values[var] = value;
  DenseMap<Var, LinearExpr> values;
  values[var] = value;
  for (Constraint &constraint : constraints)
    substitute(constraint, values);
  for (Constraint &equation : deferred)
    substitute(equation, values);
  llvm::erase_if(constraints, [](const Constraint &constraint) {
    return constraint.isEquality && constraint.expr == LinearExpr(0);
  });
}

LinearExpr Unknowns::makeQuotient(const LinearExpr &dividend,
                                  const DynamicAPInt &divisor) {
  result.quotients.push_back(solver.makeVar());
  LinearExpr quotient = LinearExpr::var(result.quotients.back());
  result.definitions.addRange(0, dividend - quotient * divisor, divisor);
  return quotient;
}

void Unknowns::solveByQuotient(Var var, const LinearExpr &dividend,
                               const DynamicAPInt &divisor) {
  solve(var, makeQuotient(dividend, divisor));
}

Elimination Unknowns::finish() {
  for (const Constraint &constraint : constraints)
    result.conditions.add(constraint);
  // Values of unknowns found early may hold unknowns found later.
  for (Var var : llvm::reverse(order))
    result.values[var] = result.values[var].substitute(result.values);
  return std::move(result);
}

std::optional<Unknowns::Range> Unknowns::getRange(Var var,
                                                  bool hasOthers) const {
  std::optional<DynamicAPInt> least, most;
  for (const Constraint &constraint : constraints) {
    DynamicAPInt factor = constraint.expr.getFactor(var);
    bool isOwn = constraint.expr.getTerms().size() == 1;
    if (factor == 0 || constraint.isEquality || !(isOwn || hasOthers))
      continue;
    std::optional<DynamicAPInt> rest = getMost(constraint.expr, var);
    if (!rest)
      continue;
    // factor * var + rest >= 0.
    if (factor > 0)
      least = std::max(least.value_or(llvm::ceilDiv(-*rest, factor)),
                       llvm::ceilDiv(-*rest, factor));
    else
      most = std::min(most.value_or(llvm::floorDiv(*rest, -factor)),
                      llvm::floorDiv(*rest, -factor));
  }
  if (!least || !most)
    return std::nullopt;
  return Range{*least, *most};
}

std::optional<DynamicAPInt> Unknowns::getMost(const LinearExpr &expr,
                                              Var var) const {
  DynamicAPInt most = expr.getConstant();
  for (const auto &[other, factor] : expr.getTerms()) {
    if (other == var)
      continue;
    std::optional<Range> range = getRange(other, /*hasOthers=*/false);
    if (!range)
      return std::nullopt;
    most += factor * (factor > 0 ? range->most : range->least);
  }
  return most;
}

std::optional<Unknowns::Range>
Unknowns::getRangeOfOthers(const LinearExpr &expr, Var var) const {
  Range sum{DynamicAPInt(0), DynamicAPInt(0)};
  for (const auto &[other, factor] : expr.getTerms()) {
    if (other == var || !isUnsolved(other))
      continue;
    std::optional<Range> range = getRange(other);
    if (!range)
      return std::nullopt;
    sum.least += factor * (factor > 0 ? range->least : range->most);
    sum.most += factor * (factor > 0 ? range->most : range->least);
  }
  return sum;
}

std::optional<DynamicAPInt> Unknowns::getWidth(const Constraint &upper) const {
  if (upper.isEquality)
    return DynamicAPInt(0);
  std::optional<DynamicAPInt> least;
  for (const Constraint &lower : constraints) {
    // The sum of both bounds is what lies between them.
    LinearExpr width = upper.expr + lower.expr;
    if (width.isConstant() && (!least || width.getConstant() < *least))
      least = width.getConstant();
  }
  return least;
}
