//===- IdentityDraws.h - Integers whose sums are exact ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_IDENTITYDRAWS_H
#define CONVOY_LIB_DRIVER_IDENTITYDRAWS_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/IdentityPlan.h"

namespace mlir::convoy {

/// What one test may cost, and the probability that is small enough.
inline constexpr unsigned MostRuns = 1024;
inline constexpr double EnoughExponent = -64;

/// `origin` and `unit` times the whole numbers from `low` to `high`.
struct Interval {
  int64_t low, high;
  double origin = 0, unit = 1;
};

/// What is drawn of elements of argument `number` of `conv`, no operand of an
/// epilogue.
Interval getInterval(const CheckedConv &conv, unsigned number,
                     const IdentityTest::Data &data);

/// The products of a sum, one at least.
double countProducts(const CheckedConv &conv);

/// The greatest magnitudes to draw whose sums are exact.
int64_t getMostExact(const CheckedConv &conv);

/// Whether sums of floats are exact, but for a probability that is small
/// enough, where magnitudes up to `limit` are drawn.
bool areExact(const CheckedConv &conv, double limit);

/// The type of what `conv` leaves in memory.
::convoy::ScalarType getResultType(const CheckedConv &conv);

/// Below this, `type` holds all whole numbers.
double getLargest(::convoy::ScalarType type);

/// The greatest probability that one run takes a wrong element for right where
/// magnitudes of floats up to `limit` are drawn, and results are not compared
/// that their type may have rounded; 1 where sums may not be exact.
double boundMissed(const CheckedConv &conv, double limit);

/// Chooses the magnitudes of floats of which a run misses least.
IdentityTest::Data chooseFloats(const CheckedConv &conv);

/// Chooses how far bytes are from their zero points, so that sums modulo 2^32
/// differ where sums do, even if a wrong kernel adds each term twice.
IdentityTest::Data chooseBytes(const CheckedConv &conv);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_IDENTITYDRAWS_H
