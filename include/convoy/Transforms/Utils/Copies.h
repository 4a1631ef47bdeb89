//===- Copies.h - Generics that copy and convert ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_COPIES_H
#define CONVOY_TRANSFORMS_UTILS_COPIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Whether `op` copies its only input, element by element.
bool isCopy(linalg::GenericOp op);

/// Copies `source`, read at `map`, into all of the tensor `destination`, whose
/// dimensions are the loops.
linalg::GenericOp createCopy(OpBuilder &builder, Location loc, Value source,
                             AffineMap map, Value destination);

/// The map that reads dimensions called `letters` by loops called `loops`.
AffineMap getLetterMap(StringRef letters, StringRef loops,
                       MLIRContext *context);

/// An empty tensor for the elements of `source`, whose dimensions are called
/// `letters`, with its dimensions in the order of `wanted`.
Value createReordered(OpBuilder &builder, Location loc, Value source,
                      StringRef letters, StringRef wanted);

/// A copy of `source` in such a tensor.
Value reorderDims(OpBuilder &builder, Location loc, Value source,
                  StringRef letters, StringRef wanted);

/// The dimensions of a buffer with the last two as one.
SmallVector<ReassociationIndices> joinLastDims(int64_t rank);

/// `op`, on buffers, with runs of loops of one kind that go through all buffers
/// as one loop would collapsed into that loop: in copies also those over taps
/// and all channels of an image that has the channels innermost,
///   (w, k, c) -> (w * 2 + k, c)   to   (w, r) -> (w * 2 * C + r).
linalg::GenericOp collapseRuns(RewriterBase &rewriter, linalg::GenericOp op);

/// A tensor of `source`'s sizes and elements of type `element`, filled by a
/// conversion of each, all of them numbers with a point; `source` itself where
/// it has these. The tensor is written over `into`, if that is given.
Value convertElements(OpBuilder &builder, Location loc, Value source,
                      Type element, Value into = nullptr);

/// Whether `op`, if there is one, computes elements of a factor in another
/// type, as it lies in memory: by conversions, or words of neighbours.
bool isConversion(Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_COPIES_H
