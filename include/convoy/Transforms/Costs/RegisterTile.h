//===- RegisterTile.h - Tiles that stay in registers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_REGISTERTILE_H
#define CONVOY_TRANSFORMS_COSTS_REGISTERTILE_H

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <limits>

namespace mlir::convoy {

/// The part of a contraction's result that is kept in registers while terms are
/// added to it: `lanes` elements along one loop for each row, rows being the
/// elements of a box of up to two other loops. Or else one element for each
/// row, as a vector of partial sums: lanes run along a loop that is summed
/// over.
struct RegisterTile {
  unsigned laneLoop = 0; ///< its elements fill vectors
  int64_t lanes = 1;
  bool sumsLanes = false;  ///< whether the lane loop is summed over
  int64_t vectorLanes = 1; ///< lanes of one vector
  /// Whether what does not fill vectors is a vector with masked lanes.
  bool masked = false;
  SmallVector<LoopSteps, 2> rows;
  /// A loop of which so many terms are added in one step. A factor without
  /// lanes is read as a vector of terms; else rows that read the same at
  /// different terms share it.
  std::optional<LoopSteps> terms;
  /// Whether terms, rows and lanes are multiplied as matrices of words, whose
  /// columns are the lanes of a vector.
  bool matrices = false;
  /// Whether the factor with the lanes is first copied into the order in which
  /// it is read, once for all rows.
  bool packed = false;
  /// A loop whose steps follow each other in the result as whole runs of the
  /// lane loop do: the factor is packed for so many of its steps at a time, and
  /// lanes go on from one step to the next.
  std::optional<LoopSteps> outerLanes;
  /// Reduction loops of which the factor is packed so many steps at a time, in
  /// the place of whole, outermost first.
  SmallVector<LoopSteps, 2> blocks;
  /// Whether all lanes of a block are computed before the next block, in the
  /// place of all blocks of some lanes.
  bool blocksOutside = false;
  /// Loops of the other factor alone of which so many steps are taken at a time
  /// for all lanes, so that what they read stays in the cache, outermost first.
  SmallVector<LoopSteps, 2> rowBlocks;

  /// What a multiply-add of one lane takes, in estimated cycles.
  double cost = std::numeric_limits<double>::infinity();

  /// The tile that `plan` describes for `contraction`, whose loops it fits.
  static RegisterTile get(RegisterTileAttr plan, linalg::GenericOp contraction);
  RegisterTileAttr toAttr(MLIRContext *context) const;

  /// The most elements, or terms of sums, of a tile that is taken apart into
  /// vectors: more than any register file holds.
  static constexpr int64_t kMostElements = 4096;
  /// Whether it has no more.
  bool canBeVectors() const;

  bool operator==(const RegisterTile &) const = default;

  /// The step of a loop over the result: that of the tile, or as far as a
  /// packed factor reaches.
  int64_t getStep(unsigned loop) const;
  /// The loops that lanes run over, innermost last.
  SmallVector<unsigned> getLaneLoops() const;
};

/// Whether `op` can be computed with masked lanes: all that it reads and writes
/// has masks (narrower elements are converted before they are computed with),
/// and it does nothing, as to divide integers, that not any value is fit for.
bool canMask(linalg::LinalgOp op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_REGISTERTILE_H
