//===- ChooseTiles.cpp - Which register tiles to take -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "convoy/Transforms/CPUTiles/ExplainTile.h"
#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Costs/CacheBlocks.h"
#include "convoy/Transforms/Costs/RegisterTileSearch.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include <cmath>

namespace mlir::convoy {
#define GEN_PASS_DEF_CHOOSETILESPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Whether a loop over the result of `contraction` has a known size, so that a
/// tile may take some of it at a time.
static bool canBeTiled(linalg::GenericOp contraction) {
  return llvm::any_of(
      ArrayRef(contraction.getStaticLoopRanges())
          .take_front(contraction.getNumParallelLoops()),
      [](int64_t size) { return ShapedType::isStatic(size) && size > 0; });
}

/// The tile of `contraction` for `target` after passing over the `number` best.
static FailureOr<RegisterTile> chooseTile(linalg::GenericOp contraction,
                                          TargetAttr target, size_t number) {
  RegisterTile tile;
  if (hasNoTerms(contraction))
    return tile;
  SmallVector<LoopStrides> strides =
      getLoopStrides(contraction, getRowsOf(contraction));
  bool canBlock = canStorePartialSums(contraction);
  if (number == 0) {
    tile = chooseRegisterTile(target, contraction, strides, canBlock);
  } else {
    SmallVector<RegisterTile> tiles =
        rankRegisterTiles(target, contraction, strides, canBlock);
    if (number >= tiles.size())
      return contraction.emitError()
             << "expected a candidate below " << tiles.size()
             << ", the number of tiles for this contraction, but got "
             << number;
    tile = tiles[number];
  }
  if (std::isinf(tile.cost) && !target.getTile().empty() &&
      canBeTiled(contraction))
    return contraction.emitError()
           << "has no tile of " << target.getTile()[0] << " rows and "
           << target.getTile()[1] << " vectors";
  chooseCacheBlocks(target, contraction, strides, tile, canBlock);
  tile.masked = target.hasMasks() && canMaskTile(contraction, tile);
  return tile;
}

/// Warns where a tile that was asked for has more sums than registers.
static void warnOfSpills(linalg::GenericOp contraction, TargetAttr target,
                         const RegisterTile &tile) {
  int64_t vectors = llvm::divideCeil(tile.lanes, tile.vectorLanes);
  for (const LoopSteps &rows : tile.rows)
    vectors *= rows.size;
  if (vectors > target.getRegisters())
    contraction.emitWarning() << "the sums of its tile fill " << vectors
                              << " vectors, but the target has "
                              << target.getRegisters() << " registers";
}

namespace {
struct ChooseTilesPass final
    : mlir::convoy::impl::ChooseTilesPassBase<ChooseTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> contractions =
        getContractions(getOperation());
    if (explain && contractions.empty())
      emitRemark(getOperation()->getLoc())
          << getWords(Choice::NoTile)
          << ": there is no contraction over convoy.im2col";
    if (!target.getTile().empty() && contractions.empty())
      emitWarning(getOperation()->getLoc())
          << "no tile is set: there is no contraction over convoy.im2col";
    remarkOfConvolutions(getOperation());
    DenseSet<Operation *> laterOps;
    // A plan that is there stays, unless a tile is asked for.
    bool keepsPlans = target.getTile().empty() && candidate == 0;
    for (linalg::GenericOp contraction : contractions) {
      if (keepsPlans && contraction->hasAttr(RegisterTileAttr::getAttrName()))
        continue;
      FailureOr<RegisterTile> tile = chooseTile(contraction, target, candidate);
      if (failed(tile))
        return signalPassFailure();
      if (!target.getTile().empty())
        warnOfSpills(contraction, target, *tile);
      contraction->setAttr(RegisterTileAttr::getAttrName(),
                           tile->toAttr(&getContext()));
      if (!explain)
        continue;
      contraction.emitRemark() << explainTile(contraction, *tile);
      std::optional<LaterOp> later =
          findLaterOp(contraction, getTileRoot(contraction, *tile));
      if (later && laterOps.insert(later->op).second)
        later->op->emitRemark()
            << later->describe() << " " << getWords(Choice::AfterTiles) << ": "
            << getWords(later->reason);
    }
  }
};
} // namespace
