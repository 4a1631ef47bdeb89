//===- SolverTest.h - Random systems, and all of their points ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_CERTIFY_SOLVERTEST_H
#define CONVOY_TEST_UNIT_CERTIFY_SOLVERTEST_H

#include "convoy/Certify/Linear/LinearSystem.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace mlir::convoy::certify::test {

using OrderedPoint = std::map<Var, int64_t>;

/// The value of `expr` at `point`, or nothing if an unknown has no value.
inline std::optional<int64_t> evaluate(const LinearExpr &expr,
                                       const OrderedPoint &point) {
  int64_t value(expr.getConstant());
  for (const auto &[var, factor] : expr.getTerms()) {
    auto it = point.find(var);
    if (it == point.end())
      return std::nullopt;
    value += int64_t(factor) * it->second;
  }
  return value;
}

/// Whether no constraint fails at `point`; those with other unknowns do not.
inline bool holds(const System &system, const OrderedPoint &point) {
  return llvm::all_of(
      system.getConstraints(), [&](const Constraint &constraint) {
        std::optional<int64_t> value = evaluate(constraint.expr, point);
        return !value || (constraint.isEquality ? *value == 0 : *value >= 0);
      });
}

/// Calls `visit` with each way to give `vars` values from `least` to `most`
/// that satisfies `system` with those that `point` has.
inline void forEachPoint(ArrayRef<Var> vars, int64_t least, int64_t most,
                         const System &system, OrderedPoint point,
                         llvm::function_ref<void(const OrderedPoint &)> visit) {
  if (!holds(system, point))
    return;
  if (vars.empty())
    return visit(point);
  for (int64_t value = least; value <= most; ++value) {
    point[vars.front()] = value;
    forEachPoint(vars.drop_front(), least, most, system, point, visit);
  }
}

inline int64_t countPoints(ArrayRef<Var> vars, int64_t least, int64_t most,
                           const System &system,
                           const OrderedPoint &point = {}) {
  int64_t count = 0;
  forEachPoint(vars, least, most, system, point,
               [&](const OrderedPoint &) { ++count; });
  return count;
}

/// Random systems; the unknowns of each lie in a box of their own.
class SolverTest : public testing::Test {
protected:
  static constexpr int64_t Least = -3, Most = 4;
  /// No quotient in these tests leaves this range.
  static constexpr int64_t MostOfQuotient = 120;

  int64_t draw(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }

  SmallVector<Var> makeVars(unsigned count) {
    SmallVector<Var> vars;
    for (unsigned i = 0; i < count; ++i)
      vars.push_back(solver.makeVar());
    return vars;
  }

  LinearExpr drawExpr(ArrayRef<Var> vars, int64_t mostFactor) {
    LinearExpr expr(draw(-6, 6));
    for (Var var : vars)
      if (draw(0, 2) != 0)
        expr +=
            LinearExpr::var(var) * DynamicAPInt(draw(-mostFactor, mostFactor));
    return expr;
  }

  Constraint drawConstraint(ArrayRef<Var> vars) {
    return {drawExpr(vars, 4), draw(0, 3) == 0};
  }

  System drawBox(ArrayRef<Var> vars) {
    System box;
    for (Var var : vars) {
      int64_t lower = draw(Least, Most), upper = draw(lower, Most);
      box.addRange(lower, LinearExpr::var(var), upper + 1);
    }
    return box;
  }

  System drawSystem(ArrayRef<Var> vars) {
    System system = drawBox(vars);
    for (int64_t left = draw(0, 3); left > 0; --left)
      system.add(drawConstraint(vars));
    return system;
  }

  /// Constraints that settle each of `vars` by `others`, in the ways that the
  /// certifier meets: equations, and quotients rounded down.
  System drawDefinitions(ArrayRef<Var> vars, ArrayRef<Var> others) {
    System system;
    SmallVector<Var> known(others);
    for (Var var : vars) {
      LinearExpr rest = drawExpr(known, 2);
      int64_t divisor = draw(1, 4);
      LinearExpr multiple = LinearExpr::var(var) * DynamicAPInt(divisor);
      if (draw(0, 1) == 0)
        system.addEqual(multiple, rest);
      else
        system.addRange(0, rest - multiple, draw(1, divisor));
      known.push_back(var);
    }
    return system;
  }

  /// What `vars` are by `elimination` where `other` is `value`, if there is
  /// anything.
  std::optional<DenseMap<Var, int64_t>>
  findSolution(const Elimination &elimination, ArrayRef<Var> vars, Var other,
               int64_t value) {
    System all = elimination.definitions & elimination.conditions;
    all.addEqual(LinearExpr::var(other), value);
    for (Var var : vars)
      all.addEqual(LinearExpr::var(var), elimination.values.lookup(var));
    return solver.findPoint(all);
  }

  /// In how many of `parts` `point` lies, each of which it may be in once.
  int64_t countParts(ArrayRef<Part> parts, const OrderedPoint &point) {
    int64_t sum = 0;
    for (const Part &part : parts) {
      int64_t count = countPoints(part.locals, -MostOfQuotient, MostOfQuotient,
                                  part.domain, point);
      EXPECT_LE(count, 1);
      sum += count;
    }
    return sum;
  }

  std::mt19937 random{42};
  Solver solver{/*seconds=*/3600};
};

} // namespace mlir::convoy::certify::test

#endif // CONVOY_TEST_UNIT_CERTIFY_SOLVERTEST_H
