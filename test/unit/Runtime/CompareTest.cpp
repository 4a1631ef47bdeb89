//===- CompareTest.cpp - Tests of the comparison --------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "ConvFixture.h"
#include "SimulatedArithmetic.h"
#include "convoy/Runtime/Poison.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace convoy;

static constexpr double Infinity = std::numeric_limits<double>::infinity();
static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

static CompareReport compare(ConvFixture &conv,
                             const ReferenceResult &reference,
                             const CompareOptions &options = {}) {
  Operand operand = conv.resultOperand();
  return compareWithReference(reference, conv.problem.direction,
                              conv.numerics(), conv.index(operand),
                              conv.array(operand).data(), options);
}

/// Stores the reference's own values, rounded, as the result.
static void storeReference(ConvFixture &conv,
                           const ReferenceResult &reference) {
  Operand operand = conv.resultOperand();
  size_t place = 0;
  forEachIndex(reference.index.sizes, [&](const LogicalIndex &index) {
    double value = reference.integer.empty()
                       ? reference.value[place]
                       : static_cast<double>(
                             static_cast<int32_t>(reference.integer[place]));
    conv.array(operand).set(conv.index(operand).offset(index), value);
    ++place;
  });
}

static ConvShape sampleShape() {
  SpatialDim h = makeSpatial(4, 3, {1, 1, 1, 1, 1, false});
  SpatialDim w = makeSpatial(5, 2, {2, 1, 0, 1, 1, false});
  return makeShape(2, 2, 3, 2, {h, w});
}

//===----------------------------------------------------------------------===//
// Wrong elements
//===----------------------------------------------------------------------===//

/// Puts `wrong(value, element)` in the place of each element in turn and
/// expects the comparison to find that element alone.
template <typename Function>
static void expectEachFound(ConvFixture &conv, const CompareOptions &options,
                            Function wrong) {
  ReferenceResult reference = conv.reference();
  storeReference(conv, reference);
  ASSERT_TRUE(compare(conv, reference, options).passed());
  HostArray &result = conv.array(conv.resultOperand());
  const OperandIndex &index = conv.index(conv.resultOperand());
  size_t place = 0;
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    int64_t offset = index.offset(element);
    double right = result.at(offset);
    result.set(offset, wrong(right, place++));
    CompareReport report = compare(conv, reference, options);
    result.set(offset, right);
    ASSERT_FALSE(report.passed());
    ASSERT_EQ(report.wrong, 1);
    ASSERT_EQ(report.worstPlace.text, toString(element, index.sizes));
    ASSERT_GT(report.worstRatio, 1);
  });
}

TEST(CompareTest, AWrongElementIsFoundAnywhere) {
  for (Direction direction : AllDirections)
    for (const ConvLayouts &layouts : {makeLayouts("nhwc", "hwcf", "nhwf"),
                                       makeLayouts("wgcnh", "cwhf", "fnwgh")}) {
      ConvFixture conv(direction, sampleShape(), layouts);
      conv.generate(DataKind::Normal, 3);
      ReferenceResult reference = conv.reference();
      ErrorBound bound(direction, conv.numerics(), {});
      expectEachFound(conv, {}, [&](double value, size_t place) {
        // Just beyond the bound: an error of one and a half.
        return value +
               1.5 * bound.resultError({reference.value[place],
                                        reference.magnitude[place], 0,
                                        reference.length[place], false});
      });
      for (double wrong : {NaN, Infinity, -Infinity})
        expectEachFound(conv, {}, [&](double, size_t) { return wrong; });
    }
}

TEST(CompareTest, ExactResultsMayNotDifferByOneUnit) {
  for (Direction direction : AllDirections) {
    ConvFixture conv(direction, sampleShape(), logicalLayouts(2));
    conv.generate(DataKind::Int, 3);
    CompareOptions options;
    options.exact = true;
    expectEachFound(conv, options, [](double value, size_t) {
      return std::nextafter(static_cast<float>(value), 1e9f);
    });
    expectEachFound(conv, options, [](double, size_t) { return NaN; });
  }
}

TEST(CompareTest, IntegersMayNotDifferByOne) {
  for (Direction direction : AllDirections) {
    ConvFixture conv(direction, sampleShape(), logicalLayouts(2),
                     ElementType::I8);
    conv.generate(DataKind::Int, 3, /*init=*/true);
    expectEachFound(conv, {}, [](double value, size_t) { return value + 1; });
  }
}

TEST(CompareTest, UnwrittenElementsAreNamed) {
  for (ElementType type : {ElementType::F64, ElementType::F32, ElementType::F16,
                           ElementType::BF16, ElementType::I8}) {
    ConvFixture conv(Direction::Forward, sampleShape(), logicalLayouts(2),
                     type);
    conv.generate(DataKind::Uniform, 5);
    ReferenceResult reference = conv.reference();
    storeReference(conv, reference);
    HostArray &result = conv.array(Operand::Output);
    size_t size = static_cast<size_t>(scalarSize(result.type));
    fillWithPoison(result.type,
                   std::span(result.bytes).subspan(7 * size, 2 * size));
    CompareReport report = compare(conv, reference);
    EXPECT_EQ(report.unwritten, 2);
    EXPECT_EQ(report.wrong, 2);
    EXPECT_EQ(report.nans, 0);
    EXPECT_NE(toString(report).find("2 of 96 elements wrong"),
              std::string::npos)
        << toString(report);
    EXPECT_NE(toString(report).find("2 unwritten"), std::string::npos);
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST(CompareTest, ReportsTheWorstElement) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 1, 1, {makeSpatial(5, 1)}),
                   logicalLayouts(1));
  conv.generate(DataKind::Uniform, 1);
  conv.array(Operand::Filter).set(0, 1);
  for (int64_t i = 0; i < 5; ++i)
    conv.array(Operand::Input).set(i, static_cast<double>(i + 1));
  ReferenceResult reference = conv.reference();
  storeReference(conv, reference);
  HostArray &result = conv.array(Operand::Output);
  result.set(3, 4 + 0x1p-20);
  result.set(4, 5 + 0x1p-21);
  CompareReport report = compare(conv, reference);
  EXPECT_EQ(report.elements, 5);
  EXPECT_EQ(report.wrong, 2);
  EXPECT_EQ(report.worstPlace.text, "w=3");
  EXPECT_EQ(report.worst.expected, 4);
  EXPECT_EQ(report.worst.actual, 4 + 0x1p-20);
  EXPECT_EQ(report.maxError, 0x1p-20);
  EXPECT_EQ(report.maxUlp, 2);
  // The bound is about 4 * 2^-24.
  EXPECT_NEAR(report.worstRatio, 4, 1e-3);
}

TEST(CompareTest, EmptyResultsPass) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 1, 1, {makeSpatial(2, 3)}),
                   logicalLayouts(1));
  CompareReport report = compare(conv, conv.reference());
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.elements, 0);
  EXPECT_EQ(toString(report), "no elements");
}

TEST(CompareTest, RefusesUselessBounds) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 256, 1, {makeSpatial(1, 1)}),
                   logicalLayouts(1), ElementType::F16);
  ConvNumerics numerics = conv.numerics();
  numerics.accumulator = ScalarType::F16;
  conv.setNumerics(numerics);
  conv.generate(DataKind::Uniform, 1);
  CompareReport report = compare(conv, conv.reference());
  EXPECT_FALSE(report.passed());
  EXPECT_NE(report.refusal.find("sums of 256 terms in f16"), std::string::npos);
}

TEST(CompareTest, ExactModeRefusesSumsThatAreNot) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 2, 1, {makeSpatial(1, 1)}),
                   logicalLayouts(1));
  for (int64_t i = 0; i < 2; ++i) {
    conv.array(Operand::Input).set(i, 4096);
    conv.array(Operand::Filter).set(i, 4096);
  }
  CompareOptions options;
  options.exact = true;
  ReferenceResult reference = conv.reference();
  storeReference(conv, reference);
  CompareReport report = compare(conv, reference, options);
  EXPECT_FALSE(report.passed());
  EXPECT_NE(report.refusal.find("at most 2^24"), std::string::npos);
}

TEST(CompareTest, ZerosOfBothSignsAreEqual) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 1, 1, {makeSpatial(1, 1)}),
                   logicalLayouts(1));
  conv.array(Operand::Output).set(0, -0.0);
  CompareOptions options;
  options.exact = true;
  EXPECT_TRUE(compare(conv, conv.reference(), options).passed());
}

TEST(CompareTest, IntegersWrapAround) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 40000, 1, {makeSpatial(1, 1)}),
                   logicalLayouts(1), ElementType::I8);
  ConvNumerics numerics = conv.numerics();
  numerics.zeroPoints = {127, 127, 0};
  conv.setNumerics(numerics);
  for (int64_t i = 0; i < 40000; ++i) {
    conv.array(Operand::Input).set(i, -128);
    conv.array(Operand::Filter).set(i, -128);
  }
  ReferenceResult reference = conv.reference();
  EXPECT_EQ(reference.integer[0], int64_t(40000) * 255 * 255);
  storeReference(conv, reference);
  CompareReport report = compare(conv, reference);
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.overflows, 1);
}

//===----------------------------------------------------------------------===//
// Special values and overflow
//===----------------------------------------------------------------------===//

/// Compares `actual` with the sum of products of `input` and `filter`, element
/// by element, preceded by a padded position with the factor `padded`.
static CompareReport compareSum(ElementType type,
                                const std::vector<double> &input,
                                const std::vector<double> &filter,
                                double padded, double actual,
                                const CompareOptions &options = {}) {
  int64_t length = static_cast<int64_t>(input.size());
  SpatialDim dim{length, length + 1, 1, {1, 1, 1, 0, 1, false}};
  ConvFixture conv(Direction::Forward, makeShape(1, 1, 1, 1, {dim}),
                   logicalLayouts(1), type);
  conv.array(Operand::Filter).set(0, padded);
  for (int64_t i = 0; i < length; ++i) {
    conv.array(Operand::Input).set(i, input[static_cast<size_t>(i)]);
    conv.array(Operand::Filter).set(i + 1, filter[static_cast<size_t>(i)]);
  }
  conv.array(Operand::Output).set(0, actual);
  return compare(conv, conv.reference(/*operandSums=*/true), options);
}

TEST(CompareTest, ClassesOfNonFiniteSums) {
  auto accepts = [](const std::vector<double> &input, double actual) {
    return compareSum(ElementType::F32, input, {1, 1}, 0, actual).wrong == 0;
  };
  EXPECT_TRUE(accepts({Infinity, 1}, Infinity));
  EXPECT_FALSE(accepts({Infinity, 1}, -Infinity));
  EXPECT_FALSE(accepts({Infinity, 1}, NaN));
  EXPECT_FALSE(accepts({Infinity, 1}, 1));
  EXPECT_TRUE(accepts({Infinity, -Infinity}, NaN));
  EXPECT_FALSE(accepts({Infinity, -Infinity}, Infinity));
  EXPECT_TRUE(accepts({NaN, 1}, NaN));
  EXPECT_FALSE(accepts({NaN, 1}, 1));
  EXPECT_FALSE(accepts({1, 1}, NaN));
  EXPECT_FALSE(accepts({1, 1}, Infinity));
}

TEST(CompareTest, PaddingTimesInfinityMayBeLeftOut) {
  auto accepts = [](double input, double actual) {
    return compareSum(ElementType::F32, {input}, {1}, Infinity, actual).wrong ==
           0;
  };
  EXPECT_TRUE(accepts(3, 3));
  EXPECT_TRUE(accepts(3, NaN));
  EXPECT_FALSE(accepts(3, 4));
  EXPECT_FALSE(accepts(3, Infinity));
  EXPECT_TRUE(accepts(Infinity, Infinity));
  EXPECT_TRUE(accepts(Infinity, NaN));
}

TEST(CompareTest, InfinityTimesFlushedSubnormal) {
  CompareOptions flushed;
  flushed.target.flushesSubnormals = true;
  auto accepts = [](double actual, const CompareOptions &options) {
    return compareSum(ElementType::F32, {Infinity}, {0x1p-130}, 0, actual,
                      options)
               .wrong == 0;
  };
  EXPECT_TRUE(accepts(Infinity, {}));
  EXPECT_FALSE(accepts(NaN, {}));
  EXPECT_TRUE(accepts(Infinity, flushed));
  EXPECT_TRUE(accepts(NaN, flushed));
}

TEST(CompareTest, OverflowWhereItIsLegitimate) {
  auto report = [](ElementType type, double input, double actual,
                   const CompareOptions &options = {}) {
    return compareSum(type, {input, -input, 1}, {2, 2, 1}, 0, actual, options);
  };
  // |x||w| adds up beyond the accumulator: infinity and NaN are legitimate, a
  // wrong number is not.
  double large = 0x1p127;
  EXPECT_EQ(report(ElementType::F32, large, 1).wrong, 0);
  EXPECT_EQ(report(ElementType::F32, large, NaN).overflows, 1);
  EXPECT_EQ(report(ElementType::F32, large, -Infinity).overflows, 1);
  EXPECT_EQ(report(ElementType::F32, 0x1p125, Infinity).wrong, 1);
  EXPECT_EQ(report(ElementType::F32, 0x1p125, NaN).wrong, 1);
  // f16 with sums in f32: only the result can overflow.
  EXPECT_EQ(report(ElementType::F16, 65504, 1).wrong, 0);
  EXPECT_EQ(report(ElementType::F16, 65504, Infinity).wrong, 1);
  // The reference's own sum overflows.
  EXPECT_EQ(report(ElementType::F64, 0x1p1023, Infinity).wrong, 0);
  EXPECT_EQ(report(ElementType::F64, 0x1p1023, 1).wrong, 0);
}

TEST(CompareTest, OverflowOfTheResult) {
  auto report = [](double actual, const CompareOptions &options = {}) {
    return compareSum(ElementType::F16, {60000, 60000}, {1, 1}, 0, actual,
                      options);
  };
  EXPECT_EQ(report(Infinity).overflows, 1);
  EXPECT_EQ(report(Infinity).wrong, 0);
  EXPECT_EQ(report(-Infinity).wrong, 1);
  EXPECT_EQ(report(65504).wrong, 1);
  CompareOptions towardZero;
  towardZero.target.roundsToNearest = false;
  EXPECT_EQ(report(65504, towardZero).wrong, 0);
  EXPECT_EQ(report(-65504, towardZero).wrong, 1);
}
