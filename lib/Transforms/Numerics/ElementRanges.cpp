//===- ElementRanges.cpp - Ranges of elementwise ops ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

using Ranges = ArrayRef<NumberRange>;

/// What functions of math may be off by, relative to their values: more than
/// any target's error in docs/Numerics.md.
static constexpr double kFunctionError = 0x1p-7;

/// The greater, or the smaller, of both. `ignoresNan`: of NaN and a number it
/// is the number.
static NumberRange getExtremum(Ranges operands, bool isMax, bool ignoresNan) {
  const NumberRange &a = operands[0], &b = operands[1];
  NumberRange either = join(a, b);
  if (ignoresNan && !either.isFinite)
    return either;
  NumberRange result = either;
  result.low = isMax ? std::max(a.low, b.low) : either.low;
  result.high = isMax ? either.high : std::min(a.high, b.high);
  if (result.low == 0 && result.high == 0)
    return NumberRange::constant(0);
  if (result.low > 0 || result.high < 0)
    result.smallest = std::max(
        result.smallest, std::min(std::abs(result.low), std::abs(result.high)));
  return result;
}

static NumberRange getAbsolute(const NumberRange &a) {
  NumberRange result = a;
  result.low = a.hasZero() ? 0 : std::min(std::abs(a.low), std::abs(a.high));
  result.high = a.getLargest();
  return result;
}

/// `function` of a range on which it grows and is not negative.
static NumberRange getGrowing(const NumberRange &a,
                              double (*function)(double)) {
  if (!a.isFinite)
    return {0, INFINITY, std::numeric_limits<double>::denorm_min(), false};
  double low = function(a.low) * (1 - kFunctionError);
  double high = function(a.high) * (1 + kFunctionError);
  return NumberRange::between(low, high);
}

static NumberRange getExponential(const NumberRange &a) {
  return getGrowing(a, [](double x) { return std::exp(x); });
}

/// sqrt; of numbers that may be negative it may be NaN.
static std::optional<NumberRange> getRoot(const NumberRange &a) {
  if (a.low < 0)
    return std::nullopt;
  NumberRange root = getGrowing(a, [](double x) { return std::sqrt(x); });
  root.smallest =
      std::max(root.smallest, std::sqrt(a.smallest) * (1 - kFunctionError));
  return root;
}

/// A function between -1 and 1, of which nothing else is said. Vulkan's may be
/// quotients of exponentials, which overflow.
static std::optional<NumberRange> getBounded(const NumberRange &a) {
  constexpr double MostWithoutOverflow = 40;
  if (!a.isFinite || a.getLargest() > MostWithoutOverflow)
    return std::nullopt;
  return NumberRange::between(-1 - kFunctionError, 1 + kFunctionError);
}

/// The natural logarithm; of zero and of negative numbers there is none. Near 1
/// its error is not relative to its value.
static std::optional<NumberRange> getLogarithm(const NumberRange &a) {
  if (!a.isFinite || a.low <= 0)
    return std::nullopt;
  auto getError = [](double value) {
    return std::max(1.0, std::abs(value)) * kFunctionError;
  };
  double low = std::log(a.low), high = std::log(a.high);
  return NumberRange::between(low - getError(low), high + getError(high));
}

/// 1 / sqrt; of zero it is infinite.
static std::optional<NumberRange> getInverseRoot(const NumberRange &a) {
  if (!a.isFinite || a.low <= 0)
    return std::nullopt;
  return NumberRange::between(1 / std::sqrt(a.high) * (1 - kFunctionError),
                              1 / std::sqrt(a.low) * (1 + kFunctionError));
}

/// Whole numbers from `low` to `high`.
static NumberRange makeWhole(double low, double high, bool isFinite = true) {
  NumberRange whole = NumberRange::between(low, high);
  if (whole.getLargest() != 0)
    whole.smallest = std::max(whole.smallest, 1.0);
  whole.isFinite = isFinite;
  return whole;
}

/// Rounded to whole numbers.
static NumberRange getWhole(const NumberRange &a) {
  return makeWhole(std::floor(a.low), std::ceil(a.high), a.isFinite);
}

/// The integers that a float becomes, rounded toward zero.
static NumberRange getTruncated(const NumberRange &a) {
  // No zero has a sign.
  return makeWhole(std::trunc(a.low) + 0.0, std::trunc(a.high) + 0.0,
                   a.isFinite);
}

/// The same without a sign, which negative numbers do not become.
static NumberRange getTruncatedUnsigned(const NumberRange &a) {
  NumberRange truncated = getTruncated(a);
  truncated.isFinite &= truncated.low >= 0;
  return truncated;
}

static unsigned getBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// Numbers of `type` as they are read without a sign, which are the same where
/// none is negative.
static NumberRange readUnsigned(const NumberRange &a, Type type) {
  if (a.low >= 0)
    return a;
  return {0, std::ldexp(1, int(getBits(type))) - 1, 1, true};
}

/// Integers of `type` shifted to the right, rounded down. By as many bits as
/// they have, or more, they are no numbers.
static std::optional<NumberRange>
getShifted(const NumberRange &a, const NumberRange &shift, Type type) {
  if (shift.low < 0 || shift.high >= getBits(type))
    return std::nullopt;
  auto [low, high] = std::minmax({std::ldexp(a.low, -int(shift.low)),
                                  std::ldexp(a.low, -int(shift.high)),
                                  std::ldexp(a.high, -int(shift.low)),
                                  std::ldexp(a.high, -int(shift.high))});
  return makeWhole(std::floor(low), std::floor(high));
}

/// Integers shifted to the left, before they wrap around.
static std::optional<NumberRange>
getScaled(const NumberRange &a, const NumberRange &shift, Type type) {
  if (shift.low < 0 || shift.high >= getBits(type))
    return std::nullopt;
  NumberRange powers = NumberRange::between(std::ldexp(1, int(shift.low)),
                                            std::ldexp(1, int(shift.high)));
  return multiply(a, powers);
}

/// The bits that both have: of a number that is not negative no more than it.
static std::optional<NumberRange> getCommonBits(const NumberRange &a,
                                                const NumberRange &b) {
  if (a.low < 0 && b.low < 0)
    return std::nullopt;
  double most =
      std::min(a.low < 0 ? INFINITY : a.high, b.low < 0 ? INFINITY : b.high);
  return makeWhole(0, most);
}

/// The greater, or the smaller, of both as they are read without a sign.
static NumberRange getUnsignedExtremum(Ranges operands, bool isMax, Type type) {
  return getExtremum(
      {readUnsigned(operands[0], type), readUnsigned(operands[1], type)}, isMax,
      /*ignoresNan=*/false);
}

/// Quotients of integers, rounded toward zero; of zero there is none.
static std::optional<NumberRange> getQuotient(const NumberRange &a,
                                              const NumberRange &b) {
  // Up to there the quotient of two integers is rounded to none that it is not.
  constexpr double MostExact = 0x1p53;
  if (b.hasZero() || a.getLargest() >= MostExact)
    return std::nullopt;
  auto [low, high] = std::minmax(
      {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return makeWhole(std::trunc(low), std::trunc(high));
}

static std::optional<NumberRange> getFloatRange(Operation *op,
                                                Ranges operands) {
  using Result = std::optional<NumberRange>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddFOp) { return add(operands[0], operands[1]); })
      .Case(
          [&](arith::SubFOp) { return add(operands[0], negate(operands[1])); })
      .Case([&](arith::MulFOp) { return multiply(operands[0], operands[1]); })
      .Case([&](math::FmaOp) {
        return add(multiply(operands[0], operands[1]), operands[2]);
      })
      .Case([&](arith::DivFOp) { return divide(operands[0], operands[1]); })
      .Case([&](arith::NegFOp) { return negate(operands[0]); })
      .Case([&](arith::MaximumFOp) {
        return getExtremum(operands, /*isMax=*/true, /*ignoresNan=*/false);
      })
      .Case([&](arith::MinimumFOp) {
        return getExtremum(operands, /*isMax=*/false, /*ignoresNan=*/false);
      })
      .Case([&](arith::MaxNumFOp) {
        return getExtremum(operands, /*isMax=*/true, /*ignoresNan=*/true);
      })
      .Case([&](arith::MinNumFOp) {
        return getExtremum(operands, /*isMax=*/false, /*ignoresNan=*/true);
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *) { return operands[0]; })
      .Case([&](math::AbsFOp) { return getAbsolute(operands[0]); })
      .Case([&](math::ExpOp) { return getExponential(operands[0]); })
      .Case([&](math::Exp2Op) {
        return getGrowing(operands[0], [](double x) { return std::exp2(x); });
      })
      .Case([&](math::LogOp) { return getLogarithm(operands[0]); })
      .Case([&](math::SqrtOp) { return getRoot(operands[0]); })
      .Case([&](math::RsqrtOp) { return getInverseRoot(operands[0]); })
      .Case<math::TanhOp, math::ErfOp>(
          [&](Operation *) { return getBounded(operands[0]); })
      .Case<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
            math::TruncOp>([&](Operation *) { return getWhole(operands[0]); })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<NumberRange> getIntegerRange(Operation *op,
                                                  Ranges operands) {
  using Result = std::optional<NumberRange>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return add(operands[0], operands[1]); })
      .Case(
          [&](arith::SubIOp) { return add(operands[0], negate(operands[1])); })
      .Case([&](arith::MulIOp) { return multiply(operands[0], operands[1]); })
      .Case(
          [&](arith::DivSIOp) { return getQuotient(operands[0], operands[1]); })
      .Case([&](arith::ShRSIOp shift) {
        return getShifted(operands[0], operands[1], shift.getType());
      })
      .Case([&](arith::ShRUIOp shift) {
        return getShifted(readUnsigned(operands[0], shift.getType()),
                          operands[1], shift.getType());
      })
      .Case([&](arith::MaxSIOp) {
        return getExtremum(operands, /*isMax=*/true, /*ignoresNan=*/false);
      })
      .Case([&](arith::MinSIOp) {
        return getExtremum(operands, /*isMax=*/false, /*ignoresNan=*/false);
      })
      .Case<arith::ExtSIOp, arith::TruncIOp, arith::SIToFPOp,
            arith::IndexCastOp>([&](Operation *) { return operands[0]; })
      .Case<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(
          [&](Operation *conversion) {
            return readUnsigned(operands[0],
                                conversion->getOperand(0).getType());
          })
      .Case([&](arith::FPToSIOp) { return getTruncated(operands[0]); })
      .Case([&](arith::FPToUIOp) { return getTruncatedUnsigned(operands[0]); })
      .Case([&](arith::ShLIOp shift) {
        return getScaled(operands[0], operands[1], shift.getType());
      })
      .Case([&](arith::AndIOp) {
        return getCommonBits(operands[0], operands[1]);
      })
      .Case([&](arith::MaxUIOp max) {
        return getUnsignedExtremum(operands, /*isMax=*/true, max.getType());
      })
      .Case([&](arith::MinUIOp min) {
        return getUnsignedExtremum(operands, /*isMax=*/false, min.getType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<NumberRange>
mlir::convoy::getExactRange(Operation *op, ArrayRef<NumberRange> operands) {
  if (isa<arith::SelectOp>(op))
    return join(operands[1], operands[2]);
  std::optional<NumberRange> range = getFloatRange(op, operands);
  return range ? range : getIntegerRange(op, operands);
}
