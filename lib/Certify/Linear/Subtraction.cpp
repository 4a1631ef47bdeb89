//===- Subtraction.cpp - Points for which unknowns have no value -*- C++
//-*-===//
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

/// Puts what `constraints` say of the others in their place, where some value
/// of `var` satisfies them, for all points of `from`; returns false if that is
/// not known.
///
/// An integer x with e <= a*x and b*x <= f exists where b*e <= a*f, if a or b
/// is 1, and in any case where b*e + (a - 1)(b - 1) <= a*f: the real and the
/// dark shadow of Pugh, "The Omega test" (1991). Where these are the same for
/// each pair of bounds, so is what lies between them.
static bool projectOut(Solver &solver, Constraints &constraints, Var var,
                       const System &from) {
  dropImpliedBounds(solver, constraints, var, from);
  Constraints kept, lower, upper;
  for (const Constraint &constraint : constraints) {
    DynamicAPInt factor = constraint.expr.getFactor(var);
    if (factor != 0 && constraint.isEquality)
      return false;
    (factor == 0 ? kept : factor > 0 ? lower : upper).push_back(constraint);
  }
  for (const Constraint &low : lower)
    for (const Constraint &high : upper) {
      DynamicAPInt a = low.expr.getFactor(var), b = -high.expr.getFactor(var);
      LinearExpr between = low.expr * b + high.expr * a;
      DynamicAPInt slack = (a - 1) * (b - 1);
      if (slack != 0 &&
          !solver.implies(from, {between - LinearExpr(slack), false}))
        return false;
      kept.push_back({between, false});
    }
  constraints = std::move(kept);
  return true;
}

/// What is left of `elimination` where the unknowns that are not solved have
/// some value, for all points of `from`; returns false if that is not known.
static bool projectOut(Solver &solver, Elimination &elimination,
                       const System &from) {
  Constraints conditions(elimination.conditions.getConstraints());
  System known = from & elimination.definitions;
  for (Var var : elimination.unsolved) {
    for (const Constraint &definition :
         elimination.definitions.getConstraints())
      if (mentions(definition.expr, var))
        return false;
    if (!projectOut(solver, conditions, var, known))
      return false;
  }
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
