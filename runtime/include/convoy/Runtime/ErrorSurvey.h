//===- ErrorSurvey.h - Where a result's errors are --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the error/bound of a result's elements is distributed, and where in the
// result it is large: what pictures are drawn from. Sizes do not grow with the
// result's.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_ERRORSURVEY_H
#define CONVOY_RUNTIME_ERRORSURVEY_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// One dimension of a result.
struct ErrorAxis {
  std::string name; ///< "h"; "2" where a result has no layout
  int64_t size = 0;

  /// Neighbours share a bin where there are more of them than bins.
  int64_t bins() const { return size < kMostBins ? size : kMostBins; }
  int64_t binOf(int64_t position) const { return position * bins() / size; }

  static constexpr int64_t kMostBins = 128;
};

/// The elements of results, counted by the logarithm of their error/bound.
class ErrorHistogram {
public:
  /// Bin 0 begins here, and holds what is smaller, too; the last one also
  /// holds what is larger.
  static constexpr int kFirstDecade = -16, kLastDecade = 8;
  static constexpr int kBinsPerDecade = 4;
  static constexpr int kBins = (kLastDecade - kFirstDecade) * kBinsPerDecade;

  /// Counts `count` elements of one error/bound.
  void add(double ratio, int64_t count = 1);
  void merge(const ErrorHistogram &other);

  int64_t zeros() const { return zeroCount; }
  int64_t infinities() const { return infiniteCount; }
  const std::array<int64_t, kBins> &bins() const { return counts; }
  /// Where bin number `bin` begins.
  static double lowerEdge(int bin);

private:
  int64_t zeroCount = 0, infiniteCount = 0;
  std::array<int64_t, kBins> counts = {};
};

/// The largest error/bound of a result over the positions along two axes,
/// whatever the positions along the others.
struct ErrorView {
  /// What stands for a bin without an element that was compared.
  static constexpr float kNothing = -1;

  size_t rowAxis = 0, columnAxis = 0;
  std::vector<float> ratios; ///< row by row
};

/// Where in one result error/bound is large: a view for each pair of axes that
/// have several positions. Where fewer than two have, axes of size 1 without a
/// name, behind those of the result, take their place.
class ErrorMap {
public:
  /// A map of nothing.
  ErrorMap() = default;
  explicit ErrorMap(std::vector<ErrorAxis> axes);

  /// `index` has a position for each axis.
  void add(std::span<const int64_t> index, double ratio);

  const std::vector<ErrorAxis> &axes() const { return dimensions; }
  const std::vector<ErrorView> &views() const { return pairs; }

private:
  std::vector<ErrorAxis> dimensions;
  std::vector<ErrorView> pairs;
};

/// What is collected where a picture is asked for.
struct ErrorSurvey {
  ErrorHistogram histogram;
  ErrorMap map;

  void add(std::span<const int64_t> index, double ratio) {
    histogram.add(ratio);
    map.add(index, ratio);
  }
};

} // namespace convoy

#endif // CONVOY_RUNTIME_ERRORSURVEY_H
