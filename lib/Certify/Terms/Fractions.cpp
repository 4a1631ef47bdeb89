//===- Fractions.cpp - Rational numbers behind constants ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fractions.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::APFloat;
using llvm::APInt;

/// Two to the power of `exponent`.
static Fraction getPower(int exponent) {
  unsigned bits = std::abs(exponent);
  DynamicAPInt power(APInt::getOneBitSet(bits + 2, bits));
  return exponent < 0 ? Fraction(DynamicAPInt(1), power) : Fraction(power);
}

static unsigned getPrecision(const APFloat &value) {
  return APFloat::semanticsPrecision(value.getSemantics());
}

std::optional<Fraction> certify::getFraction(const APFloat &value) {
  constexpr unsigned MostBits = 53;
  unsigned precision = getPrecision(value);
  if (!value.isFinite() || precision > MostBits)
    return std::nullopt;
  if (value.isZero())
    return Fraction(0);
  int scale = int(precision) - 1 - ilogb(value);
  APFloat scaled = scalbn(value, scale, APFloat::rmNearestTiesToEven);
  llvm::APSInt whole(64, /*isUnsigned=*/false);
  bool isExact = false;
  scaled.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  if (!isExact)
    return std::nullopt;
  return Fraction(whole.getSExtValue()) * getPower(-scale);
}

std::optional<Fraction> certify::getRoundedFraction(const APFloat &value) {
  std::optional<Fraction> exact = getFraction(value);
  if (!exact || *exact == Fraction(0))
    return exact;
  unsigned precision = getPrecision(value);
  DynamicAPInt greatest = getPower(int(precision) / 2).num;
  // Half of the last place.
  Fraction slack = getPower(ilogb(value) - int(precision));
  // Convergents of the continued fraction: any fraction so close is one
  // (Legendre's criterion).
  Fraction rest = *exact;
  DynamicAPInt top(1), bottom(0), lastTop(0), lastBottom(1);
  while (true) {
    DynamicAPInt whole = presburger::floor(rest);
    DynamicAPInt nextTop = whole * top + lastTop,
                 nextBottom = whole * bottom + lastBottom;
    if (nextBottom > greatest)
      return exact;
    Fraction convergent(nextTop, nextBottom);
    if (presburger::abs(*exact - convergent) <= slack)
      return convergent;
    lastTop = std::exchange(top, nextTop);
    lastBottom = std::exchange(bottom, nextBottom);
    rest = Fraction(1) / (rest - Fraction(whole));
  }
}

TypedAttr certify::makeFloat(const Fraction &value, FloatType type) {
  // As a quotient of numbers that are exact, if it is.
  auto convert = [](const DynamicAPInt &number) -> std::optional<double> {
    constexpr int64_t Most = int64_t(1) << 53;
    if (number > DynamicAPInt(Most) || number < DynamicAPInt(-Most))
      return std::nullopt;
    return double(int64_t(number));
  };
  std::optional<double> top = convert(value.num), bottom = convert(value.den);
  if (!top || !bottom)
    return {};
  APFloat number(*top / *bottom);
  bool losesInfo = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  std::optional<Fraction> exact = getFraction(number);
  return exact && *exact == value ? FloatAttr::get(type, number) : TypedAttr();
}
