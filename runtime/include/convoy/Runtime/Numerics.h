//===- Numerics.h - Types and roles of a convolution's operands -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the operands of a convolution are made of, and which part each has in
// the sum that a direction computes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_NUMERICS_H
#define CONVOY_RUNTIME_NUMERICS_H

#include "convoy/Runtime/ScalarType.h"
#include "convoy/Support/ConvShape.h"

#include <array>
#include <cstdint>

namespace convoy {

/// The sum that a direction computes, for each group:
///
///   result(row, column, r) =
///       init + sum over `reduced` and all pairs (a, b) that meet r of
///              first(row, reduced, a) * second(column, reduced, b)
///
/// where r, a and b are spatial positions (or taps) of the three operands.
/// For a given r, each b meets at most one a, so each element of `second` with
/// a given column occurs at most once in a sum.
struct DirectionRoles {
  Operand result, first, second;
  char row, column, reduced; ///< letters of LogicalLetters
};

DirectionRoles directionRoles(Direction direction);

/// Types and zero points of a convolution's operands.
struct ConvNumerics {
  std::array<ScalarType, 3> types; ///< indexed by Operand
  /// What is subtracted from the elements, indexed by Operand; 0 for the
  /// result, for floating-point types, and for a filter whose channels have a
  /// zero point each.
  std::array<int32_t, 3> zeroPoints = {0, 0, 0};
  ScalarType accumulator;

  ScalarType type(Operand operand) const {
    return types[static_cast<size_t>(operand)];
  }
  int32_t zeroPoint(Operand operand) const {
    return zeroPoints[static_cast<size_t>(operand)];
  }
};

/// The numerics of `problem` where sums are formed as the policies `high` and
/// `normal` ask: in f64 for f64, in i32 for i8, else in f32.
ConvNumerics convNumerics(const Problem &problem);

/// Number of products in the longest sum of `direction`, padding included; at
/// most the largest int64.
int64_t productCount(Direction direction, const ConvShape &shape);

/// Whether an i32 sum of products of 8-bit operands can wrap around: whether
/// the largest product, `productCount` times, passes the range of i32.
bool integerSumMayWrap(Direction direction, const ConvShape &shape,
                       const ConvNumerics &numerics);

} // namespace convoy

#endif // CONVOY_RUNTIME_NUMERICS_H
