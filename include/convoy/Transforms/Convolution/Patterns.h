//===- Patterns.h - Rewrites of convolutions --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H
#define CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

class RangeAnalysis;

/// The type that policy `low` would sum `op` in, which declares `declared`: of
/// f32 sums of narrower floats the init's, where it holds the operands' values;
/// else the declared one.
FloatType getNarrowAccumulator(ConvolutionOpInterface op, FloatType declared);

/// The type that the policy of `op` lets products and sums be formed in. Where
/// that is not the declared one although the policy is `low`, one sentence in
/// `reason` says why.
Type getPolicyAccumulator(ConvolutionOpInterface op, RangeAnalysis &ranges,
                          std::string &reason);

/// Turns convoy.conv_backward_data and convoy.conv_backward_filter into
/// convoy.conv of the same tensors with renamed dimensions.
void populateDecomposeBackwardPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv with input dilation into dense ones on slices.
void populateSplitPhasesPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv without input dilation into im2col and a contraction.
void populateConvToIm2colPatterns(RewritePatternSet &patterns);

/// Turns convoy.grid_sample into gathers by linalg.generic, with `byRows` in
/// loops over rows of samples where that pays, and convoy.deform_conv into
/// convolutions of such samples, with `byRows` in loops over tiles.
void populateDecomposeSamplingPatterns(RewritePatternSet &patterns,
                                       bool byRows = false);

/// Turns convoy.col2im into sums of gathers by linalg.generic.
void populateDecomposeCol2imPatterns(RewritePatternSet &patterns,
                                     bool byRows = false);

/// Pads the input of im2cols whose windows leave it.
void populatePadIm2colPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H
