//===- CookToom.h - Short convolutions with few products --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrices of Winograd's F(m, r), which computes m outputs of a filter of r
// taps by m + r - 1 products: y = A ((G w) * (B x)) for inputs x and taps w.
// They follow from the transposed algorithm of Cook and Toom for m + r - 2
// points and infinity: S. Winograd, Arithmetic complexity of computations,
// SIAM 1980; A. Lavin and S. Gray, Fast algorithms for convolutional neural
// networks, CVPR 2016.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_COOKTOOM_H
#define CONVOY_SUPPORT_COOKTOOM_H

#include <cstdint>
#include <optional>
#include <vector>

namespace convoy {

/// A rational number in lowest terms.
class Fraction {
public:
  Fraction(int64_t numerator = 0, int64_t denominator = 1);

  int64_t numerator() const { return top; }
  int64_t denominator() const { return bottom; } ///< positive
  double toDouble() const { return double(top) / double(bottom); }
  bool isZero() const { return top == 0; }
  Fraction abs() const { return {top < 0 ? -top : top, bottom}; }

  friend Fraction operator+(const Fraction &a, const Fraction &b);
  friend Fraction operator-(const Fraction &a, const Fraction &b);
  friend Fraction operator*(const Fraction &a, const Fraction &b);
  /// `b` is not zero.
  friend Fraction operator/(const Fraction &a, const Fraction &b);
  bool operator==(const Fraction &other) const = default;

private:
  int64_t top, bottom;
};

/// Rows of one length.
using FractionMatrix = std::vector<std::vector<Fraction>>;

/// F(m, r): `output` (m by m + r - 1), `filter` (m + r - 1 by r) and `input`
/// (m + r - 1 squared). Output i is the sum of x[i + k] w[k] over the taps k.
struct CookToom {
  FractionMatrix input, filter, output;

  int64_t outputs() const { return int64_t(output.size()); }
  int64_t taps() const { return int64_t(filter.front().size()); }
  int64_t products() const { return int64_t(input.size()); }
};

/// The algorithm for these points, m + r - 2 different ones.
CookToom makeCookToom(int64_t outputs, int64_t taps,
                      const std::vector<Fraction> &points);

/// The same for the first of the points 0, 1, -1, 1/2, -2, 2, -1/2, which make
/// small errors (B. Barabasz, A. Anderson, K. Soodhalter and D. Gregg, Error
/// analysis and improving the accuracy of Winograd convolution for deep neural
/// networks, ACM Trans. Math. Software 46, 2020); nothing where there are too
/// few of them, for less than one output or tap, and for products that are not
/// fewer.
std::optional<CookToom> getCookToom(int64_t outputs, int64_t taps);

/// The most numbers in a row of `matrix` that are not zero.
int64_t longestRow(const FractionMatrix &matrix);

/// The least common multiple of the denominators of `matrix`.
int64_t commonDenominator(const FractionMatrix &matrix);

/// Whether a binary floating-point number has each number of `matrix`.
bool isDyadic(const FractionMatrix &matrix);

} // namespace convoy

#endif // CONVOY_SUPPORT_COOKTOOM_H
