//===- SolverTest.cpp - The solver against enumeration ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random systems within small boxes: every answer is compared with what trying
// all points gives.
//
//===----------------------------------------------------------------------===//

#include "SolverTest.h"

using namespace mlir;
using namespace mlir::convoy::certify;
using namespace mlir::convoy::certify::test;

namespace {

TEST_F(SolverTest, FindsWhetherThereArePoints) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 1500; ++round) {
    SmallVector<Var> vars = makeVars(draw(1, 4));
    System system = drawSystem(vars);
    bool isEmpty = countPoints(vars, Least, Most, system) == 0;
    EXPECT_EQ(solver.isEmpty(system), isEmpty) << "round " << round;
    std::optional<DenseMap<Var, int64_t>> found = solver.findPoint(system);
    EXPECT_EQ(found.has_value(), !isEmpty) << "round " << round;
    EXPECT_TRUE(!found ||
                holds(system, OrderedPoint(found->begin(), found->end())))
        << "round " << round;
    numEmpty += isEmpty;
  }
  EXPECT_GT(numEmpty, 300);
  EXPECT_LT(numEmpty, 1200);
}

// Digits of a few numbers, and digits of sums of these.
TEST_F(SolverTest, FindsPointsOfManyQuotients) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 100; ++round) {
    SmallVector<Var> vars = makeVars(3), known(vars);
    System system;
    for (Var var : vars)
      system.addRange(0, LinearExpr::var(var), 10);
    SmallVector<std::pair<LinearExpr, int64_t>> quotients;
    for (int count = 0; count < 5; ++count) {
      LinearExpr dividend = drawExpr(known, 3);
      int64_t divisor = draw(2, 8);
      Var quotient = makeVars(1).front();
      system.addRange(
          0, dividend - LinearExpr::var(quotient) * DynamicAPInt(divisor),
          divisor);
      quotients.push_back({dividend, divisor});
      known.push_back(quotient);
    }
    for (int count = 0; count < 3; ++count)
      system.add({drawExpr(known, 4), count == 0});
    bool hasPoint = false;
    forEachPoint(vars, 0, 9, System(), {}, [&](OrderedPoint point) {
      for (auto [number, quotient] : llvm::enumerate(quotients))
        point[known[vars.size() + number]] = llvm::divideFloorSigned(
            *evaluate(quotient.first, point), quotient.second);
      hasPoint |= holds(system, point);
    });
    EXPECT_EQ(solver.isEmpty(system), !hasPoint) << "round " << round;
    numEmpty += !hasPoint;
  }
  EXPECT_GT(numEmpty, 10);
  EXPECT_LT(numEmpty, 90);
}

// The digits of places in an image of 57 rows of 28, shifted against each
// other, as tiles of rows and of flattened elements have them.
TEST_F(SolverTest, FindsPointsOfShiftedDigits) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 200; ++round) {
    SmallVector<Var> vars = makeVars(2), known;
    System system;
    system.addRange(0, LinearExpr::var(vars[0]), 57);
    system.addRange(0, LinearExpr::var(vars[1]), 28);
    LinearExpr place =
        LinearExpr::var(vars[0]) * DynamicAPInt(28) + LinearExpr::var(vars[1]);
    SmallVector<std::pair<LinearExpr, int64_t>> quotients;
    SmallVector<LinearExpr> remainders;
    for (int64_t divisor : {28, 4, 112, 12, 28}) {
      bool isOfQuotient = divisor == 4 || divisor == 12;
      LinearExpr dividend =
          isOfQuotient ? LinearExpr::var(known.back()) : place;
      dividend += LinearExpr(draw(0, divisor - 1));
      Var quotient = makeVars(1).front();
      remainders.push_back(dividend -
                           LinearExpr::var(quotient) * DynamicAPInt(divisor));
      system.addRange(0, remainders.back(), divisor);
      quotients.push_back({dividend, divisor});
      known.push_back(quotient);
    }
    for (auto [remainder, quotient] : llvm::zip_equal(remainders, quotients)) {
      int64_t least = draw(0, quotient.second - 1);
      system.addRange(least, remainder, least + draw(1, quotient.second));
    }
    bool hasPoint = false;
    forEachPoint(vars, 0, 56, System(), {}, [&](OrderedPoint point) {
      for (auto [quotient, ofWhat] : llvm::zip_equal(known, quotients))
        point[quotient] = llvm::divideFloorSigned(
            *evaluate(ofWhat.first, point), ofWhat.second);
      hasPoint |= holds(system, point);
    });
    EXPECT_EQ(solver.isEmpty(system), !hasPoint) << "round " << round;
    numEmpty += !hasPoint;
  }
  EXPECT_GT(numEmpty, 20);
  EXPECT_LT(numEmpty, 180);
}

// Quotients of one sum with many shifts, as of tiles that write parts of rows,
// and digits of what is left. All but the last quotient are bounded above.
TEST_F(SolverTest, FindsPointsOfManyShifts) {
  constexpr std::array<int64_t, 3> Sizes = {48, 6, 14};
  SmallVector<int64_t> shifts;
  for (int64_t least : {1440, 864, 576})
    for (int64_t number = 6; number >= 0; --number)
      shifts.push_back(least + 6 * number);
  shifts.push_back(36);
  int64_t numEmpty = 0, numRounds = 0;
  for (int64_t above : {-1, 0, 1, 2, 3, 4})
    for (int64_t below : {-3, 1, 2}) {
      SmallVector<Var> vars = makeVars(3), known;
      System system, box;
      for (auto [var, size] : llvm::zip_equal(vars, Sizes))
        box.addRange(0, LinearExpr::var(var), size);
      LinearExpr place = LinearExpr::var(vars[0]) * DynamicAPInt(3) +
                         LinearExpr::var(vars[1]) * DynamicAPInt(288) +
                         LinearExpr::var(vars[2]) * DynamicAPInt(144);
      SmallVector<std::pair<LinearExpr, int64_t>> quotients;
      auto divide = [&](const LinearExpr &dividend, int64_t divisor) {
        known.push_back(makeVars(1).front());
        quotients.push_back({dividend, divisor});
        LinearExpr quotient = LinearExpr::var(known.back());
        LinearExpr remainder = dividend - quotient * DynamicAPInt(divisor);
        system.addRange(0, remainder, divisor);
        return std::pair(quotient, remainder);
      };
      for (int64_t shift : shifts) {
        auto [quotient, remainder] = divide(place - LinearExpr(shift), 575);
        divide(divide(remainder, 42).second, 3);
        LinearExpr beside =
            LinearExpr::var(vars[1]) - quotient * DynamicAPInt(2);
        system.add({shift == shifts.back()
                        ? beside * DynamicAPInt(-1) - LinearExpr(below)
                        : beside - LinearExpr(above),
                    false});
      }
      system.addRange(0,
                      LinearExpr::var(vars[0]) * DynamicAPInt(3) +
                          LinearExpr::var(known.front()),
                      144);
      bool hasPoint = false;
      forEachPoint(vars, 0, 47, box, {}, [&](OrderedPoint point) {
        for (auto [quotient, ofWhat] : llvm::zip_equal(known, quotients))
          point[quotient] = llvm::divideFloorSigned(
              *evaluate(ofWhat.first, point), ofWhat.second);
        hasPoint |= holds(system, point);
      });
      EXPECT_EQ(solver.isEmpty(system & box), !hasPoint)
          << above << " and " << below;
      numEmpty += !hasPoint;
      ++numRounds;
    }
  EXPECT_GT(numEmpty, 2);
  EXPECT_LT(numEmpty, numRounds - 2);
}

// Unknowns without bounds of their own, which stand together everywhere.
TEST_F(SolverTest, FindsPointsOfMultiples) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 500; ++round) {
    SmallVector<Var> vars = makeVars(3), parts = makeVars(3);
    System system = drawSystem(vars);
    // All multiples of `factor`, and no others.
    int64_t factor = draw(1, 3);
    DenseMap<Var, LinearExpr> sum;
    sum[vars[0]] =
        LinearExpr::var(parts[0]) * DynamicAPInt(factor) +
        LinearExpr::var(parts[1]) * DynamicAPInt(factor * draw(2, 5)) -
        LinearExpr::var(parts[2]) * DynamicAPInt(factor);
    int64_t numPoints = 0;
    forEachPoint(vars, Least, Most, system, {}, [&](const OrderedPoint &point) {
      numPoints += point.at(vars[0]) % factor == 0;
    });
    EXPECT_EQ(solver.isEmpty(system.substitute(sum)), numPoints == 0)
        << "round " << round;
    numEmpty += numPoints == 0;
  }
  EXPECT_GT(numEmpty, 100);
  EXPECT_LT(numEmpty, 400);
}

// Unknowns that are sums of multiples of those that have few values.
TEST_F(SolverTest, FindsPointsOfMixedUnknowns) {
  int64_t numEmpty = 0;
  for (int round = 0; round < 500; ++round) {
    SmallVector<Var> vars = makeVars(4);
    System system = drawSystem(vars);
    bool isEmpty = countPoints(vars, Least, Most, system) == 0;
    for (int step = 0; step < 6; ++step) {
      // One to one in integers.
      int64_t one = draw(0, 3), other = (one + draw(1, 3)) % 4;
      DenseMap<Var, LinearExpr> mixed;
      mixed[vars[one]] =
          LinearExpr::var(vars[one]) +
          LinearExpr::var(vars[other]) * DynamicAPInt(draw(-60, 60));
      system = system.substitute(mixed);
    }
    EXPECT_EQ(solver.isEmpty(system), isEmpty) << "round " << round;
    numEmpty += isEmpty;
  }
  EXPECT_GT(numEmpty, 50);
  EXPECT_LT(numEmpty, 450);
}

TEST_F(SolverTest, KnowsLargeNumbers) {
  SmallVector<Var> vars = makeVars(3);
  LinearExpr x = LinearExpr::var(vars[0]), y = LinearExpr::var(vars[1]),
             z = LinearExpr::var(vars[2]);
  for (int64_t large : {int64_t(1) << 27, int64_t(1) << 28, int64_t(1) << 40}) {
    // large <= x, 3x + 1 <= 2y <= 3x + 2 and 5y <= 3z <= 5y + 1.
    System system;
    system.addAtMost(large, x);
    system.addAtMost(x * DynamicAPInt(3) + 1, y * DynamicAPInt(2));
    system.addAtMost(y * DynamicAPInt(2), x * DynamicAPInt(3) + 2);
    system.addAtMost(y * DynamicAPInt(5), z * DynamicAPInt(3));
    system.addAtMost(z * DynamicAPInt(3), y * DynamicAPInt(5) + 1);
    EXPECT_FALSE(solver.isEmpty(system));
    System below = system;
    below.addAtMost(z, LinearExpr(large * 2));
    EXPECT_TRUE(solver.isEmpty(below));
    system.addAtMost(z, LinearExpr(large * 3));
    EXPECT_FALSE(solver.isEmpty(system));
  }
}

TEST_F(SolverTest, FindsWhatFollows) {
  int64_t numImplied = 0, numExcluded = 0;
  for (int round = 0; round < 3000; ++round) {
    SmallVector<Var> vars = makeVars(draw(1, 4));
    System system = drawSystem(vars);
    Constraint extra = drawConstraint(vars);
    System both = system;
    both.add(extra);
    int64_t count = countPoints(vars, Least, Most, system);
    if (count == 0)
      continue;
    int64_t countBoth = countPoints(vars, Least, Most, both);
    EXPECT_EQ(solver.implies(system, extra), countBoth == count)
        << "round " << round;
    EXPECT_EQ(solver.excludes(system, extra), countBoth == 0)
        << "round " << round;
    numImplied += countBoth == count;
    numExcluded += countBoth == 0;
  }
  EXPECT_GT(numImplied, 100);
  EXPECT_GT(numExcluded, 100);
}

TEST_F(SolverTest, NegatesExactly) {
  for (int round = 0; round < 300; ++round) {
    SmallVector<Var> vars = makeVars(2);
    Constraint constraint = drawConstraint(vars);
    System yes;
    yes.add(constraint);
    forEachPoint(
        vars, Least, Most, System(), {}, [&](const OrderedPoint &point) {
          int64_t numHolding = 0;
          for (const Constraint &negation : negate(constraint)) {
            System no;
            no.add(negation);
            numHolding += holds(no, point);
          }
          EXPECT_EQ(numHolding, holds(yes, point) ? 0 : 1) << "round " << round;
        });
  }
}

} // namespace
