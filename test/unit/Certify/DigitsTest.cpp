//===- DigitsTest.cpp - The solver on digits of numbers ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolverTest.h"

using namespace mlir;
using namespace mlir::convoy::certify;
using namespace mlir::convoy::certify::test;

namespace {

class DigitsTest : public SolverTest {
protected:
  /// `point` of what is left, with what unknowns were before.
  static OrderedPoint getWhole(const OrderedPoint &point,
                               const DenseMap<Var, LinearExpr> &values) {
    OrderedPoint whole = point;
    for (const auto &[var, value] : values)
      whole[var] = evaluate(value, point).value();
    return whole;
  }
};

// Numbers of which one has the digits of another, or almost.
TEST_F(DigitsTest, FindsPointsOfDigits) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 150; ++round) {
    int64_t first = draw(2, 5), second = draw(2, 4), numbers = draw(4, 40);
    SmallVector<Var> vars = makeVars(3), quotients = makeVars(2);
    LinearExpr t = LinearExpr::var(vars[0]), x = LinearExpr::var(vars[1]),
               y = LinearExpr::var(vars[2]), q = LinearExpr::var(quotients[0]),
               p = LinearExpr::var(quotients[1]);
    System system;
    system.addRange(0, t, numbers);
    system.addRange(0, x, draw(1, first + 1));
    system.addRange(0, y, draw(1, 8));
    system.addRange(0, t - q * DynamicAPInt(first), first);
    system.addRange(0, q - p * DynamicAPInt(second), second);
    // The number with digits x and y, beside t's or a sum of t's digits.
    LinearExpr sum = x + y * DynamicAPInt(first + draw(0, 1)),
               other = draw(0, 1) == 0 ? t
                                       : t - q * DynamicAPInt(draw(0, first)) +
                                             p * DynamicAPInt(draw(0, 3));
    int64_t shift = draw(-2, 2), width = draw(0, first);
    system.addRange(shift, other - sum, shift + width + 1);
    SmallVector<Var> all(vars);
    llvm::append_range(all, quotients);
    system.add({drawExpr(all, 3), draw(0, 2) == 0});
    bool hasPoint = false;
    forEachPoint(vars, 0, 40, System(), {}, [&](OrderedPoint point) {
      point[quotients[0]] = point[vars[0]] / first;
      point[quotients[1]] = point[quotients[0]] / second;
      hasPoint |= holds(system, point);
    });
    EXPECT_EQ(solver.isEmpty(system), !hasPoint) << "round " << round;
    numEmpty += !hasPoint;
  }
  EXPECT_GT(numEmpty, 20);
  EXPECT_LT(numEmpty, 130);
}

// Quotients that nothing else asks for.
TEST_F(DigitsTest, DropsQuotients) {
  int64_t numDropped = 0;
  for (int round = 0; round < 500; ++round) {
    SmallVector<Var> others = makeVars(2), locals = makeVars(draw(1, 3));
    System system = drawSystem(others) & drawDefinitions(locals, others);
    // Only some quotients are allowed.
    for (Var local : locals)
      if (draw(0, 1) == 0)
        system.addRange(draw(-3, 0), LinearExpr::var(local), draw(1, 3));
    // Said twice, as where two indices have a quotient in common.
    if (draw(0, 2) == 0)
      system.append(System(system));
    SmallVector<Var> left(locals);
    System shorter = system;
    Var used = locals[draw(0, locals.size() - 1)];
    shorter.dropQuotients(left, [&](Var var) { return var == used; });
    EXPECT_TRUE(llvm::is_contained(left, used)) << "round " << round;
    numDropped += locals.size() - left.size();
    forEachPoint(others, Least, Most, System(), {}, [&](OrderedPoint point) {
      std::map<int64_t, int64_t> before, after;
      for (auto [vars, known, counts] : {std::tuple(locals, system, &before),
                                         std::tuple(left, shorter, &after)})
        forEachPoint(vars, -MostOfQuotient, MostOfQuotient, known, point,
                     [&, counts = counts](const OrderedPoint &found) {
                       ++(*counts)[found.at(used)];
                     });
      EXPECT_EQ(before, after) << "round " << round;
    });
  }
  EXPECT_GT(numDropped, 60);
}

// Rows of flattened places, which the places' own digits are.
TEST_F(DigitsTest, TakesOutDigits) {
  int64_t numTaken = 0;
  for (int round = 0; round < 300; ++round) {
    SmallVector<Var> others = makeVars(2), locals = makeVars(2);
    LinearExpr x = LinearExpr::var(others[0]), y = LinearExpr::var(others[1]),
               row = LinearExpr::var(locals[0]);
    int64_t width = draw(2, Most + 2);
    LinearExpr place = y * DynamicAPInt(width) + x;
    System system = drawBox({others[1]});
    system.addRange(0, x, width);
    system.addRange(draw(-1, 1), place - row * DynamicAPInt(width), width);
    system.addRange(draw(-4, 0), row, draw(1, 4));
    // A quotient of the row that stays, or is one of its digits, too.
    LinearExpr other = LinearExpr::var(locals[1]) * DynamicAPInt(draw(1, 3));
    system.addRange(0, draw(0, 1) == 0 ? row - other : y - other, draw(1, 3));
    SmallVector<Var> left(locals);
    DenseMap<Var, LinearExpr> values;
    System shorter = system;
    bool hasPoints = shorter.compact(left, values);
    numTaken += hasPoints && !llvm::is_contained(left, locals[0]);
    forEachPoint(others, Least, Most, System(), {}, [&](OrderedPoint point) {
      int64_t before = countPoints(locals, -12, 12, system, point), after = 0;
      if (hasPoints)
        forEachPoint(left, -12, 12, shorter, point, [&](OrderedPoint found) {
          EXPECT_TRUE(holds(system, getWhole(found, values)))
              << "round " << round;
          ++after;
        });
      EXPECT_EQ(before, after) << "round " << round;
    });
  }
  EXPECT_GT(numTaken, 100);
}

// A number of which others are quotients stands for its remainder.
TEST_F(DigitsTest, FindsRemainders) {
  int64_t numFound = 0;
  for (int round = 0; round < 300; ++round) {
    SmallVector<Var> others = makeVars(1), locals = makeVars(3);
    LinearExpr place = LinearExpr::var(others[0]),
               number = LinearExpr::var(locals[0]),
               first = LinearExpr::var(locals[1]),
               second = LinearExpr::var(locals[2]);
    int64_t inner = draw(2, 4), outer = draw(2, 4);
    System system;
    system.addRange(0, number, draw(4, 24));
    system.addRange(0, number - first * DynamicAPInt(inner), inner);
    // The number's own quotient, or the quotient's.
    bool isOfNumber = draw(0, 1) == 0;
    system.addRange(
        draw(-1, 0),
        (isOfNumber ? number : first) - second * DynamicAPInt(outer), outer);
    LinearExpr sum =
        (number - first * DynamicAPInt(inner)) * DynamicAPInt(draw(1, 4)) +
        first * DynamicAPInt(draw(1, 4)) + second * DynamicAPInt(draw(0, 2));
    int64_t width = draw(1, 3);
    system.addRange(0, place - sum * DynamicAPInt(width), width);
    SmallVector<Var> left(locals);
    DenseMap<Var, LinearExpr> values;
    System shorter = system;
    bool hasPoints = shorter.compact(left, values);
    numFound += hasPoints && !values.empty();
    forEachPoint(others, 0, 40, System(), {}, [&](const OrderedPoint &point) {
      int64_t before = countPoints(locals, -1, 24, system, point), after = 0;
      if (hasPoints)
        forEachPoint(left, -1, 24, shorter, point, [&](OrderedPoint found) {
          EXPECT_TRUE(holds(system, getWhole(found, values)))
              << "round " << round;
          ++after;
        });
      EXPECT_EQ(before, after) << "round " << round;
    });
  }
  EXPECT_GT(numFound, 200);
}

// Equations that leave an unknown one value at most.
TEST_F(DigitsTest, TakesOutOnlyValues) {
  int64_t numTaken = 0, numEmpty = 0;
  for (int round = 0; round < 400; ++round) {
    SmallVector<Var> locals = makeVars(draw(2, 3));
    LinearExpr sum(draw(-20, 20));
    System system;
    for (Var local : locals) {
      system.addRange(draw(-2, 0), LinearExpr::var(local), draw(1, 6));
      sum += LinearExpr::var(local) *
             DynamicAPInt(draw(2, 9) * (draw(0, 1) == 0 ? 1 : -1));
    }
    system.addEqual(sum, LinearExpr(0));
    SmallVector<Var> left(locals);
    DenseMap<Var, LinearExpr> values;
    System shorter = system;
    bool hasPoints = shorter.compact(left, values);
    int64_t before = countPoints(locals, -2, 6, system), after = 0;
    if (hasPoints)
      forEachPoint(left, -2, 6, shorter, {}, [&](OrderedPoint found) {
        EXPECT_TRUE(holds(system, getWhole(found, values)))
            << "round " << round;
        ++after;
      });
    EXPECT_EQ(before, after) << "round " << round;
    EXPECT_EQ(solver.isEmpty(system), before == 0) << "round " << round;
    numTaken += hasPoints && left.empty();
    numEmpty += !hasPoints;
  }
  EXPECT_GT(numTaken, 40);
  EXPECT_GT(numEmpty, 40);
}

// Numbers put together of the digits of one.
TEST_F(DigitsTest, SubtractsDigits) {
  int64_t numFound = 0, numTaken = 0;
  for (int round = 0; round < 300; ++round) {
    SmallVector<Var> others = makeVars(1), vars = makeVars(3);
    LinearExpr place = LinearExpr::var(others[0]), t = LinearExpr::var(vars[0]),
               q = LinearExpr::var(vars[1]), lane = LinearExpr::var(vars[2]);
    int64_t divisor = draw(2, 4), factor = draw(1, 4), numbers = draw(2, 12),
            lanes = draw(1, 3), shift = draw(0, 1);
    // What is divided is t, or a multiple of it.
    LinearExpr dividend = t * DynamicAPInt(factor) + LinearExpr(shift);
    LinearExpr remainder = dividend - q * DynamicAPInt(divisor);
    int64_t inner = lanes * draw(1, 2), outer = inner * divisor;
    LinearExpr sum =
        draw(0, 1) == 0
            ? remainder * DynamicAPInt(outer) + q * DynamicAPInt(inner)
            : remainder * DynamicAPInt(inner) + q * DynamicAPInt(outer);
    System from, system;
    from.addRange(0, place, 50);
    system.addRange(0, t, numbers);
    system.addRange(0, remainder, divisor);
    system.addRange(0, lane, lanes);
    system.addEqual(place, sum + lane);
    std::optional<Parts> parts = solver.subtract(from, vars, system);
    if (!parts)
      continue;
    ++numFound;
    forEachPoint(others, 0, 49, from, {}, [&](const OrderedPoint &point) {
      bool isInside = countPoints(vars, 0, 60, system, point) != 0;
      EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1)
          << "round " << round;
      numTaken += isInside;
    });
  }
  EXPECT_GT(numFound, 150);
  EXPECT_GT(numTaken, 1000);
}

} // namespace
