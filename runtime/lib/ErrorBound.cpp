//===- ErrorBound.cpp - How far a right result may be off -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ErrorBound.h"

#include <algorithm>
#include <cmath>

namespace convoy {

// u of double, in which reference and bounds are computed.
static constexpr double DoubleUnit = 0x1p-53;

// A bound takes fewer than 32 operations on numbers that are not negative, each
// of which loses at most one part in 2^53.
static constexpr double RoundedUp = 1 + 32 * DoubleUnit;

ErrorBound::ErrorBound(Direction direction, const ConvNumerics &numerics,
                       TargetArithmetic target)
    : target(target), accumulatorType(numerics.accumulator),
      accumulator(floatFormat(numerics.accumulator)) {
  DirectionRoles roles = directionRoles(direction);
  ScalarType first = numerics.type(roles.first);
  ScalarType second = numerics.type(roles.second);
  ScalarType resultType = numerics.type(roles.result);
  result = floatFormat(resultType);
  roundsResult = resultType != accumulatorType;
  referenceIsPair = first == ScalarType::F64 || second == ScalarType::F64;
  operandNormal = std::max(floatFormat(first).smallestNormal(),
                           floatFormat(second).smallestNormal());
  // Rounding in any direction is off by less than twice as much.
  double roundings = target.roundsToNearest ? 1 : 2;
  unit = roundings * accumulator.unitRoundoff();
  underflowUnit = roundings * accumulator.smallestSubnormal();
  unitOut = roundings * result.unitRoundoff();
}

std::optional<std::string> ErrorBound::refuse(int64_t length) const {
  double longest = std::ldexp(1 / unit, -3);
  if (static_cast<double>(length) < longest)
    return std::nullopt;
  return "sums of " + std::to_string(length) + " terms in " +
         std::string(scalarTypeName(accumulatorType)) +
         " have no useful error bound, expected fewer than " +
         std::to_string(static_cast<int64_t>(longest)) +
         ": sum in blocks and finish in a wider type";
}

double ErrorBound::gamma(int64_t length) const {
  double relative = static_cast<double>(length) * unit;
  return relative / (1 - relative);
}

/// An upper bound of the true S: the computed one lost at most one part in
/// 2^53 with every product and every addition.
double ErrorBound::magnitudeAbove(const SumFacts &sum) const {
  return sum.magnitude * (1 + 4 * DoubleUnit * static_cast<double>(sum.length));
}

/// How far the reference may be from y: L additions of exact products in
/// double; or for the sum of two doubles gamma^2*S, and half of the smallest
/// subnormal for every product whose error is not representable.
double ErrorBound::referenceError(const SumFacts &sum) const {
  double length = static_cast<double>(sum.length);
  double relative = 2 * DoubleUnit * length;
  if (!referenceIsPair)
    return relative * magnitudeAbove(sum);
  return relative * relative * magnitudeAbove(sum) +
         length * floatFormat(ScalarType::F64).smallestSubnormal();
}

double ErrorBound::sumError(const SumFacts &sum, double relative) const {
  double length = static_cast<double>(sum.length);
  double underflow = length * underflowUnit;
  if (target.flushesSubnormals) {
    underflow =
        4 * length * accumulator.smallestNormal() +
        2 * operandNormal * sum.operandSum * (1 + 4 * DoubleUnit * length);
    if (sum.hasInit)
      underflow += 2 * result.smallestNormal();
  }
  return (relative * magnitudeAbove(sum) + underflow + referenceError(sum)) *
         RoundedUp;
}

double ErrorBound::sumError(const SumFacts &sum) const {
  return sumError(sum, gamma(sum.length));
}

double ErrorBound::storedError(const SumFacts &sum, double error) const {
  if (!roundsResult)
    return error;
  double underflow = target.flushesSubnormals ? result.smallestNormal()
                                              : result.smallestSubnormal();
  return (error + unitOut * (std::abs(sum.value) + error) + underflow) *
         RoundedUp;
}

double ErrorBound::resultError(const SumFacts &sum) const {
  return storedError(sum, sumError(sum));
}

double ErrorBound::deviations(double terms) const {
  // Each term passes with a chance of 2*exp(-(kappa*(1-u))^2 / 2).
  static constexpr double Chance = 0x1p-30;
  return std::sqrt(2 * std::log(2 * std::max(terms, 1.0) / Chance)) /
         (1 - unit);
}

double ErrorBound::probableError(const SumFacts &sum, double kappa) const {
  double relative = gamma(sum.length);
  if (target.roundsToNearest) {
    double length = static_cast<double>(sum.length);
    relative =
        std::min(relative, std::expm1(kappa * std::sqrt(length) * unit +
                                      length * unit * unit / (1 - unit)));
  }
  return storedError(sum, sumError(sum, relative));
}

bool ErrorBound::sumMayOverflow(const SumFacts &sum) const {
  return magnitudeAbove(sum) * (1 + gamma(sum.length)) * RoundedUp >
         accumulator.largest();
}

bool ErrorBound::resultMayOverflow(const SumFacts &sum, double sign) const {
  return sumMayOverflow(sum) ||
         (sign * sum.value + sumError(sum)) * RoundedUp > result.largest();
}

} // namespace convoy
