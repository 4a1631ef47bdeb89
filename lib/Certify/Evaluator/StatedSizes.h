//===- StatedSizes.h - Sizes that ops take for equal ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_STATEDSIZES_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_STATEDSIZES_H

#include "SymbolicSizes.h"
#include "Window.h"

namespace mlir::convoy::certify {

/// Dimension `number` of `tensor`.
struct Dimension {
  Value tensor;
  int64_t number;
};

/// The dimensions of operands and results whose sizes `op` takes for equal, or
/// says to be by their types, in pairs. Nothing checks that when a function
/// runs.
SmallVector<std::pair<Dimension, Dimension>> getEqualDims(Operation *op);

/// Whether the types of `op` leave open whether dimension `dim` of its result
/// has the size that its type says.
bool isStated(tensor::PadOp op, int64_t dim);

/// The dimensions of what `op` expands, each with the product of the sizes that
/// it is expanded to, where types leave open whether these are equal.
FailureOr<SmallVector<std::pair<Dimension, Size>>>
getExpandedSizes(tensor::ExpandShapeOp op, SymbolicSizes &sizes,
                 FirstObstacle &obstacle);

/// A spatial dimension of a convolution, not all of whose sizes are static.
struct OpenWindow {
  Window window;
  Size input, output;
  LinearExpr taps;

  /// The size that the input must have for the last tap at position `at` of the
  /// output to lie in it or in its padding.
  LinearExpr getReach(const LinearExpr &at) const;
  /// The largest size of the input for which no other window fits behind
  /// `count` of the output: that of a gradient ends there.
  LinearExpr getCovered(const LinearExpr &count) const;
};

/// The windows of `op`, but for those of dilated inputs.
FailureOr<SmallVector<OpenWindow, 0>> getOpenWindows(ConvolutionOpInterface op,
                                                     SymbolicSizes &sizes);

/// The numbers of zero points and of channels of `op`, which are equal where
/// each channel of all groups has a zero point; nothing where that is no linear
/// equation.
FailureOr<std::optional<std::pair<LinearExpr, LinearExpr>>>
getZeroPointCounts(ConvolutionOpInterface op, SymbolicSizes &sizes);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_STATEDSIZES_H
