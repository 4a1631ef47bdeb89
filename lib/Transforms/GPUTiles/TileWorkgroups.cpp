//===- TileWorkgroups.cpp - Loops over workgroups' tiles --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Costs/MatrixTile.h"
#include "convoy/Transforms/Costs/WorkgroupCosts.h"
#include "convoy/Transforms/GPUTiles/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/LoopStrides.h"
#include "convoy/Transforms/Utils/PlanErrors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TILEWORKGROUPSPASS
#include "convoy/Transforms/GPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// `tile` in words.
static std::string describeTile(const WorkgroupTile &tile) {
  std::string matrix = tile.matrix ? (getWords(Choice::MatrixInstructions) +
                                      StringRef(tile.matrix->name))
                                         .str()
                                   : "";
  std::string reads = tile.staged
                          ? "from " + std::to_string(tile.terms) +
                                getWords(Choice::SharedMemory).str() +
                                (tile.buffers > 1 ? ", in two buffers" : "")
                          : ("from " + getWords(Choice::FactorsInPlace)).str();
  std::string sharers =
      tile.sharers > 1 ? ", " + std::to_string(tile.sharers) + " together" : "";
  std::string idle =
      tile.idle > 0 ? ", " + std::to_string(tile.idle) + " of them none" : "";
  return (Twine(getWords(Choice::WorkgroupTiles)) + Twine(tile.getItems()) +
          " work-items compute tiles of " + Twine(tile.rows) + " x " +
          Twine(tile.lanes) + " elements, " + Twine(tile.itemRows) + " x " +
          Twine(tile.itemLanes) + " each" + idle + sharers + matrix + ", " +
          reads)
      .str();
}

/// How `contraction` is computed on `target`, in tiles or, without one, element
/// by element.
static std::string explainTile(TargetAttr target, linalg::GenericOp contraction,
                               const std::optional<WorkgroupTile> &tile) {
  std::string text = tile ? describeTile(*tile)
                          : (getWords(Choice::OneElementEach) +
                             ", since no factor is used by several workgroups")
                                .str();
  std::string reason =
      tile && tile->matrix ? "" : explainNoMatrix(target, contraction);
  if (!reason.empty())
    text += ", and not by matrix instructions: " + reason;
  return text;
}

using FusionControl = scf::SCFTileAndFuseOptions::ControlFnResult;

/// Adds to `ops` those that compute a tile of `value` from the same tile of
/// others: what an init is made of.
static void collectInit(Value value, SmallPtrSetImpl<Operation *> &ops) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !isFusable(op) || op.getNumReductionLoops() > 0)
    return;
  ops.insert(op);
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isIdentity())
      collectInit(operand.get(), ops);
}

/// Runs tiles of `root` in any order, all that makes up its tile fused. Returns
/// the root of a tile.
static FailureOr<linalg::LinalgOp> tileResult(RewriterBase &rewriter,
                                              linalg::LinalgOp root,
                                              const WorkgroupTile &tile) {
  unsigned numLoops = root.getNumParallelLoops();
  SmallVector<int64_t> extents = root.getStaticLoopRanges();
  extents.truncate(numLoops);
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.tilingOptions.setTileSizes(withoutUnitLoops(
      rewriter, extents, ArrayRef(tile.sizes).take_front(numLoops)));
  SmallPtrSet<Operation *, 8> fused;
  linalg::GenericOp contraction = getContractionOf(root);
  fused.insert(contraction);
  fused.insert(getRowsOf(contraction));
  collectInit(contraction.getOutputs()[0], fused);
  options.setFusionControlFn([&](tensor::ExtractSliceOp, OpResult producer,
                                 bool) -> std::optional<FusionControl> {
    if (fused.contains(producer.getOwner()))
      return FusionControl{};
    return std::nullopt;
  });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(*root), options);
  if (failed(tiled))
    return root.emitOpError("cannot be tiled");
  auto tiledRoot = cast<linalg::LinalgOp>(tiled->tiledAndFusedOps.front());
  rewriter.replaceOp(root, tiled->replacements.lookup(root->getResult(0)));
  return tiledRoot;
}

/// Whether idle work-items make the last subgroup of a workgroup whole, whose
/// lanes are there in any case, and help to read what all share. On AMD's GPUs
/// a wave that is not whole costs nothing, and what keeps them apart takes
/// scalar registers.
static bool fillsSubgroups(linalg::GenericOp contraction) {
  return !contraction->getParentOfType<ModuleOp>()->hasAttr(kRocmChipAttrName);
}

static LogicalResult tileContraction(RewriterBase &rewriter,
                                     linalg::GenericOp contraction,
                                     TargetAttr target, bool explain) {
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  if (llvm::is_contained(extents, 0))
    return success();
  unsigned numLoops = contraction.getNumParallelLoops();
  std::optional<WorkgroupTile> tile = chooseWorkgroupTile(
      target, contraction, getLoopStrides(contraction, getRowsOf(contraction)));
  if (tile && tile->staged && fillsSubgroups(contraction))
    tile->idle = llvm::alignTo(tile->getItems(), target.getSubgroup()) -
                 tile->getItems();
  // One tile is no loop: so few elements are a work-item's each, if no part of
  // a reduction.
  bool isCut = tile && !llvm::equal(ArrayRef(tile->sizes).take_front(numLoops),
                                    ArrayRef(extents).take_front(numLoops));
  if (!isCut && !contraction->getParentOfType<scf::ForallOp>())
    tile = std::nullopt;
  if (explain)
    contraction.emitRemark() << explainTile(target, contraction, tile);
  if (!tile)
    return success();
  contraction->setAttr(
      WorkgroupTileAttr::getAttrName(),
      WorkgroupTileAttr::get(
          rewriter.getContext(), rewriter.getDenseI64ArrayAttr(extents),
          rewriter.getDenseI64ArrayAttr(tile->sizes), tile->laneLoop,
          tile->itemRows, tile->itemLanes,
          tile->matrix ? rewriter.getStringAttr(tile->matrix->name)
                       : StringAttr(),
          tile->staged, tile->buffers, tile->sharers, tile->idle));
  FailureOr<linalg::LinalgOp> root = getRoot(contraction);
  if (isCut)
    root = tileResult(rewriter, *root, *tile);
  if (failed(root))
    return failure();
  // What the tile takes of the result is whole now; the reduction has steps.
  linalg::GenericOp inner = getContractionOf(*root);
  SmallVector<int64_t> sizes = inner.getStaticLoopRanges();
  llvm::copy(ArrayRef(tile->sizes).drop_front(numLoops),
             sizes.begin() + numLoops);
  return tileWithRows(rewriter, inner, sizes, /*order=*/{});
}

namespace {
struct TileWorkgroupsPass final
    : mlir::convoy::impl::TileWorkgroupsPassBase<TileWorkgroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> contractions =
        getContractions(getOperation());
    if (explain && (!target.isGPU() || contractions.empty()))
      emitRemark(getOperation()->getLoc())
          << getWords(Choice::NoWorkgroupTiles) << ": "
          << (target.isGPU() ? "there is no contraction over convoy.im2col"
                             : "the target is no GPU");
    if (!target.isGPU())
      return;
    if (failed(verifyNoPlan(getOperation(), WorkgroupTileAttr::getAttrName(),
                            "it has no such tiles yet")) ||
        failed(verifyNoPlan(getOperation(), TileLanesAttr::getAttrName(),
                            "the target is a GPU")))
      return signalPassFailure();
    remarkOfConvolutions(getOperation());
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp contraction : contractions)
      if (failed(tileContraction(rewriter, contraction, target, explain)))
        return signalPassFailure();
    // The ops that tiles were made of.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
