//===- EliminationTest.cpp - Unknowns taken out, by enumeration -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of random systems where unknowns are taken out of them, or parts
// of others, is compared with what trying all points gives.
//
//===----------------------------------------------------------------------===//

#include "SolverTest.h"

using namespace mlir;
using namespace mlir::convoy::certify;
using namespace mlir::convoy::certify::test;

namespace {

using EliminationTest = SolverTest;

TEST_F(EliminationTest, EliminatesUnknowns) {
  int64_t numSolved = 0;
  for (int round = 0; round < 400; ++round) {
    SmallVector<Var> others = makeVars(draw(1, 2)), vars = makeVars(draw(1, 2));
    SmallVector<Var> all(others);
    llvm::append_range(all, vars);
    System system = drawDefinitions(vars, others) & drawBox(vars);
    if (draw(0, 1) == 0)
      system.add(drawConstraint(all));
    Elimination result = solver.eliminate(vars, system);
    if (!result.unsolved.empty())
      continue;
    ++numSolved;
    auto check = [&](const OrderedPoint &other) {
      int64_t expected = countPoints(vars, Least, Most, system, other);
      EXPECT_LE(expected, 1) << "round " << round;
      int64_t numQuotients = 0;
      forEachPoint(result.quotients, -MostOfQuotient, MostOfQuotient,
                   result.definitions, other, [&](const OrderedPoint &point) {
                     ++numQuotients;
                     EXPECT_EQ(holds(result.conditions, point), expected == 1)
                         << "round " << round;
                     OrderedPoint whole = point;
                     for (const auto &[var, value] : result.values)
                       whole[var] = evaluate(value, point).value();
                     EXPECT_EQ(holds(system, whole), expected == 1)
                         << "round " << round;
                   });
      EXPECT_EQ(numQuotients, 1) << "round " << round;
    };
    forEachPoint(others, Least, Most, System(), {}, check);
  }
  EXPECT_GT(numSolved, 350);
}

// A tile of tiles: the inner number's spread settles the outer one.
TEST_F(EliminationTest, EliminatesTwoLevels) {
  for (int round = 0; round < 100; ++round) {
    Var x = solver.makeVar(), outer = solver.makeVar(),
        inner = solver.makeVar();
    int64_t size = draw(1, 3), count = draw(1, 3);
    LinearExpr place = LinearExpr::var(outer) * DynamicAPInt(size * count) +
                       LinearExpr::var(inner) * DynamicAPInt(size);
    System system;
    system.addRange(0, LinearExpr::var(x) - place, size);
    system.addRange(0, LinearExpr::var(inner), count);
    Elimination result = solver.eliminate({outer, inner}, system);
    EXPECT_TRUE(result.unsolved.empty()) << "round " << round;
    for (int64_t value = -20; value < 20; ++value) {
      std::optional<DenseMap<Var, int64_t>> point =
          findSolution(result, {outer, inner}, x, value);
      ASSERT_TRUE(point) << "round " << round;
      int64_t tile = size * count;
      int64_t expected = (value - ((value % tile) + tile) % tile) / tile;
      EXPECT_EQ(point->lookup(outer), expected) << "round " << round;
      EXPECT_EQ(point->lookup(inner), (value - expected * tile) / size)
          << "round " << round;
    }
  }
}

// The same where an equation says it, whichever its sign.
TEST_F(EliminationTest, EliminatesTwoLevelsOfEquation) {
  for (int round = 0; round < 100; ++round) {
    Var x = solver.makeVar(), outer = solver.makeVar(),
        inner = solver.makeVar();
    int64_t step = draw(2, 4), count = draw(2, 3), least = draw(-2, 2);
    int64_t tile = step * (count - 1) + draw(1, 3);
    LinearExpr place = LinearExpr::var(outer) * DynamicAPInt(tile) +
                       LinearExpr::var(inner) * DynamicAPInt(step);
    System system;
    if (draw(0, 1) == 0)
      system.addEqual(LinearExpr::var(x), place);
    else
      system.addEqual(place, LinearExpr::var(x));
    system.addRange(least, LinearExpr::var(inner), least + count);
    Elimination result = solver.eliminate({outer, inner}, system);
    EXPECT_TRUE(result.unsolved.empty()) << "round " << round;
    for (int64_t value = -20; value < 20; ++value) {
      std::optional<DenseMap<Var, int64_t>> point =
          findSolution(result, {outer, inner}, x, value);
      bool isPlace =
          countPoints({outer, inner}, -30, 30, system, {{x, value}}) != 0;
      ASSERT_EQ(point.has_value(), isPlace) << "round " << round;
      EXPECT_TRUE(!point ||
                  holds(system, OrderedPoint(point->begin(), point->end())))
          << "round " << round;
    }
  }
}

// Two sums say two unknowns, none of which has a factor of one.
TEST_F(EliminationTest, EliminatesBySeveralSums) {
  int64_t numPoints = 0;
  for (int round = 0; round < 60; ++round) {
    SmallVector<Var> others = makeVars(2), vars = makeVars(2);
    LinearExpr x = LinearExpr::var(vars[0]), y = LinearExpr::var(vars[1]);
    int64_t a = draw(2, 9), b = draw(2, 9), c = draw(2, 9), d = -draw(2, 9);
    int64_t step = draw(1, 4);
    System system;
    system.addRange(0,
                    LinearExpr::var(others[0]) -
                        (x * DynamicAPInt(a) + y * DynamicAPInt(b)) *
                            DynamicAPInt(step),
                    draw(1, step));
    system.addEqual(LinearExpr::var(others[1]),
                    x * DynamicAPInt(c) + y * DynamicAPInt(d));
    system.addRange(-2, x, 3);
    system.addRange(-2, y, 3);
    EXPECT_TRUE(solver.eliminate(vars, system).unsolved.empty())
        << "round " << round;
    std::optional<Parts> parts = solver.subtract(System(), vars, system);
    ASSERT_TRUE(parts) << "round " << round;
    forEachPoint(others, -9, 9, System(), {}, [&](const OrderedPoint &point) {
      bool isInside = countPoints(vars, -2, 2, system, point) != 0;
      EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1)
          << "round " << round;
      numPoints += isInside;
    });
  }
  EXPECT_GT(numPoints, 300);
}

// Tiles that threads share: each has those from its own part of all to the
// next thread's. They may be numbered on from those of a row.
TEST_F(EliminationTest, SubtractsTilesOfThreads) {
  int64_t numTaken = 0;
  for (int round = 0; round < 100; ++round) {
    SmallVector<Var> others = makeVars(2), vars = makeVars(3);
    LinearExpr place = LinearExpr::var(others[0]),
               row = LinearExpr::var(others[1]),
               tile = LinearExpr::var(vars[0]),
               thread = LinearExpr::var(vars[1]),
               block = LinearExpr::var(vars[2]);
    int64_t tiles = draw(2, 5), threads = draw(1, 3), blocks = draw(1, 2),
            size = draw(1, 3), width = draw(1, size);
    int64_t ofRow = draw(0, 1) == 0 ? 0 : tiles;
    LinearExpr inRow = tile - row * DynamicAPInt(ofRow);
    System from, system;
    from.addRange(0, place, 32);
    from.addRange(0, row, 3);
    system.addRange(0,
                    place - inRow * DynamicAPInt(size) -
                        block * DynamicAPInt(size * tiles),
                    width);
    system.addRange(0, inRow, tiles);
    system.addRange(0, thread, threads);
    system.addRange(0, block, blocks);
    // threads * tile >= thread * tiles, rounded down to multiples of threads.
    system.addAtMost(thread * DynamicAPInt(tiles) - (threads - 1),
                     inRow * DynamicAPInt(threads));
    system.addAtMost((inRow + 1) * DynamicAPInt(threads),
                     (thread + 1) * DynamicAPInt(tiles));
    std::optional<Parts> parts = solver.subtract(from, vars, system);
    ASSERT_TRUE(parts) << "round " << round;
    forEachPoint(others, 0, 31, from, {}, [&](const OrderedPoint &point) {
      bool isInside = countPoints(vars, 0, 16, system, point) != 0;
      EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1)
          << "round " << round;
      numTaken += isInside;
    });
  }
  EXPECT_GT(numTaken, 1000);
}

// A digit t is 0 or 1 besides a constant, another is settled by it alone, and
// both together say where x lies.
TEST_F(EliminationTest, EliminatesByTwoValues) {
  int64_t numTaken = 0;
  for (int round = 0; round < 400; ++round) {
    Var x = solver.makeVar(), t = solver.makeVar(), u = solver.makeVar();
    LinearExpr digit = LinearExpr::var(t), other = LinearExpr::var(u);
    int64_t least = draw(-2, 2), divisor = draw(2, 4);
    int64_t sign = draw(0, 1) == 0 ? 1 : -1;
    System system;
    system.addRange(least, digit, least + 2);
    system.addRange(draw(-2, 2),
                    other * DynamicAPInt(divisor * sign) -
                        digit * DynamicAPInt(draw(1, 2)),
                    draw(3, 4));
    bool isSettled =
        llvm::all_of(llvm::seq(least, least + 2), [&](int64_t one) {
          return countPoints({u}, -12, 12, system, {{t, one}}) == 1;
        });
    int64_t first = draw(-20, 20);
    system.addRange(first,
                    LinearExpr::var(x) * DynamicAPInt(2) -
                        digit * DynamicAPInt(draw(5, 9)) +
                        other * DynamicAPInt(draw(10, 20)),
                    first + draw(1, 8));
    if (isSettled)
      EXPECT_LE(solver.eliminate({t, u}, system).unsolved.size(), 1u)
          << "round " << round;
    std::optional<Parts> parts = solver.subtract(System(), {t, u}, system);
    if (!parts)
      continue;
    ++numTaken;
    for (int64_t value = -60; value <= 60; ++value) {
      OrderedPoint point = {{x, value}};
      bool isInside = countPoints({t, u}, -12, 12, system, point) != 0;
      EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1)
          << "round " << round;
    }
  }
  EXPECT_GT(numTaken, 350);
}

// Tiles that threads share, numbered in another order than they lie in.
TEST_F(EliminationTest, SubtractsTilesInAnotherOrder) {
  int64_t numTaken = 0, numInside = 0;
  for (int round = 0; round < 60; ++round) {
    SmallVector<Var> others = makeVars(2), vars = makeVars(3);
    LinearExpr place = LinearExpr::var(others[0]),
               thread = LinearExpr::var(others[1]),
               tile = LinearExpr::var(vars[0]), row = LinearExpr::var(vars[1]),
               image = LinearExpr::var(vars[2]);
    auto times = [](const LinearExpr &expr, int64_t factor) {
      return expr * DynamicAPInt(factor);
    };
    int64_t columns = draw(2, 3), rows = draw(2, 3), images = draw(2, 3),
            lanes = draw(1, 3);
    int64_t size = columns * rows * images, half = (size + 1) / 2;
    LinearExpr column = tile - times(row, columns),
               inImage = row - times(image, rows);
    System system, from;
    from.addRange(0, thread, 2);
    from.addRange(0, place, size * lanes);
    system.addRange(0, column, columns);
    system.addRange(0, inImage, rows);
    system.addRange(0, tile, size);
    system.addRange(0, tile - times(thread, half), half);
    LinearExpr first =
        draw(0, 1) == 0
            ? times(column, rows * images) + times(image, rows) + inImage
            : times(inImage, columns * images) + times(column, images) + image;
    system.addRange(0, place - times(first, lanes), lanes);
    std::optional<Parts> parts = solver.subtract(from, vars, system);
    if (!parts)
      continue;
    ++numTaken;
    forEachPoint(
        others, 0, size * lanes - 1, from, {}, [&](const OrderedPoint &point) {
          bool isInside = countPoints(vars, 0, size, system, point) != 0;
          EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1)
              << "round " << round;
          numInside += isInside;
        });
  }
  EXPECT_GT(numTaken, 50);
  EXPECT_GT(numInside, 500);
}

TEST_F(EliminationTest, RefusesTilesThatOverlap) {
  Var x = solver.makeVar(), outer = solver.makeVar(), inner = solver.makeVar();
  LinearExpr place = LinearExpr::var(outer) * DynamicAPInt(8) +
                     LinearExpr::var(inner) * DynamicAPInt(4);
  System system;
  system.addRange(0, LinearExpr::var(x) - place, 4);
  system.addRange(0, LinearExpr::var(inner), 3);
  EXPECT_FALSE(solver.eliminate({outer, inner}, system).unsolved.empty());
}

// x lies in 0 to 3, in tile t of two: 2t <= x and t >= 0 go without saying
// where t is at most 0 besides.
TEST_F(EliminationTest, FindsTheOnlyValue) {
  Var x = solver.makeVar(), tile = solver.makeVar();
  System system;
  system.addRange(0, LinearExpr::var(x), 4);
  system.addAtMost(LinearExpr::var(x),
                   LinearExpr::var(tile) * DynamicAPInt(2) + 1);
  system.addAtMost(LinearExpr::var(tile), 0);
  Elimination result = solver.eliminate({tile}, system);
  EXPECT_TRUE(result.unsolved.empty());
  EXPECT_EQ(result.values[tile], LinearExpr(0));
}

TEST_F(EliminationTest, SubtractsFromParts) {
  int64_t numParts = 0;
  for (int round = 0; round < 1200; ++round) {
    SmallVector<Var> others = makeVars(draw(1, 2));
    System from = drawSystem(others);
    std::optional<Parts> rest = Parts{Part()};
    SmallVector<std::pair<SmallVector<Var>, System>> taken;
    for (int64_t left = draw(1, 3); left > 0 && rest; --left) {
      SmallVector<Var> vars = makeVars(draw(0, 1));
      System system = drawDefinitions(vars, others) & drawBox(vars);
      if (draw(0, 1) == 0)
        system.add(drawConstraint(others));
      rest = solver.subtract(from, *rest, vars, system);
      taken.emplace_back(vars, system);
    }
    if (!rest)
      continue;
    numParts += rest->size();
    forEachPoint(others, Least, Most, from, {}, [&](const OrderedPoint &point) {
      bool isTaken = llvm::any_of(taken, [&](const auto &one) {
        return countPoints(one.first, Least, Most, one.second, point) != 0;
      });
      EXPECT_EQ(countParts(*rest, point), isTaken ? 0 : 1) << "round " << round;
    });
  }
  EXPECT_GT(numParts, 200);
}

TEST_F(EliminationTest, Subtracts) {
  int64_t numParts = 0;
  for (int round = 0; round < 600; ++round) {
    SmallVector<Var> others = makeVars(draw(1, 3)), vars = makeVars(draw(0, 2));
    System from = drawSystem(others);
    System system = drawDefinitions(vars, others) & drawBox(vars);
    if (draw(0, 1) == 0)
      system.add(drawConstraint(others));
    std::optional<Parts> parts = solver.subtract(from, vars, system);
    if (!parts)
      continue;
    numParts += parts->size();
    std::vector<int64_t> sizes(parts->size());
    forEachPoint(others, Least, Most, from, {}, [&](const OrderedPoint &point) {
      int64_t numHolding = 0;
      for (auto [number, part] : llvm::enumerate(*parts)) {
        int64_t count = countPoints(part.locals, -MostOfQuotient,
                                    MostOfQuotient, part.domain, point);
        EXPECT_LE(count, 1) << "round " << round;
        numHolding += count;
        sizes[number] += count;
      }
      bool isInside = countPoints(vars, Least, Most, system, point) != 0;
      EXPECT_EQ(numHolding, isInside ? 0 : 1) << "round " << round;
    });
    for (int64_t size : sizes)
      EXPECT_GT(size, 0) << "round " << round;
  }
  EXPECT_GT(numParts, 200);
}

TEST_F(EliminationTest, SubtractsMultiplesOfSeveral) {
  // h = 2x + 6y has a formula for x and y where 0 <= x < 3.
  SmallVector<Var> others = makeVars(1), vars = makeVars(2);
  LinearExpr h = LinearExpr::var(others[0]), x = LinearExpr::var(vars[0]),
             y = LinearExpr::var(vars[1]);
  System from, system;
  from.addRange(Least, h, LinearExpr(Most + 1));
  system.addEqual(h, x * DynamicAPInt(2) + y * DynamicAPInt(6));
  system.addRange(0, x, LinearExpr(3));
  system.addRange(0, y, LinearExpr(2));
  std::optional<Parts> parts = solver.subtract(from, vars, system);
  ASSERT_TRUE(parts);
  forEachPoint(others, Least, Most, from, {}, [&](const OrderedPoint &point) {
    bool isInside = countPoints(vars, 0, 2, system, point) != 0;
    EXPECT_EQ(countParts(*parts, point), isInside ? 0 : 1);
  });
}

} // namespace
