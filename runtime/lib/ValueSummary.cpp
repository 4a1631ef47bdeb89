//===- ValueSummary.cpp - What the elements of an array are like ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ValueSummary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace convoy {

/// The part of the histogram that `value` falls into. Differences of the
/// largest numbers overflow, those of their halves do not.
static size_t findPart(const ValueSummary &summary, double value) {
  double width = summary.maximum / 2 - summary.minimum / 2;
  if (!(width > 0))
    return 0;
  double place = (value / 2 - summary.minimum / 2) / width;
  size_t parts = summary.histogram.size();
  return std::min(parts - 1, static_cast<size_t>(place * double(parts)));
}

ValueSummary summarize(const HostArray &array) {
  ValueSummary summary;
  summary.elements = array.elementCount();
  summary.minimum = summary.maximum = summary.mean =
      std::numeric_limits<double>::quiet_NaN();
  for (int64_t i = 0; i < summary.elements; ++i) {
    double value = array.at(i);
    summary.nans += std::isnan(value);
    summary.infinities += std::isinf(value);
    if (!std::isfinite(value))
      continue;
    // A number is taken where the other is NaN.
    summary.minimum = std::fmin(summary.minimum, value);
    summary.maximum = std::fmax(summary.maximum, value);
  }
  double finite = double(summary.finiteElements());
  if (finite > 0)
    summary.mean = 0;
  for (int64_t i = 0; i < summary.elements; ++i) {
    double value = array.at(i);
    if (!std::isfinite(value))
      continue;
    summary.mean += value / finite;
    ++summary.histogram[findPart(summary, value)];
  }
  return summary;
}

std::string toString(const ValueSummary &summary) {
  char text[200];
  std::snprintf(text, sizeof(text),
                "min %.6g, max %.6g, mean %.6g, %lld nan, %lld inf, histogram",
                summary.minimum, summary.maximum, summary.mean,
                static_cast<long long>(summary.nans),
                static_cast<long long>(summary.infinities));
  std::string line = text;
  for (int64_t count : summary.histogram)
    line += " " + std::to_string(count);
  return line;
}

} // namespace convoy
