//===- Elimination.cpp - Unknowns expressed in others -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/LinearSystem.h"

using namespace mlir;
using namespace mlir::convoy::certify;

namespace {
/// Takes unknowns out of a system one by one.
class Eliminator {
public:
  Eliminator(Solver &solver, ArrayRef<Var> vars, const System &system)
      : solver(solver), constraints(system.getConstraints()) {
    result.unsolved.assign(vars.begin(), vars.end());
  }

  Elimination run() {
    while (useUnitEquation() || useEquation() || useBounds())
      ;
    for (const Constraint &constraint : constraints)
      result.conditions.add(constraint);
    // Values of unknowns found early may hold unknowns found later.
    for (Var var : llvm::reverse(order))
      result.values[var] = result.values[var].substitute(result.values);
    return std::move(result);
  }

private:
  bool isUnsolved(Var var) const {
    return llvm::is_contained(result.unsolved, var);
  }
  unsigned countUnsolved(const LinearExpr &expr) const {
    return llvm::count_if(expr.getTerms(), [&](const auto &term) {
      return isUnsolved(term.first);
    });
  }

  void solve(Var var, const LinearExpr &value) {
    llvm::erase(result.unsolved, var);
    order.push_back(var);
    result.values[var] = value;
    DenseMap<Var, LinearExpr> values;
    values[var] = value;
    for (Constraint &constraint : constraints)
      constraint.expr = constraint.expr.substitute(values);
    llvm::erase_if(constraints, [](const Constraint &constraint) {
      return constraint.isEquality && constraint.expr == LinearExpr(0);
    });
  }

  /// var = floor(dividend / divisor).
  void solveByQuotient(Var var, const LinearExpr &dividend,
                       const DynamicAPInt &divisor) {
    result.quotients.push_back(solver.makeVar());
    LinearExpr quotient = LinearExpr::var(result.quotients.back());
    result.definitions.addRange(0, dividend - quotient * divisor, divisor);
    solve(var, quotient);
  }

  /// x + rest = 0.
  bool useUnitEquation() {
    for (const Constraint &constraint : constraints)
      if (constraint.isEquality)
        for (const auto &[var, factor] : constraint.expr.getTerms())
          if (llvm::abs(factor) == 1 && isUnsolved(var)) {
            solve(var, LinearExpr::var(var) - constraint.expr * factor);
            return true;
          }
    return false;
  }

  /// a*x + rest = 0, no other unknown in the rest: x is the rest's quotient;
  /// the equation stays, and says that a divides it.
  bool useEquation() {
    for (const Constraint &constraint : constraints)
      if (constraint.isEquality && countUnsolved(constraint.expr) == 1)
        for (const auto &[var, factor] : constraint.expr.getTerms())
          if (isUnsolved(var)) {
            LinearExpr rest = constraint.expr - LinearExpr::var(var) * factor;
            DynamicAPInt sign(factor > 0 ? -1 : 1);
            solveByQuotient(var, rest * sign, llvm::abs(factor));
            return true;
          }
    return false;
  }

  /// a*x <= e and a*x >= e - r with 0 <= r < a: x = floor(e / a).
  bool useBounds() {
    for (const Constraint &upper : constraints) {
      if (countUnsolved(upper.expr) != 1)
        continue;
      for (const auto &[var, factor] : upper.expr.getTerms()) {
        if (!isUnsolved(var) || factor >= 0)
          continue;
        for (const Constraint &lower : constraints) {
          // The sum of both bounds is what lies between them.
          LinearExpr width = upper.expr + lower.expr;
          if (!width.isConstant() || width.getConstant() >= -factor)
            continue;
          LinearExpr dividend = upper.expr - LinearExpr::var(var) * factor;
          DynamicAPInt divisor = -factor;
          solveByQuotient(var, dividend, divisor);
          return true;
        }
      }
    }
    return false;
  }

  Solver &solver;
  Constraints constraints;
  SmallVector<Var> order;
  Elimination result;
};
} // namespace

Elimination Solver::eliminate(ArrayRef<Var> vars, const System &system) {
  return Eliminator(*this, vars, system).run();
}

std::optional<Parts> Solver::subtract(const System &from, ArrayRef<Var> vars,
                                      const System &system) {
  if (isEmpty(from))
    return Parts();
  Elimination elimination = eliminate(vars, system);
  if (!elimination.unsolved.empty())
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
