//===- RangeAnalysis.h - The numbers that values may hold -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_NUMERICS_RANGEANALYSIS_H
#define CONVOY_TRANSFORMS_NUMERICS_RANGEANALYSIS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Numerics/NumberRange.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace mlir::convoy {

/// The numbers that the elements of values may be, wherever arguments of
/// functions hold finite numbers in their declared ranges (`convoy.range`).
class RangeAnalysis {
public:
  /// Looks at all functions in `top`, or the function that it is, when it is
  /// asked for the first time.
  explicit RangeAnalysis(Operation *top) : top(top) {}

  /// The elements of `value`, a tensor, or `value` itself.
  NumberRange getRange(Value value);

private:
  Operation *top;
  std::unique_ptr<DataFlowSolver> solver;
};

/// Whether ranges are kept of values of `type`.
bool hasNumbers(Type type);

/// Whether the elements of results are some of those of `op`'s tensors.
bool movesElements(Operation *op);

/// What `op` computes from numbers of these ranges, before it is rounded to the
/// result's type: an elementwise op, as it is or in the body of one of linalg.
/// Nothing for ops of which nothing is known.
std::optional<NumberRange> getExactRange(Operation *op,
                                         ArrayRef<NumberRange> operands);

/// The range of operand `number` (0 or 1) of a convolution: what is known of
/// the value and what `numerics` declares.
NumberRange getFactorRange(ConvolutionOpInterface op, unsigned number,
                           RangeLookup lookup);

/// The sums of a convolution, tightened by the values of a constant filter.
/// Nothing where their length is not known.
std::optional<SumRange> getSumRange(ConvolutionOpInterface op,
                                    RangeLookup lookup);

/// What `op` adds to element after element of init `number`, or null.
Value getSummedTerm(linalg::LinalgOp op, unsigned number);

/// The sums that result `number` of `op` holds. Nothing where it is no sum, or
/// one of unknown length.
std::optional<SumRange> getSumRange(linalg::LinalgOp op, unsigned number,
                                    RangeLookup lookup);

/// What result `number` of `op` is, a reduction by a maximum or a minimum.
/// Nothing of others.
std::optional<NumberRange>
getExtremumRange(linalg::LinalgOp op, unsigned number, RangeLookup lookup);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_NUMERICS_RANGEANALYSIS_H
