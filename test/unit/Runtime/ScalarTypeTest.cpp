//===- ScalarTypeTest.cpp - Tests of element types ------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ScalarType.h"
#include "convoy/Runtime/HostArray.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace convoy;

static constexpr std::array<ScalarType, 9> AllTypes = {
    ScalarType::F64,  ScalarType::F32, ScalarType::F16,
    ScalarType::BF16, ScalarType::I8,  ScalarType::U8,
    ScalarType::I16,  ScalarType::I32, ScalarType::I64};

TEST(ScalarTypeTest, NamesEndWithTheSize) {
  for (ScalarType type : AllTypes) {
    std::string bits = std::to_string(8 * scalarSize(type));
    EXPECT_TRUE(scalarTypeName(type).ends_with(bits)) << scalarTypeName(type);
  }
}

TEST(ScalarTypeTest, TypesOfAProblem) {
  EXPECT_EQ(operandScalarType(ElementType::BF16), ScalarType::BF16);
  EXPECT_EQ(operandScalarType(ElementType::I8, true), ScalarType::I8);
  EXPECT_EQ(operandScalarType(ElementType::I8, false), ScalarType::U8);
  EXPECT_EQ(resultScalarType(ElementType::I8), ScalarType::I32);
  EXPECT_EQ(resultScalarType(ElementType::F16), ScalarType::F16);
}

TEST(ScalarTypeTest, StoresAndLoadsSmallIntegers) {
  for (ScalarType type : AllTypes) {
    HostArray array(type, {2, 5});
    for (int64_t i = 0; i < 10; ++i)
      array.set(i, static_cast<double>(i * 7));
    for (int64_t i = 0; i < 10; ++i)
      EXPECT_EQ(array.at(i), static_cast<double>(i * 7))
          << scalarTypeName(type);
  }
}

TEST(ScalarTypeTest, IntegersSaturateAndRoundToEven) {
  HostArray bytes(ScalarType::I8, {6});
  double infinity = std::numeric_limits<double>::infinity();
  double values[] = {1e9, -infinity, std::nan(""), 2.5, -3.5, 126.5};
  double expected[] = {127, -128, 0, 2, -4, 126};
  for (int64_t i = 0; i < 6; ++i) {
    bytes.set(i, values[i]);
    EXPECT_EQ(bytes.at(i), expected[i]);
  }
  HostArray wide(ScalarType::I64, {2});
  wide.set(0, 1e300);
  wide.set(1, -1e300);
  EXPECT_EQ(loadInteger(ScalarType::I64, wide.data(), 0),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(loadInteger(ScalarType::I64, wide.data(), 1),
            std::numeric_limits<int64_t>::min());
}

template <typename T>
static void checkFormat(ScalarType type) {
  using Limits = std::numeric_limits<T>;
  FloatFormat format = floatFormat(type);
  EXPECT_EQ(format.unitRoundoff(), static_cast<double>(Limits::epsilon()) / 2);
  EXPECT_EQ(format.smallestNormal(), static_cast<double>(Limits::min()));
  EXPECT_EQ(format.smallestSubnormal(),
            static_cast<double>(Limits::denorm_min()));
  EXPECT_EQ(format.largest(), static_cast<double>(Limits::max()));
}

TEST(ScalarTypeTest, RoundsToEveryType) {
  EXPECT_EQ(roundTo(ScalarType::F64, 1.0 / 3), 1.0 / 3);
  EXPECT_EQ(roundTo(ScalarType::F32, 1.0 / 3), double(1.0f / 3));
  EXPECT_EQ(roundTo(ScalarType::F16, 65519), 65504);
  EXPECT_EQ(roundTo(ScalarType::BF16, 1 + 0x1p-8), 1);
  EXPECT_EQ(roundTo(ScalarType::I8, 2.5), 2);
  EXPECT_TRUE(std::isnan(
      roundTo(ScalarType::F16, std::numeric_limits<double>::quiet_NaN())));
}

TEST(ScalarTypeTest, FormatParameters) {
  checkFormat<double>(ScalarType::F64);
  checkFormat<float>(ScalarType::F32);
  EXPECT_EQ(floatFormat(ScalarType::F16).largest(), 65504);
  EXPECT_EQ(floatFormat(ScalarType::F16).smallestSubnormal(), 0x1p-24);
  EXPECT_EQ(floatFormat(ScalarType::BF16).largest(), 0x1.fep127);
  EXPECT_EQ(floatFormat(ScalarType::BF16).smallestSubnormal(), 0x1p-133);
}

TEST(ScalarTypeTest, UnitsOfTheLastPlace) {
  FloatFormat format = floatFormat(ScalarType::F32);
  EXPECT_EQ(format.ulp(1.0), 0x1p-23);
  EXPECT_EQ(format.ulp(-1.999), 0x1p-23);
  EXPECT_EQ(format.ulp(0x1p-126), 0x1p-149);
  EXPECT_EQ(format.ulp(0x1p-140), 0x1p-149);
  EXPECT_EQ(format.ulp(0.0), 0x1p-149);
}

TEST(HostArrayTest, ElementCounts) {
  EXPECT_EQ(HostArray(ScalarType::F32, {}).elementCount(), 1);
  EXPECT_EQ(HostArray(ScalarType::F16, {3, 0, 5}).elementCount(), 0);
  EXPECT_EQ(HostArray(ScalarType::I8, {3, 7}).bytes.size(), 21u);
}

TEST(HostArrayTest, CountsBytesWithoutOverflow) {
  int64_t half = int64_t(1) << 62;
  EXPECT_EQ(checkedElementCount(ScalarType::I8, std::array{half}), half);
  EXPECT_EQ(checkedElementCount(ScalarType::F32, std::array{half}),
            std::nullopt);
  EXPECT_EQ(checkedElementCount(ScalarType::I8, std::array{half, half}),
            std::nullopt);
  EXPECT_EQ(
      checkedElementCount(ScalarType::F64, std::array{half, half, int64_t(0)}),
      0);
}
