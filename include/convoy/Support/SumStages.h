//===- SumStages.h - Errors of sums that form in stages ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_SUMSTAGES_H
#define CONVOY_SUPPORT_SUMSTAGES_H

#include <cmath>

namespace convoy {

/// gamma: how much `count` roundings, each by a part `unit` at most, change a
/// number by, as a part of it (Higham, lemma 3.1); infinity for so many that
/// there is none.
inline double getGamma(double count, double unit) {
  double relative = count * unit;
  return relative < 1 ? relative / (1 - relative) : HUGE_VAL;
}

/// One thing of each of the stages in which Winograd's algorithm rounds: the
/// transforms of taps and of inputs, the sums of their products, and the
/// transform of these sums to results.
template <typename T>
struct PerStage {
  T taps{}, inputs{}, products{}, results{};
};

/// How far off a sum is where the roundings of each stage change what passes
/// them, of such `magnitudes`, by so large a part, and the terms that pass all
/// stages have a `magnitude`. docs/Numerics.md derives it.
inline double getStagedError(const PerStage<double> &magnitudes,
                             const PerStage<double> &changes,
                             double magnitude) {
  // What transforms of inputs and taps make of their products, what the sums of
  // these add, and what the last transform does.
  double ofProducts = changes.taps * magnitudes.taps +
                      changes.inputs * magnitudes.inputs +
                      changes.taps * changes.inputs * magnitude;
  double ofSums = changes.products * magnitudes.products +
                  (1 + changes.products) * ofProducts;
  return changes.results * magnitudes.results + (1 + changes.results) * ofSums;
}

} // namespace convoy

#endif // CONVOY_SUPPORT_SUMSTAGES_H
