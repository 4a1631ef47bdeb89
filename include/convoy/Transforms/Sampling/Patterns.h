//===- Patterns.h - Rewrites of samples -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SAMPLING_PATTERNS_H
#define CONVOY_TRANSFORMS_SAMPLING_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Turns convoy.grid_sample into gathers by linalg.generic, with `byRows` in
/// loops over rows of samples where that pays, and convoy.deform_conv into
/// convolutions of such samples, with `byRows` in loops over tiles.
void populateDecomposeSamplingPatterns(RewritePatternSet &patterns,
                                       bool byRows = false);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_SAMPLING_PATTERNS_H
