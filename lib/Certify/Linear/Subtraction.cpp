//===- Subtraction.cpp - Points without a value of unknowns -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Linear/LinearSystem.h"

using namespace mlir;
using namespace mlir::convoy::certify;

static bool mentions(const LinearExpr &expr, Var var) {
  return llvm::any_of(expr.getTerms(),
                      [&](const auto &term) { return term.first == var; });
}

/// Leaves of `constraints` those with `var` that do not follow from the others
/// where `from` holds, and the others.
static void dropImpliedBounds(Solver &solver, Constraints &constraints, Var var,
                              const System &from) {
  for (size_t number = 0; number < constraints.size();) {
    System others = from;
    for (auto [other, constraint] : llvm::enumerate(constraints))
      if (other != number)
        others.add(constraint);
    bool isImplied = mentions(constraints[number].expr, var) &&
                     !solver.isEmpty(others) &&
                     solver.implies(others, constraints[number]);
    if (isImplied)
      constraints.erase(constraints.begin() + number);
    else
      ++number;
  }
}

/// What two bounds of `var` say of the others where a real number lies between
/// them, and what more there must be for an integer to do so in any case: these
/// are the real and the dark shadow of Pugh, "The Omega test" (1991). For
/// e <= a*x and b*x <= f they are b*e <= a*f and b*e + (a - 1)(b - 1) <= a*f.
static std::pair<LinearExpr, DynamicAPInt>
getShadow(const Constraint &low, const Constraint &high, Var var) {
  DynamicAPInt a = low.expr.getFactor(var), b = -high.expr.getFactor(var);
  return {low.expr * b + high.expr * a, (a - 1) * (b - 1)};
}

/// Puts what `constraints` say of the others in their place, where some value
/// of `var` satisfies them, for all points of `from`; returns false if that is
/// not known. An integer lies between bounds where one lies between each two of
/// them. Where that is not what their shadow says, the greatest integer below
/// an upper bound, a quotient that `elimination` gets, has to be above all
/// lower ones.
static bool projectOut(Solver &solver, Constraints &constraints, Var var,
                       const System &from, Elimination &elimination) {
  dropImpliedBounds(solver, constraints, var, from);
  Constraints kept, lower, upper;
  for (const Constraint &constraint : constraints) {
    DynamicAPInt factor = constraint.expr.getFactor(var);
    if (factor != 0 && constraint.isEquality)
      return false;
    (factor == 0 ? kept : factor > 0 ? lower : upper).push_back(constraint);
  }
  for (const Constraint &high : upper) {
    bool isShadow = llvm::all_of(lower, [&](const Constraint &low) {
      auto [shadow, slack] = getShadow(low, high, var);
      return slack == 0 ||
             solver.implies(from, {shadow - LinearExpr(slack), false});
    });
    if (isShadow) {
      for (const Constraint &low : lower)
        kept.push_back({getShadow(low, high, var).first, false});
      continue;
    }
    DynamicAPInt divisor = -high.expr.getFactor(var);
    elimination.quotients.push_back(solver.makeVar());
    LinearExpr most = LinearExpr::var(elimination.quotients.back());
    LinearExpr change = most - LinearExpr::var(var);
    elimination.definitions.addRange(0, high.expr - change * divisor, divisor);
    for (const Constraint &low : lower)
      kept.push_back({low.expr + change * low.expr.getFactor(var), false});
  }
  constraints = std::move(kept);
  return true;
}

/// Whether a definition of `elimination` has `var`.
static bool defines(const Elimination &elimination, Var var) {
  return llvm::any_of(elimination.definitions.getConstraints(),
                      [&](const Constraint &definition) {
                        return mentions(definition.expr, var);
                      });
}

/// Projects one of the unknowns out that are not solved, for all points of
/// `from`, and returns false if there is none that can be. Those come first
/// that leave no quotient, of which others could be a part.
static bool projectOneOut(Solver &solver, Constraints &conditions,
                          Elimination &elimination, const System &from) {
  System known = from & elimination.definitions;
  std::optional<std::pair<Constraints, Elimination>> found;
  for (Var var : elimination.unsolved) {
    Constraints others = conditions;
    Elimination left = elimination;
    if (defines(elimination, var) ||
        !projectOut(solver, others, var, known, left))
      continue;
    llvm::erase(left.unsolved, var);
    bool leavesQuotient = left.quotients.size() > elimination.quotients.size();
    if (!found || !leavesQuotient)
      found = {std::move(others), std::move(left)};
    if (!leavesQuotient)
      break;
  }
  if (found)
    std::tie(conditions, elimination) = std::move(*found);
  return found.has_value();
}

/// What is left of `elimination` where the unknowns that are not solved have
/// some value, for all points of `from`; returns false if that is not known.
static bool projectOut(Solver &solver, Elimination &elimination,
                       const System &from) {
  Constraints conditions(elimination.conditions.getConstraints());
  while (!elimination.unsolved.empty())
    if (!projectOneOut(solver, conditions, elimination, from))
      return false;
  elimination.conditions = System();
  for (const Constraint &condition : conditions)
    elimination.conditions.add(condition);
  return true;
}

std::optional<Parts> Solver::subtract(const System &from, ArrayRef<Var> vars,
                                      const System &system) {
  if (isEmpty(from))
    return Parts();
  // Else what is apart would be cut along the borders of what is subtracted.
  if (isEmpty(from & system))
    return Parts{Part()};
  Elimination elimination = eliminate(vars, system);
  if (!projectOut(*this, elimination, from))
    return std::nullopt;
  Parts outside;
  Part inside = {elimination.quotients, elimination.definitions};
  System all = from & elimination.definitions;
  for (const Constraint &condition : elimination.conditions.getConstraints()) {
    bool splits = false;
    for (const Constraint &negation : negate(condition)) {
      if (excludes(all, negation))
        continue;
      outside.push_back(inside);
      outside.back().domain.add(negation);
      splits = true;
    }
    if (!splits)
      continue;
    inside.domain.add(condition);
    all.add(condition);
    if (isEmpty(all))
      break;
  }
  return outside;
}

std::optional<Parts> Solver::subtract(const System &from, ArrayRef<Part> parts,
                                      ArrayRef<Var> vars,
                                      const System &system) {
  Parts rest;
  for (const Part &part : parts) {
    std::optional<Parts> outside = subtract(from & part.domain, vars, system);
    if (!outside)
      return std::nullopt;
    for (Part &finer : *outside) {
      llvm::append_range(finer.locals, part.locals);
      finer.domain.append(part.domain);
      rest.push_back(std::move(finer));
    }
  }
  return rest;
}
