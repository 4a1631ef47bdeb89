//===- WinogradGrowthTest.cpp - Tests of what tiles do to errors ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/WinogradGrowth.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace convoy;

/// By hand from the matrices of the points 0, 1 and -1: rows of B add up to 2
/// or less, of G to 3/2 or 1, and of A to 3.
TEST(WinogradGrowthTest, TwoResults) {
  std::optional<WinogradGrowth> growth = getWinogradGrowth(2, 3, 1);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->dims, 1);
  EXPECT_EQ(growth->roundings.inputs, 2);
  EXPECT_EQ(growth->roundings.taps, 3);
  EXPECT_EQ(growth->roundings.sums, 3);
  EXPECT_EQ(growth->inputs, 2);
  EXPECT_EQ(growth->taps, 1.5);
  EXPECT_EQ(growth->products, 3);
  EXPECT_EQ(growth->sums, 8);
  EXPECT_EQ(growth->sumsOfInputs, 6);
  EXPECT_EQ(growth->sumsOfTaps, 4);
  EXPECT_EQ(growth->sumsOfNothing, 3);
  // |x2 - x0| |w0| + |x1 + x2| |w0 + w1 + w2| / 2 + |x2 - x1| |w0 - w1 + w2| /
  // 2 for x = (-1, 1, 1, 1) and taps of 1.
  EXPECT_EQ(growth->sumsOfBoth, 5);
  EXPECT_EQ(growth->sumsOfTransformedTaps, 6);
  EXPECT_EQ(growth->sumsOfTransformedInputs, 5);
}

TEST(WinogradGrowthTest, DimensionsMultiply) {
  std::optional<WinogradGrowth> one = getWinogradGrowth(4, 3, 1);
  std::optional<WinogradGrowth> two = getWinogradGrowth(4, 3, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(two->roundings.total(), 2 * one->roundings.total());
  EXPECT_DOUBLE_EQ(two->sums, one->sums * one->sums);
  EXPECT_GT(two->lostOfSums, one->lostOfSums);
}

namespace {

using Plane = std::vector<std::vector<double>>;

/// Numbers of magnitude 1 that are searched for the largest sums.
struct Signs {
  Plane x, w;
};

} // namespace

/// `matrix` times `plane` times `matrix` transposed.
static Plane transform(const FractionMatrix &matrix, const Plane &plane) {
  Plane result(matrix.size(), std::vector<double>(matrix.size(), 0));
  for (size_t p = 0; p < matrix.size(); ++p)
    for (size_t q = 0; q < matrix.size(); ++q)
      for (size_t i = 0; i < plane.size(); ++i)
        for (size_t j = 0; j < plane.size(); ++j)
          result[p][q] +=
              matrix[p][i].toDouble() * matrix[q][j].toDouble() * plane[i][j];
  return result;
}

/// S_p of one channel in the first result of a tile.
static double sumOf(const CookToom &algorithm, const Signs &signs) {
  Plane inputs = transform(algorithm.input, signs.x);
  Plane taps = transform(algorithm.filter, signs.w);
  double sum = 0;
  for (size_t p = 0; p < inputs.size(); ++p)
    for (size_t q = 0; q < inputs.size(); ++q)
      sum += std::abs(algorithm.output[0][p].toDouble() *
                      algorithm.output[0][q].toDouble() * inputs[p][q] *
                      taps[p][q]);
  return sum;
}

/// Climbs from drawn signs, one sign at a time.
TEST(WinogradGrowthTest, NoNumbersGrowMore) {
  std::mt19937 random(7);
  for (int64_t results : {2, 4, 6}) {
    CookToom algorithm = *getCookToom(results, 3);
    double most = getWinogradGrowth(results, 3, 2)->sumsOfBoth, found = 0;
    for (int start = 0; start < 4; ++start) {
      auto draw = [&](int64_t size) {
        Plane plane(static_cast<size_t>(size),
                    std::vector<double>(static_cast<size_t>(size)));
        for (std::vector<double> &row : plane)
          for (double &number : row)
            number = random() % 2 == 0 ? 1 : -1;
        return plane;
      };
      Signs signs = {draw(results + 2), draw(3)};
      double best = sumOf(algorithm, signs);
      for (Plane *plane : {&signs.x, &signs.w, &signs.x})
        for (std::vector<double> &row : *plane)
          for (double &number : row) {
            number = -number;
            double sum = sumOf(algorithm, signs);
            if (sum < best)
              number = -number;
            best = std::max(best, sum);
          }
      found = std::max(found, best);
    }
    EXPECT_LE(found, most);
    EXPECT_GE(found, most / 8);
  }
}

/// docs/Numerics.md has what sums of nine products grow to.
TEST(WinogradGrowthTest, LargerTilesAreLessExact) {
  double last = 0;
  for (auto [results, most] : {std::pair(2, 7), {4, 97}, {6, 509}}) {
    std::optional<WinogradGrowth> growth = getWinogradGrowth(results, 3, 2);
    ASSERT_TRUE(growth);
    EXPECT_GT(growth->sums, last);
    EXPECT_NEAR(growth->sums / 9, most, 0.6);
    last = growth->sums;
  }
  EXPECT_FALSE(getWinogradGrowth(9, 3, 2));
}
