//===- Generate.h - Values to test a convolution with -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is a function of the seed, the operand and the logical index, so that
// every layout and every target sees the same problem. docs/Numerics.md
// describes the kinds.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_GENERATE_H
#define CONVOY_RUNTIME_GENERATE_H

#include "convoy/Runtime/Numerics.h"
#include "convoy/Runtime/OperandIndex.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace convoy {

/// What the operands are filled with.
enum class DataKind {
  Int,     ///< small integers whose sums are exact in any order
  Uniform, ///< [-1, 1)
  Normal,  ///< mean 0, variance 1
  Range,   ///< magnitudes over the whole range of exponents
  Cancel,  ///< sums much smaller than their terms
  Edge,    ///< the largest and the smallest magnitudes alone
  Special, ///< NaN, infinities, subnormal numbers and zeros among uniform ones
};

/// "int", "uniform", "normal", "range", "cancel", "edge" or "special".
std::string_view dataKindName(DataKind kind);
std::optional<DataKind> parseDataKind(std::string_view name);

/// Computes the elements of one convolution's operands. The operand that is the
/// direction's result stands for the init.
class DataGenerator {
public:
  DataGenerator(DataKind kind, uint64_t seed, Direction direction,
                const ConvShape &shape, const ConvNumerics &numerics);

  /// The element at `index`, as it is before it is rounded to the operand's
  /// type. Integers include the zero point.
  double value(Operand operand, const LogicalIndex &index) const;

  /// Stores every element of `operand` into the array at `data`. Where a stride
  /// is 0, the index 0 of that dimension counts.
  void fill(Operand operand, const OperandIndex &index, void *data) const;

  /// Whether every sum is exact in the accumulator's and the result's type, in
  /// any order: floating-point results must agree bit for bit.
  bool isExact() const { return kind == DataKind::Int; }

private:
  class Random;

  double integerValue(Operand operand, const LogicalIndex &index) const;
  double exactValue(Operand operand, const LogicalIndex &index) const;
  double rangeValue(Operand operand, const LogicalIndex &index) const;
  double cancelValue(Operand operand, const LogicalIndex &index, double center,
                     double noise, double weight) const;
  double edgeValue(Operand operand, const LogicalIndex &index) const;
  bool isHighEdge(Operand operand, const LogicalIndex &index) const;
  double specialValue(Operand operand, const LogicalIndex &index) const;

  Random random(Operand operand, const LogicalIndex &index) const;
  Random sumRandom(const LogicalIndex &index, int64_t part) const;
  int64_t placeInSum(const LogicalIndex &index) const;
  int greatestExponent(Operand operand) const;

  DataKind kind;
  uint64_t seed;
  DirectionRoles roles;
  ConvNumerics numerics;
  LogicalIndex secondSizes; ///< sizes of roles.second
  int64_t products;         ///< in the longest sum

  // Int: bounds of the magnitudes of the init and of the factors; of every
  // `stratum` successive elements of roles.second in a sum one is not zero.
  int64_t initLimit = 0;
  int64_t factorLimit = 0;
  int64_t stratum = 1;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_GENERATE_H
