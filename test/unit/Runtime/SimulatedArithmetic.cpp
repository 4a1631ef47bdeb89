//===- SimulatedArithmetic.cpp - Arithmetic of other targets --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedArithmetic.h"

#include <bit>
#include <cmath>

namespace convoy {

/// left + right, rounded to odd: a second rounding to fewer than 52 bits then
/// gives what one rounding of the exact sum would (Boldo and Melquiond, 2008).
static double addToOdd(double left, double right) {
  double sum = left + right;
  if (!std::isfinite(sum))
    return sum;
  double added = sum - left;
  double error = (left - (sum - added)) + (right - added);
  if (error == 0 || std::bit_cast<uint64_t>(sum) & 1)
    return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

double SimulatedArithmetic::round(double value) const {
  FloatFormat format = floatFormat(type);
  double rounded = roundTo(type, value);
  if (!target.roundsToNearest && std::abs(rounded) > std::abs(value)) {
    // One step towards zero, from a power of two into the binade below.
    double step =
        std::isinf(rounded) ? 0 : format.ulp(std::nextafter(rounded, 0));
    rounded = std::isinf(rounded) ? std::copysign(format.largest(), rounded)
                                  : rounded - std::copysign(step, rounded);
  }
  return read(rounded);
}

double SimulatedArithmetic::read(double value) const {
  if (target.flushesSubnormals &&
      std::abs(value) < floatFormat(type).smallestNormal())
    return std::copysign(0.0, value);
  return value;
}

double SimulatedArithmetic::multiply(double left, double right) const {
  // Of significands of at most 24 bits the product is exact in double; f64 is
  // rounded by the machine.
  return round(read(left) * read(right));
}

double SimulatedArithmetic::add(double left, double right) const {
  if (type == ScalarType::F64)
    return left + right;
  return round(addToOdd(read(left), read(right)));
}

double SimulatedArithmetic::fusedMultiplyAdd(double left, double right,
                                             double addend) const {
  if (type == ScalarType::F64)
    return std::fma(left, right, addend);
  return round(addToOdd(read(left) * read(right), read(addend)));
}

double SimulatedArithmetic::convert(double value) const { return round(value); }

} // namespace convoy
