//===- GenerateTest.cpp - Tests of generated data -------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Generate.h"

#include "ConvFixture.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace convoy;

static constexpr std::array<ElementType, 4> FloatTypes = {
    ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16};
static constexpr std::array<DataKind, 7> AllKinds = {
    DataKind::Int,    DataKind::Uniform, DataKind::Normal, DataKind::Range,
    DataKind::Cancel, DataKind::Edge,    DataKind::Special};

/// Sums of a few dozen terms, padding on all sides.
static ConvShape shortSums() {
  WindowDim window{1, 1, 1, 1, 1, false};
  return makeShape(2, 2, 6, 4,
                   {makeSpatial(5, 3, window), makeSpatial(6, 2, window)});
}

/// A shape whose sums in `direction` have 6,000 terms.
static ConvShape longSums(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return makeShape(1, 1, 2000, 3, {makeSpatial(4, 3)});
  case Direction::BackwardData:
    return makeShape(1, 1, 3, 2000, {makeSpatial(4, 3)});
  case Direction::BackwardFilter:
    return makeShape(2, 1, 3, 2, {makeSpatial(3002, 3)});
  }
  return {};
}

static std::vector<double> values(const HostArray &array) {
  std::vector<double> result;
  for (int64_t i = 0; i < array.elementCount(); ++i)
    result.push_back(array.at(i));
  return result;
}

TEST(GenerateTest, NamesOfKinds) {
  for (DataKind kind : AllKinds)
    EXPECT_EQ(parseDataKind(dataKindName(kind)), kind);
  EXPECT_EQ(parseDataKind("gauss"), std::nullopt);
  EXPECT_EQ(parseDataKind(""), std::nullopt);
}

TEST(GenerateTest, ValuesDependOnTheLogicalIndexAlone) {
  ConvShape shape = shortSums();
  for (DataKind kind : AllKinds) {
    ConvFixture one(Direction::Forward, shape,
                    makeLayouts("nchw", "fchw", "nfhw"));
    ConvFixture other(Direction::Forward, shape,
                      makeLayouts("whgcn", "hwcfg", "nfhw"));
    one.generate(kind, 7);
    other.generate(kind, 7);
    for (Operand operand : {Operand::Input, Operand::Filter})
      forEachIndex(one.index(operand).sizes, [&](const LogicalIndex &index) {
        double left = one.array(operand).at(one.index(operand).offset(index));
        double right =
            other.array(operand).at(other.index(operand).offset(index));
        ASSERT_TRUE(left == right || (std::isnan(left) && std::isnan(right)));
      });
  }
}

TEST(GenerateTest, SeedsAndOperandsDiffer) {
  ConvShape shape = makeShape(3, 1, 4, 3, {makeSpatial(1, 1)});
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(1));
  conv.generate(DataKind::Uniform, 1);
  std::vector<double> input = values(conv.array(Operand::Input));
  EXPECT_NE(input, values(conv.array(Operand::Filter)));
  conv.generate(DataKind::Uniform, 2);
  EXPECT_NE(input, values(conv.array(Operand::Input)));
  std::set<double> distinct(input.begin(), input.end());
  EXPECT_EQ(distinct.size(), input.size());
}

TEST(GenerateTest, BiasIsFilledOnce) {
  ConvShape shape = shortSums();
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(2));
  DataGenerator generator(DataKind::Uniform, 3, Direction::Forward, shape,
                          conv.numerics());
  HostArray bias(ScalarType::F32, {shape.groups * shape.outputChannels});
  generator.fill(Operand::Output, biasIndex(shape), bias.data());
  for (int64_t g = 0; g < 2; ++g)
    for (int64_t f = 0; f < 4; ++f)
      EXPECT_EQ(bias.at(g * 4 + f),
                static_cast<float>(
                    generator.value(Operand::Output, {0, g, 0, f, 0, 0, 0})));
}

//===----------------------------------------------------------------------===//
// Floating-point kinds
//===----------------------------------------------------------------------===//

/// Every sum of `conv` is an integer that accumulator and result hold exactly,
/// and so is every partial sum.
static void expectExact(ConvFixture &conv) {
  conv.generate(DataKind::Int, 11, /*init=*/true);
  ReferenceResult result = conv.reference();
  int precision = std::min(floatFormat(conv.numerics().accumulator).precision,
                           floatFormat(result.type).precision);
  int64_t zeros = 0;
  for (size_t i = 0; i < result.value.size(); ++i) {
    ASSERT_LE(result.magnitude[i], std::ldexp(1.0, precision));
    HostArray stored(result.type, {1});
    stored.set(0, result.value[i]);
    ASSERT_EQ(stored.at(0), result.value[i]);
    zeros += result.value[i] == 0;
  }
  EXPECT_LT(zeros, static_cast<int64_t>(result.value.size()) / 4 + 1);
}

TEST(GenerateTest, IntSumsAreExactInEveryType) {
  for (ElementType type : FloatTypes)
    for (Direction direction : AllDirections)
      for (const ConvShape &shape : {shortSums(), longSums(direction)}) {
        ConvFixture conv(direction, shape, logicalLayouts(shape.spatialRank()),
                         type);
        expectExact(conv);
      }
}

TEST(GenerateTest, IntSumsAreExactInNarrowAccumulators) {
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16})
    for (Direction direction : AllDirections) {
      ConvFixture conv(direction, shortSums(), logicalLayouts(2));
      ConvNumerics numerics = conv.numerics();
      numerics.types = {type, type, type};
      numerics.accumulator = type;
      conv.setNumerics(numerics);
      expectExact(conv);
    }
}

TEST(GenerateTest, LongIntSumsKeepTheirBudget) {
  // bf16 leaves 240 for the terms: 60 products of up to 2 * 2 among 3000.
  ConvShape shape = makeShape(1, 1, 1000, 8, {makeSpatial(3, 3)});
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(1),
                   ElementType::BF16);
  conv.generate(DataKind::Int, 5);
  std::vector<double> filter = values(conv.array(Operand::Filter));
  auto zeros = std::count(filter.begin(), filter.end(), 0.0);
  EXPECT_EQ(static_cast<int64_t>(filter.size()) - zeros, 8 * 60);
}

TEST(GenerateTest, UniformAndNormalMoments) {
  ConvShape shape = makeShape(100, 1, 100, 1, {makeSpatial(10, 1)});
  for (DataKind kind : {DataKind::Uniform, DataKind::Normal}) {
    ConvFixture conv(Direction::Forward, shape, logicalLayouts(1));
    conv.generate(kind, 3);
    double sum = 0, squares = 0, largest = 0;
    for (double value : values(conv.array(Operand::Input))) {
      sum += value;
      squares += value * value;
      largest = std::max(largest, std::abs(value));
    }
    // Six standard deviations of the means of 100,000 numbers.
    double variance = kind == DataKind::Uniform ? 1.0 / 3 : 1;
    EXPECT_LT(std::abs(sum / 1e5), 6 * std::sqrt(variance / 1e5));
    EXPECT_LT(std::abs(squares / 1e5 - variance), 6 * std::sqrt(2 / 1e5));
    EXPECT_LE(largest, kind == DataKind::Uniform ? 1 : 6);
  }
}

TEST(GenerateTest, RangeCoversTheExponentsAndDoesNotOverflow) {
  // Many reduced channels in every direction: each has a scale of its own.
  ConvShape shape = makeShape(24, 1, 24, 24, {makeSpatial(3, 2)});
  for (ElementType type : FloatTypes)
    for (Direction direction : AllDirections) {
      ConvFixture conv(direction, shape, logicalLayouts(1), type);
      conv.generate(DataKind::Range, 17, /*init=*/true);
      DirectionRoles roles = directionRoles(direction);
      FloatFormat format = floatFormat(conv.numerics().type(roles.first));
      int smallest = 0, largest = 0;
      for (Operand operand : {roles.first, roles.second})
        for (double value : values(conv.array(operand))) {
          ASSERT_TRUE(std::isfinite(value));
          if (value == 0)
            continue;
          smallest = std::min(smallest, std::ilogb(value));
          largest = std::max(largest, std::ilogb(value));
        }
      EXPECT_LT(smallest, format.minExponent * 3 / 4);
      EXPECT_GT(largest, format.maxExponent * 3 / 4);
      ReferenceResult result = conv.reference();
      double limit =
          std::min(floatFormat(conv.numerics().accumulator).largest(),
                   floatFormat(result.type).largest());
      for (double magnitude : result.magnitude)
        ASSERT_LT(magnitude, limit / 2 * 1.01);
    }
}

TEST(GenerateTest, RangeDoesNotOverflowFactorsOfWiderSums) {
  ConvFixture conv(Direction::Forward,
                   makeShape(2, 1, 100, 10, {makeSpatial(1, 1)}),
                   logicalLayouts(1), ElementType::F16);
  ConvNumerics numerics = conv.numerics();
  numerics.types[static_cast<size_t>(Operand::Output)] = ScalarType::F32;
  conv.setNumerics(numerics);
  conv.generate(DataKind::Range, 1);
  for (Operand operand : {Operand::Input, Operand::Filter})
    for (double value : values(conv.array(operand)))
      ASSERT_TRUE(std::isfinite(value));
}

TEST(GenerateTest, RangeDoesNotOverflowInLongSums) {
  for (ElementType type : {ElementType::F16, ElementType::F32}) {
    ConvShape shape = makeShape(1, 1, 30000, 2, {makeSpatial(3, 3)});
    ConvFixture conv(Direction::Forward, shape, logicalLayouts(1), type);
    conv.generate(DataKind::Range, 1);
    for (double magnitude : conv.reference().magnitude)
      EXPECT_LT(magnitude,
                floatFormat(conv.numerics().type(Operand::Output)).largest());
  }
}

TEST(GenerateTest, CancelGivesSumsMuchSmallerThanTheirTerms) {
  ConvShape shape = makeShape(2, 2, 6, 4, {makeSpatial(9, 3)});
  for (ElementType type : FloatTypes)
    for (Direction direction : AllDirections) {
      ConvFixture conv(direction, shape, logicalLayouts(1), type);
      conv.generate(DataKind::Cancel, 23);
      ReferenceResult result = conv.reference();
      int precision =
          floatFormat(conv.numerics().type(Operand::Output)).precision;
      // |y| <= 2^(-p/2) * sum of |w|, where S is about the sum of |w|. At the
      // ends of backward-data a pair may be cut.
      int64_t small = 0;
      for (size_t i = 0; i < result.value.size(); ++i)
        small += std::abs(result.value[i]) <=
                 4 * std::ldexp(1.0, -precision / 2) * result.magnitude[i];
      EXPECT_GE(small, static_cast<int64_t>(result.value.size()) / 2);
    }
}

TEST(GenerateTest, EdgeHasTwoMagnitudesWhoseSumsAreNumbers) {
  ConvShape shape = makeShape(2, 2, 6, 4, {makeSpatial(9, 3)});
  for (ElementType type : FloatTypes)
    for (Direction direction : AllDirections) {
      ConvFixture conv(direction, shape, logicalLayouts(1), type);
      Operand first = directionRoles(direction).first;
      FloatFormat format = floatFormat(conv.numerics().type(first));
      double largestSum = 0;
      std::set<double> magnitudes;
      for (uint64_t seed = 0; seed < 20; ++seed) {
        conv.generate(DataKind::Edge, seed);
        for (double value : values(conv.array(first)))
          magnitudes.insert(std::abs(value));
        for (double magnitude : conv.reference().magnitude)
          largestSum = std::max(largestSum, magnitude);
      }
      EXPECT_EQ(magnitudes.size(), 2u);
      EXPECT_EQ(std::pow(*magnitudes.begin(), 2), format.smallestNormal());
      EXPECT_LT(largestSum, format.largest());
      EXPECT_GT(largestSum, format.largest() / 16);
    }
}

TEST(GenerateTest, SpecialHasEveryClass) {
  ConvShape shape = makeShape(8, 1, 4, 4, {makeSpatial(64, 3)});
  for (ElementType type : FloatTypes) {
    ConvFixture conv(Direction::Forward, shape, logicalLayouts(1), type);
    conv.generate(DataKind::Special, 29);
    double lambda =
        floatFormat(conv.numerics().type(Operand::Input)).smallestNormal();
    int64_t nans = 0, infinities = 0, subnormals = 0, zeros = 0;
    for (double value : values(conv.array(Operand::Input))) {
      nans += std::isnan(value);
      infinities += std::isinf(value);
      zeros += value == 0;
      subnormals += value != 0 && std::abs(value) < lambda;
    }
    EXPECT_GT(nans, 0);
    EXPECT_GT(infinities, 0);
    EXPECT_GT(subnormals, 0);
    EXPECT_GT(zeros, 0);
    int64_t finite = 0;
    ReferenceResult result = conv.reference();
    for (double value : result.value)
      finite += std::isfinite(value);
    EXPECT_GT(finite, 0);
    EXPECT_LT(finite, static_cast<int64_t>(result.value.size()));
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST(GenerateTest, BytesKeepToTheirRange) {
  ConvShape shape = makeShape(4, 1, 64, 8, {makeSpatial(16, 3)});
  for (DataKind kind : AllKinds) {
    ConvFixture conv(Direction::Forward, shape, logicalLayouts(1),
                     ElementType::I8);
    ConvNumerics numerics = conv.numerics();
    numerics.types = {ScalarType::U8, ScalarType::I8, ScalarType::I32};
    numerics.zeroPoints = {128, 3, 0};
    conv.setNumerics(numerics);
    DataGenerator generator(kind, 1, Direction::Forward, shape, numerics);
    auto range = [&](Operand operand) {
      double low = 1e9, high = -1e9;
      forEachIndex(conv.index(operand).sizes, [&](const LogicalIndex &index) {
        double value = generator.value(operand, index);
        EXPECT_EQ(value, std::nearbyint(value));
        low = std::min(low, value);
        high = std::max(high, value);
      });
      return std::pair(low, high);
    };
    auto [inputLow, inputHigh] = range(Operand::Input);
    EXPECT_GE(inputLow, 0) << dataKindName(kind);
    EXPECT_LE(inputHigh, 255) << dataKindName(kind);
    auto [filterLow, filterHigh] = range(Operand::Filter);
    EXPECT_GE(filterLow, -128) << dataKindName(kind);
    EXPECT_LE(filterHigh, 127) << dataKindName(kind);
    if (kind != DataKind::Int)
      continue;
    EXPECT_EQ(inputLow, 0);
    EXPECT_EQ(inputHigh, 255);
    EXPECT_EQ(filterLow, -128);
    EXPECT_EQ(filterHigh, 127);
  }
}

TEST(GenerateTest, WrappingIntegerSums) {
  auto wraps = [](int64_t length, int32_t zeroPoint) {
    ConvShape shape = makeShape(1, 1, length, 1, {makeSpatial(1, 1)});
    Problem problem;
    problem.type = ElementType::I8;
    problem.inputZeroPoint = problem.filterZeroPoint.value = zeroPoint;
    return integerSumMayWrap(Direction::Forward, shape, convNumerics(problem));
  };
  // Without zero points products reach 2^14, with the worst 255^2.
  EXPECT_FALSE(wraps((1 << 17) - 1, 0));
  EXPECT_TRUE(wraps(1 << 17, 0));
  EXPECT_FALSE(wraps(33025, 127));
  EXPECT_TRUE(wraps(33026, 127));
}
