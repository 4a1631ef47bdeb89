//===- Patterns.h - Rewrites of convolutions --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H
#define CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Turns convoy.conv_backward_data and convoy.conv_backward_filter into
/// convoy.conv of the same tensors with renamed dimensions.
void populateDecomposeBackwardPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv with input dilation into dense ones on slices.
void populateSplitPhasesPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv without input dilation into im2col and a contraction.
void populateConvToIm2colPatterns(RewritePatternSet &patterns);

/// Turns convoy.col2im into sums of gathers by linalg.generic.
void populateDecomposeCol2imPatterns(RewritePatternSet &patterns,
                                     bool byRows = false);

/// Pads the input of im2cols whose windows leave it.
void populatePadIm2colPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_CONVOLUTION_PATTERNS_H
