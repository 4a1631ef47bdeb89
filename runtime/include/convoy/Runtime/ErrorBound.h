//===- ErrorBound.h - How far a right result may be off ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bound on the rounding error of a sum of products, for any order of
// summation, fused or not, split or not: N. J. Higham, Accuracy and Stability
// of Numerical Algorithms, 2nd edition, chapter 3; and the one that holds for
// random rounding errors: N. J. Higham and T. Mary, A new approach to
// probabilistic rounding error analysis, 2019. docs/Numerics.md derives both.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_ERRORBOUND_H
#define CONVOY_RUNTIME_ERRORBOUND_H

#include "convoy/Runtime/Numerics.h"
#include "convoy/Support/SumStages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

/// How many roundings to `type` a term of a sum passes at most, whatever the
/// length of the sum.
struct SumLevel {
  ScalarType type;
  int64_t depth;
};

/// What a target promises about its floating-point arithmetic.
struct TargetArithmetic {
  bool roundsToNearest = true;
  bool flushesSubnormals = false; ///< of operands, of results, or of both
};

/// What of a sum passes the roundings of one stage.
struct SumStage {
  int64_t roundings = 0; ///< at most
  double magnitude = 0;  ///< of all that passes them, as parts of the sum
};

/// The same of a sum whose magnitudes were computed in double.
double getStagedError(const PerStage<SumStage> &stages,
                      const PerStage<double> &changes, double magnitude);

/// The facts about one sum that its bound depends on, as the reference computed
/// them.
struct SumFacts {
  double value = 0;      ///< y
  double magnitude = 0;  ///< S = |init| + sum of |x||w|
  double operandSum = 0; ///< sum of |x| + |w|; looked at where flushed
  int64_t length = 0;    ///< L, the init counted as one term
  bool hasInit = false;
  /// Roundings that a term passes at most, where that is not L.
  int64_t roundings = 0;
  /// How many times eta underflow may cost, where that is not L.
  double underflows = 0;
  /// The largest magnitude on the way, where that may be more than S.
  double peak = 0;
  /// What is known of stages, which makes the bound smaller.
  std::optional<PerStage<SumStage>> stages = {};

  int64_t mostRoundings() const { return roundings > 0 ? roundings : length; }
};

/// The error bound of one floating-point convolution on one target. Every
/// number that it returns is rounded upwards, and includes the error that the
/// reference itself may have made.
class ErrorBound {
public:
  /// Where `levels` are known of how a kernel sums, they make the bound
  /// smaller, never larger: what `numerics` asks for holds in any case.
  ErrorBound(Direction direction, const ConvNumerics &numerics,
             TargetArithmetic target, std::vector<SumLevel> levels = {});

  /// Why sums of `length` terms have no useful bound, as one sentence, or
  /// nothing: L*u must be below 1/8, or the sum of depth*u over all levels.
  std::optional<std::string> refuse(int64_t length) const;

  /// E: largest error of the sum in the accumulator.
  ///   E = gamma*S + L*eta,  gamma = L*u / (1 - L*u)
  /// with, if less, the product of 1 + gamma over all levels, less 1, in the
  /// place of gamma, and their depths (at most L in the accumulator's type) in
  /// the place of L;
  /// u and eta doubled where the target does not promise to round to nearest;
  /// where subnormal numbers are flushed, instead of L*eta:
  ///   4*L*lambda + 2*lambdaIn * sum of (|x| + |w|) + 2*lambdaOut with an init;
  /// of a sum in stages getStagedError in the place of gamma*S, if less
  double sumError(const SumFacts &sum) const;

  /// Largest error of the stored result: E where the result has the
  /// accumulator's type, else E + uOut*(|y| + E) + etaOut (lambdaOut where
  /// flushed).
  double resultError(const SumFacts &sum) const;

  /// kappa: how many times sqrt(n)*u a product of n roundings is away from 1 at
  /// most, but for a chance of 2^-30 that one of `terms` terms passes it.
  double deviations(double terms) const;

  /// What rounding does to a result but for the chance that is in `kappa`, as
  /// long as rounding errors are independent and of mean zero: resultError with
  /// exp(kappa*sqrt(L)*u + L*u^2/(1-u)) - 1 in the place of gamma, where that
  /// is less. Targets that do not promise to round to nearest keep gamma.
  double probableError(const SumFacts &sum, double kappa) const;

  /// Whether the accumulator may overflow on the way: S*(1 + gamma) is more
  /// than its largest number.
  bool sumMayOverflow(const SumFacts &sum) const;

  /// Whether the sum may lie beyond the largest number of the result's type, on
  /// the side of `sign` (1 or -1).
  bool resultMayOverflow(const SumFacts &sum, double sign) const;

  const TargetArithmetic &targetArithmetic() const { return target; }
  const FloatFormat &resultFormat() const { return result; }

private:
  /// A type that terms are rounded to, and how often they are.
  struct Rounding {
    double unit, count;
  };
  /// The roundings of a sum of `length` terms, in any order and as the levels
  /// have it.
  Rounding anyOrder(int64_t length) const;
  std::vector<Rounding> measured(int64_t length) const;
  /// The least bound on how far roundings change a term, relative to it.
  double relativeError(int64_t length) const;
  /// How far roundings change a term but for a chance, see probableError.
  double probableChange(int64_t length, double kappa) const;
  /// How far roundings change a sum, where `change` is how far so many change a
  /// term, and `changeOfStage` the same of transforms.
  template <typename Change, typename StageChange>
  double roundingError(const SumFacts &sum, Change change,
                       StageChange changeOfStage) const;
  /// E where roundings change the sum by `rounded`.
  double sumErrorWith(const SumFacts &sum, double rounded) const;
  /// The error of the result where the sum's is `error`.
  double storedError(const SumFacts &sum, double error) const;
  double magnitudeAbove(const SumFacts &sum) const;
  double referenceError(const SumFacts &sum) const;

  TargetArithmetic target;
  std::vector<SumLevel> levels;
  ScalarType accumulatorType, resultType;
  FloatFormat accumulator, result;
  bool roundsResult;    ///< the result is not of the accumulator's type
  bool referenceIsPair; ///< the reference's y is a sum of two doubles
  double operandNormal; ///< the operands' larger smallest normal number
  double unit, unitOut; ///< u and uOut, doubled as need be
  double underflowUnit; ///< eta, doubled as need be
};

} // namespace convoy

#endif // CONVOY_RUNTIME_ERRORBOUND_H
