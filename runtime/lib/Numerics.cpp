//===- Numerics.cpp - Types and roles of a convolution's operands ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Numerics.h"

#include "convoy/Runtime/OperandIndex.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace convoy {

DirectionRoles directionRoles(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Output, Operand::Input, Operand::Filter, 'n', 'f', 'c'};
  case Direction::BackwardData:
    return {Operand::Input, Operand::Output, Operand::Filter, 'n', 'c', 'f'};
  case Direction::BackwardFilter:
    return {Operand::Filter, Operand::Input, Operand::Output, 'c', 'f', 'n'};
  }
  assert(false && "unknown direction");
  return {};
}

static ScalarType accumulatorType(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return ScalarType::F64;
  case ElementType::I8:
    return ScalarType::I32;
  default:
    return ScalarType::F32;
  }
}

ConvNumerics convNumerics(const Problem &problem) {
  ConvNumerics numerics;
  numerics.types = {operandScalarType(problem.type, problem.inputSigned),
                    operandScalarType(problem.type, problem.filterSigned),
                    dataScalarType(problem.resultType())};
  numerics.zeroPoints = {problem.inputZeroPoint, problem.filterZeroPoint.value,
                         0};
  // The output's gradient is read in the place of what is computed.
  size_t result = static_cast<size_t>(directionRoles(problem.direction).result);
  size_t output = static_cast<size_t>(Operand::Output);
  std::swap(numerics.types[result], numerics.types[output]);
  std::swap(numerics.zeroPoints[result], numerics.zeroPoints[output]);
  numerics.accumulator = accumulatorType(problem.type);
  return numerics;
}

int64_t productCount(Direction direction, const ConvShape &shape) {
  DirectionRoles roles = directionRoles(direction);
  LogicalIndex sizes = logicalSizes(shape, roles.second);
  sizes[logicalDim('g')] = 1;
  sizes[logicalDim(roles.column)] = 1;
  double count = 1;
  for (int64_t size : sizes)
    count *= static_cast<double>(size);
  // Beyond 2^53 no array that fits into memory has such sums.
  if (count >= 0x1p53)
    return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(count);
}

/// Largest magnitude of an element of `operand` less its zero point.
static double largestMagnitude(Operand operand, const ConvNumerics &numerics) {
  bool isUnsigned = numerics.type(operand) == ScalarType::U8;
  double zeroPoint = numerics.zeroPoint(operand);
  double low = isUnsigned ? 0 : -128, high = isUnsigned ? 255 : 127;
  return std::max(std::abs(low - zeroPoint), std::abs(high - zeroPoint));
}

bool integerSumMayWrap(Direction direction, const ConvShape &shape,
                       const ConvNumerics &numerics) {
  DirectionRoles roles = directionRoles(direction);
  double largest = largestMagnitude(roles.first, numerics) *
                   largestMagnitude(roles.second, numerics);
  return largest * static_cast<double>(productCount(direction, shape)) >
         std::numeric_limits<int32_t>::max();
}

} // namespace convoy
