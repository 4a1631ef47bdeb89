//===- ValueSummary.h - What the elements of an array are like --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_VALUESUMMARY_H
#define CONVOY_RUNTIME_VALUESUMMARY_H

#include "convoy/Runtime/HostArray.h"

#include <array>
#include <string>

namespace convoy {

/// What the elements of an array are like. All but the counts of what is not
/// finite is said of the finite elements.
struct ValueSummary {
  int64_t elements = 0, nans = 0, infinities = 0;
  /// NaN where no element is finite.
  double minimum, maximum, mean;
  /// How many elements lie in each of equal parts from the minimum to the
  /// maximum; where these are equal, all lie in the first.
  std::array<int64_t, 10> histogram = {};

  int64_t finiteElements() const { return elements - nans - infinities; }
};

ValueSummary summarize(const HostArray &array);

/// The summary in one line, for example
/// "min -1.5, max 3, mean 0.25, 0 nan, 0 inf, histogram 1 0 4 7 2 0 0 0 1 1".
std::string toString(const ValueSummary &summary);

} // namespace convoy

#endif // CONVOY_RUNTIME_VALUESUMMARY_H
