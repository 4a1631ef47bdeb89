//===- Patterns.h - Rewrites of ops on tensors ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TENSOROPS_PATTERNS_H
#define CONVOY_TRANSFORMS_TENSOROPS_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Turns named ops of linalg, arithmetic on tensors and their like into
/// linalg.generic, slices, pads and reshapes.
void populateGeneralizeOpsPatterns(RewritePatternSet &patterns);

/// Computes elements of linalg.generic where they are used, if that is once.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Turns padding by elements of the input, and its adjoint, into gathers.
void populateDecomposePaddingPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_TENSOROPS_PATTERNS_H
