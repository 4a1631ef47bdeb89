//===- SumHazards.h - Why a sum may be no number ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_NUMERICS_SUMHAZARDS_H
#define CONVOY_LIB_TRANSFORMS_NUMERICS_SUMHAZARDS_H

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

namespace mlir::convoy {

/// `value` with six digits.
std::string getNumberText(double value);

/// `type` in quotes, as diagnostics have types.
std::string getTypeText(Type type);

/// The products of some of a convolution's channels, without the init; of all,
/// with it.
struct SumPart {
  int64_t channels = 1, of = 1;

  bool isWhole() const { return channels == of; }
  SumRange take(const SumRange &sum) const;
};

/// Why a sum of `part` of `op` may overflow, vanish or lose its error bound in
/// `accumulator`, as one sentence; empty where it cannot.
std::string findSumHazard(ConvolutionOpInterface op, FloatType accumulator,
                          RangeAnalysis &ranges, const SumPart &part = {});

/// Why an integer sum of `op` may wrap around; empty where it cannot. An init
/// counts where something is known of it, or with `countInit`.
std::string findWrapHazard(ConvolutionOpInterface op, bool countInit,
                           RangeAnalysis &ranges);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_NUMERICS_SUMHAZARDS_H
