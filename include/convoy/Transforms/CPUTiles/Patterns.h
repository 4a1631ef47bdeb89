//===- Patterns.h - Rewrites of im2cols -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CPUTILES_PATTERNS_H
#define CONVOY_TRANSFORMS_CPUTILES_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Turns im2cols into slices and gathers.
void populateDecomposeIm2colPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_CPUTILES_PATTERNS_H
