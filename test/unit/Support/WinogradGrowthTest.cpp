//===- WinogradGrowthTest.cpp - Tests of what tiles do to errors ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/WinogradGrowth.h"

#include <gtest/gtest.h>

using namespace convoy;

/// By hand from the matrices of the points 0, 1 and -1: rows of B add up to 2
/// or less, of G to 3/2 or 1, and of A to 3.
TEST(WinogradGrowthTest, TwoResults) {
  std::optional<WinogradGrowth> growth = getWinogradGrowth(2, 3, 1);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->dims, 1);
  EXPECT_EQ(growth->roundings, 2 + 3 + 3);
  EXPECT_EQ(growth->inputs, 2);
  EXPECT_EQ(growth->taps, 1.5);
  EXPECT_EQ(growth->products, 3);
  EXPECT_EQ(growth->sums, 8);
  EXPECT_EQ(growth->sumsOfInputs, 6);
  EXPECT_EQ(growth->sumsOfTaps, 4);
  EXPECT_EQ(growth->sumsOfNothing, 3);
}

TEST(WinogradGrowthTest, DimensionsMultiply) {
  std::optional<WinogradGrowth> one = getWinogradGrowth(4, 3, 1);
  std::optional<WinogradGrowth> two = getWinogradGrowth(4, 3, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(two->roundings, 2 * one->roundings);
  EXPECT_DOUBLE_EQ(two->sums, one->sums * one->sums);
  EXPECT_GT(two->lostOfSums, one->lostOfSums);
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
