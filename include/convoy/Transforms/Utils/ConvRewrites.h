//===- ConvRewrites.h - Passes that rewrite convolutions --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_CONVREWRITES_H
#define CONVOY_TRANSFORMS_UTILS_CONVREWRITES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Calls `rewrite` with each `convoy.conv` below `root`, but not with those
/// that it makes, and with the CPU that they are for. It returns why the op
/// stays as it is, or nothing where it was rewritten. For a GPU nothing is
/// called. With `explain` remarks say what stays as it is, and why.
void rewriteConvsForCPU(
    Operation *root, bool explain,
    function_ref<std::optional<Choice>(RewriterBase &, ConvOp, TargetAttr)>
        rewrite);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_CONVREWRITES_H
