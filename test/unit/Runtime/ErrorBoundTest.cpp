//===- ErrorBoundTest.cpp - Tests of the error bounds' formulas -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ErrorBound.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace convoy;

static ConvNumerics makeNumerics(ScalarType operands, ScalarType accumulator,
                                 ScalarType output) {
  ConvNumerics numerics;
  numerics.types = {operands, operands, output};
  numerics.accumulator = accumulator;
  return numerics;
}

static ErrorBound makeBound(ScalarType operands, ScalarType accumulator,
                            ScalarType output, TargetArithmetic target = {}) {
  return ErrorBound(Direction::Forward,
                    makeNumerics(operands, accumulator, output), target);
}

static SumFacts makeSum(double value, double magnitude, int64_t length,
                        double operandSum = 0, bool hasInit = false) {
  return {value, magnitude, operandSum, length, hasInit};
}

/// The bound is `expected` or a little more: less than one part in a million.
static void expectJustAbove(double bound, double expected) {
  EXPECT_GE(bound, expected);
  EXPECT_LE(bound, expected * (1 + 1e-6));
}

TEST(ErrorBoundTest, SameTypeThroughout) {
  ErrorBound bound =
      makeBound(ScalarType::F32, ScalarType::F32, ScalarType::F32);
  double relative = 10 * 0x1p-24;
  double expected = relative / (1 - relative) * 100 + 10 * 0x1p-149;
  expectJustAbove(bound.sumError(makeSum(3, 100, 10)), expected);
  expectJustAbove(bound.resultError(makeSum(3, 100, 10)), expected);
}

TEST(ErrorBoundTest, NarrowResult) {
  ErrorBound bound =
      makeBound(ScalarType::F16, ScalarType::F32, ScalarType::F16);
  double relative = 10 * 0x1p-24;
  double sumError = relative / (1 - relative) * 100 + 10 * 0x1p-149;
  expectJustAbove(bound.resultError(makeSum(-3, 100, 10)),
                  sumError + 0x1p-11 * (3 + sumError) + 0x1p-24);
}

TEST(ErrorBoundTest, OtherRoundingsDoubleTheUnits) {
  ErrorBound bound = makeBound(ScalarType::BF16, ScalarType::F32,
                               ScalarType::BF16, {false, false});
  double relative = 10 * 0x1p-23;
  double sumError = relative / (1 - relative) * 100 + 10 * 0x1p-149;
  expectJustAbove(bound.resultError(makeSum(3, 100, 10)),
                  sumError + 0x1p-7 * (3 + sumError) + 0x1p-133);
}

TEST(ErrorBoundTest, SumsThatUnderflow) {
  constexpr ScalarType F32 = ScalarType::F32;
  expectJustAbove(makeBound(F32, F32, F32).sumError(makeSum(0, 0, 10)),
                  10 * 0x1p-149);
  expectJustAbove(
      makeBound(F32, F32, F32, {false, false}).sumError(makeSum(0, 0, 10)),
      20 * 0x1p-149);
}

TEST(ErrorBoundTest, FlushedSubnormals) {
  ErrorBound bound = makeBound(ScalarType::F16, ScalarType::F32,
                               ScalarType::F16, {true, true});
  double relative = 10 * 0x1p-24;
  double sumError =
      relative / (1 - relative) * 100 + 40 * 0x1p-126 + 2 * 0x1p-14 * 70;
  expectJustAbove(bound.sumError(makeSum(3, 100, 10, 70)), sumError);
  expectJustAbove(bound.resultError(makeSum(3, 100, 10, 70)),
                  sumError + 0x1p-11 * (3 + sumError) + 0x1p-14);
  expectJustAbove(bound.sumError(makeSum(3, 100, 10, 70, true)),
                  sumError + 2 * 0x1p-14);
}

TEST(ErrorBoundTest, EmptySumsHaveNoError) {
  ErrorBound bound =
      makeBound(ScalarType::F32, ScalarType::F32, ScalarType::F32);
  EXPECT_EQ(bound.resultError(makeSum(0, 0, 0)), 0);
}

TEST(ErrorBoundTest, DoublesIncludeTheReferencesOwnError) {
  ErrorBound bound =
      makeBound(ScalarType::F64, ScalarType::F64, ScalarType::F64);
  double relative = 1000 * 0x1p-53;
  double expected = relative / (1 - relative) * 5;
  expectJustAbove(bound.resultError(makeSum(1, 5, 1000)), expected);
}

TEST(ErrorBoundTest, ProbableErrorsGrowWithTheRoot) {
  constexpr ScalarType F32 = ScalarType::F32;
  ErrorBound bound = makeBound(F32, F32, F32);
  // 2 * 10^6 * exp(-kappa^2/2) = 2^-30.
  double kappa = bound.deviations(1e6);
  EXPECT_NEAR(2e6 * std::exp(-kappa * kappa / 2), 0x1p-30, 1e-13);
  double relative = std::expm1(kappa * 100 * 0x1p-24 + 1e4 * 0x1p-48);
  double own = 2e4 * 0x1p-53;
  expectJustAbove(bound.probableError(makeSum(3, 100, 10000), kappa),
                  (relative + own) * 100 + 10000 * 0x1p-149);
  // Not where few roundings may add up, nor where their mean is not 0.
  EXPECT_EQ(bound.probableError(makeSum(3, 100, 10), kappa),
            bound.resultError(makeSum(3, 100, 10)));
  ErrorBound towardZero = makeBound(F32, F32, F32, {false, false});
  EXPECT_EQ(towardZero.probableError(makeSum(3, 100, 10000), kappa),
            towardZero.resultError(makeSum(3, 100, 10000)));
}

TEST(ErrorBoundTest, ProbableErrorsOfNarrowResults) {
  ErrorBound bound =
      makeBound(ScalarType::F16, ScalarType::F32, ScalarType::F16);
  double kappa = bound.deviations(1);
  double sumError =
      (std::expm1(kappa * 100 * 0x1p-24 + 1e4 * 0x1p-48) + 2e4 * 0x1p-53) *
          100 +
      10000 * 0x1p-149;
  expectJustAbove(bound.probableError(makeSum(-3, 100, 10000), kappa),
                  sumError + 0x1p-11 * (3 + sumError) + 0x1p-24);
}

/// The bound of a kernel that sums by `levels`.
static ErrorBound makeMeasured(ScalarType operands, ScalarType accumulator,
                               ScalarType output,
                               const std::vector<SumLevel> &levels) {
  return ErrorBound(Direction::Forward,
                    makeNumerics(operands, accumulator, output), {}, levels);
}

TEST(ErrorBoundTest, DepthTakesThePlaceOfLength) {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16;
  double own = 1000 * 2 * 0x1p-53, underflow = 1000 * 0x1p-149;
  double relative = 20 * 0x1p-24 / (1 - 20 * 0x1p-24);
  ErrorBound bound = makeMeasured(F32, F32, F32, {{F32, 20}});
  expectJustAbove(bound.sumError(makeSum(3, 100, 1000)),
                  (relative + own) * 100 + underflow);
  // The last rounding is that of the result.
  double sumError = (relative + own) * 100 + underflow;
  expectJustAbove(makeMeasured(F16, F32, F16, {{F16, 1}, {F32, 20}})
                      .resultError(makeSum(-3, 100, 1000)),
                  sumError + 0x1p-11 * (3 + sumError) + 0x1p-24);
  // Sums of few terms pass no more roundings than there are terms.
  EXPECT_EQ(bound.sumError(makeSum(3, 100, 7)),
            makeBound(F32, F32, F32).sumError(makeSum(3, 100, 7)));
}

TEST(ErrorBoundTest, LevelsMultiply) {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16;
  double inner = 32 * 0x1p-11 / (1 - 32 * 0x1p-11);
  double outer = 40 * 0x1p-24 / (1 - 40 * 0x1p-24);
  ErrorBound bound = makeMeasured(F16, F16, F16, {{F16, 32}, {F32, 40}});
  expectJustAbove(bound.sumError(makeSum(3, 100, 200)),
                  ((1 + inner) * (1 + outer) - 1) * 100 + 200 * 0x1p-24 +
                      200 * 2 * 0x1p-53 * 100);
}

TEST(ErrorBoundTest, LevelsNeverMakeTheBoundLarger) {
  // Sums in f16 are no excuse where those in f32 were asked for.
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16;
  for (const std::vector<SumLevel> &levels :
       {std::vector<SumLevel>{{F16, 1000}},
        {{F16, 30}, {F32, 30}},
        {{F32, 2000}},
        {{F16, 5000}}}) {
    ErrorBound bound = makeMeasured(F16, F32, F16, levels);
    EXPECT_EQ(bound.refuse(1000), std::nullopt);
    EXPECT_EQ(bound.resultError(makeSum(3, 100, 1000)),
              makeBound(F16, F32, F16).resultError(makeSum(3, 100, 1000)));
  }
}

TEST(ErrorBoundTest, ProbableErrorsGrowWithTheRootOfTheDepth) {
  constexpr ScalarType F32 = ScalarType::F32;
  ErrorBound bound = makeMeasured(F32, F32, F32, {{F32, 400}});
  double kappa = bound.deviations(1e6);
  double relative = std::expm1(kappa * 20 * 0x1p-24 + 400 * 0x1p-48);
  expectJustAbove(bound.probableError(makeSum(3, 100, 10000), kappa),
                  (relative + 2e4 * 0x1p-53) * 100 + 10000 * 0x1p-149);
}

TEST(ErrorBoundTest, LongSumsOfLittleDepthHaveABound) {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16;
  EXPECT_TRUE(makeBound(F16, F16, F16).refuse(4608));
  EXPECT_FALSE(
      makeMeasured(F16, F16, F16, {{F16, 129}, {F32, 36}}).refuse(4608));
  EXPECT_TRUE(
      makeMeasured(F16, F16, F16, {{F16, 256}, {F32, 36}}).refuse(4608));
}

static int64_t longestSum(ScalarType accumulator, TargetArithmetic target) {
  ErrorBound bound = makeBound(accumulator, accumulator, accumulator, target);
  int64_t length = 1;
  while (!bound.refuse(length))
    length *= 2;
  EXPECT_FALSE(bound.refuse(length - 1));
  return length - 1;
}

TEST(ErrorBoundTest, LongSumsAreRefused) {
  EXPECT_EQ(longestSum(ScalarType::F16, {}), 255);
  EXPECT_EQ(longestSum(ScalarType::BF16, {}), 31);
  EXPECT_EQ(longestSum(ScalarType::F32, {}), (1 << 21) - 1);
  EXPECT_EQ(longestSum(ScalarType::F16, {false, false}), 127);
  EXPECT_EQ(
      makeBound(ScalarType::F16, ScalarType::F16, ScalarType::F16).refuse(4608),
      "sums of 4608 terms in f16 have no useful error bound, expected "
      "fewer than 256: sum in blocks and finish in a wider type");
}

TEST(ErrorBoundTest, Overflow) {
  ErrorBound narrow =
      makeBound(ScalarType::F16, ScalarType::F16, ScalarType::F16);
  EXPECT_FALSE(narrow.sumMayOverflow(makeSum(0, 65000, 10)));
  EXPECT_TRUE(narrow.sumMayOverflow(makeSum(0, 65400, 10)));

  ErrorBound wide =
      makeBound(ScalarType::F16, ScalarType::F32, ScalarType::F16);
  EXPECT_FALSE(wide.sumMayOverflow(makeSum(0, 1e30, 10)));
  EXPECT_FALSE(wide.resultMayOverflow(makeSum(65504 - 1, 1e5, 10), 1));
  EXPECT_TRUE(wide.resultMayOverflow(makeSum(65504, 1e5, 10), 1));
  EXPECT_FALSE(wide.resultMayOverflow(makeSum(65504, 1e5, 10), -1));
  EXPECT_TRUE(wide.resultMayOverflow(makeSum(-70000, 1e5, 10), -1));
}

/// Roundings of a stage count for what passes them alone.
TEST(ErrorBoundTest, StagesAreTakenOneByOne) {
  constexpr ScalarType F32 = ScalarType::F32;
  auto gamma = [](double roundings) {
    return roundings * 0x1p-24 / (1 - roundings * 0x1p-24);
  };
  auto getExpected = [&](double products) {
    double ofProducts = gamma(4) * 2 + gamma(6) * 3 + gamma(4) * gamma(6) * 100;
    double ofSums = gamma(products) * 5 + (1 + gamma(products)) * ofProducts;
    return gamma(10) * 7 + (1 + gamma(10)) * ofSums + 9 * 0x1p-149;
  };
  SumFacts sum = makeSum(3, 100, 9);
  sum.roundings = 40;
  sum.stages = {{4, 2}, {6, 3}, {20, 5}, {10, 7}};
  expectJustAbove(makeBound(F32, F32, F32).sumError(sum), getExpected(20));
  // What is known of the whole way holds for sums of products as well.
  ErrorBound measured(Direction::Forward, makeNumerics(F32, F32, F32), {},
                      {{F32, 15}});
  expectJustAbove(measured.sumError(sum), getExpected(15));
  // Stages that say less than the whole do not count.
  sum.stages->results.magnitude = 1000;
  expectJustAbove(makeBound(F32, F32, F32).sumError(sum),
                  gamma(40) * 100 + 9 * 0x1p-149);
}
