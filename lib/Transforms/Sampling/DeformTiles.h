//===- DeformTiles.h - Deformable convolutions tile by tile -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMTILES_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMTILES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Emits loops over tiles of the output positions of `op`. Each first writes
/// down what the windows of its tile read, of a size that caches hold, and then
/// convolves that. Returns the result.
Value emitDeformTiles(RewriterBase &rewriter, DeformConvOp op);

/// The same one tile after the other, without loops, of a size that leaves
/// whole kernels enough to do.
Value emitDeformParts(RewriterBase &rewriter, DeformConvOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMTILES_H
