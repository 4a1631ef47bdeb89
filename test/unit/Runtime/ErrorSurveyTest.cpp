//===- ErrorSurveyTest.cpp - Tests of where errors are --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ErrorSurvey.h"

#include "convoy/Runtime/CompareReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

using namespace convoy;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr float Nothing = ErrorView::kNothing;

int64_t countAll(const ErrorHistogram &histogram) {
  return std::accumulate(histogram.bins().begin(), histogram.bins().end(),
                         int64_t(0));
}

TEST(ErrorSurveyTest, HistogramCountsByLogarithm) {
  ErrorHistogram histogram;
  for (double ratio : {0.0, Infinity, 0.5, 0.4, 1e-300, 1e300})
    histogram.add(ratio);
  EXPECT_EQ(histogram.zeros(), 1);
  EXPECT_EQ(histogram.infinities(), 1);
  EXPECT_EQ(countAll(histogram), 4);
  EXPECT_EQ(histogram.bins().front(), 1);
  EXPECT_EQ(histogram.bins().back(), 1);
  int bin = -ErrorHistogram::kFirstDecade * ErrorHistogram::kBinsPerDecade - 2;
  EXPECT_EQ(histogram.bins()[size_t(bin)], 2);
  EXPECT_LT(ErrorHistogram::lowerEdge(bin), 0.4);
  EXPECT_GT(ErrorHistogram::lowerEdge(bin + 1), 0.5);
  histogram.merge(histogram);
  EXPECT_EQ(histogram.zeros(), 2);
  EXPECT_EQ(countAll(histogram), 8);
}

TEST(ErrorSurveyTest, MapsHoldTheLargestOfEachPair) {
  ErrorMap map({{"h", 2}, {"w", 3}, {"n", 1}, {"f", 2}});
  map.add(std::array<int64_t, 4>{1, 2, 0, 0}, 0.5);
  map.add(std::array<int64_t, 4>{1, 2, 0, 1}, 0.25);
  map.add(std::array<int64_t, 4>{0, 1, 0, 1}, Infinity);
  ASSERT_THAT(map.views(), SizeIs(3)); // n has one position
  EXPECT_THAT(
      map.views()[0].ratios,
      ElementsAre(Nothing, float(Infinity), Nothing, Nothing, Nothing, 0.5f));
  const ErrorView &last = map.views()[2];
  EXPECT_EQ(last.rowAxis, 1u);
  EXPECT_EQ(last.columnAxis, 3u);
  EXPECT_THAT(last.ratios, ElementsAre(Nothing, Nothing, Nothing,
                                       float(Infinity), 0.5f, 0.25f));
}

TEST(ErrorSurveyTest, SizesDoNotGrowWithTheResult) {
  ErrorAxis axis = {"w", 1000};
  EXPECT_EQ(axis.bins(), 128);
  EXPECT_EQ(axis.binOf(999), 127);
  EXPECT_EQ(axis.binOf(7), 0);
  EXPECT_EQ(axis.binOf(8), 1);
  ErrorMap map({{"h", 1000}, axis});
  map.add(std::array<int64_t, 2>{999, 999}, 0.5);
  EXPECT_THAT(map.views()[0].ratios, SizeIs(128 * 128));
  EXPECT_EQ(map.views()[0].ratios.back(), 0.5f);
}

TEST(ErrorSurveyTest, SmallResultsHaveMaps) {
  ErrorMap scalar((std::vector<ErrorAxis>()));
  scalar.add({}, 0.5);
  ASSERT_THAT(scalar.views(), SizeIs(1));
  EXPECT_THAT(scalar.views()[0].ratios, ElementsAre(0.5f));
  ErrorMap row({{"n", 1}, {"w", 2}});
  row.add(std::array<int64_t, 2>{0, 1}, 0.5);
  ASSERT_THAT(row.views(), SizeIs(1));
  EXPECT_THAT(row.views()[0].ratios, ElementsAre(Nothing, 0.5f));
  EXPECT_THAT(ErrorMap({{"n", 0}, {"w", 2}}).views(), SizeIs(0));
}

ElementCheck makeCheck(double error) {
  ElementCheck check;
  check.actual = 1 + error;
  check.expected = 1;
  check.bound = 1;
  check.error = error;
  check.isRight = error <= 1;
  return check;
}

CompareReport surveyOne(double error, const std::string &axis) {
  ReportBuilder builder(ScalarType::F32);
  builder.survey({{axis, 2}});
  builder.add(makeCheck(error), [] { return ElementPlace{"", "", {1}}; });
  return builder.finish();
}

TEST(ErrorSurveyTest, MergedReportsKeepTheMapOfTheWorst) {
  CompareReport report;
  report.merge(surveyOne(0.25, "a"));
  report.merge(surveyOne(0.5, "b"));
  report.merge(surveyOne(0.125, "c"));
  ASSERT_TRUE(report.survey);
  EXPECT_EQ(report.survey->map.axes()[0].name, "b");
  EXPECT_EQ(countAll(report.survey->histogram), 3);
}

TEST(ErrorSurveyTest, ElementsThatAreNotComparedAreNotCounted) {
  ReportBuilder builder(ScalarType::F32);
  builder.survey({{"w", 2}});
  ElementCheck overflow = makeCheck(0);
  overflow.isCompared = false;
  builder.add(overflow, [] { return ElementPlace{"", "", {0}}; });
  builder.add(makeCheck(0.5), [] { return ElementPlace{"", "", {1}}; });
  CompareReport report = builder.finish();
  EXPECT_EQ(report.survey->histogram.zeros(), 0);
  EXPECT_THAT(report.survey->map.views()[0].ratios, ElementsAre(Nothing, 0.5f));
}

} // namespace
