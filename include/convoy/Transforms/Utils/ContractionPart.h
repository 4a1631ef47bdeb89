//===- ContractionPart.h - Contractions part by part ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_CONTRACTIONPART_H
#define CONVOY_TRANSFORMS_UTILS_CONTRACTIONPART_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Computes the iterations of `contraction` from `offsets` on, `sizes` of them,
/// into a new tensor that is filled with `start` before. Of the rows, that part
/// alone is made.
FailureOr<Value> computePart(RewriterBase &rewriter,
                             linalg::GenericOp contraction,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes, Value start);

/// Computes `contraction` in two parts, one after the other: the first `size`
/// steps of `loop`, which is summed over, and the rest.
FailureOr<SmallVector<linalg::GenericOp>>
cutReduction(RewriterBase &rewriter, linalg::GenericOp contraction,
             unsigned loop, int64_t size);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_CONTRACTIONPART_H
