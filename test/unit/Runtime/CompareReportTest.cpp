//===- CompareReportTest.cpp - Tests of what comparisons say --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/CompareReport.h"

#include "SimulatedSums.h"
#include "convoy/Runtime/Compare.h"

#include <gtest/gtest.h>
#include <limits>

using namespace convoy;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

static bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The element `actual` in the place of `expected`, within `bound` or not.
static ElementCheck makeCheck(double actual, double expected, double bound) {
  ElementCheck check;
  check.actual = actual;
  check.expected = expected;
  check.bound = bound;
  check.error = std::abs(actual - expected);
  check.isRight = check.error <= bound;
  return check;
}

/// Elements of f32, each named by its number.
static CompareReport count(const std::vector<ElementCheck> &checks) {
  ReportBuilder builder(ScalarType::F32);
  int64_t number = 0;
  for (const ElementCheck &check : checks) {
    builder.add(check, [&] {
      return ElementPlace{std::to_string(number), {}, {number}};
    });
    ++number;
  }
  return builder.finish();
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

TEST(CompareReportTest, TheWorstVerdictCounts) {
  // 1/3 in double, of which 0x1.555556p-2 is the nearest number of f32.
  ElementCheck exact = makeCheck(0x1.555556p-2, 1.0 / 3, 1e-6);
  ElementCheck explained = makeCheck(0x1.555558p-2, 1.0 / 3, 1e-6);
  ElementCheck suspicious = explained;
  suspicious.probableBound = 1e-9;
  ElementCheck wrong = makeCheck(0.5, 1.0 / 3, 1e-6);
  EXPECT_EQ(count({exact}).verdict(), Verdict::Exact);
  EXPECT_EQ(count({exact, explained}).verdict(), Verdict::Explained);
  EXPECT_EQ(count({exact, suspicious, explained}).verdict(),
            Verdict::Suspicious);
  EXPECT_TRUE(count({exact, suspicious}).passed());
  CompareReport report = count({suspicious, wrong, exact});
  EXPECT_EQ(report.verdict(), Verdict::Wrong);
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.exact, 1);
  EXPECT_EQ(report.suspicious, 1);
  EXPECT_EQ(report.wrong, 1);
  // What is rounded as well as can be is not suspicious.
  exact.probableBound = 1e-12;
  EXPECT_EQ(count({exact}).verdict(), Verdict::Exact);
}

TEST(CompareReportTest, TheWorstElementHasTheWorstVerdict) {
  ElementCheck suspicious = makeCheck(1.25, 1, 1);
  suspicious.probableBound = 0.125;
  CompareReport report =
      count({makeCheck(1.5, 1, 1), suspicious, makeCheck(1.75, 1, 1)});
  EXPECT_EQ(report.worstPlace.text, "1");
  EXPECT_EQ(report.worst.ratio(), 0.25);
  EXPECT_EQ(report.worstRatio, 0.75);
  EXPECT_EQ(report.worstUlp, 0.25 * 0x1p23);
  EXPECT_EQ(report.maxUlp, 0.75 * 0x1p23);
  EXPECT_EQ(toString(report),
            "error/bound 0.75, max error 0.75, max ulp 6.29e+06, 1 suspicious, "
            "worst at 1: expected 1 within 1, probably within 0.125, but got "
            "1.25, 2.1e+06 ulp off");
}

TEST(CompareReportTest, LongSumsThatLoseEachTermAreSuspicious) {
  // No random data lose so much.
  ConvFixture conv = makeStagnatingSums();
  auto compare = [&](const CompareOptions &options) {
    return compareWithReference(conv.reference(), Direction::Forward,
                                conv.numerics(), conv.index(Operand::Output),
                                conv.array(Operand::Output).data(), options)
        .verdict();
  };
  EXPECT_EQ(compare({.drawn = true}), Verdict::Suspicious);
  EXPECT_EQ(compare({.drawn = false}), Verdict::Explained);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

TEST(CompareReportTest, CountsClasses) {
  ElementCheck nan = makeCheck(kNaN, kNaN, 0),
               inf = makeCheck(kInfinity, 1e39, 0);
  for (ElementCheck *check : {&nan, &inf}) {
    check->isRight = true;
    check->isCompared = false;
    check->error = 0;
  }
  CompareReport report = count({nan, inf, makeCheck(0x1p-140, 0x1p-140, 0),
                                makeCheck(0, 0x1p-140, 1), makeCheck(0, 0, 0),
                                makeCheck(0, 0x1p-151, 1)});
  EXPECT_EQ(report.elements, 6);
  EXPECT_EQ(report.compared, 4);
  EXPECT_EQ(report.nans, 1);
  EXPECT_EQ(report.infinities, 1);
  EXPECT_EQ(report.subnormals, 1);
  EXPECT_EQ(report.zeros, 1) << "2^-151 rounds to 0";
  EXPECT_EQ(report.referenceNans, 1);
  EXPECT_EQ(report.referenceInfinities, 1) << "10^39 rounds to infinity";
  EXPECT_EQ(report.referenceZeros, 2);
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(describeCounts(report),
            "4 of 6 compared, 1 nan, 1 inf, 1 subnormal, 1 zero where the "
            "reference is not, 1 nan in the reference, 1 inf in the reference");
}

TEST(CompareReportTest, MergesResults) {
  CompareReport report;
  report.merge(count({makeCheck(1, 1, 1), makeCheck(1.5, 1, 1)}));
  report.merge(count({makeCheck(1.25, 1, 1)}));
  report.merge(count({makeCheck(1, 2, 0.5)}));
  EXPECT_EQ(report.elements, 4);
  EXPECT_EQ(report.exact, 1);
  EXPECT_EQ(report.wrong, 1);
  EXPECT_EQ(report.worstRatio, 2);
  EXPECT_EQ(report.worst.expected, 2);
  EXPECT_EQ(report.worstPlace.text, "0");
}

//===----------------------------------------------------------------------===//
// Comparisons that show nothing
//===----------------------------------------------------------------------===//

TEST(CompareReportTest, AllNaNNeverPasses) {
  ElementCheck nan = makeCheck(kNaN, kNaN, 0);
  nan.isRight = true;
  nan.isCompared = false;
  nan.error = 0;
  CompareReport report = count({nan, nan});
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.refusal, "nothing was checked: the reference has 2 nan, and "
                            "no other element");
  // One number is enough.
  EXPECT_TRUE(count({nan, makeCheck(1, 1, 0)}).passed());
  // Where the reference has numbers, NaN is wrong.
  EXPECT_EQ(count({makeCheck(kNaN, 1, kInfinity)}).verdict(), Verdict::Wrong);
}

TEST(CompareReportTest, NamesAReferenceOfInfinities) {
  ElementCheck infinite = makeCheck(kInfinity, kInfinity, 0);
  infinite.isRight = true;
  infinite.isCompared = false;
  infinite.error = 0;
  CompareReport report = count({infinite, infinite});
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.vacuity, "the reference has 2 inf, and no other element");
  EXPECT_EQ(count({infinite, makeCheck(1, 1, 0)}).vacuity, "");
  infinite.isRight = false;
  infinite.actual = -kInfinity;
  EXPECT_EQ(count({infinite}).verdict(), Verdict::Wrong);
}

TEST(CompareReportTest, AllZeroNeverPassesInThePlaceOfNumbers) {
  CompareReport report =
      count({makeCheck(0, 1, 2), makeCheck(0, 0, 0), makeCheck(-0.0, 1, 2)});
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.refusal,
            "nothing was checked: the result is 0 everywhere, and 2 of 3 "
            "elements should not be, but may be by their bounds");
  EXPECT_TRUE(count({makeCheck(0, 1, 2), makeCheck(1, 1, 0)}).passed());
}

TEST(CompareReportTest, NamesAReferenceOfZeros) {
  CompareReport report = count({makeCheck(0, 0, 0), makeCheck(-0.0, 0, 0)});
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.verdict(), Verdict::Exact);
  EXPECT_EQ(report.vacuity, "the reference rounds to 0 everywhere");
  EXPECT_EQ(count({}).vacuity, "there are no elements");
  EXPECT_EQ(count({makeCheck(1, 1, 0)}).vacuity, "");
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The report of a forward convolution in which one element of the result is
/// off; `index` is that of all letters.
static CompareReport compareWrongAt(const ConvLayouts &layouts,
                                    const LogicalIndex &index) {
  ConvFixture conv(
      Direction::Forward,
      makeShape(2, 2, 3, 4, {makeSpatial(4, 3), makeSpatial(5, 2)}), layouts);
  conv.generate(DataKind::Normal, 3);
  ReferenceResult reference = conv.reference();
  HostArray &result = conv.array(Operand::Output);
  forEachIndex(reference.index.sizes, [&](const LogicalIndex &element) {
    double value = reference.value[reference.index.offset(element)];
    result.set(conv.index(Operand::Output).offset(element),
               element == index ? value + 100 : value);
  });
  CompareOptions options;
  options.layout = layouts.output;
  return compareWithReference(reference, Direction::Forward, conv.numerics(),
                              conv.index(Operand::Output), result.data(),
                              options);
}

TEST(CompareReportTest, NamesPlacesByTheLayout) {
  LogicalIndex index{1, 1, 0, 3, 0, 0, 2};
  CompareReport flat =
      compareWrongAt(makeLayouts("nhwc", "hwcf", "nhwf"), index);
  EXPECT_EQ(flat.worstPlace.text, "n=1 h=0 w=2 f=7");
  EXPECT_EQ(flat.worstPlace.layout, "nhwf");
  EXPECT_EQ(flat.worstPlace.index, (std::vector<int64_t>{1, 0, 2, 7}));
  CompareReport grouped =
      compareWrongAt(makeLayouts("ngchw", "gfchw", "nghwf"), index);
  EXPECT_EQ(grouped.worstPlace.text, "n=1 g=1 h=0 w=2 f=3");
  EXPECT_TRUE(contains(toString(grouped), "1 of 128 elements wrong"));
  EXPECT_TRUE(contains(toString(grouped), "worst at n=1 g=1 h=0 w=2 f=3: "));
}
