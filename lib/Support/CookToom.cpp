//===- CookToom.cpp - Short convolutions with few products ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CookToom.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace convoy {

Fraction::Fraction(int64_t numerator, int64_t denominator) {
  assert(denominator != 0 && "a fraction has a denominator");
  int64_t divisor = std::gcd(numerator, denominator);
  if (denominator < 0)
    divisor = -divisor;
  top = numerator / divisor;
  bottom = denominator / divisor;
}

Fraction operator+(const Fraction &a, const Fraction &b) {
  return {a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom};
}

Fraction operator-(const Fraction &a, const Fraction &b) {
  return {a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom};
}

Fraction operator*(const Fraction &a, const Fraction &b) {
  return {a.top * b.top, a.bottom * b.bottom};
}

Fraction operator/(const Fraction &a, const Fraction &b) {
  return {a.top * b.bottom, a.bottom * b.top};
}

/// `polynomial` times x - root, coefficients of low powers first.
static std::vector<Fraction> multiply(const std::vector<Fraction> &polynomial,
                                      const Fraction &root) {
  std::vector<Fraction> product(polynomial.size() + 1);
  for (size_t power = 0; power < polynomial.size(); ++power) {
    product[power] = product[power] - polynomial[power] * root;
    product[power + 1] = product[power + 1] + polynomial[power];
  }
  return product;
}

/// The first `count` powers of `base`, over `divisor`.
static std::vector<Fraction> powers(const Fraction &base, int64_t count,
                                    const Fraction &divisor) {
  std::vector<Fraction> all;
  Fraction power = Fraction(1) / divisor;
  for (int64_t number = 0; number < count; ++number) {
    all.push_back(power);
    power = power * base;
  }
  return all;
}

CookToom makeCookToom(int64_t outputs, int64_t taps,
                      const std::vector<Fraction> &points) {
  size_t products = static_cast<size_t>(outputs + taps - 1);
  assert(points.size() + 1 == products && "infinity is the last point");
  CookToom result;
  result.output.resize(outputs);
  std::vector<Fraction> all = {1};
  for (const Fraction &point : points) {
    std::vector<Fraction> others = {1};
    Fraction divisor = 1;
    for (const Fraction &other : points)
      if (!(other == point)) {
        others = multiply(others, other);
        divisor = divisor * (point - other);
      }
    others.resize(products);
    result.input.push_back(others);
    result.filter.push_back(powers(point, taps, divisor));
    std::vector<Fraction> column = powers(point, outputs, 1);
    for (int64_t row = 0; row < outputs; ++row)
      result.output[row].push_back(column[row]);
    all = multiply(all, point);
  }
  // At infinity a polynomial has the value of its highest coefficient.
  result.input.push_back(all);
  result.filter.emplace_back(taps).back() = 1;
  for (int64_t row = 0; row < outputs; ++row)
    result.output[row].emplace_back(row + 1 == outputs ? 1 : 0);
  return result;
}

std::optional<CookToom> getCookToom(int64_t outputs, int64_t taps) {
  static const std::vector<Fraction> points = {
      0, 1, -1, Fraction(1, 2), -2, 2, Fraction(-1, 2)};
  if (outputs < 2 || taps < 2 ||
      outputs + taps - 2 > static_cast<int64_t>(points.size()))
    return std::nullopt;
  return makeCookToom(outputs, taps,
                      {points.begin(), points.begin() + (outputs + taps - 2)});
}

int64_t longestRow(const FractionMatrix &matrix) {
  int64_t longest = 0;
  for (const std::vector<Fraction> &row : matrix)
    longest = std::max<int64_t>(
        longest, std::count_if(row.begin(), row.end(),
                               [](const Fraction &f) { return !f.isZero(); }));
  return longest;
}

int64_t commonDenominator(const FractionMatrix &matrix) {
  int64_t common = 1;
  for (const std::vector<Fraction> &row : matrix)
    for (const Fraction &number : row)
      common = std::lcm(common, number.denominator());
  return common;
}

bool isDyadic(const FractionMatrix &matrix) {
  int64_t common = commonDenominator(matrix);
  return (common & (common - 1)) == 0;
}

} // namespace convoy
