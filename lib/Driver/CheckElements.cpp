//===- CheckElements.cpp - Elements beside what they should be --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckElements.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ElementCheck;
using ::convoy::ScalarType;

static ElementCheck compareFloats(double actual, const BoundedFloat &wanted,
                                  ScalarType type) {
  ElementCheck check;
  check.actual = actual;
  check.expected = wanted.value;
  check.bound = wanted.error;
  check.isOverflow = !std::isfinite(wanted.error);
  if (check.isOverflow || !std::isfinite(wanted.value)) {
    // The class counts, where it is known.
    check.isRight = check.isOverflow || actual == wanted.value ||
                    (std::isnan(actual) && std::isnan(wanted.value));
    check.isCompared = false;
    check.error = check.isRight ? 0 : HUGE_VAL;
    return check;
  }
  // The reference's last place, where it is not exact.
  if (wanted.error > 0)
    check.bound += ::convoy::floatFormat(type).ulp(wanted.value) * 0x1p-20;
  check.error = std::abs(actual - wanted.value);
  check.isRight = check.error <= check.bound;
  return check;
}

static ElementCheck compareIntegers(int64_t actual, const Scalar &wanted,
                                    ScalarType type) {
  unsigned width = 8 * unsigned(::convoy::scalarSize(type));
  auto extend = [&](int64_t number) {
    if (type == ScalarType::U8)
      return int64_t(uint8_t(number));
    return llvm::SignExtend64(uint64_t(number), width);
  };
  actual = extend(actual);
  int64_t value = extend(wanted.number);
  ElementCheck check;
  check.actual = double(actual);
  check.expected = double(value);
  check.bound = wanted.error;
  check.error = actual == value
                    ? 0
                    : std::max(1.0, std::abs(double(actual) - double(value)));
  check.isOverflow = !std::isfinite(wanted.error);
  check.isCompared = !check.isOverflow;
  check.isRight = check.error <= wanted.error;
  return check;
}

ElementCheck mlir::convoy::checkElement(ScalarType type, const void *actual,
                                        int64_t position,
                                        const Scalar &wanted) {
  if (::convoy::isFloat(type))
    return compareFloats(::convoy::loadDouble(type, actual, position),
                         BoundedFloat(wanted), type);
  return compareIntegers(::convoy::loadInteger(type, actual, position), wanted,
                         type);
}
