//===- NumberRange.cpp - Which numbers a value may hold ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/NumberRange.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Bounds in double
//===----------------------------------------------------------------------===//

/// `value`, or its neighbour below where it was rounded.
static double below(double value, bool isExact = false) {
  return isExact || value == 0 || std::isinf(value)
             ? value
             : std::nextafter(value, -INFINITY);
}
static double above(double value, bool isExact = false) {
  return -below(-value, isExact);
}

/// Whether double has the sum of `a` and `b` (TwoSum).
static bool hasSum(double a, double b) {
  double sum = a + b, rest = sum - a;
  return (a - (sum - rest)) + (b - rest) == 0;
}
static double sumBelow(double a, double b) {
  return below(a + b, hasSum(a, b));
}
static double sumAbove(double a, double b) {
  return above(a + b, hasSum(a, b));
}

/// Whether double has the product of `a` and `b`, which is not subnormal.
static bool hasProduct(double a, double b) {
  return std::fma(a, b, -(a * b)) == 0;
}
static double productBelow(double a, double b) {
  return below(a * b, hasProduct(a, b));
}
static double productAbove(double a, double b) {
  return above(a * b, hasProduct(a, b));
}

/// A positive bound from below of products that may underflow.
static double smallestProduct(double a, double b) {
  return std::max(productBelow(a, b),
                  std::numeric_limits<double>::denorm_min());
}

/// `range` whose bounds agree with each other.
static NumberRange tidy(NumberRange range) {
  if (range.low == 0 && range.high == 0)
    range.smallest = 0;
  else if (range.low > 0)
    range.smallest = std::max(range.smallest, range.low);
  else if (range.high < 0)
    range.smallest = std::max(range.smallest, -range.high);
  return range;
}

/// Infinities and NaN, and all numbers.
static NumberRange anything() {
  return {-INFINITY, INFINITY, std::numeric_limits<double>::denorm_min(),
          false};
}

/// The magnitudes of numbers that are zero do not count.
static double smallestOfBoth(const NumberRange &a, const NumberRange &b) {
  if (a.smallest == 0 || b.smallest == 0)
    return std::max(a.smallest, b.smallest);
  return std::min(a.smallest, b.smallest);
}

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

double mlir::convoy::getUnitRoundoff(FloatType type) {
  int precision = int(APFloat::semanticsPrecision(type.getFloatSemantics()));
  return std::ldexp(1, -precision);
}

double mlir::convoy::getSmallest(FloatType type) {
  return APFloat::getSmallest(type.getFloatSemantics()).convertToDouble();
}

double mlir::convoy::getSmallestNormal(FloatType type) {
  return APFloat::getSmallestNormalized(type.getFloatSemantics())
      .convertToDouble();
}

double NumberRange::getLargest() const {
  return std::max(std::abs(low), std::abs(high));
}

bool NumberRange::isNarrowerThan(Type type) const {
  NumberRange all = allOf(type);
  if (!isFinite)
    return false;
  return isa<FloatType>(type) ? low > all.low && high < all.high
                              : low > all.low || high < all.high;
}

NumberRange NumberRange::between(double low, double high) {
  return tidy({low, high, std::numeric_limits<double>::denorm_min(), true});
}

NumberRange NumberRange::allOf(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    double largest =
        APFloat::getLargest(floatType.getFloatSemantics()).convertToDouble();
    return {-largest, largest, getSmallest(floatType), true};
  }
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  double half = std::ldexp(1, int(bits) - 1);
  // The greatest of 64 bits is rounded up.
  return {-half, half - 1, 1, true};
}

NumberRange NumberRange::unknown(Type type) {
  return isa<FloatType>(type) ? anything() : allOf(type);
}

static std::optional<NumberRange> joinElement(std::optional<NumberRange> range,
                                              double value) {
  NumberRange element =
      std::isfinite(value) ? NumberRange::constant(value) : anything();
  return range ? join(*range, element) : element;
}

std::optional<NumberRange> NumberRange::ofConstant(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return joinElement(std::nullopt, number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(value))
    return constant(number.getValue().roundToDouble(/*isSigned=*/true));
  std::optional<NumberRange> range;
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    return ofConstant(splat.getSplatValue<Attribute>());
  if (auto floats = dyn_cast<DenseFPElementsAttr>(value)) {
    for (const APFloat &element : floats.getValues<APFloat>())
      range = joinElement(range, element.convertToDouble());
  } else if (auto integers = dyn_cast<DenseIntElementsAttr>(value)) {
    for (const APInt &element : integers.getValues<APInt>())
      range = joinElement(range, element.roundToDouble(/*isSigned=*/true));
  }
  return range;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

NumberRange mlir::convoy::join(const NumberRange &a, const NumberRange &b) {
  return tidy({std::min(a.low, b.low), std::max(a.high, b.high),
               smallestOfBoth(a, b), a.isFinite && b.isFinite});
}

NumberRange mlir::convoy::intersect(const NumberRange &a,
                                    const NumberRange &b) {
  NumberRange both = {std::max(a.low, b.low), std::min(a.high, b.high),
                      std::max(a.smallest, b.smallest),
                      a.isFinite || b.isFinite};
  both = tidy(both);
  bool isEmpty = both.low > both.high || both.smallest > both.getLargest();
  return isEmpty ? a : both;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

NumberRange mlir::convoy::negate(const NumberRange &a) {
  return {-a.high, -a.low, a.smallest, a.isFinite};
}

NumberRange mlir::convoy::add(const NumberRange &a, const NumberRange &b) {
  if (!a.isFinite || !b.isFinite)
    return anything();
  NumberRange sum = {sumBelow(a.low, b.low), sumAbove(a.high, b.high),
                     std::numeric_limits<double>::denorm_min(), true};
  bool haveOneSign = (a.low >= 0 && b.low >= 0) || (a.high <= 0 && b.high <= 0);
  if (haveOneSign)
    sum.smallest = smallestOfBoth(a, b);
  else if (a.getLargest() == 0 || b.getLargest() == 0)
    sum.smallest = std::max(a.smallest, b.smallest);
  return tidy(sum);
}

NumberRange mlir::convoy::multiply(const NumberRange &a, const NumberRange &b) {
  if (!a.isFinite || !b.isFinite)
    return anything();
  NumberRange product = {INFINITY, -INFINITY, 0, true};
  for (double x : {a.low, a.high})
    for (double y : {b.low, b.high}) {
      product.low = std::min(product.low, productBelow(x, y));
      product.high = std::max(product.high, productAbove(x, y));
    }
  if (a.smallest != 0 && b.smallest != 0)
    product.smallest = smallestProduct(a.smallest, b.smallest);
  return tidy(product);
}

NumberRange mlir::convoy::divide(const NumberRange &a, const NumberRange &b) {
  if (!a.isFinite || !b.isFinite || b.hasZero())
    return anything();
  auto [low, high] = std::minmax(
      {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  NumberRange quotient = {below(low), above(high), 0, true};
  if (a.smallest != 0)
    quotient.smallest = smallestProduct(a.smallest, below(1 / b.getLargest()));
  return tidy(quotient);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// `value` in `type`, rounded in a direction; beyond its numbers infinite, or
/// the largest of them.
static double roundTo(double value, FloatType type,
                      APFloat::roundingMode mode) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), mode, &losesInfo);
  return rounded.convertToDouble();
}

bool mlir::convoy::mayOverflow(const NumberRange &exact, Type type) {
  NumberRange all = NumberRange::allOf(type);
  bool isWide = type.isIndex() || type.getIntOrFloatBitWidth() >= 64;
  // 2^63 - 1 is no double.
  if (!isa<FloatType>(type) && isWide)
    return !exact.isFinite || exact.low < all.low || exact.high >= all.high;
  return !exact.isFinite || exact.low < all.low || exact.high > all.high;
}

NumberRange mlir::convoy::fit(const NumberRange &exact, Type type) {
  if (mayOverflow(exact, type))
    return NumberRange::unknown(type);
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return exact;
  NumberRange rounded = {
      roundTo(exact.low, floatType, APFloat::rmTowardNegative),
      roundTo(exact.high, floatType, APFloat::rmTowardPositive),
      roundTo(exact.smallest, floatType, APFloat::rmTowardZero), true};
  if (exact.smallest != 0 && rounded.smallest < getSmallestNormal(floatType)) {
    rounded.low = std::min(rounded.low, 0.0);
    rounded.high = std::max(rounded.high, 0.0);
    rounded.smallest = std::max(rounded.smallest, getSmallest(floatType));
  }
  return tidy(rounded);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SumRange::SumRange(double length, const NumberRange &term,
                   const NumberRange &init, double most)
    : length(length), term(term), init(init) {
  if (!term.isFinite || !init.isFinite) {
    magnitude = INFINITY;
    exact = anything();
    return;
  }
  double terms = std::min(productAbove(length, term.getLargest()), most);
  magnitude = sumAbove(terms, init.getLargest());
  // Any of the terms may be missing, as those that meet padding.
  double low = std::max(productBelow(length, std::min(term.low, 0.0)), -terms);
  double high = std::min(productAbove(length, std::max(term.high, 0.0)), terms);
  NumberRange added = {low, high, term.smallest, true};
  if (low < 0 && high > 0)
    added.smallest = std::numeric_limits<double>::denorm_min();
  exact = add(tidy(added), init);
}

double SumRange::getPeak(FloatType type) const {
  // Twice the unit roundoff, for targets that do not round to nearest.
  double lost = getTerms() * 2 * getUnitRoundoff(type);
  if (lost >= 0.5)
    return INFINITY;
  double gamma = above(above(lost) / below(1 - above(lost)));
  // Products that underflow are rounded up to the least number at most.
  return above(above(magnitude * above(1 + gamma)) +
               above(2 * getTerms() * getSmallest(type)));
}

NumberRange SumRange::fitSum(Type type) const {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return fit(exact, type);
  double peak = getPeak(floatType);
  if (!(peak <= NumberRange::allOf(type).high))
    return NumberRange::unknown(type);
  double error = above(peak - magnitude);
  NumberRange sum = {below(exact.low - error), above(exact.high + error),
                     getSmallest(floatType), true};
  // Terms of one sign never make a sum smaller, in whatever way it is rounded.
  if (term.low >= 0 && init.low >= 0)
    sum.low = 0;
  else if (term.high <= 0 && init.high <= 0)
    sum.high = 0;
  else
    return fit(tidy(sum), type);
  sum.smallest = std::max(smallestOfBoth(term, init), sum.smallest);
  sum.low = std::max(sum.low, -peak);
  sum.high = std::min(sum.high, peak);
  return fit(tidy(sum), type);
}
