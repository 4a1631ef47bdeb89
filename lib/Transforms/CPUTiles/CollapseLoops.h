//===- CollapseLoops.h - Two loops of a tile as one -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_COLLAPSELOOPS_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_COLLAPSELOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Collapses the loops over dimensions `dim` and `dim` + 1 of the result of
/// `op` into one, and likewise in the ops that compute that result for it: the
/// producers of operands that it reads at each element's own place. Loops of
/// all of them are the result's dimensions, then reductions. Returns what
/// stands for `op`.
FailureOr<linalg::LinalgOp> collapseLoops(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t dim);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_COLLAPSELOOPS_H
