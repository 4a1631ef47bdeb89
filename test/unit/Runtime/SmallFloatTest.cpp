//===- SmallFloatTest.cpp - Tests of the 16-bit formats -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/SmallFloat.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

using namespace convoy;

namespace {

/// One format with its conversions and parameters.
struct Format {
  const char *name;
  uint16_t (*encode)(double);
  double (*decode)(uint16_t);
  int fractionBits, bias;

  uint16_t infinity() const {
    return static_cast<uint16_t>(0x7fff >> fractionBits << fractionBits);
  }
};

class SmallFloatTest : public testing::TestWithParam<Format> {};

} // namespace

static constexpr uint16_t SignBit = 0x8000;

/// What the bits of a finite number mean, by the definition of the formats.
static double definition(uint16_t bits, const Format &format) {
  int fraction = bits & ((1 << format.fractionBits) - 1);
  int field = (bits & 0x7fff) >> format.fractionBits;
  double significand = std::ldexp(fraction, -format.fractionBits);
  double magnitude = field == 0
                         ? std::ldexp(significand, 1 - format.bias)
                         : std::ldexp(1 + significand, field - format.bias);
  return bits & SignBit ? -magnitude : magnitude;
}

TEST_P(SmallFloatTest, EveryPatternDecodes) {
  const Format &format = GetParam();
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    double value = format.decode(static_cast<uint16_t>(bits));
    uint16_t magnitude = bits & 0x7fff;
    ASSERT_EQ(std::signbit(value), (bits & SignBit) != 0) << bits;
    if (magnitude > format.infinity())
      ASSERT_TRUE(std::isnan(value)) << bits;
    else if (magnitude == format.infinity())
      ASSERT_TRUE(std::isinf(value)) << bits;
    else
      ASSERT_EQ(value, definition(static_cast<uint16_t>(bits), format)) << bits;
  }
}

TEST_P(SmallFloatTest, EveryPatternSurvivesTheRoundTrip) {
  const Format &format = GetParam();
  unsigned quiet = 1u << (format.fractionBits - 1);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    bool isNaN = (bits & 0x7fff) > format.infinity();
    unsigned expected = isNaN ? bits | quiet : bits;
    ASSERT_EQ(format.encode(format.decode(static_cast<uint16_t>(bits))),
              expected);
  }
}

TEST_P(SmallFloatTest, TiesBetweenAllNeighboursGoToEven) {
  const Format &format = GetParam();
  double infinity = std::numeric_limits<double>::infinity();
  for (uint16_t below = 0; below < format.infinity(); ++below) {
    uint16_t above = below + 1;
    double low = format.decode(below);
    // Beyond the largest number the spacing goes on: 2^(emax+1) is infinity.
    double high = above == format.infinity()
                      ? low + (low - format.decode(below - 1))
                      : format.decode(above);
    double middle = (low + high) / 2;
    uint16_t even = below % 2 == 0 ? below : above;
    for (unsigned sign : {0u, unsigned(SignBit)}) {
      double factor = sign ? -1 : 1;
      ASSERT_EQ(format.encode(factor * middle), even | sign);
      ASSERT_EQ(format.encode(factor * std::nextafter(middle, infinity)),
                above | sign);
      ASSERT_EQ(format.encode(factor * std::nextafter(middle, 0.0)),
                below | sign);
    }
  }
}

TEST_P(SmallFloatTest, NumbersOutsideTheRange) {
  const Format &format = GetParam();
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(format.encode(Limits::max()), format.infinity());
  EXPECT_EQ(format.encode(-Limits::infinity()), format.infinity() | SignBit);
  EXPECT_EQ(format.encode(Limits::min()), 0);
  EXPECT_EQ(format.encode(-Limits::denorm_min()), SignBit);
  EXPECT_EQ(format.encode(-0.0), SignBit);
}

TEST_P(SmallFloatTest, NaNsWithALowPayloadStayNaNs) {
  const Format &format = GetParam();
  double nan = std::bit_cast<double>(uint64_t(0x7ff0'0000'0000'0001));
  EXPECT_GT(format.encode(nan), format.infinity());
}

INSTANTIATE_TEST_SUITE_P(
    Formats, SmallFloatTest,
    testing::Values(Format{"f16", toFloat16Bits, fromFloat16Bits, 10, 15},
                    Format{"bf16", toBFloat16Bits, fromBFloat16Bits, 7, 127}),
    [](const auto &info) { return std::string(info.param.name); });
