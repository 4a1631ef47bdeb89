//===- ValueSummaryTest.cpp - Tests of summaries --------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ValueSummary.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace convoy;
using testing::ElementsAre;

static HostArray makeArray(ScalarType type, const std::vector<double> &values) {
  HostArray array(type, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    array.set(int64_t(i), values[i]);
  return array;
}

TEST(ValueSummaryTest, CountsParts) {
  ValueSummary summary =
      summarize(makeArray(ScalarType::F32, {0, 1, 1, 9.5, 10, 5}));
  EXPECT_EQ(summary.elements, 6);
  EXPECT_EQ(summary.minimum, 0);
  EXPECT_EQ(summary.maximum, 10);
  EXPECT_DOUBLE_EQ(summary.mean, 26.5 / 6);
  EXPECT_THAT(summary.histogram, ElementsAre(1, 2, 0, 0, 0, 1, 0, 0, 0, 2));
}

TEST(ValueSummaryTest, LeavesOutWhatIsNotFinite) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double inf = std::numeric_limits<double>::infinity();
  ValueSummary summary =
      summarize(makeArray(ScalarType::F64, {nan, -2, inf, -inf, 4}));
  EXPECT_EQ(summary.nans, 1);
  EXPECT_EQ(summary.infinities, 2);
  EXPECT_EQ(summary.finiteElements(), 2);
  EXPECT_EQ(summary.mean, 1);
  EXPECT_EQ(toString(summary), "min -2, max 4, mean 1, 1 nan, 2 inf, histogram "
                               "1 0 0 0 0 0 0 0 0 1");
}

TEST(ValueSummaryTest, HasNoMeanOfNothing) {
  ValueSummary summary = summarize(HostArray(ScalarType::I8, {3, 0}));
  EXPECT_EQ(summary.elements, 0);
  EXPECT_TRUE(std::isnan(summary.minimum));
  EXPECT_TRUE(std::isnan(summary.mean));
}

TEST(ValueSummaryTest, TakesEqualAndLargeValues) {
  ValueSummary equal = summarize(makeArray(ScalarType::I32, {7, 7, 7}));
  EXPECT_EQ(equal.mean, 7);
  EXPECT_EQ(equal.histogram[0], 3);
  double largest = std::numeric_limits<double>::max();
  ValueSummary large =
      summarize(makeArray(ScalarType::F64, {-largest, largest}));
  EXPECT_EQ(large.mean, 0);
  EXPECT_EQ(large.histogram.front(), 1);
  EXPECT_EQ(large.histogram.back(), 1);
}
