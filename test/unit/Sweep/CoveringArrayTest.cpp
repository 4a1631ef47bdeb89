//===- CoveringArrayTest.cpp - Tests of sweep/CoveringArray -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoveringArray.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace convoy;
using testing::Each;
using testing::SizeIs;

/// The number of different combinations of `params` that stand in `rows`.
static size_t countCombinations(const std::vector<SweepRow> &rows,
                                const std::vector<size_t> &params) {
  std::set<std::vector<int>> found;
  for (const SweepRow &row : rows) {
    std::vector<int> values;
    for (size_t param : params)
      values.push_back(row[param]);
    found.insert(values);
  }
  return found.size();
}

TEST(CoveringArray, HoldsEveryTriple) {
  std::vector<int> counts = {3, 6, 2, 5, 4, 1, 4};
  std::vector<SweepRow> rows = coveringArray(counts, 3, 1000, 7);
  EXPECT_THAT(rows, Each(SizeIs(counts.size())));
  for (size_t a = 0; a < counts.size(); ++a)
    for (size_t b = a + 1; b < counts.size(); ++b)
      for (size_t c = b + 1; c < counts.size(); ++c)
        EXPECT_EQ(countCombinations(rows, {a, b, c}),
                  static_cast<size_t>(counts[a] * counts[b] * counts[c]))
            << "of " << a << ", " << b << " and " << c;
  // 6 * 5 * 4 rows are needed; the greedy choice adds some.
  EXPECT_LT(rows.size(), 160u);
}

TEST(CoveringArray, KeepsValuesInRange) {
  std::vector<int> counts = {2, 3, 4};
  for (const SweepRow &row : coveringArray(counts, 2, 1000, 1))
    for (size_t param = 0; param < counts.size(); ++param) {
      EXPECT_GE(row[param], 0);
      EXPECT_LT(row[param], counts[param]);
    }
}

TEST(CoveringArray, CoversPairsOfParametersWithTooManyTriples) {
  std::vector<int> counts = {9, 8, 7, 2};
  std::vector<SweepRow> rows = coveringArray(counts, 3, 9 * 8 * 2, 3);
  EXPECT_EQ(countCombinations(rows, {0, 1, 3}), 9u * 8 * 2);
  EXPECT_EQ(countCombinations(rows, {0, 2}), 9u * 7);
  EXPECT_EQ(countCombinations(rows, {1, 2}), 8u * 7);
  EXPECT_LT(rows.size(), 9u * 8 * 7);
}

TEST(CoveringArray, OfAllParametersIsTheWholeCross) {
  EXPECT_THAT(coveringArray({3, 2, 4}, 3, 1000, 0), SizeIs(24));
  EXPECT_THAT(coveringArray({3, 2, 4}, 5, 1000, 0), SizeIs(24));
}

TEST(CoveringArray, DependsOnTheSeedAlone) {
  std::vector<int> counts = {4, 3, 3, 2};
  EXPECT_EQ(coveringArray(counts, 2, 1000, 5),
            coveringArray(counts, 2, 1000, 5));
  EXPECT_NE(coveringArray(counts, 2, 1000, 5),
            coveringArray(counts, 2, 1000, 6));
}
