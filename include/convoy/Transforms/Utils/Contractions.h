//===- Contractions.h - Products of rows and filters ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_CONTRACTIONS_H
#define CONVOY_TRANSFORMS_UTILS_CONTRACTIONS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// The im2col whose rows `op` multiplies with a filter, if that is what it
/// does. Its loops are the dimensions of its result, then reductions.
Im2colOp getRowsOf(linalg::GenericOp op);

/// All ops in `op` that multiply rows with a filter.
SmallVector<linalg::GenericOp> getContractions(Operation *op);

/// Says of each convolution in `op` that it is no contraction yet, so that it
/// gets no tiles. Pipelines have none left where they tile.
void remarkOfConvolutions(Operation *op);

/// Whether a sum of `contraction` has no term, since a reduction is empty.
bool hasNoTerms(linalg::GenericOp contraction);

/// Whether tiles of `op` need no more than the same tiles of an operand, and
/// slices of the others.
bool isElementwise(linalg::GenericOp op);

/// Whether `op` can be computed tile by tile where its tiles are used.
bool isFusable(Operation *op);

/// The op that finishes `contraction`, element by element, or `contraction`
/// itself. It may have other operands.
linalg::LinalgOp getRoot(linalg::GenericOp contraction);

/// Whether elements of results of `op` that follow each other along `loop` and
/// the next, which are all there in each tensor, do so in memory, too, as far
/// as it is seen what the results are slices of.
bool isOneLoopOfResults(linalg::LinalgOp op, unsigned loop);

/// Whether `loop` of `op` and the next are as one loop to each operand, so that
/// both can be collapsed.
bool isOneLoopWithNext(linalg::LinalgOp op, unsigned loop);

/// The contraction that `op` finishes: of several whose sums it reads element
/// by element, the last. Null where there is none.
linalg::GenericOp findFinished(linalg::GenericOp op);

/// The contraction that `root` is or finishes.
linalg::GenericOp getContractionOf(linalg::LinalgOp root);

/// Whether `op`, if there is one, is a copy of a factor in the order in which
/// tiles read it.
bool isPackedPanel(Operation *op);

/// Reports an error where something else than a copy in `root` says that it is
/// one.
LogicalResult verifyPackedPanels(Operation *root);

/// Tile sizes with 0, no loop, for loops of one iteration.
SmallVector<OpFoldResult> withoutUnitLoops(OpBuilder &builder,
                                           ArrayRef<int64_t> loopSizes,
                                           ArrayRef<int64_t> tileSizes);

/// Runs the loops of `contraction`, outermost first in `order`, in steps of
/// `tileSizes`, the rows fused.
LogicalResult tileWithRows(RewriterBase &rewriter,
                           linalg::GenericOp contraction,
                           ArrayRef<int64_t> tileSizes,
                           ArrayRef<int64_t> order);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_CONTRACTIONS_H
