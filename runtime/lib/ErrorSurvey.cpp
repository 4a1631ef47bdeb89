//===- ErrorSurvey.cpp - Where a result's errors are ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ErrorSurvey.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace convoy {

//===----------------------------------------------------------------------===//
// ErrorHistogram
//===----------------------------------------------------------------------===//

void ErrorHistogram::add(double ratio, int64_t count) {
  if (ratio == 0) {
    zeroCount += count;
    return;
  }
  if (!std::isfinite(ratio)) {
    infiniteCount += count;
    return;
  }
  double bin = std::floor((std::log10(ratio) - kFirstDecade) * kBinsPerDecade);
  counts[static_cast<size_t>(std::clamp(bin, 0.0, kBins - 1.0))] += count;
}

void ErrorHistogram::merge(const ErrorHistogram &other) {
  zeroCount += other.zeroCount;
  infiniteCount += other.infiniteCount;
  for (size_t bin = 0; bin < counts.size(); ++bin)
    counts[bin] += other.counts[bin];
}

double ErrorHistogram::lowerEdge(int bin) {
  return std::pow(10.0, kFirstDecade + double(bin) / kBinsPerDecade);
}

//===----------------------------------------------------------------------===//
// ErrorMap
//===----------------------------------------------------------------------===//

ErrorMap::ErrorMap(std::vector<ErrorAxis> axes) : dimensions(std::move(axes)) {
  std::vector<size_t> longAxes;
  for (size_t axis = 0; axis < dimensions.size(); ++axis) {
    if (dimensions[axis].size == 0)
      return;
    if (dimensions[axis].size > 1)
      longAxes.push_back(axis);
  }
  // A picture of one column or of one element.
  while (longAxes.size() < 2) {
    longAxes.push_back(dimensions.size());
    dimensions.push_back({"", 1});
  }
  for (size_t row = 0; row < longAxes.size(); ++row)
    for (size_t column = row + 1; column < longAxes.size(); ++column) {
      ErrorView &view = pairs.emplace_back();
      view.rowAxis = longAxes[row];
      view.columnAxis = longAxes[column];
      view.ratios.assign(
          static_cast<size_t>(dimensions[view.rowAxis].bins() *
                              dimensions[view.columnAxis].bins()),
          ErrorView::kNothing);
    }
}

void ErrorMap::add(std::span<const int64_t> index, double ratio) {
  auto binOf = [&](size_t axis) {
    return axis < index.size() ? dimensions[axis].binOf(index[axis]) : 0;
  };
  for (ErrorView &view : pairs) {
    int64_t columns = dimensions[view.columnAxis].bins();
    auto place = static_cast<size_t>(binOf(view.rowAxis) * columns +
                                     binOf(view.columnAxis));
    assert(place < view.ratios.size() && "a position beyond the result");
    view.ratios[place] =
        std::max(view.ratios[place], static_cast<float>(ratio));
  }
}

} // namespace convoy
