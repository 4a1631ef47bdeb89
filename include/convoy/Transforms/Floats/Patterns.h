//===- Patterns.h - Rewrites of conversions ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_FLOATS_PATTERNS_H
#define CONVOY_TRANSFORMS_FLOATS_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Computes functions of f32 by arithmetic on vectors.
void populateApproximateFunctionsPatterns(RewritePatternSet &patterns);

/// Converts between f64 and floats of 16 bits through f32.
void populateSplitF64ConversionsPatterns(RewritePatternSet &patterns);

/// Converts between f16 and f32 by integer arithmetic.
void populateExpandF16Patterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_FLOATS_PATTERNS_H
