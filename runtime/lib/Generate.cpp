//===- Generate.cpp - Values to test a convolution with -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Generate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace convoy {

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static constexpr std::array<std::string_view, 7> KindNames = {
    "int", "uniform", "normal", "range", "cancel", "edge", "special"};

std::string_view dataKindName(DataKind kind) {
  return KindNames[static_cast<size_t>(kind)];
}

std::optional<DataKind> parseDataKind(std::string_view name) {
  auto found = std::find(KindNames.begin(), KindNames.end(), name);
  if (found == KindNames.end())
    return std::nullopt;
  return static_cast<DataKind>(found - KindNames.begin());
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// A bijection that spreads every bit over the whole word (SplitMix64: Steele,
/// Lea and Flood, Fast splittable pseudorandom number generators, 2014).
static constexpr uint64_t mix(uint64_t word) {
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

static constexpr uint64_t GoldenRatio = 0x9e3779b97f4a7c15;

/// One odd factor for each dimension of an index: multiples of them rarely add
/// up to the same number.
static constexpr auto DimFactors = [] {
  std::array<uint64_t, LogicalLetters.size()> factors{};
  for (size_t dim = 0; dim < factors.size(); ++dim)
    factors[dim] = mix((dim + 1) * GoldenRatio) | 1;
  return factors;
}();

/// A sequence of random numbers that depends on the words it is made from.
class DataGenerator::Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed + GoldenRatio)) {}

  /// Makes the sequence depend on `word` too.
  void add(uint64_t word) { state = mix(state + GoldenRatio * (word + 1)); }

  uint64_t bits() { return mix(state += GoldenRatio); }

  /// Uniform in [low, high].
  int64_t integer(int64_t low, int64_t high) {
    return low +
           static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low + 1));
  }

  /// True once in `count` draws.
  bool oneIn(int64_t count) { return integer(1, count) == 1; }

  double sign() { return bits() >> 63 ? -1.0 : 1.0; }

  /// Uniform in [-1, 1), a multiple of 2^-52.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0; }

  /// Mean 0, variance 1: half the sum of twelve numbers from [-1, 1), which
  /// needs no function whose last bit differs between systems.
  double normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum / 2;
  }

private:
  uint64_t state;
};

/// The sequence for one element.
DataGenerator::Random DataGenerator::random(Operand operand,
                                            const LogicalIndex &index) const {
  uint64_t place = static_cast<uint64_t>(operand);
  for (size_t dim = 0; dim < index.size(); ++dim)
    place += static_cast<uint64_t>(index[dim]) * DimFactors[dim];
  Random result(seed);
  result.add(place);
  return result;
}

/// A sequence that is the same for part `part` of all elements of roles.second
/// that are summed into the same results.
DataGenerator::Random DataGenerator::sumRandom(const LogicalIndex &index,
                                               int64_t part) const {
  LogicalIndex kept{};
  for (char letter : {'g', roles.column})
    kept[logicalDim(letter)] = index[logicalDim(letter)];
  Random result = random(roles.second, kept);
  result.add(static_cast<uint64_t>(part));
  return result;
}

/// Row-major place of an element of roles.second among those that are summed
/// into the same results, the reduced channel innermost.
int64_t DataGenerator::placeInSum(const LogicalIndex &index) const {
  int64_t place = 0;
  for (char letter : {'d', 'h', 'w', roles.reduced}) {
    size_t dim = logicalDim(letter);
    place = place * secondSizes[dim] + index[dim];
  }
  return place;
}

//===----------------------------------------------------------------------===//
// Floating-point values
//===----------------------------------------------------------------------===//

/// Precision and exponents that hold in the accumulator and in the result.
static FloatFormat commonFormat(ScalarType accumulator, ScalarType result) {
  FloatFormat sum = floatFormat(accumulator), stored = floatFormat(result);
  return {std::min(sum.precision, stored.precision),
          std::max(sum.minExponent, stored.minExponent),
          std::min(sum.maxExponent, stored.maxExponent)};
}

DataGenerator::DataGenerator(DataKind kind, uint64_t seed, Direction direction,
                             const ConvShape &shape,
                             const ConvNumerics &numerics)
    : kind(kind), seed(seed), roles(directionRoles(direction)),
      numerics(numerics), secondSizes(logicalSizes(shape, roles.second)),
      products(productCount(direction, shape)) {
  if (!isFloat(numerics.accumulator))
    return;
  // |init| + sum of |products| <= 2^p makes every partial sum an integer that
  // accumulator and result hold exactly. Larger factors tell more, so they use
  // up the budget; where the sum is too long for factors up to 2, it is
  // thinned.
  static constexpr int64_t MaxFactor = 16, MinFactor = 2;
  FloatFormat format =
      commonFormat(numerics.accumulator, numerics.type(roles.result));
  int64_t budget = int64_t(1) << format.precision;
  initLimit = std::min(MaxFactor, budget / 8);
  budget -= initLimit;
  int64_t count = std::max<int64_t>(products, 1);
  factorLimit = MaxFactor;
  while (factorLimit > MinFactor && factorLimit * factorLimit > budget / count)
    --factorLimit;
  int64_t chosen = budget / (factorLimit * factorLimit);
  stratum = (count - 1) / chosen + 1;
}

double DataGenerator::exactValue(Operand operand,
                                 const LogicalIndex &index) const {
  Random draw = random(operand, index);
  if (operand == roles.result)
    return static_cast<double>(draw.integer(-initLimit, initLimit));
  if (operand == roles.first)
    return static_cast<double>(draw.integer(-factorLimit, factorLimit));
  int64_t place = placeInSum(index);
  if (sumRandom(index, place / stratum).integer(0, stratum - 1) !=
      place % stratum)
    return 0;
  return draw.sign() * static_cast<double>(draw.integer(1, factorLimit));
}

/// The exponent that no element of `operand` may exceed, lest sums overflow.
int DataGenerator::greatestExponent(Operand operand) const {
  FloatFormat common =
      commonFormat(numerics.accumulator, numerics.type(roles.result));
  // Terms below 2^limit leave room for their sum and its rounding. Each factor
  // gets half of the exponent, less one for its significand below 2.
  int limit =
      common.maxExponent - std::bit_width(static_cast<uint64_t>(products) + 1);
  return operand == roles.result ? limit - 1 : (limit - 2) >> 1;
}

double DataGenerator::rangeValue(Operand operand,
                                 const LogicalIndex &index) const {
  int64_t high = greatestExponent(operand);
  // A scale for each reduced channel, multiplied into one factor and divided
  // out of the other, reaches the exponents above that.
  int64_t scale = 0;
  if (operand != roles.result) {
    LogicalIndex channel{};
    for (char letter : {'g', roles.reduced})
      channel[logicalDim(letter)] = index[logicalDim(letter)];
    // Factors may have fewer exponents than their sums.
    int64_t maxExponent =
        std::min(floatFormat(numerics.type(roles.first)).maxExponent,
                 floatFormat(numerics.type(roles.second)).maxExponent);
    high = std::min(high, maxExponent);
    int64_t reach = maxExponent - high;
    scale = random(roles.result, channel).integer(-reach, reach);
    if (operand == roles.second)
      scale = -scale;
  }
  FloatFormat stored = floatFormat(numerics.type(operand));
  int64_t low =
      std::min(high, stored.minExponent - std::min<int64_t>(scale, 0));
  Random draw = random(operand, index);
  int64_t exponent = draw.integer(low, high) + scale;
  double fraction = static_cast<double>(
      draw.integer(0, (int64_t(1) << (stored.precision - 1)) - 1));
  double significand = 1.0 + std::ldexp(fraction, 1 - stored.precision);
  return draw.sign() * std::ldexp(significand, static_cast<int>(exponent));
}

/// Factors of roles.first are `center` and a little noise; those of
/// roles.second come in pairs of opposite sign, whose products cancel.
double DataGenerator::cancelValue(Operand operand, const LogicalIndex &index,
                                  double center, double noise,
                                  double weight) const {
  Random draw = random(operand, index);
  if (operand == roles.first)
    return center + noise * draw.uniform();
  int64_t place = placeInSum(index);
  bool unpaired = place % 2 == 0 && place + 1 == products;
  if (operand == roles.result || unpaired)
    return noise * draw.uniform();
  double magnitude = weight * sumRandom(index, place / 2).uniform();
  return place % 2 == 0 ? magnitude : -magnitude;
}

/// Whether an element is one of the largest: all of an operand are alike, or
/// each is drawn.
bool DataGenerator::isHighEdge(Operand operand,
                               const LogicalIndex &index) const {
  Random all = random(operand, LogicalIndex{});
  bool areAlike = !all.oneIn(3), areHigh = !all.oneIn(3);
  return areAlike ? areHigh : random(operand, index).oneIn(2);
}

/// Magnitudes at both ends of what sums can hold. All elements of an operand
/// may be alike, so that sums are as large, or as small, as they can be.
double DataGenerator::edgeValue(Operand operand,
                                const LogicalIndex &index) const {
  FloatFormat common =
      commonFormat(numerics.accumulator, numerics.type(roles.result));
  FloatFormat stored = floatFormat(numerics.type(operand));
  int high = std::min(greatestExponent(operand), stored.maxExponent);
  // The product of two is the least normal number.
  int low =
      operand == roles.result ? common.minExponent : common.minExponent / 2;
  low = std::max(low, stored.minExponent);
  Random all = random(operand, LogicalIndex{});
  all.add(1);
  double sign = all.oneIn(2) ? all.sign() : random(operand, index).sign();
  if (!isHighEdge(operand, index))
    return sign * std::ldexp(1.0, std::min(low, high));
  return sign * std::ldexp(2.0 - std::ldexp(1.0, 1 - stored.precision), high);
}

double DataGenerator::specialValue(Operand operand,
                                   const LogicalIndex &index) const {
  Random draw = random(operand, index);
  FloatFormat format = floatFormat(numerics.type(operand));
  // So few that most sums, which meet `products` elements of each operand, stay
  // finite.
  static constexpr int64_t MaxProducts = int64_t(1) << 40;
  if (draw.oneIn(4 * std::clamp<int64_t>(products, 2, MaxProducts))) {
    double infinity = std::numeric_limits<double>::infinity();
    return draw.oneIn(3) ? std::numeric_limits<double>::quiet_NaN()
                         : draw.sign() * infinity;
  }
  if (draw.oneIn(8)) {
    int64_t count = (int64_t(1) << (format.precision - 1)) - 1;
    return draw.sign() * static_cast<double>(draw.integer(1, count)) *
           format.smallestSubnormal();
  }
  if (draw.oneIn(16))
    return draw.sign() * 0.0;
  return draw.uniform();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

double DataGenerator::integerValue(Operand operand,
                                   const LogicalIndex &index) const {
  ScalarType type = numerics.type(operand);
  double zeroPoint = numerics.zeroPoint(operand);
  Random draw = random(operand, index);
  if (type == ScalarType::I32)
    return static_cast<double>(draw.integer(-0x10000, 0x10000));
  int64_t low = type == ScalarType::U8 ? 0 : -128;
  int64_t high = low + 255;
  double value = 0;
  switch (kind) {
  case DataKind::Int:
  case DataKind::Uniform:
    return static_cast<double>(draw.integer(low, high));
  case DataKind::Normal:
    value = zeroPoint + 32 * draw.normal();
    break;
  case DataKind::Range:
    value = zeroPoint + draw.sign() * std::ldexp(1.0, draw.integer(0, 7));
    break;
  case DataKind::Cancel:
    value = zeroPoint + cancelValue(operand, index, 48, 3, 96);
    break;
  case DataKind::Edge:
    return static_cast<double>(isHighEdge(operand, index) ? high : low);
  case DataKind::Special: {
    std::array<double, 5> values = {static_cast<double>(low),
                                    static_cast<double>(high), zeroPoint - 1,
                                    zeroPoint, zeroPoint + 1};
    value = values[draw.bits() % values.size()];
    break;
  }
  }
  return std::clamp(std::nearbyint(value), static_cast<double>(low),
                    static_cast<double>(high));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

double DataGenerator::value(Operand operand, const LogicalIndex &index) const {
  if (!isFloat(numerics.type(operand)))
    return integerValue(operand, index);
  switch (kind) {
  case DataKind::Int:
    return exactValue(operand, index);
  case DataKind::Uniform:
    return random(operand, index).uniform();
  case DataKind::Normal:
    return random(operand, index).normal();
  case DataKind::Range:
    return rangeValue(operand, index);
  case DataKind::Cancel: {
    int precision = floatFormat(numerics.type(operand)).precision;
    return cancelValue(operand, index, 1, std::ldexp(1.0, -precision / 2), 1);
  }
  case DataKind::Edge:
    return edgeValue(operand, index);
  case DataKind::Special:
    return specialValue(operand, index);
  }
  return 0;
}

void DataGenerator::fill(Operand operand, const OperandIndex &index,
                         void *data) const {
  OperandIndex stored = index;
  for (size_t dim = 0; dim < stored.sizes.size(); ++dim)
    if (stored.strides[dim] == 0)
      stored.sizes[dim] = std::min<int64_t>(stored.sizes[dim], 1);
  ScalarType type = numerics.type(operand);
  forEachIndex(stored.sizes, [&](const LogicalIndex &element) {
    storeDouble(type, data, stored.offset(element), value(operand, element));
  });
}

} // namespace convoy
