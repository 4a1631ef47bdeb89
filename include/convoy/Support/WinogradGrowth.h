//===- WinogradGrowth.h - What tiles do to rounding errors ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_WINOGRADGROWTH_H
#define CONVOY_SUPPORT_WINOGRADGROWTH_H

#include "convoy/Support/CookToom.h"

namespace convoy {

/// How many roundings a number passes in each of the transforms.
struct TransformRoundings {
  int64_t inputs = 0, taps = 0, sums = 0;

  int64_t total() const { return inputs + taps + sums; }
  TransformRoundings &operator+=(const TransformRoundings &other) {
    inputs += other.inputs;
    taps += other.taps;
    sums += other.sums;
    return *this;
  }
};

/// Of one dimension.
TransformRoundings countTransformRoundings(const CookToom &algorithm);

/// What Winograd's algorithm makes of inputs and taps of one channel that are 1
/// in magnitude, at most, in tiles of one or more dimensions. docs/Numerics.md
/// has the formulas.
struct WinogradGrowth {
  int64_t dims = 0;
  TransformRoundings roundings;
  double inputs = 1;        ///< |B| |x|
  double taps = 1;          ///< |G| |w|
  double products = 1;      ///< their products
  double sums = 1;          ///< |A| of these: S_W
  double sumsOfInputs = 1;  ///< |A| |B| |x|
  double sumsOfTaps = 1;    ///< |A| |G| |w|
  double sumsOfNothing = 1; ///< |A| of ones
  /// What |A| makes of numbers that were transformed, in which most of S_W
  /// cancels: S_p, of inputs and taps; S_b, of taps alone; S_g, of inputs
  /// alone.
  double sumsOfBoth = 1, sumsOfTransformedTaps = 1, sumsOfTransformedInputs = 1;
  /// How many times the smallest subnormal number may be lost in a transform.
  double lostOfInputs = 0, lostOfTaps = 0, lostOfSums = 0;

  /// Adds a dimension.
  void add(const CookToom &algorithm);
};

/// Of tiles of `outputs` results along each of `dims` dimensions; nothing where
/// there is no such algorithm.
std::optional<WinogradGrowth> getWinogradGrowth(int64_t outputs, int64_t taps,
                                                int64_t dims);

} // namespace convoy

#endif // CONVOY_SUPPORT_WINOGRADGROWTH_H
