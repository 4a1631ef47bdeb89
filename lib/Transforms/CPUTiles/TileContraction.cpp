//===- TileContraction.cpp - Loops over register tiles ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollapseLoops.h"
#include "TilePlan.h"

#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/ContractionPart.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/PlanErrors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TILECONTRACTIONPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A part as a slice of a tensor.
struct PartSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// The slice of `tensor`, the result of the loops that `part` takes a part of.
static PartSlice getPartSlice(OpBuilder &builder, Location loc, Value tensor,
                              const TilePart &part) {
  PartSlice slice;
  slice.sizes = tensor::getMixedSizes(builder, loc, tensor);
  slice.strides.assign(slice.sizes.size(), builder.getIndexAttr(1));
  for (auto [dim, size] : llvm::enumerate(slice.sizes)) {
    slice.offsets.push_back(builder.getIndexAttr(part.offsets[dim]));
    if (ShapedType::isStatic(part.sizes[dim]))
      size = builder.getIndexAttr(part.sizes[dim]);
  }
  return slice;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The tensor that `value` is written into, below everything fusable.
static Value getDestination(Value value) {
  while (isFusable(value.getDefiningOp()))
    value = cast<linalg::LinalgOp>(value.getDefiningOp()).getDpsInits()[0];
  return value;
}

namespace {
/// Turns the ops of a plan into loops, level by level.
class ContractionTiler {
public:
  ContractionTiler(RewriterBase &rewriter, const TilePlan &plan)
      : rewriter(rewriter), plan(plan) {
    findReadWhole();
  }

  LogicalResult tile() { return tileLevel(plan.root, 0); }

private:
  /// Tiles `root` by the loops of this level and those inside it.
  LogicalResult tileLevel(linalg::LinalgOp root, unsigned level);
  /// Goes on inside the first level with lanes along one loop where two ran
  /// along them.
  LogicalResult tileCollapsed(linalg::LinalgOp root);
  /// Replaces `root` by loops of this level, which `part` is divided by, with
  /// everything it needs fused, and goes on inside them.
  LogicalResult tilePart(linalg::LinalgOp root, const TilePart &part,
                         unsigned level);
  /// Tiles `root` part by part. Each part is written into what the parts before
  /// left, so that all of them share one buffer.
  LogicalResult tileParts(linalg::LinalgOp root, ArrayRef<TilePart> parts,
                          unsigned level);
  /// The root for one part alone, with everything it needs computed for the
  /// part and written into `destination` where it was written into
  /// `oldDestination`.
  FailureOr<linalg::LinalgOp> computePart(linalg::LinalgOp root,
                                          const PartSlice &slice,
                                          Value oldDestination,
                                          Value destination, unsigned level);
  /// Computes producers of slices for the slice alone, upwards through all that
  /// this level fuses. Slices of `oldDestination` become slices of
  /// `destination`.
  LogicalResult sinkSlices(SmallVector<Operation *> slices,
                           Value oldDestination, Value destination,
                           unsigned level);
  /// Gives a packed copy of one tile a tensor of its own, in the place of a
  /// slice of one for all tiles.
  void shrinkDestination(linalg::GenericOp copy);
  /// Runs the reduction of a tile one term at a time, or as many as it adds in
  /// one step, the rows fused.
  LogicalResult tileReduction(linalg::GenericOp contraction);

  /// Whether the loops of this level compute `op` tile by tile: packed copies
  /// are read by the last, and blocks of a reduction add to what is there.
  bool isFusedAt(Operation *op, unsigned level) const {
    if (!isFusable(op) || isComputedBefore(op))
      return false;
    if (isPackedPanel(op))
      return level == 0 || level + 1 < plan.levels.size();
    return isa<Im2colOp>(op) || !isReduction(plan.levels[level]);
  }
  bool isComputedBefore(Operation *op) const {
    return readWhole.contains(op) ||
           llvm::any_of(plan.computedBefore, [op](Value input) {
             return input.getDefiningOp() == op;
           });
  }
  /// Finds what is computed before a loop around the root that reads all of it
  /// in each iteration, in which it shall not be computed again: zeros may be.
  void findReadWhole() {
    for (Operation &op : *plan.root->getBlock()) {
      if (!isa<Im2colOp, linalg::LinalgOp>(op))
        continue;
      for (Value operand : op.getOperands()) {
        Operation *before = operand.getDefiningOp();
        if (before && before->getBlock() != op.getBlock() &&
            !isa<linalg::FillOp>(before))
          readWhole.insert(before);
      }
    }
  }
  bool isReduction(const TilePlan::Level &level) const {
    return !level.empty() &&
           llvm::is_contained(plan.reductions, level.front().loop);
  }

  RewriterBase &rewriter;
  const TilePlan &plan;
  llvm::SmallPtrSet<Operation *, 4> readWhole;
};
} // namespace

LogicalResult ContractionTiler::tileLevel(linalg::LinalgOp root,
                                          unsigned level) {
  if (level == plan.levels.size())
    return tileReduction(plan.getContraction(root));
  if (level + 1 == plan.levels.size() && plan.tile.outerLanes)
    return tileCollapsed(root);
  SmallVector<TilePart> parts = getTileParts(root, plan.levels[level]);
  if (parts.size() == 1)
    return tilePart(root, parts[0], level);
  return tileParts(root, parts, level);
}

LogicalResult ContractionTiler::tileCollapsed(linalg::LinalgOp root) {
  FailureOr<linalg::LinalgOp> collapsed =
      collapseLoops(rewriter, root, plan.tile.outerLanes->loop);
  if (failed(collapsed))
    return root.emitOpError("has lanes that cannot run along one loop");
  TilePlan inner = collapsePlan(plan, *collapsed);
  markLanes(inner);
  return ContractionTiler(rewriter, inner).tile();
}

LogicalResult ContractionTiler::tilePart(linalg::LinalgOp root,
                                         const TilePart &part, unsigned level) {
  SmallVector<int64_t> loopSizes = root.getStaticLoopRanges();
  if (part.tileSizes == loopSizes)
    return tileLevel(root, level + 1);

  SmallVector<int64_t> order = llvm::map_to_vector(
      plan.levels[level],
      [](TilePlan::Loop loop) -> int64_t { return loop.loop; });
  for (unsigned loop = 0; loop < loopSizes.size(); ++loop)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(
      withoutUnitLoops(rewriter, loopSizes, part.tileSizes));
  options.tilingOptions.setInterchange(order);
  // Blocks of a reduction come one after the other, tiles in any order.
  options.tilingOptions.setLoopType(
      isReduction(plan.levels[level])
          ? scf::SCFTilingOptions::LoopType::ForOp
          : scf::SCFTilingOptions::LoopType::ForallOp);
  options.setFusionControlFn(
      [this, level](tensor::ExtractSliceOp, OpResult producer, bool)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isFusedAt(producer.getOwner(), level))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(*root), options);
  if (failed(tiled))
    return root.emitOpError("cannot be tiled");
  auto tiledRoot = cast<linalg::LinalgOp>(tiled->tiledAndFusedOps.front());
  for (Operation *op : tiled->tiledAndFusedOps)
    if (isPackedPanel(op))
      shrinkDestination(cast<linalg::GenericOp>(op));
  rewriter.replaceOp(root, tiled->replacements.lookup(root->getResult(0)));
  return tileLevel(tiledRoot, level + 1);
}

LogicalResult ContractionTiler::tileParts(linalg::LinalgOp root,
                                          ArrayRef<TilePart> parts,
                                          unsigned level) {
  Location loc = root.getLoc();
  Value oldDestination = getDestination(root.getDpsInits()[0]);
  Value destination = oldDestination;
  for (const TilePart &part : parts) {
    rewriter.setInsertionPoint(root);
    PartSlice slice = getPartSlice(rewriter, loc, destination, part);
    FailureOr<linalg::LinalgOp> partRoot =
        computePart(root, slice, oldDestination, destination, level);
    if (failed(partRoot))
      return failure();
    rewriter.setInsertionPoint(root);
    destination = tensor::InsertSliceOp::create(
        rewriter, loc, (*partRoot)->getResult(0), destination, slice.offsets,
        slice.sizes, slice.strides);
    if (failed(tilePart(*partRoot, part, level)))
      return failure();
  }
  rewriter.replaceOp(root, destination);
  return success();
}

FailureOr<linalg::LinalgOp>
ContractionTiler::computePart(linalg::LinalgOp root, const PartSlice &slice,
                              Value oldDestination, Value destination,
                              unsigned level) {
  SmallVector<OpFoldResult> offsets = slice.offsets, sizes = slice.sizes;
  // The loops of a contraction after the output's dimensions are reductions.
  SmallVector<Range> domain =
      cast<TilingInterface>(*root).getIterationDomain(rewriter);
  for (const Range &range : ArrayRef(domain).drop_front(offsets.size())) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(*root).getTiledImplementation(rewriter, offsets,
                                                          sizes);
  if (failed(tile))
    return root.emitOpError("has no tile");
  auto partRoot = cast<linalg::LinalgOp>(tile->tiledOps.front());
  if (failed(sinkSlices(tile->generatedSlices, oldDestination, destination,
                        level)))
    return failure();
  return partRoot;
}

LogicalResult ContractionTiler::sinkSlices(SmallVector<Operation *> slices,
                                           Value oldDestination,
                                           Value destination, unsigned level) {
  while (!slices.empty()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(slices.pop_back_val());
    if (!slice)
      continue;
    Operation *producer = slice.getSource().getDefiningOp();
    if (!isFusedAt(producer, level)) {
      if (slice.getSource() == oldDestination)
        rewriter.modifyOpInPlace(
            slice, [&] { slice.getSourceMutable().set(destination); });
      continue;
    }
    rewriter.setInsertionPoint(slice);
    FailureOr<TilingResult> tile = tensor::replaceExtractSliceWithTiledProducer(
        rewriter, slice, cast<OpResult>(slice.getSource()));
    if (failed(tile))
      return producer->emitOpError("has no tile");
    llvm::append_range(slices, tile->generatedSlices);
    rewriter.replaceOp(slice, tile->tiledValues);
  }
  return success();
}

void ContractionTiler::shrinkDestination(linalg::GenericOp copy) {
  rewriter.setInsertionPoint(copy);
  auto type = cast<RankedTensorType>(copy.getResult(0).getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, copy.getLoc(),
      tensor::getMixedSizes(rewriter, copy.getLoc(), copy.getOutputs()[0]),
      type.getElementType());
  rewriter.modifyOpInPlace(copy,
                           [&] { copy.getOutputsMutable().assign(empty); });
}

LogicalResult ContractionTiler::tileReduction(linalg::GenericOp contraction) {
  SmallVector<int64_t> loopSizes = contraction.getStaticLoopRanges();
  SmallVector<int64_t> tileSizes = loopSizes;
  SmallVector<int64_t> order = llvm::to_vector(
      llvm::seq<int64_t>(loopSizes.size() - plan.reductions.size()));
  for (unsigned loop : plan.reductions) {
    tileSizes[loop] = plan.tile.getStep(loop);
    order.push_back(loop);
  }
  return tileWithRows(rewriter, contraction, tileSizes, order);
}

/// Tiles `contraction` and the ops that belong to it.
static LogicalResult tileContraction(RewriterBase &rewriter,
                                     linalg::GenericOp contraction,
                                     const RegisterTile &tile) {
  TilePlan plan = makeTilePlan(rewriter, contraction, tile);
  if (!plan.tile.outerLanes)
    markLanes(plan);
  return ContractionTiler(rewriter, plan).tile();
}

/// The same where lanes are summed: what whole steps of them leave of their
/// loop is a contraction of its own, by a tile with fewer lanes.
static LogicalResult tileSum(RewriterBase &rewriter,
                             linalg::GenericOp contraction,
                             const RegisterTile &tile) {
  int64_t size = contraction.getStaticLoopRanges()[tile.laneLoop];
  int64_t rest = size % tile.lanes;
  if (rest == 0)
    return tileContraction(rewriter, contraction, tile);
  FailureOr<SmallVector<linalg::GenericOp>> parts =
      cutReduction(rewriter, contraction, tile.laneLoop, size - rest);
  if (failed(parts) || failed(tileContraction(rewriter, parts->front(), tile)))
    return failure();
  RegisterTile restTile = tile;
  restTile.lanes = rest;
  return tileContraction(rewriter, parts->back(), restTile);
}

/// The same where another op finishes the sums of blocks: it does so in the
/// tiles of the last block, which is a contraction of its own.
static LogicalResult tileBlocks(RewriterBase &rewriter,
                                linalg::GenericOp contraction,
                                RegisterTile tile) {
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  llvm::erase_if(tile.blocks, [&](const LoopSteps &block) {
    return block.size == sizes[block.loop];
  });
  if (tile.blocks.empty() || getTileRoot(contraction, tile) == contraction)
    return tile.sumsLanes ? tileSum(rewriter, contraction, tile)
                          : tileContraction(rewriter, contraction, tile);
  LoopSteps block = tile.blocks.front();
  FailureOr<SmallVector<linalg::GenericOp>> parts = cutReduction(
      rewriter, contraction, block.loop, sizes[block.loop] - block.size);
  if (failed(parts) || failed(tileBlocks(rewriter, parts->front(), tile)))
    return failure();
  return tileBlocks(rewriter, parts->back(), std::move(tile));
}

/// Tiles `contraction` as the plan on it says.
static LogicalResult tileAsPlanned(RewriterBase &rewriter,
                                   linalg::GenericOp contraction) {
  StringRef name = RegisterTileAttr::getAttrName();
  auto plan = contraction->getAttrOfType<RegisterTileAttr>(name);
  if (!plan)
    return contraction.emitError()
           << "expected a #convoy.register_tile, which convoy-choose-tiles "
              "leaves";
  if (failed(verifyPlan(contraction, plan)))
    return failure();
  if (hasNoTerms(contraction)) {
    rewriter.replaceOp(contraction, contraction.getOutputs());
    return success();
  }
  rewriter.modifyOpInPlace(contraction, [&] { contraction->removeAttr(name); });
  RegisterTile tile = RegisterTile::get(plan, contraction);
  return tileBlocks(rewriter, contraction, std::move(tile));
}

namespace {
struct TileContractionPass final
    : mlir::convoy::impl::TileContractionPassBase<TileContractionPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyNoPlan(getOperation(), TileLanesAttr::getAttrName(),
                            "it is in no register tile yet")) ||
        failed(verifyPackedPanels(getOperation())))
      return signalPassFailure();
    remarkOfConvolutions(getOperation());
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp contraction : getContractions(getOperation()))
      if (failed(tileAsPlanned(rewriter, contraction)))
        return signalPassFailure();
    if (failed(verifyNoPlan(getOperation(), RegisterTileAttr::getAttrName(),
                            "it is no contraction over convoy.im2col")))
      return signalPassFailure();
    // The ops that tiles were made of.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
