//===- WinogradGrowth.cpp - What tiles do to rounding errors --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/WinogradGrowth.h"

#include <algorithm>

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

void WinogradGrowth::add(const CookToom &algorithm) {
  ++dims;
  roundings += countTransformRoundings(algorithm).total();
  auto products = static_cast<size_t>(algorithm.products());
  Numbers ones(products, 1);
  Numbers input = apply(algorithm.input, ones);
  Numbers filter = apply(algorithm.filter,
                         Numbers(static_cast<size_t>(algorithm.taps()), 1));
  Numbers product;
  for (size_t place = 0; place < products; ++place)
    product.push_back(input[place] * filter[place]);
  double all = largest(apply(algorithm.output, ones));
  // A row has at most as many products as the matrix has columns, and half of
  // one is lost with each; what follows is rounded, too, which doubles it.
  lostOfInputs = lostOfInputs * largest(input) + double(products);
  lostOfTaps = lostOfTaps * largest(filter) + double(algorithm.taps());
  lostOfSums = lostOfSums * all + double(products);
  inputs *= largest(input);
  taps *= largest(filter);
  this->products *= largest(product);
  sums *= largest(apply(algorithm.output, product));
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
