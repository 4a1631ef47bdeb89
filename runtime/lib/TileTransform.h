//===- TileTransform.h - A transform of Winograd's tiles --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one of the three transforms of Winograd's algorithm makes of a tile, and
// what its roundings and underflow can do.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_TILETRANSFORM_H
#define CONVOY_RUNTIME_LIB_TILETRANSFORM_H

#include "convoy/Support/CookToom.h"

#include <cstdint>
#include <vector>

namespace convoy {

/// One of the three matrices for each spatial dimension, applied one after the
/// other to arrays of so many dimensions, row-major, in the order in which
/// kernels apply them (`transformVectors` of `convoy-apply-winograd`).
class TileTransform {
public:
  /// Adds a dimension whose numbers pass so many `roundings`.
  void add(const FractionMatrix &matrix, int64_t roundings);

  /// In all dimensions together.
  int64_t roundings() const;

  std::vector<double> apply(std::vector<double> values) const;
  /// The same with the magnitudes of the matrices.
  std::vector<double> applyMagnitudes(std::vector<double> values) const;
  /// What passes the roundings of the transform of `values`, as a part of its
  /// results: the mean over all roundings. Those of a dimension change what the
  /// dimensions before it made, by parts of its magnitude.
  std::vector<double> applyToRoundings(std::vector<double> values) const;

  /// How many times the smallest subnormal number a result may be off where
  /// each product of a number of the matrices may underflow.
  double underflows() const;

private:
  using Matrix = std::vector<std::vector<double>>;
  struct Dim {
    Matrix matrix, magnitudes;
    int64_t roundings;
  };

  /// The product of `matrix`, of the dimension `dim`, and `values`.
  std::vector<double> multiply(const Matrix &matrix, size_t dim,
                               const std::vector<double> &values) const;

  std::vector<Dim> dims;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_TILETRANSFORM_H
