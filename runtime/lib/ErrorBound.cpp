//===- ErrorBound.cpp - How far a right result may be off -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ErrorBound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace convoy {

// u of double, in which reference and bounds are computed.
static constexpr double DoubleUnit = 0x1p-53;

// A bound takes fewer than 64 operations on numbers that are not negative, each
// of which loses at most one part in 2^53.
static constexpr double RoundedUp = 1 + 64 * DoubleUnit;

ErrorBound::ErrorBound(Direction direction, const ConvNumerics &numerics,
                       TargetArithmetic target, std::vector<SumLevel> levels)
    : target(target), levels(std::move(levels)),
      accumulatorType(numerics.accumulator),
      accumulator(floatFormat(numerics.accumulator)) {
  DirectionRoles roles = directionRoles(direction);
  ScalarType first = numerics.type(roles.first);
  ScalarType second = numerics.type(roles.second);
  resultType = numerics.type(roles.result);
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

ErrorBound::Rounding ErrorBound::anyOrder(int64_t length) const {
  return {unit, static_cast<double>(length)};
}

std::vector<ErrorBound::Rounding> ErrorBound::measured(int64_t length) const {
  std::vector<Rounding> roundings;
  for (const SumLevel &level : levels) {
    int64_t depth = level.depth;
    if (level.type == accumulatorType)
      depth = std::min(depth, length);
    // The last rounding of a result is its own, see storedError.
    else if (level.type == resultType)
      --depth;
    roundings.push_back({(target.roundsToNearest ? 1 : 2) *
                             floatFormat(level.type).unitRoundoff(),
                         static_cast<double>(std::max<int64_t>(depth, 0))});
  }
  return roundings;
}

/// The sum of n*u over `roundings`, by which a bound is useful.
template <typename Roundings>
static double sumOfUnits(const Roundings &roundings) {
  double sum = 0;
  for (const auto &[unit, count] : roundings)
    sum += unit * count;
  return sum;
}

/// Whether a sum of n*u leaves a bound that says something.
static bool isUseful(double units) { return units < 0.125; }

std::optional<std::string> ErrorBound::refuse(int64_t length) const {
  if (isUseful(unit * static_cast<double>(length)) ||
      (!levels.empty() && isUseful(sumOfUnits(measured(length)))))
    return std::nullopt;
  return "sums of " + std::to_string(length) + " terms in " +
         std::string(scalarTypeName(accumulatorType)) +
         " have no useful error bound, expected fewer than " +
         std::to_string(static_cast<int64_t>(std::ldexp(1 / unit, -3))) +
         ": sum in blocks and finish in a wider type";
}

double ErrorBound::relativeError(int64_t length) const {
  double worst = getGamma(static_cast<double>(length), unit);
  if (levels.empty())
    return worst;
  double product = 0; // Of 1 + gamma, less 1.
  for (const auto &[unit, count] : measured(length)) {
    double level = getGamma(count, unit);
    product += level + product * level;
  }
  return std::min(worst, product);
}

/// An upper bound of the true S: the computed one lost at most one part in
/// 2^53 with every product and every addition.
double ErrorBound::magnitudeAbove(const SumFacts &sum) const {
  return sum.magnitude *
         (1 + 4 * DoubleUnit *
                  static_cast<double>(std::max(sum.length, sum.roundings)));
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

double getStagedError(const PerStage<SumStage> &stages,
                      const PerStage<double> &changes, double magnitude) {
  // Numbers that cancel were computed in double up to parts of all terms.
  int64_t roundings = stages.taps.roundings + stages.inputs.roundings +
                      stages.products.roundings + stages.results.roundings;
  double lost = 4 * DoubleUnit * static_cast<double>(roundings) * magnitude;
  PerStage<double> magnitudes = {
      stages.taps.magnitude + lost, stages.inputs.magnitude + lost,
      stages.products.magnitude + lost, stages.results.magnitude + lost};
  return getStagedError(magnitudes, changes, magnitude);
}

template <typename Change, typename StageChange>
double ErrorBound::roundingError(const SumFacts &sum, Change change,
                                 StageChange changeOfStage) const {
  double magnitude = magnitudeAbove(sum);
  double whole = change(sum.mostRoundings()) * magnitude;
  if (!sum.stages)
    return whole;
  const PerStage<SumStage> &stages = *sum.stages;
  // What levels say of the whole way holds for sums of products as well.
  PerStage<double> changes = {changeOfStage(stages.taps.roundings),
                              changeOfStage(stages.inputs.roundings),
                              change(stages.products.roundings),
                              changeOfStage(stages.results.roundings)};
  return std::min(whole, getStagedError(stages, changes, magnitude));
}

double ErrorBound::sumErrorWith(const SumFacts &sum, double rounded) const {
  double length = static_cast<double>(sum.length);
  double underflow =
      (sum.underflows > 0 ? sum.underflows : length) * underflowUnit;
  if (target.flushesSubnormals) {
    underflow =
        4 * length * accumulator.smallestNormal() +
        2 * operandNormal * sum.operandSum * (1 + 4 * DoubleUnit * length);
    if (sum.hasInit)
      underflow += 2 * result.smallestNormal();
  }
  return (rounded + underflow + referenceError(sum)) * RoundedUp;
}

double ErrorBound::sumError(const SumFacts &sum) const {
  return sumErrorWith(
      sum, roundingError(
               sum, [&](int64_t count) { return relativeError(count); },
               [&](int64_t count) {
                 return getGamma(static_cast<double>(count), unit);
               }));
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

/// How far roundings change a term, relative to it, with deviations of `kappa`.
template <typename Roundings>
static double changeOf(const Roundings &roundings, double kappa) {
  double squares = 0, drift = 0;
  for (const auto &[unit, count] : roundings) {
    squares += count * unit * unit;
    drift += count * unit * unit / (1 - unit);
  }
  return std::expm1(kappa * std::sqrt(squares) + drift);
}

double ErrorBound::probableChange(int64_t length, double kappa) const {
  double relative = relativeError(length);
  if (!target.roundsToNearest)
    return relative;
  relative = std::min(relative, changeOf(std::array{anyOrder(length)}, kappa));
  if (!levels.empty())
    relative = std::min(relative, changeOf(measured(length), kappa));
  return relative;
}

double ErrorBound::probableError(const SumFacts &sum, double kappa) const {
  auto change = [&](int64_t count) { return probableChange(count, kappa); };
  auto changeOfStage = [&](int64_t count) {
    double worst = getGamma(static_cast<double>(count), unit);
    return target.roundsToNearest
               ? std::min(worst, changeOf(std::array{anyOrder(count)}, kappa))
               : worst;
  };
  double rounded = roundingError(sum, change, changeOfStage);
  return storedError(sum, sumErrorWith(sum, rounded));
}

bool ErrorBound::sumMayOverflow(const SumFacts &sum) const {
  return std::max(magnitudeAbove(sum), sum.peak) *
             (1 + relativeError(sum.mostRoundings())) * RoundedUp >
         accumulator.largest();
}

bool ErrorBound::resultMayOverflow(const SumFacts &sum, double sign) const {
  return sumMayOverflow(sum) ||
         (sign * sum.value + sumError(sum)) * RoundedUp > result.largest();
}

} // namespace convoy
