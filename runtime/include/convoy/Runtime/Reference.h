//===- Reference.h - What a convolution should give -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops over the definition of a convolution, in more precision than any
// target uses, and the quantities from which error bounds are built. Only sizes
// come from ConvShape; the index arithmetic is the reference's own.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_REFERENCE_H
#define CONVOY_RUNTIME_REFERENCE_H

#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/Numerics.h"
#include "convoy/Runtime/OperandIndex.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace convoy {

/// An operand as it lies in memory.
struct OperandData {
  const void *data = nullptr;
  OperandIndex index;
};

/// A convolution and its data.
struct ReferenceProblem {
  Direction direction = Direction::Forward;
  ConvShape shape; ///< of the forward convolution; one that checkShape accepts
  ConvNumerics numerics;
  /// Indexed by Operand; the result's entry is not looked at.
  std::array<OperandData, 3> operands;
  /// Of a filter of integers: the zero points of channels, as I32, whose index
  /// has the filter's sizes.
  std::optional<OperandData> filterZeroPoints;
  /// What the sums start from, of the result's type; sums start from 0 without.
  std::optional<OperandData> init;
};

struct ReferenceOptions {
  int threads = 0; ///< 0: one for each processor
  /// Compute ReferenceResult::operandSum, which bounds for targets that flush
  /// subnormal numbers need.
  bool operandSums = false;
};

/// How many threads the reference of `problem` is computed in: as many as the
/// options say, and fewer where it is small.
int getReferenceThreads(const ReferenceProblem &problem,
                        const ReferenceOptions &options);

/// Facts about one sum, or-ed together.
enum SumFlags : uint8_t {
  /// The init or a factor of a term is NaN or infinite.
  NonFiniteTerm = 1,
  /// A NaN or infinity meets a padded position, or a tap that the filter would
  /// have if it were longer by less than a stride: a target may multiply it by
  /// the zero that stands there, which gives NaN, or leave the term out.
  NonFinitePadding = 2,
  /// An infinity is multiplied by a subnormal number, which gives NaN where a
  /// target takes subnormal numbers for zero.
  InfinityTimesSubnormal = 4,
};

/// SumStage of all results.
struct ReferenceStage {
  int64_t roundings = 0;
  std::vector<double> magnitude;
};

/// All result elements, in row-major logical order.
struct ReferenceResult {
  OperandIndex index; ///< row-major logical order
  ScalarType type;    ///< of the result in memory

  /// Floating-point problems: y, the exact sum up to the reference's own error.
  /// Its class is that of IEEE arithmetic where NonFiniteTerm is set.
  std::vector<double> value;
  /// F64 problems: what is to be added to `value`.
  std::vector<double> valueLow;
  /// Integer problems: the sum modulo 2^64.
  std::vector<int64_t> integer;
  /// Floating-point problems: S = |init| + sum of |x||w| over finite terms.
  std::vector<double> magnitude;
  /// Where asked for: sum of |x| + |w| over the terms.
  std::vector<double> operandSum;
  /// L: number of terms in bounds, the init counted as one.
  std::vector<int64_t> length;
  /// SumFlags; empty where everything is finite.
  std::vector<uint8_t> flags;
  bool hasInit = false;

  // What takeWinogradSums adds; empty, or as it is here, for other kernels.

  /// How many times the smallest subnormal number underflow may cost.
  std::vector<double> underflows;
  /// The largest magnitude that a number on the way may have.
  std::vector<double> peak;
  std::optional<PerStage<ReferenceStage>> stages;
  /// How many roundings a term passes at most; 0: as many as there are terms.
  int64_t roundings = 0;
  /// How many products each term is a part of, at most.
  double sharedProducts = 1;
  /// Integers become multiples of one over this on the way; infinity where they
  /// do not stay exact.
  double denominator = 1;
};

/// Bytes of memory that computeReference takes at most, for a caller to refuse
/// problems that do not fit.
double referenceBytes(Direction direction, const ConvShape &shape);

/// Computes every element of the result.
///
/// f32, f16 and bf16 are summed in double, in which their products are exact;
/// f64 as the unevaluated sum of two doubles with error-free transformations
/// (Ogita, Rump and Oishi, Accurate sum and dot product, 2005, algorithm Dot2);
/// integers modulo 2^64, zero points subtracted.
ReferenceResult computeReference(const ReferenceProblem &problem,
                                 const ReferenceOptions &options = {});

} // namespace convoy

#endif // CONVOY_RUNTIME_REFERENCE_H
