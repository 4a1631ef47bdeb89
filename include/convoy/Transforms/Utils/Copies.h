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

/// `op`, a copy of buffers, with loops that go through both of them as one loop
/// would in the place of such runs.
Value reorderDims(OpBuilder &builder, Location loc, Value source,
                  StringRef letters, StringRef wanted);

linalg::GenericOp collapseRuns(RewriterBase &rewriter, linalg::GenericOp op);

/// A tensor of `source`'s sizes and elements of type `element`, filled by a
/// conversion of each, all of them numbers with a point; `source` itself where
/// it has these.
Value convertElements(OpBuilder &builder, Location loc, Value source,
                      Type element);

/// Whether `op`, if there is one, computes elements of a factor in another
/// type, as it lies in memory: by conversions, or words of neighbours.
bool isConversion(Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_COPIES_H
