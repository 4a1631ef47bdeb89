//===- OpTile.h - Some iterations of an op ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_OPTILE_H
#define CONVOY_TRANSFORMS_UTILS_OPTILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// A value that takes the place of an operand.
struct TileOperand {
  unsigned number;
  Value value;
};

/// `op` for `sizes` iterations of its loops from `offsets` on. It reads slices,
/// but for `operands`, which are those of a tile.
linalg::LinalgOp createTile(RewriterBase &rewriter, linalg::LinalgOp op,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            ArrayRef<TileOperand> operands);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_OPTILE_H
