//===- ErrorAnalysis.h - How far off values may be --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_NUMERICS_ERRORANALYSIS_H
#define CONVOY_LIB_TRANSFORMS_NUMERICS_ERRORANALYSIS_H

#include "SumBlocks.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>

namespace mlir::convoy {

/// A number that a value's elements may be, and may be off by.
struct BoundedMagnitude {
  double largest = 0;  ///< of the numbers; infinite where nothing is known
  double smallest = 0; ///< of those that are not zero, or 0 where one may be
  double error = 0;    ///< infinite where nothing bounds it

  /// The error as a part of the largest number.
  double getRelativeError() const {
    if (error == 0)
      return 0;
    return std::isfinite(largest) ? error / largest : INFINITY;
  }
};

/// How far off what an elementwise op of floats computes in `type` may be from
/// what it is in exact arithmetic of exact operands; infinite for ops of which
/// nothing is known (docs/Numerics.md has the formulas).
double getElementError(Operation *op, ArrayRef<BoundedMagnitude> operands,
                       double largestResult, Type type);

/// The error of rounding numbers up to `largest` to `type` once.
double getRoundingError(double largest, FloatType type);

/// How far off samples may be of an image whose elements have range `image`,
/// and so have what they should be.
double getSampleError(GridSampleOp op, const NumberRange &image,
                      double imageError, const BoundedMagnitude &grid);

/// How far off the elements of values of a function may be, wherever its
/// arguments hold finite numbers in their declared ranges, on targets that
/// round to nearest and keep subnormal numbers. Sums may be added in any order.
class ErrorAnalysis {
public:
  /// Looks at `function`, whose convolutions of floats sum as `choices` say.
  ErrorAnalysis(Block &function, RangeAnalysis &ranges,
                const SumChoices &choices);

  /// What the elements of `value` are in exact arithmetic at most, and how far
  /// off they may be.
  BoundedMagnitude getBound(Value value) const;
  /// The first op whose error has no bound, or null.
  Operation *getUnbounded() const { return unbounded; }

private:
  /// The same of what is computed.
  BoundedMagnitude lookup(Value value) const;
  void visit(Operation *op);
  double evaluate(Operation *op, unsigned result);
  double evaluate(ConvolutionOpInterface op);
  /// The error of `op` in tiles of Winograd's algorithm with so many results
  /// along each dimension, where what its operands are off by adds up to
  /// `carried`.
  double evaluateWinograd(ConvolutionOpInterface op, const SumRange &sum,
                          double carried, int64_t results);
  double evaluate(linalg::LinalgOp op, unsigned result);
  double evaluateElements(Operation *op);
  /// The largest magnitude that `value` has in exact arithmetic, and where its
  /// type had no largest number.
  double getExactLargest(Value value) const;

  RangeAnalysis &ranges;
  const SumChoices &choices;
  DenseMap<Value, double> errors;
  Operation *unbounded = nullptr;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_NUMERICS_ERRORANALYSIS_H
