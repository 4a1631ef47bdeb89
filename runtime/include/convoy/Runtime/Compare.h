//===- Compare.h - Is this the convolution's result? ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what a target computed with the reference, element by element,
// against the derived bound. There is no tolerance to choose.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_COMPARE_H
#define CONVOY_RUNTIME_COMPARE_H

#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/Reference.h"

#include <cstdint>
#include <string>

namespace convoy {

struct CompareOptions {
  TargetArithmetic target;
  /// Floating-point results must be equal, up to the sign of zero: for data
  /// whose sums are exact (DataGenerator::isExact).
  bool exact = false;
};

/// What the comparison found.
struct CompareReport {
  /// Why there is nothing to compare with, as one sentence; else empty.
  std::string refusal;
  int64_t elements = 0;
  /// Elements whose error is more than their bound or whose class is wrong,
  /// the unwritten ones included.
  int64_t wrong = 0;
  /// Elements that still hold poison.
  int64_t unwritten = 0;
  /// NaNs and infinities in the result, the unwritten elements left out.
  int64_t nans = 0, infinities = 0;
  /// Accepted elements whose sum overflows, or in integers wraps around,
  /// legitimately.
  int64_t overflows = 0;

  /// Largest error/bound; infinite for a wrong class and for an error where
  /// the bound is 0.
  double worstRatio = 0;
  /// Largest error, absolute and in units of the last place of the expected
  /// value, over the elements that are finite as they should be.
  double maxError = 0, maxUlp = 0;
  /// The element of `worstRatio`, in letters (toString(LogicalIndex)), and what
  /// it is, should be, and may be off. Empty where there are no elements.
  std::string worstIndex;
  double worstActual = 0, worstExpected = 0, worstBound = 0;

  bool passed() const { return refusal.empty() && wrong == 0; }
};

/// Compares the result at `actual`, addressed by `index`, with `reference`,
/// which was computed for `direction` and `numerics`, with operand sums where
/// the target flushes subnormal numbers.
///
/// Floating-point results are refused where the bound of the longest sum is
/// useless, and in exact mode where the sums are too large to be exact.
/// Integers must be equal modulo 2^32.
CompareReport
compareWithReference(const ReferenceResult &reference, Direction direction,
                     const ConvNumerics &numerics, const OperandIndex &index,
                     const void *actual, const CompareOptions &options = {});

/// The report in one line, for example
/// "error/bound 0.031, max error 3.1e-06, max ulp 2.5, worst at f=3 h=1 w=2".
std::string toString(const CompareReport &report);

} // namespace convoy

#endif // CONVOY_RUNTIME_COMPARE_H
