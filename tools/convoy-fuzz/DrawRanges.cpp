//===- DrawRanges.cpp - Declared ranges at the edge of f16 ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawCase.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

using namespace convoy;

/// The most products that one sum may have.
static double countTerms(const Problem &problem) {
  const ConvShape &shape = problem.shape;
  bool isFilterSummed = problem.direction == Direction::BackwardFilter;
  double terms =
      double(isFilterSummed                            ? shape.batch
             : problem.direction == Direction::Forward ? shape.inputChannels
                                                       : shape.outputChannels);
  for (const SpatialDim &dim : shape.spatial)
    terms *= double(isFilterSummed ? dim.output : dim.filter);
  return std::max(terms, 1.0);
}

/// From `low` to `high`.
static int drawBetween(RandomNumbers &random, int low, int high) {
  return low + random.below(high - low + 1);
}

/// The range of an argument up to 2^`most`, of both signs or of one.
static CaseRange drawRange(RandomNumbers &random, std::string argument,
                           int most, int least) {
  double largest = std::ldexp(1.0, most);
  int signs = random.below(3);
  return {std::move(argument), signs == 1 ? 0 : -largest,
          signs == 2 ? 0 : largest, std::ldexp(1.0, std::min(least, most))};
}

/// Whether argument `name` says where or whether elements are read.
static bool isOfPlaces(const std::string &name) {
  return name == "grid" || name == "offset" || name == "mask";
}

void convoy::moveRangesToEdge(FuzzCase &fuzzCase, RandomNumbers &random) {
  // Powers of two, which both types have.
  int sum = drawBetween(random, 13, 18), least = drawBetween(random, -18, -9);
  int length = int(std::ceil(std::log2(countTerms(fuzzCase.problem))));
  int product = std::max(sum - length, 0);
  int most = drawBetween(random, 0, product);
  int smallest = drawBetween(random, least, 0);
  const int ends[][2] = {
      {most, smallest}, {product - most, least - smallest}, {sum, least}};
  std::vector<std::string> names = getArguments(fuzzCase);
  for (CaseRange &range : fuzzCase.ranges) {
    // Up to a few elements.
    if (isOfPlaces(range.argument)) {
      range = drawRange(random, range.argument, drawBetween(random, 0, 3),
                        drawBetween(random, -8, 0));
      continue;
    }
    auto place = std::ranges::find(names, range.argument) - names.begin();
    const int (&end)[2] = ends[std::min<std::ptrdiff_t>(place, 2)];
    range = drawRange(random, range.argument, std::clamp(end[0], -8, 15),
                      std::max(end[1], -14));
  }
}

void convoy::drawRanges(FuzzCase &fuzzCase, RandomNumbers &random) {
  const Problem &problem = fuzzCase.problem;
  bool isNarrow =
      problem.type == ElementType::F16 || problem.type == ElementType::BF16;
  // What ranges say of dynamic sizes is nothing.
  if (!isNarrow || !problem.dynamic.empty() || random.below(2) == 0)
    return;
  for (const std::string &name : getArguments(fuzzCase))
    // Where one declares nothing, nothing is known of sums.
    if (random.below(8) != 0)
      fuzzCase.ranges.push_back({name, -1, 1, 1});
  if (random.below(4) != 0)
    fuzzCase.precision = "low";
  fuzzCase.data = random.below(3) != 0 ? DataKind::Edge : DataKind::Normal;
  moveRangesToEdge(fuzzCase, random);
}
