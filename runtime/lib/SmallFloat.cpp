//===- SmallFloat.cpp - The 16-bit floating-point formats -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace convoy {

namespace {

/// A 16-bit binary format with one sign bit. The rest is exponent and fraction.
struct Format16 {
  int fractionBits;

  int exponentBits() const { return 15 - fractionBits; }
  int bias() const { return (1 << (exponentBits() - 1)) - 1; }
  int minExponent() const { return 1 - bias(); }
  uint64_t infinity() const {
    return uint64_t(0x7fff) >> fractionBits << fractionBits;
  }
  uint64_t quietBit() const { return uint64_t(1) << (fractionBits - 1); }
};

} // namespace

static constexpr Format16 Float16{10};
static constexpr Format16 BFloat16{7};

static constexpr int DoubleFractionBits = 52;
static constexpr uint64_t DoubleFractionMask =
    (uint64_t(1) << DoubleFractionBits) - 1;
static constexpr uint64_t DoubleInfinity = uint64_t(0x7ff)
                                           << DoubleFractionBits;

/// `significand` / 2^shift, rounded to nearest, ties to even.
static uint64_t shiftRightRounded(uint64_t significand, int shift) {
  // A double's significand has 53 bits: shifted by more, it is below one half.
  if (shift > DoubleFractionBits + 1)
    return 0;
  uint64_t quotient = significand >> shift;
  uint64_t remainder = significand - (quotient << shift);
  uint64_t half = uint64_t(1) << (shift - 1);
  bool up = remainder > half || (remainder == half && (quotient & 1));
  return quotient + (up ? 1 : 0);
}

static uint16_t encode(double value, Format16 format) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t sign = bits >> 63 << 15;
  uint64_t fraction = bits & DoubleFractionMask;
  int exponentField = static_cast<int>(bits >> DoubleFractionBits & 0x7ff);
  int dropped = DoubleFractionBits - format.fractionBits;

  if (exponentField == 0x7ff) {
    uint64_t payload =
        fraction ? fraction >> dropped | format.quietBit() : uint64_t(0);
    return static_cast<uint16_t>(sign | format.infinity() | payload);
  }
  // Doubles below 2^-1022 are zero in both formats.
  if (exponentField == 0)
    return static_cast<uint16_t>(sign);

  int exponent = exponentField - 1023;
  int scale = std::max(exponent, format.minExponent());
  uint64_t significand = fraction | uint64_t(1) << DoubleFractionBits;
  uint64_t rounded = shiftRightRounded(significand, dropped + scale - exponent);
  // The leading one of a normal number carries into the exponent field, and so
  // does a significand that was rounded up to the next power of two.
  uint64_t field = static_cast<uint64_t>(scale - format.minExponent());
  uint64_t magnitude = (field << format.fractionBits) + rounded;
  return static_cast<uint16_t>(sign | std::min(magnitude, format.infinity()));
}

static double decode(uint16_t bits, Format16 format) {
  uint64_t sign = uint64_t(bits >> 15) << 63;
  uint64_t fraction = bits & ((1u << format.fractionBits) - 1);
  uint64_t field = (bits & 0x7fffu) >> format.fractionBits;
  int added = DoubleFractionBits - format.fractionBits;

  uint64_t magnitude;
  if (field == format.infinity() >> format.fractionBits)
    magnitude = DoubleInfinity | fraction << added;
  else if (field == 0)
    magnitude = std::bit_cast<uint64_t>(
        std::ldexp(static_cast<double>(fraction),
                   format.minExponent() - format.fractionBits));
  else
    magnitude = (field + 1023 - format.bias()) << DoubleFractionBits |
                fraction << added;
  return std::bit_cast<double>(sign | magnitude);
}

uint16_t toFloat16Bits(double value) { return encode(value, Float16); }
uint16_t toBFloat16Bits(double value) { return encode(value, BFloat16); }
double fromFloat16Bits(uint16_t bits) { return decode(bits, Float16); }
double fromBFloat16Bits(uint16_t bits) { return decode(bits, BFloat16); }

} // namespace convoy
