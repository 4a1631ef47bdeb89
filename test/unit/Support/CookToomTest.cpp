//===- CookToomTest.cpp - Tests of Winograd's matrices --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CookToom.h"

#include <gtest/gtest.h>

using namespace convoy;

/// What input `at` times tap `k` adds to output `row`.
static Fraction coefficient(const CookToom &algorithm, size_t row, size_t at,
                            size_t k) {
  Fraction sum;
  for (size_t product = 0; product < algorithm.input.size(); ++product)
    sum = sum + algorithm.output[row][product] * algorithm.filter[product][k] *
                    algorithm.input[product][at];
  return sum;
}

/// Output i is the sum of x[i + k] w[k], exactly.
static void expectConvolution(const CookToom &algorithm) {
  ASSERT_EQ(algorithm.products(), algorithm.outputs() + algorithm.taps() - 1);
  for (int64_t row = 0; row < algorithm.outputs(); ++row)
    for (int64_t at = 0; at < algorithm.products(); ++at)
      for (int64_t k = 0; k < algorithm.taps(); ++k)
        EXPECT_EQ(coefficient(algorithm, row, at, k),
                  Fraction(at == row + k ? 1 : 0))
            << row << ' ' << at << ' ' << k;
}

TEST(CookToomTest, FractionsAreInLowestTerms) {
  EXPECT_EQ(Fraction(6, -4), Fraction(-3, 2));
  EXPECT_EQ(Fraction(6, -4).denominator(), 2);
  EXPECT_EQ(Fraction(1, 2) + Fraction(1, 3), Fraction(5, 6));
  EXPECT_EQ(Fraction(1, 2) - Fraction(1, 2), Fraction(0));
  EXPECT_EQ(Fraction(2, 3) * Fraction(-3, 4), Fraction(-1, 2));
  EXPECT_EQ(Fraction(2, 3) / Fraction(-4, 3), Fraction(-1, 2));
  EXPECT_EQ(Fraction(-1, 4).abs().toDouble(), 0.25);
}

TEST(CookToomTest, AllSizesAreConvolutions) {
  int64_t sizes = 0;
  for (int64_t outputs = 1; outputs < 10; ++outputs)
    for (int64_t taps = 1; taps < 10; ++taps)
      if (std::optional<CookToom> algorithm = getCookToom(outputs, taps)) {
        expectConvolution(*algorithm);
        ++sizes;
      }
  EXPECT_EQ(sizes, 21);
}

TEST(CookToomTest, AnyPointsWillDo) {
  expectConvolution(makeCookToom(2, 2, {5, Fraction(-3, 7)}));
  expectConvolution(makeCookToom(3, 4, {1, 2, 3, Fraction(1, 3), -1}));
  expectConvolution(makeCookToom(1, 3, {0, 4}));
}

TEST(CookToomTest, NoSizesBeyondThePoints) {
  EXPECT_TRUE(getCookToom(6, 3));
  EXPECT_FALSE(getCookToom(7, 3));
  EXPECT_FALSE(getCookToom(1, 3));
  EXPECT_FALSE(getCookToom(4, 1));
  EXPECT_FALSE(getCookToom(0, 3));
}

/// Winograd's F(2, 3), but for factors that the filter's and the input's rows
/// exchange.
TEST(CookToomTest, TwoOutputsAndThreeTaps) {
  CookToom algorithm = *getCookToom(2, 3);
  EXPECT_EQ(algorithm.output, (FractionMatrix{{1, 1, 1, 0}, {0, 1, -1, 1}}));
  EXPECT_EQ(algorithm.input,
            (FractionMatrix{
                {-1, 0, 1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, -1, 0, 1}}));
  Fraction half(1, 2);
  EXPECT_EQ(algorithm.filter, (FractionMatrix{{-1, 0, 0},
                                              {half, half, half},
                                              {half, Fraction(-1, 2), half},
                                              {0, 0, 1}}));
}

TEST(CookToomTest, FactsOfMatrices) {
  CookToom two = *getCookToom(2, 3), four = *getCookToom(4, 3);
  EXPECT_EQ(longestRow(two.input), 2);
  EXPECT_EQ(longestRow(two.filter), 3);
  EXPECT_EQ(commonDenominator(two.filter), 2);
  EXPECT_TRUE(isDyadic(two.filter));
  // Points 1 and -2 are three apart.
  EXPECT_FALSE(isDyadic(four.filter));
  EXPECT_TRUE(isDyadic(four.input));
  EXPECT_TRUE(isDyadic(four.output));
}
