//===- WinogradGrowth.cpp - What tiles do to rounding errors --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/WinogradGrowth.h"

#include <algorithm>
#include <cmath>

namespace convoy {

using Numbers = std::vector<double>;

TransformRoundings countTransformRoundings(const CookToom &algorithm) {
  // Taps' numbers are themselves rounded where they have to be.
  return {longestRow(algorithm.input),
          longestRow(algorithm.filter) + (isDyadic(algorithm.filter) ? 0 : 1),
          longestRow(algorithm.output)};
}

/// The magnitudes of `matrix` times `numbers`.
static Numbers apply(const FractionMatrix &matrix, const Numbers &numbers) {
  Numbers result;
  for (const std::vector<Fraction> &row : matrix) {
    double sum = 0;
    for (size_t column = 0; column < row.size(); ++column)
      sum += row[column].abs().toDouble() * numbers[column];
    result.push_back(sum);
  }
  return result;
}

static double largest(const Numbers &numbers) {
  return *std::max_element(numbers.begin(), numbers.end());
}

/// The magnitudes of `matrix` times all vectors of numbers that are 1 or -1,
/// but for those that differ in all signs from another one.
static std::vector<Numbers> applyToSigns(const FractionMatrix &matrix) {
  size_t count = matrix.front().size();
  std::vector<Numbers> results;
  for (size_t signs = 0; signs < size_t(1) << (count - 1); ++signs) {
    Numbers &result = results.emplace_back();
    for (const std::vector<Fraction> &row : matrix) {
      double sum = 0;
      for (size_t column = 0; column < count; ++column)
        sum += (signs >> column & 1 ? -1 : 1) * row[column].toDouble();
      result.push_back(std::abs(sum));
    }
  }
  return results;
}

/// The largest number that `output` makes of products of one of `inputs` and
/// one of `taps`.
static double findLargest(const FractionMatrix &output,
                          const std::vector<Numbers> &inputs,
                          const std::vector<Numbers> &taps) {
  double most = 0;
  for (const Numbers &input : inputs)
    for (const Numbers &tap : taps) {
      Numbers product;
      for (size_t place = 0; place < input.size(); ++place)
        product.push_back(input[place] * tap[place]);
      most = std::max(most, largest(apply(output, product)));
    }
  return most;
}

void WinogradGrowth::add(const CookToom &algorithm) {
  ++dims;
  roundings += countTransformRoundings(algorithm);
  auto products = static_cast<size_t>(algorithm.products());
  Numbers ones(products, 1);
  Numbers input = apply(algorithm.input, ones);
  Numbers filter = apply(algorithm.filter,
                         Numbers(static_cast<size_t>(algorithm.taps()), 1));
  Numbers product;
  for (size_t place = 0; place < products; ++place)
    product.push_back(input[place] * filter[place]);
  double all = largest(apply(algorithm.output, ones));
  double whole = largest(apply(algorithm.output, product));
  // A convex function of numbers up to 1 is largest where all are 1 or -1. What
  // cancels is known of one dimension at a time.
  auto addTransformed = [&](double &total, const std::vector<Numbers> &ofInputs,
                            const std::vector<Numbers> &ofTaps) {
    double most = findLargest(algorithm.output, ofInputs, ofTaps);
    total = std::min(total * whole, sums * most);
  };
  std::vector<Numbers> inputSigns = applyToSigns(algorithm.input);
  std::vector<Numbers> tapSigns = applyToSigns(algorithm.filter);
  addTransformed(sumsOfBoth, inputSigns, tapSigns);
  addTransformed(sumsOfTransformedTaps, {input}, tapSigns);
  addTransformed(sumsOfTransformedInputs, inputSigns, {filter});
  // A row has at most as many products as the matrix has columns, and half of
  // one is lost with each; what follows is rounded, too, which doubles it.
  lostOfInputs = lostOfInputs * largest(input) + double(products);
  lostOfTaps = lostOfTaps * largest(filter) + double(algorithm.taps());
  lostOfSums = lostOfSums * all + double(products);
  inputs *= largest(input);
  taps *= largest(filter);
  this->products *= largest(product);
  sums *= whole;
  sumsOfInputs *= largest(apply(algorithm.output, input));
  sumsOfTaps *= largest(apply(algorithm.output, filter));
  sumsOfNothing *= all;
}

std::optional<WinogradGrowth> getWinogradGrowth(int64_t outputs, int64_t taps,
                                                int64_t dims) {
  std::optional<CookToom> algorithm = getCookToom(outputs, taps);
  if (!algorithm)
    return std::nullopt;
  WinogradGrowth growth;
  for (int64_t dim = 0; dim < dims; ++dim)
    growth.add(*algorithm);
  return growth;
}

} // namespace convoy
