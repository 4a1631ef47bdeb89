//===- VectorBody.h - Elementwise ops on vectors ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_VECTORBODY_H
#define CONVOY_TRANSFORMS_UTILS_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// What the body of `op` makes of `operands`, one vector of `lanes` elements or
/// more, of which the first count, or one number for all of them, for each of
/// its arguments; null for those that it does not use. A product that a sum
/// adds is not rounded before, where the type has fused multiply-adds on every
/// machine; in f16 it need not be.
Value computeOnVectors(RewriterBase &rewriter, linalg::LinalgOp op,
                       ValueRange operands, int64_t lanes);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_VECTORBODY_H
