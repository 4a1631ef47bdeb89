//===- TilePlan.h - How a contraction is tiled ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_TILEPLAN_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_TILEPLAN_H

#include "convoy/Transforms/Costs/RegisterTile.h"

namespace mlir::convoy {

/// Whether partial sums of `contraction` can be stored: in a tensor of their
/// own, if another op finishes them, else where its result goes, if elements
/// there do not lie apart, so that no tile of it is copied there and back.
bool canStorePartialSums(linalg::GenericOp contraction);

/// The op whose tiles `tile` makes of `contraction`: that which finishes its
/// sums, or itself. Where the reduction is cut along several loops, sums are in
/// memory: a last block of each loop, with code of its own, would cost more
/// than to read these few once more.
linalg::LinalgOp getTileRoot(linalg::GenericOp contraction,
                             const RegisterTile &tile);

/// A contraction, the op that finishes it, and how both are tiled.
struct TilePlan {
  struct Loop {
    unsigned loop; ///< of the root
    int64_t step;
  };
  /// Loops, outermost first.
  using Level = SmallVector<Loop>;

  /// The op whose result leaves the tile: the one that finishes the
  /// contraction's sums, else the contraction.
  linalg::LinalgOp root;
  /// The root's operand with the sums, where it is not the contraction.
  unsigned sums = 0;
  /// What is computed before all tiles: what the root reads besides the sums,
  /// and factors that another op has widened.
  SmallVector<Value> computedBefore;
  RegisterTile tile;
  /// Levels of loops, outermost first, the last over register tiles. What the
  /// levels before the last step through is what a packed factor depends on,
  /// so that a copy serves all of the last; without one there is one level.
  SmallVector<Level> levels;
  /// The contraction's reduction loops, outermost first.
  SmallVector<unsigned> reductions;

  /// The contraction that `part`, the root or a part of it, is or finishes.
  linalg::GenericOp getContraction(linalg::LinalgOp part) const {
    if (part.getNumReductionLoops() > 0)
      return cast<linalg::GenericOp>(*part);
    return part->getOperand(sums).getDefiningOp<linalg::GenericOp>();
  }
};

/// Whether `contraction`, and all that computes tiles with it, can do so with
/// masked lanes where it is cut into `tile`.
bool canMaskTile(linalg::GenericOp contraction, const RegisterTile &tile);

/// Checks that the loops of `contraction` can be cut as `plan`, which a pass
/// before has left on it, says.
LogicalResult verifyPlan(linalg::GenericOp contraction, RegisterTileAttr plan);

/// Plans how to compute `contraction` by `tile`, and packs its factor if that
/// is part of it.
TilePlan makeTilePlan(RewriterBase &rewriter, linalg::GenericOp contraction,
                      const RegisterTile &tile);

/// What is left of `plan` for the last level where the loop of its outer lanes
/// and the loop after it, its lanes, have become one. `root` is the op then.
TilePlan collapsePlan(const TilePlan &plan, linalg::LinalgOp root);

/// Marks the ops that make up tiles with a #convoy.tile_lanes.
void markLanes(const TilePlan &plan);

/// A box of the root's iteration space and the tile that divides it.
struct TilePart {
  SmallVector<int64_t> offsets, sizes, tileSizes;
};

/// The parts of the root's iteration space that the loops of `level` take: each
/// is divided by its tile. Loops of other levels are whole.
SmallVector<TilePart> getTileParts(linalg::LinalgOp root,
                                   const TilePlan::Level &level);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_TILEPLAN_H
