//===- TileContraction.cpp - Loops over register tiles of a contraction -*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/RegisterTile.h"
#include "convoy/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TILECONTRACTIONPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What is tiled
//===----------------------------------------------------------------------===//

/// Whether `op` multiplies the rows of an im2col with a filter.
static bool isContractionOfRows(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() == 2 &&
         op.getNumDpsInits() == 1 &&
         op.getInputs()[0].getDefiningOp<Im2colOp>() != nullptr;
}

/// The op whose result leaves the tile: the one that converts the contraction's
/// result to the type of its destination, else the contraction.
static linalg::LinalgOp getRoot(linalg::GenericOp contraction) {
  Value result = contraction.getResult(0);
  if (!result.hasOneUse())
    return contraction;
  auto user = dyn_cast<linalg::GenericOp>(*result.getUsers().begin());
  if (!user || user.getNumReductionLoops() > 0 || user.getNumDpsInputs() != 1 ||
      !llvm::all_of(user.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return contraction;
  return user;
}

/// Whether `op` can be computed tile by tile where its tiles are used.
static bool isFusable(Operation *op) {
  if (isa_and_nonnull<Im2colOp, linalg::FillOp, linalg::BroadcastOp>(op))
    return true;
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic &&
         (generic.getNumReductionLoops() == 0 || isContractionOfRows(generic));
}

namespace {
/// A contraction, the op that finishes it, and how both are tiled.
struct TilePlan {
  linalg::LinalgOp root;
  SmallVector<int64_t> loopSizes; ///< of the contraction
  RegisterTile tile;
  /// Output dimension that a parallel loop of the contraction runs over; loops
  /// of the root are the output's dimensions.
  DenseMap<unsigned, unsigned> outputDims;
  /// The root's loops, outermost first.
  SmallVector<int64_t> order;
};
} // namespace

/// The root's loops from outermost: those that every operand depends on, then
/// those of the filter alone, whose slice then stays in the cache, then those
/// of the rows alone.
static SmallVector<int64_t>
getLoopOrder(const DenseMap<unsigned, unsigned> &outputDims,
             ArrayRef<LoopStrides> strides) {
  SmallVector<std::pair<int, int64_t>> ranked;
  for (auto [loop, dim] : outputDims) {
    bool inRows = strides[0][loop] != 0, inFilter = strides[1][loop] != 0;
    ranked.emplace_back(inRows && inFilter ? 0 : inFilter ? 1 : 2, dim);
  }
  llvm::sort(ranked);
  return llvm::to_vector(llvm::make_second_range(ranked));
}

static TilePlan makePlan(linalg::GenericOp contraction, TargetAttr target) {
  TilePlan plan;
  plan.root = getRoot(contraction);
  plan.loopSizes = contraction.getStaticLoopRanges();
  auto rows = contraction.getInputs()[0].getDefiningOp<Im2colOp>();
  SmallVector<LoopStrides> strides = getLoopStrides(contraction, rows);
  Type accumulator = getElementTypeOrSelf(contraction.getResult(0).getType());
  plan.tile = chooseRegisterTile(
      target, llvm::divideCeil(accumulator.getIntOrFloatBitWidth(), 8),
      plan.loopSizes, contraction.getIteratorTypesArray(), strides);
  AffineMap output = contraction.getIndexingMapsArray()[2];
  for (unsigned dim = 0; dim < output.getNumResults(); ++dim)
    plan.outputDims[output.getDimPosition(dim)] = dim;
  plan.order = getLoopOrder(plan.outputDims, strides);
  return plan;
}

/// Marks `op` and those that compute the same tile for it with their lanes.
static void markProducers(Operation *op, DenseI64ArrayAttr lanes) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !isFusable(op))
    return;
  op->setAttr(kLanesAttrName, lanes);
  for (OpOperand &operand : op->getOpOperands())
    if (linalgOp.getMatchingIndexingMap(&operand).isIdentity())
      markProducers(operand.get().getDefiningOp(), lanes);
}

/// Marks the ops that make up tiles with their lanes.
static void markLanes(linalg::GenericOp contraction, const TilePlan &plan) {
  auto lanes = DenseI64ArrayAttr::get(
      contraction.getContext(),
      {int64_t(plan.outputDims.lookup(plan.tile.laneLoop)),
       plan.tile.vectorLanes});
  plan.root->setAttr(kLanesAttrName, lanes);
  contraction->setAttr(kLanesAttrName, lanes);
  markProducers(contraction.getOutputs()[0].getDefiningOp(), lanes);
}

//===----------------------------------------------------------------------===//
// Parts of one tile size
//===----------------------------------------------------------------------===//

namespace {
/// A box of the root's iteration space and the tile that divides it.
struct Part {
  SmallVector<int64_t> offsets, sizes, tileSizes;
};
} // namespace

/// Splits [0, size) into what `tile` divides and the rest.
static SmallVector<std::pair<int64_t, int64_t>> splitAt(int64_t size,
                                                        int64_t tile) {
  int64_t whole = size / tile * tile;
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  if (whole > 0)
    ranges.emplace_back(0, whole);
  if (whole < size)
    ranges.emplace_back(whole, size - whole);
  return ranges;
}

/// The parts of a static iteration space. Loops without a tile have steps of 1.
static SmallVector<Part> getParts(const TilePlan &plan) {
  Part all;
  unsigned rank = plan.outputDims.size();
  all.offsets.assign(rank, 0);
  all.sizes.assign(rank, 0);
  all.tileSizes.assign(rank, 1);
  for (auto [loop, dim] : plan.outputDims)
    all.sizes[dim] = plan.loopSizes[loop];
  SmallVector<Part> parts = {all};
  auto split = [&](unsigned loop, int64_t tile) {
    unsigned dim = plan.outputDims.lookup(loop);
    SmallVector<Part> finer;
    for (const Part &part : parts)
      for (auto [offset, size] : splitAt(part.sizes[dim], tile)) {
        Part next = part;
        next.offsets[dim] = offset;
        next.sizes[dim] = size;
        next.tileSizes[dim] = std::min(size, tile);
        finer.push_back(next);
      }
    parts = std::move(finer);
  };
  if (plan.tile.lanes > 1)
    split(plan.tile.laneLoop, plan.tile.lanes);
  for (const RegisterTile::Rows &rows : plan.tile.rows)
    if (rows.size > 1)
      split(rows.loop, rows.size);
  return parts;
}

/// Computes producers of slices for the slice alone, upwards through all that
/// `isFusable`. Slices of `oldDestination` become slices of `destination`.
static LogicalResult sinkSlices(RewriterBase &rewriter,
                                SmallVector<Operation *> slices,
                                Value oldDestination, Value destination) {
  while (!slices.empty()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(slices.pop_back_val());
    if (!slice)
      continue;
    Operation *producer = slice.getSource().getDefiningOp();
    if (!isFusable(producer)) {
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

namespace {
/// A part as a slice of a tensor.
struct PartSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// The slice of `tensor` that `part` covers.
static PartSlice getPartSlice(OpBuilder &builder, Location loc, Value tensor,
                              const Part &part) {
  PartSlice slice;
  slice.offsets = getAsIndexOpFoldResult(builder.getContext(), part.offsets);
  slice.sizes = tensor::getMixedSizes(builder, loc, tensor);
  for (auto [size, partSize] : llvm::zip_equal(slice.sizes, part.sizes))
    if (ShapedType::isStatic(partSize))
      size = builder.getIndexAttr(partSize);
  slice.strides.assign(part.offsets.size(), builder.getIndexAttr(1));
  return slice;
}

/// The root for one part alone, with everything it needs computed for the part
/// and written into `destination` where it was written into `oldDestination`.
static FailureOr<linalg::LinalgOp>
computePart(RewriterBase &rewriter, linalg::LinalgOp root,
            const PartSlice &slice, Value oldDestination, Value destination) {
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
  if (failed(sinkSlices(rewriter, tile->generatedSlices, oldDestination,
                        destination)))
    return failure();
  return partRoot;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Tile sizes with 0, no loop, for loops of one iteration.
static SmallVector<OpFoldResult> withoutUnitLoops(OpBuilder &builder,
                                                  ArrayRef<int64_t> loopSizes,
                                                  ArrayRef<int64_t> tileSizes) {
  SmallVector<OpFoldResult> result;
  for (auto [size, tile] : llvm::zip_equal(loopSizes, tileSizes))
    result.push_back(builder.getIndexAttr(size == tile ? 0 : tile));
  return result;
}

/// Runs the reduction of a tile one term at a time, shortest loop outside, the
/// rows fused.
static LogicalResult tileReduction(RewriterBase &rewriter,
                                   linalg::GenericOp contraction) {
  SmallVector<int64_t> loopSizes = contraction.getStaticLoopRanges();
  SmallVector<int64_t> tileSizes = loopSizes;
  SmallVector<unsigned> reductions;
  contraction.getReductionDims(reductions);
  SmallVector<int64_t> order(loopSizes.size());
  std::iota(order.begin(), order.end(), 0);
  for (unsigned loop : reductions)
    tileSizes[loop] = 1;
  auto rank = [&](int64_t loop) -> int64_t {
    if (!llvm::is_contained(reductions, loop))
      return -1;
    return ShapedType::isDynamic(loopSizes[loop])
               ? std::numeric_limits<int64_t>::max()
               : loopSizes[loop];
  };
  llvm::stable_sort(order,
                    [&](int64_t a, int64_t b) { return rank(a) < rank(b); });

  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(
      withoutUnitLoops(rewriter, loopSizes, tileSizes));
  options.tilingOptions.setInterchange(order);
  options.setFusionControlFn(
      [](tensor::ExtractSliceOp, OpResult producer,
         bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isa<Im2colOp>(producer.getOwner()))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  rewriter.setInsertionPoint(contraction);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(*contraction), options);
  if (failed(tiled))
    return contraction.emitOpError("has a reduction that cannot be tiled");
  if (Value result = tiled->replacements.lookup(contraction.getResult(0)))
    rewriter.replaceOp(contraction, result);
  return success();
}

/// The contraction that `root` is or finishes.
static linalg::GenericOp getContractionOf(linalg::LinalgOp root) {
  if (root.getNumReductionLoops() > 0)
    return cast<linalg::GenericOp>(*root);
  return root.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
}

/// Replaces `root` by loops over tiles with everything it needs fused, and runs
/// the contraction inside them.
static LogicalResult tilePart(RewriterBase &rewriter, linalg::LinalgOp root,
                              ArrayRef<int64_t> tileSizes,
                              ArrayRef<int64_t> order) {
  SmallVector<int64_t> loopSizes = root.getStaticLoopRanges();
  SmallVector<int64_t> allTileSizes(tileSizes);
  SmallVector<int64_t> allOrder(order);
  // The loops of a contraction after the output's dimensions are reductions.
  for (unsigned loop = tileSizes.size(); loop < loopSizes.size(); ++loop) {
    allTileSizes.push_back(loopSizes[loop]);
    allOrder.push_back(loop);
  }
  if (allTileSizes == loopSizes)
    return tileReduction(rewriter, getContractionOf(root));

  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(
      withoutUnitLoops(rewriter, loopSizes, allTileSizes));
  options.tilingOptions.setInterchange(allOrder);
  options.setFusionControlFn(
      [](tensor::ExtractSliceOp, OpResult producer,
         bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isFusable(producer.getOwner()))
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
  rewriter.replaceOp(root, tiled->replacements.lookup(root->getResult(0)));
  return tileReduction(rewriter, getContractionOf(tiledRoot));
}

/// The tensor that `value` is written into, below everything fusable.
static Value getDestination(Value value) {
  while (isFusable(value.getDefiningOp()))
    value = cast<linalg::LinalgOp>(value.getDefiningOp()).getDpsInits()[0];
  return value;
}

/// Tiles the contraction of `plan` part by part. Each part is written into what
/// the parts before left, so that all of them share one buffer.
static LogicalResult tileParts(RewriterBase &rewriter, const TilePlan &plan,
                               ArrayRef<Part> parts) {
  linalg::LinalgOp root = plan.root;
  Location loc = root.getLoc();
  Value oldDestination = getDestination(root.getDpsInits()[0]);
  Value destination = oldDestination;
  for (const Part &part : parts) {
    rewriter.setInsertionPoint(root);
    PartSlice slice = getPartSlice(rewriter, loc, destination, part);
    FailureOr<linalg::LinalgOp> partRoot =
        computePart(rewriter, root, slice, oldDestination, destination);
    if (failed(partRoot))
      return failure();
    rewriter.setInsertionPoint(root);
    destination = tensor::InsertSliceOp::create(
        rewriter, loc, (*partRoot)->getResult(0), destination, slice.offsets,
        slice.sizes, slice.strides);
    if (failed(tilePart(rewriter, *partRoot, part.tileSizes, plan.order)))
      return failure();
  }
  rewriter.replaceOp(root, destination);
  return success();
}

/// Tiles `contraction` and the ops that belong to it.
static LogicalResult tileContraction(RewriterBase &rewriter,
                                     linalg::GenericOp contraction,
                                     TargetAttr target) {
  TilePlan plan = makePlan(contraction, target);
  markLanes(contraction, plan);
  SmallVector<Part> parts = getParts(plan);
  if (parts.size() == 1)
    return tilePart(rewriter, plan.root, parts[0].tileSizes, plan.order);
  return tileParts(rewriter, plan, parts);
}

namespace {
struct TileContractionPass final
    : mlir::convoy::impl::TileContractionPassBase<TileContractionPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> contractions;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (isContractionOfRows(op))
        contractions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp contraction : contractions)
      if (failed(tileContraction(rewriter, contraction, target)))
        return signalPassFailure();
  }
};
} // namespace
