//===- TilePlan.cpp - How a contraction is tiled ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Packing/Panels.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::canStorePartialSums(linalg::GenericOp contraction) {
  if (getRoot(contraction) != contraction)
    return true;
  return llvm::none_of(contraction->getUsers(), [](Operation *user) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    return insert && !insert.hasUnitStride();
  });
}

linalg::LinalgOp mlir::convoy::getTileRoot(linalg::GenericOp contraction,
                                           const RegisterTile &tile) {
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  auto isCut = [&](const LoopSteps &block) {
    return block.size != sizes[block.loop];
  };
  if (llvm::count_if(tile.blocks, isCut) > 1)
    return contraction;
  return getRoot(contraction);
}

//===----------------------------------------------------------------------===//
// The order of loops
//===----------------------------------------------------------------------===//

/// The root's loops from outermost: those that every operand depends on, then
/// those of the packed factor alone, else of the filter, whose slice then stays
/// in the cache, then the others. Blocks of the packed factor's reductions lie
/// between what it depends on and the rest.
static SmallVector<TilePlan::Level> getLevels(const RegisterTile &tile,
                                              unsigned numParallel,
                                              ArrayRef<LoopStrides> strides,
                                              OpOperand *packed) {
  unsigned first = packed ? packed->getOperandNumber() : 1;
  std::array<TilePlan::Level, 3> ranked;
  for (unsigned loop = 0; loop < numParallel; ++loop) {
    bool inFirst = strides[first][loop] != 0;
    bool inSecond = strides[1 - first][loop] != 0;
    // Lanes that go on along an outer loop are whole until that is collapsed.
    if (!tile.outerLanes || loop != tile.laneLoop)
      ranked[inFirst && inSecond ? 0
             : inFirst           ? 1
                                 : 2]
          .push_back({loop, tile.getStep(loop)});
  }
  auto toLevel = [](ArrayRef<LoopSteps> loops) {
    return llvm::map_to_vector(loops, [](const LoopSteps &steps) {
      return TilePlan::Loop{steps.loop, steps.size};
    });
  };
  TilePlan::Level outer = ranked[0];
  SmallVector<TilePlan::Level> levels;
  if (!tile.rowBlocks.empty()) {
    llvm::append_range(outer, toLevel(tile.rowBlocks));
    levels.push_back(std::exchange(outer, {}));
  }
  llvm::append_range(outer, ranked[1]);
  if (packed)
    levels.push_back(std::exchange(outer, {}));
  if (!tile.blocks.empty())
    levels.insert(packed && tile.blocksOutside ? levels.end() - 1
                                               : levels.end(),
                  toLevel(tile.blocks));
  llvm::append_range(outer, ranked[2]);
  levels.push_back(outer);
  return levels;
}

/// The reduction loops of `contraction` from outermost: in the order of the
/// packed factor, else the shortest first; that of the lanes is the last.
static SmallVector<unsigned> getReductionOrder(linalg::GenericOp contraction,
                                               const RegisterTile &tile,
                                               OpOperand *packed) {
  SmallVector<unsigned> reductions;
  contraction.getReductionDims(reductions);
  auto rank = [&](unsigned loop) -> uint64_t {
    if (tile.sumsLanes && loop == tile.laneLoop)
      return std::numeric_limits<uint64_t>::max();
    if (packed)
      return *contraction.getMatchingIndexingMap(packed).getResultPosition(
          getAffineDimExpr(loop, contraction.getContext()));
    // Dynamic sizes are last.
    return uint64_t(contraction.getStaticLoopRanges()[loop]);
  };
  llvm::stable_sort(reductions,
                    [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
  return reductions;
}

/// Adds to `values` what factors of `contraction` are read from that another op
/// has widened, once for all tiles.
static void addWidenedFactors(linalg::GenericOp contraction,
                              SmallVectorImpl<Value> &values) {
  for (Value factor : contraction.getInputs()) {
    if (Operation *panel = factor.getDefiningOp(); isPackedPanel(panel))
      factor = panel->getOperand(0);
    if (auto rows = factor.getDefiningOp<Im2colOp>())
      factor = rows.getInput();
    if (isConversion(factor.getDefiningOp()))
      values.push_back(factor);
  }
}

TilePlan mlir::convoy::makeTilePlan(RewriterBase &rewriter,
                                    linalg::GenericOp contraction,
                                    const RegisterTile &tile) {
  TilePlan plan;
  plan.root = getTileRoot(contraction, tile);
  if (plan.root != contraction)
    for (OpOperand *input : plan.root.getDpsInputOperands()) {
      if (input->get() == contraction.getResult(0))
        plan.sums = input->getOperandNumber();
      else
        plan.computedBefore.push_back(input->get());
    }
  plan.tile = tile;
  SmallVector<LoopStrides> strides =
      getLoopStrides(contraction, getRowsOf(contraction));
  if (plan.tile.packed)
    packIntoPanels(rewriter, contraction, plan.tile.getLaneLoops());
  OpOperand *packed = getPackedFactor(contraction);
  addWidenedFactors(contraction, plan.computedBefore);
  plan.levels =
      getLevels(plan.tile, contraction.getNumParallelLoops(), strides, packed);
  plan.reductions = getReductionOrder(contraction, plan.tile, packed);
  return plan;
}

TilePlan mlir::convoy::collapsePlan(const TilePlan &plan,
                                    linalg::LinalgOp root) {
  TilePlan inner = plan;
  inner.root = root;
  unsigned outer = plan.tile.outerLanes->loop;
  inner.tile.outerLanes.reset();
  inner.tile.rowBlocks.clear();
  inner.tile.laneLoop = outer;
  auto moveUp = [outer](unsigned &loop) { loop -= loop > outer; };
  for (LoopSteps &rows : inner.tile.rows)
    moveUp(rows.loop);
  for (unsigned &loop : inner.reductions)
    moveUp(loop);
  inner.levels = {plan.levels.back()};
  for (TilePlan::Loop &loop : inner.levels[0])
    moveUp(loop.loop);
  inner.levels[0].push_back({outer, inner.tile.lanes});
  return inner;
}

//===----------------------------------------------------------------------===//
// Lanes and parts
//===----------------------------------------------------------------------===//

/// Adds to `producers` what computes the tile of `use`, and those that compute
/// the same tile for it. What others use, who may have other lanes, is cloned.
static void collectProducers(OpOperand &use,
                             SmallVectorImpl<linalg::LinalgOp> &producers) {
  auto producer = use.get().getDefiningOp<linalg::LinalgOp>();
  // Another reduction has a tile of its own.
  if (!producer || !isFusable(producer) || producer.getNumReductionLoops() > 0)
    return;
  if (!producer->hasOneUse()) {
    unsigned number = cast<OpResult>(use.get()).getResultNumber();
    producer = cast<linalg::LinalgOp>(OpBuilder(producer).clone(*producer));
    use.set(producer->getResult(number));
  }
  producers.push_back(producer);
  for (OpOperand &operand : producer->getOpOperands())
    if (producer.getMatchingIndexingMap(&operand).isIdentity())
      collectProducers(operand, producers);
}

void mlir::convoy::markLanes(const TilePlan &plan) {
  linalg::GenericOp contraction = plan.getContraction(plan.root);
  SmallVector<linalg::LinalgOp> ops = {contraction};
  // What is before and after sums of lanes is single elements.
  if (!plan.tile.sumsLanes) {
    if (contraction != plan.root)
      ops.push_back(plan.root);
    // Blocks of a reduction add to what lies in memory: that is computed for
    // all tiles before.
    if (plan.tile.blocks.empty())
      collectProducers(contraction.getOutputsMutable()[0], ops);
  }
  auto lanes = TileLanesAttr::get(contraction.getContext(), plan.tile.laneLoop,
                                  plan.tile.vectorLanes, plan.tile.masked,
                                  plan.tile.matrices);
  for (linalg::LinalgOp op : ops)
    op->setAttr(TileLanesAttr::getAttrName(), lanes);
}

/// Whether what `init` is made of tile by tile, before a contraction adds to
/// it, can be computed under masks.
static bool canMaskInit(Value init) {
  auto producer = init.getDefiningOp<linalg::LinalgOp>();
  if (!producer || !isFusable(producer))
    return true;
  // Contractions are tiled one after the other: those before are loops, unless
  // they have no terms.
  if (producer.getNumReductionLoops() > 0) {
    auto contraction = cast<linalg::GenericOp>(*producer);
    return !hasNoTerms(contraction) || canMaskInit(contraction.getOutputs()[0]);
  }
  for (Value input : producer.getDpsInputs()) {
    auto contraction = input.getDefiningOp<linalg::GenericOp>();
    if (contraction && getRowsOf(contraction) && !hasNoTerms(contraction) &&
        getRoot(contraction) == producer)
      return true;
  }
  return canMask(producer) &&
         llvm::all_of(producer->getOpOperands(), [&](OpOperand &operand) {
           return !producer.getMatchingIndexingMap(&operand).isIdentity() ||
                  canMaskInit(operand.get());
         });
}

/// Whether the elements that `root` reads and writes are of one size: others
/// would have other masks.
static bool hasOneMask(linalg::LinalgOp root) {
  auto getBits = [](Value value) {
    return getElementBits(getElementTypeOrSelf(value));
  };
  int64_t bits = getBits(root->getResult(0));
  return llvm::all_of(root->getOperands(),
                      [&](Value operand) { return getBits(operand) == bits; });
}

bool mlir::convoy::canMaskTile(linalg::GenericOp contraction,
                               const RegisterTile &tile) {
  linalg::LinalgOp root = getTileRoot(contraction, tile);
  return !tile.sumsLanes && !tile.matrices && canMask(contraction) &&
         (root == contraction || (canMask(root) && hasOneMask(root))) &&
         (!tile.blocks.empty() || canMaskInit(contraction.getOutputs()[0]));
}

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

SmallVector<TilePart> mlir::convoy::getTileParts(linalg::LinalgOp root,
                                                 const TilePlan::Level &level) {
  TilePart all;
  all.sizes = root.getStaticLoopRanges();
  all.offsets.assign(all.sizes.size(), 0);
  all.tileSizes = all.sizes;
  SmallVector<TilePart> parts = {all};
  for (auto [loop, step] : level) {
    // Loops of dynamic size have steps of 1, which divide them.
    if (step == 1) {
      for (TilePart &part : parts)
        part.tileSizes[loop] = 1;
      continue;
    }
    SmallVector<TilePart> finer;
    for (const TilePart &part : parts)
      for (auto [offset, size] : splitAt(part.sizes[loop], step)) {
        TilePart next = part;
        next.offsets[loop] = offset;
        next.sizes[loop] = size;
        next.tileSizes[loop] = std::min(size, step);
        finer.push_back(next);
      }
    parts = std::move(finer);
  }
  return parts;
}
