//===- IdentityDraws.cpp - Integers whose sums are exact --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdentityDraws.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

/// Stands for any bytes that the type has.
static constexpr int64_t AllBytes = 128;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// The greatest probability that the magnitude of a sum of `count` products of
/// two whole numbers from -limit to limit reaches `bound`.
///
/// The moments of such a number x are those of sinh((2L + 1)s/2) / ((2L + 1)
/// sinh(s/2)), whose zeros are imaginary, so that E exp(sx) <= exp(s²σ²/2) with
/// σ² = L(L + 1)/3. Of a sum of x·w with given w it is Σ w²σ² <= count·L²·σ².
static double boundTail(double bound, double count, double limit) {
  if (bound <= 0)
    return 1;
  double variance = count * limit * limit * limit * (limit + 1) / 3;
  return std::min(1.0, 2 * std::exp(-bound * bound / (2 * variance)));
}

double mlir::convoy::countProducts(const CheckedConv &conv) {
  return double(std::max<int64_t>(1, productCount(conv.direction, conv.shape)));
}

ScalarType mlir::convoy::getResultType(const CheckedConv &conv) {
  return conv.numerics.type(directionRoles(conv.direction).result);
}

double mlir::convoy::getLargest(ScalarType type) {
  return std::ldexp(1.0, floatFormat(type).precision);
}

/// A magnitude up to which all whole numbers are held by the types of floats,
/// and so large that runs are few.
static int64_t getMostHeld(const CheckedConv &conv) {
  int64_t most = 4096;
  for (ScalarType type : conv.numerics.types)
    if (isFloat(type))
      most = std::min(most, int64_t(1) << floatFormat(type).precision);
  return most;
}

/// The largest magnitude that sums start from if `limit` is that of arguments.
static double getLargestInit(const CheckedConv &conv, double limit) {
  if (!conv.init)
    return 0;
  return conv.init->argument ? limit : std::abs(conv.init->constant);
}

bool mlir::convoy::areExact(const CheckedConv &conv, double limit) {
  // A wrong kernel may add each term twice; the init is one number.
  double exact =
      getLargest(conv.numerics.accumulator) / 2 - getLargestInit(conv, limit);
  double count = countProducts(conv), partialSums = 4 * count;
  return partialSums * boundTail(exact, count, limit) <=
         std::exp2(EnoughExponent);
}

/// The greatest probability that one run takes a wrong element for right where
/// one of `values` numbers is drawn for each element: Schwartz and Zippel's,
/// for polynomials of degree 2.
static double boundZippel(double values) { return std::min(1.0, 2 / values); }

double mlir::convoy::boundMissed(const CheckedConv &conv, double limit) {
  if (!areExact(conv, limit))
    return 1;
  double missed = boundZippel(2 * limit + 1);
  double largest = getLargest(getResultType(conv));
  if (largest < getLargest(conv.numerics.accumulator))
    missed += boundTail(largest - getLargestInit(conv, limit),
                        countProducts(conv), limit);
  return std::min(1.0, missed);
}

IdentityTest::Data mlir::convoy::chooseFloats(const CheckedConv &conv) {
  int64_t most = getMostHeld(conv);
  IdentityTest::Data best;
  for (int64_t limit = 1; limit <= most; ++limit)
    if (double missed = boundMissed(conv, double(limit)); missed < best.missed)
      best = {limit, missed};
  return best;
}

IdentityTest::Data mlir::convoy::chooseBytes(const CheckedConv &conv) {
  constexpr double Modulus = 0x1p32, MostFactor = 255;
  double factor = std::sqrt(Modulus / (4 * countProducts(conv)));
  if (factor >= MostFactor)
    return {AllBytes, boundZippel(256)};
  int64_t limit = int64_t(factor / 2);
  return {limit, boundZippel(double(2 * limit + 1))};
}

int64_t mlir::convoy::getMostExact(const CheckedConv &conv) {
  if (!isFloat(conv.numerics.accumulator)) {
    int64_t ofBytes = chooseBytes(conv).limit;
    return ofBytes == AllBytes ? AllBytes - 1 : ofBytes;
  }
  int64_t limit = 0, most = getMostHeld(conv);
  while (limit < most && areExact(conv, double(limit + 1)))
    ++limit;
  return limit;
}

/// What is drawn of bytes of `type` whose zero point is `zeroPoint`.
static Interval getByteInterval(ScalarType type, int64_t zeroPoint,
                                const IdentityTest::Data &data) {
  int64_t low = type == ScalarType::U8 ? 0 : -128, high = low + 255;
  if (data.limit == AllBytes)
    return {low, high};
  // Both ends lie within the type.
  int64_t least = -((zeroPoint - low) / data.step);
  int64_t most = (high - zeroPoint) / data.step;
  int64_t middle =
      std::clamp<int64_t>(0, least + data.limit, most - data.limit);
  return {middle - data.limit, middle + data.limit, double(zeroPoint),
          double(data.step)};
}

Interval mlir::convoy::getInterval(const CheckedConv &conv, unsigned number,
                                   const IdentityTest::Data &data) {
  std::optional<Operand> operand = conv.getOperand(number);
  if (isFloat(conv.numerics.accumulator)) {
    // Of products one factor has the unit.
    bool hasUnit = operand != directionRoles(conv.direction).second;
    return {-data.limit, data.limit, 0,
            hasUnit ? std::ldexp(1.0, data.unit) : 1};
  }
  if (operand)
    return getByteInterval(conv.numerics.type(*operand),
                           conv.numerics.zeroPoint(*operand), data);
  // Zero points of channels are numbers of the filter's type.
  bool isZeroPoint =
      conv.filterZeroPoints && conv.filterZeroPoints->argument == number;
  return getByteInterval(isZeroPoint ? conv.numerics.type(Operand::Filter)
                                     : ScalarType::I8,
                         0, data);
}
