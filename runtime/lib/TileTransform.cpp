//===- TileTransform.cpp - A transform of Winograd's tiles ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTransform.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace convoy {

void TileTransform::add(const FractionMatrix &matrix, int64_t roundings) {
  Dim &dim = dims.emplace_back(Dim{{}, {}, roundings});
  for (const std::vector<Fraction> &row : matrix) {
    dim.matrix.emplace_back();
    dim.magnitudes.emplace_back();
    for (const Fraction &number : row) {
      dim.matrix.back().push_back(number.toDouble());
      dim.magnitudes.back().push_back(number.abs().toDouble());
    }
  }
}

int64_t TileTransform::roundings() const {
  return std::accumulate(
      dims.begin(), dims.end(), int64_t(0),
      [](int64_t sum, const Dim &dim) { return sum + dim.roundings; });
}

std::vector<double>
TileTransform::multiply(const Matrix &matrix, size_t dim,
                        const std::vector<double> &values) const {
  size_t from = matrix.front().size(), to = matrix.size(), outer = 1;
  for (size_t before = 0; before < dim; ++before)
    outer *= dims[before].matrix.size();
  size_t inner = values.size() / (outer * from);
  std::vector<double> result(outer * to * inner);
  for (size_t o = 0; o < outer; ++o)
    for (size_t row = 0; row < to; ++row)
      for (size_t column = 0; column < from; ++column)
        for (size_t i = 0; i < inner; ++i)
          result[(o * to + row) * inner + i] +=
              matrix[row][column] * values[(o * from + column) * inner + i];
  return result;
}

std::vector<double> TileTransform::apply(std::vector<double> values) const {
  for (size_t dim = 0; dim < dims.size(); ++dim)
    values = multiply(dims[dim].matrix, dim, values);
  return values;
}

std::vector<double>
TileTransform::applyMagnitudes(std::vector<double> values) const {
  for (size_t dim = 0; dim < dims.size(); ++dim)
    values = multiply(dims[dim].magnitudes, dim, values);
  return values;
}

std::vector<double>
TileTransform::applyToRoundings(std::vector<double> values) const {
  std::vector<double> passing(values.size(), 0);
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    auto roundings = static_cast<double>(dims[dim].roundings);
    for (size_t place = 0; place < values.size(); ++place)
      passing[place] += roundings * std::abs(values[place]);
    passing = multiply(dims[dim].magnitudes, dim, passing);
    values = multiply(dims[dim].matrix, dim, values);
  }
  for (double &number : passing)
    number /= static_cast<double>(roundings());
  return passing;
}

double TileTransform::underflows() const {
  // A row has at most as many products as the matrix has columns, and half of
  // the smallest number is lost with each; what follows is rounded, too, which
  // doubles it at most.
  double lost = 0;
  for (const Dim &dim : dims) {
    double largest = 0;
    for (const std::vector<double> &row : dim.magnitudes)
      largest = std::max(largest, std::accumulate(row.begin(), row.end(), 0.0));
    lost = lost * largest + static_cast<double>(dim.magnitudes.front().size());
  }
  return lost;
}

} // namespace convoy
