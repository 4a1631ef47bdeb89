//===- CacheBlocks.cpp - What tiles share in the cache ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/CacheBlocks.h"

#include "TileProblem.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// The least part of the time of the multiply-adds that other blocks must save.
static constexpr double kLeastBlockGain = 0.05;

namespace {
using Sizes = SmallVector<int64_t>;

/// How much of an operand a box of the loops' steps touches.
class Footprint {
public:
  Footprint(AffineMap map, RankedTensorType type);

  double getBytes(ArrayRef<int64_t> loopSizes) const;

private:
  SmallVector<SmallVector<int64_t>> coefficients; ///< by dimension, then loop
  ArrayRef<int64_t> shape;
  double elementBytes;
};

/// One way to cut the loops. Sizes are of all loops.
struct Blocks {
  Sizes rows;           ///< loops of the rows cut
  Sizes reduction;      ///< loops of the reduction cut
  bool outside = false; ///< those of the reduction outside of all panels
};

/// The cost model for one contraction and its register tile.
class BlockCosts {
public:
  BlockCosts(TargetAttr target, linalg::GenericOp contraction,
             ArrayRef<LoopStrides> strides, RegisterTile &tile, bool canBlock);

  /// Writes the best blocks into the tile.
  void choose();

private:
  /// Cycles for a line that comes again after `bytes` of others.
  double getLineCycles(double bytes) const;
  /// Cycles for the whole contraction that depend on how the loops are cut.
  double getCost(const Blocks &blocks) const;
  /// Cycles for all multiply-adds.
  double getMultiplyAddCycles() const {
    double cycles =
        (tile.matrices
             ? kLeastMatrixCycles / (::convoy::kTileRows * ::convoy::kTileWords)
             : vectorOpCycles) /
        double(tile.vectorLanes);
    for (int64_t size : loopSizes)
      cycles *= double(size);
    return cycles;
  }
  /// How often the loops `which` of a box of `sizes` make up the whole.
  int64_t countBlocks(ArrayRef<unsigned> which, ArrayRef<int64_t> sizes) const;
  /// All ways of cutting the loops `which`, outermost first: one is cut into
  /// equal parts, those inside it are whole, of those outside it a step is
  /// taken at a time.
  SmallVector<Sizes> getCuts(ArrayRef<unsigned> which, Sizes sizes) const;

  Sizes loopSizes;
  RegisterTile &tile;
  bool canBlock;
  SmallVector<Footprint, 3> operands;
  unsigned first; ///< the factor that panels are cut from
  SmallVector<unsigned> panelLoops, rowLoops, reductions;
  double nearBytes; ///< of the L1 cache
  double cacheBytes;
  double lastLevelBytes;
  double lineBytes;
  double vectorBytes;
  double vectorOpCycles;
  double packCycles = 0; ///< for a vector
  double updateCycles;   ///< for a vector of sums, in the L2 cache
  double farUpdateCycles = kFarUpdateCycles; ///< for a line of them
};
} // namespace

Footprint::Footprint(AffineMap map, RankedTensorType type)
    : shape(type.getShape()),
      elementBytes(double(getElementBytes(type.getElementType()))) {
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> flat;
    LogicalResult isLinear = getFlattenedAffineExpr(expr, map.getNumDims(),
                                                    map.getNumSymbols(), &flat);
    assert(succeeded(isLinear) && "index maps of convolutions are linear");
    (void)isLinear;
    flat.resize(map.getNumDims());
    coefficients.push_back(std::move(flat));
  }
}

double Footprint::getBytes(ArrayRef<int64_t> loopSizes) const {
  double bytes = elementBytes;
  for (auto [size, row] : llvm::zip_equal(shape, coefficients)) {
    int64_t extent = 1;
    for (auto [loopSize, coefficient] : llvm::zip_equal(loopSizes, row))
      extent += (loopSize - 1) * std::abs(coefficient);
    bytes *= double(std::min(extent, size));
  }
  return bytes;
}

BlockCosts::BlockCosts(TargetAttr target, linalg::GenericOp contraction,
                       ArrayRef<LoopStrides> strides, RegisterTile &tile,
                       bool canBlock)
    : loopSizes(contraction.getStaticLoopRanges()), tile(tile),
      canBlock(canBlock), nearBytes(double(target.getL1Bytes())),
      cacheBytes(double(target.getL2Bytes())),
      lastLevelBytes(double(target.getLastLevelBytes())),
      lineBytes(double(target.getCore().lineBytes)),
      vectorBytes(double(target.getVectorBytes())),
      vectorOpCycles(target.getCore().getVectorOpCycles()) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  auto rows = contraction.getInputs()[0].getDefiningOp<Im2colOp>();
  operands.emplace_back(getIndexMapOfOneTap(rows).compose(maps[0]),
                        rows.getInput().getType());
  for (Value operand :
       {contraction.getInputs()[1], contraction.getOutputs()[0]})
    operands.emplace_back(maps[operands.size()],
                          cast<RankedTensorType>(operand.getType()));
  first = !tile.packed || maps[1].isFunctionOfDim(tile.laneLoop) ? 1 : 0;
  for (unsigned loop = 0; loop < loopSizes.size(); ++loop) {
    bool inFirst = maps[first].isFunctionOfDim(loop);
    bool inSecond = maps[1 - first].isFunctionOfDim(loop);
    if (loop >= contraction.getNumParallelLoops())
      reductions.push_back(loop);
    else if (inFirst && !inSecond)
      panelLoops.push_back(loop);
    else if (inSecond && !inFirst)
      rowLoops.push_back(loop);
  }
  updateCycles = strides[2][tile.laneLoop] == 1
                     ? kLineUpdateCycles * vectorBytes / lineBytes
                     : getScatteredCycles(target, contraction.getResult(0),
                                          strides[2][tile.laneLoop]) *
                           double(tile.vectorLanes);
  if (tile.sumsLanes)
    updateCycles += kSumCycles * double(tile.vectorLanes);
  for (const LoopSteps &rows : tile.rows)
    if (strides[2][rows.loop].value_or(0) *
            getElementBytes(contraction.getResult(0)) >=
        target.getCore().pageBytes)
      farUpdateCycles = kPagesUpdateCycles;
  if (tile.packed)
    packCycles = getPackCycles(target, contraction.getInputs()[first],
                               strides[first], tile.laneLoop);
  llvm::stable_sort(reductions, [&](unsigned a, unsigned b) {
    auto position = [&](unsigned loop) {
      return *maps[first].getResultPosition(
          getAffineDimExpr(loop, maps[first].getContext()));
    };
    return position(a) < position(b);
  });
}

int64_t BlockCosts::countBlocks(ArrayRef<unsigned> which,
                                ArrayRef<int64_t> sizes) const {
  int64_t count = 1;
  for (unsigned loop : which)
    count *= llvm::divideCeil(loopSizes[loop], sizes[loop]);
  return count;
}

double BlockCosts::getLineCycles(double bytes) const {
  // Products of matrices are so fast that lines of the L2 cache count.
  if (tile.matrices && bytes > nearBytes && bytes <= cacheBytes / 2)
    return kNearVectorCycles;
  if (bytes <= cacheBytes / 2)
    return 0;
  return bytes <= lastLevelBytes ? kPrefetchedLineCycles : kMemoryLineCycles;
}

double BlockCosts::getCost(const Blocks &blocks) const {
  auto numRows = double(countBlocks(rowLoops, blocks.rows));
  auto numSums = double(countBlocks(reductions, blocks.reduction));
  const Footprint &panel = operands[first], &other = operands[1 - first],
                  &result = operands[2];
  Sizes panelSizes = blocks.reduction, step = blocks.rows;
  double panels = 1;
  for (unsigned loop : panelLoops) {
    panelSizes[loop] = std::min(loopSizes[loop], tile.getStep(loop));
    panels *= double(llvm::divideCeil(loopSizes[loop], panelSizes[loop]));
  }
  Sizes sums = blocks.rows;
  for (unsigned loop : panelLoops)
    sums[loop] = panelSizes[loop];
  if (blocks.outside)
    for (unsigned loop : reductions)
      step[loop] = blocks.reduction[loop];
  double cycles = 0;
  // All panels read the same step of the other factor.
  double between =
      other.getBytes(step) + panel.getBytes(panelSizes) + result.getBytes(sums);
  cycles += numRows * other.getBytes(blocks.rows) / lineBytes * (panels - 1) *
            getLineCycles(between);
  double panelBytes = panel.getBytes(loopSizes);
  // All rows read the same panel, which may be longer than a packed one.
  if (!tile.packed) {
    double rowTiles = 1;
    for (unsigned loop : rowLoops)
      rowTiles *= double(llvm::divideCeil(loopSizes[loop], tile.getStep(loop)));
    cycles += (rowTiles - numRows) * panelBytes / lineBytes *
              getLineCycles(panel.getBytes(panelSizes));
  }
  // Panels are cut anew for each block of rows.
  cycles += (numRows - 1) * panelBytes / lineBytes *
            getLineCycles(panelBytes + other.getBytes(blocks.rows));
  cycles += numRows * panelBytes / vectorBytes * packCycles;
  // Partial sums.
  if (numSums > 1) {
    double resultBytes = result.getBytes(loopSizes);
    bool stays =
        getLineCycles(result.getBytes(blocks.outside ? blocks.rows : sums) +
                      panel.getBytes(panelSizes)) == 0;
    cycles += numSums * resultBytes / vectorBytes * updateCycles;
    if (!stays)
      cycles += numSums * resultBytes / lineBytes * farUpdateCycles;
  }
  return cycles;
}

SmallVector<Sizes> BlockCosts::getCuts(ArrayRef<unsigned> which,
                                       Sizes sizes) const {
  SmallVector<Sizes> cuts = {sizes};
  for (unsigned loop : which) {
    int64_t size = loopSizes[loop], step = tile.getStep(loop);
    for (int64_t part : getDivisors(size))
      if (part < size && part % step == 0) {
        cuts.push_back(sizes);
        cuts.back()[loop] = part;
      }
    if (step == 1)
      sizes[loop] = 1;
  }
  return cuts;
}

/// The loops of `which` that `sizes` cuts.
static SmallVector<LoopSteps, 2> getCutLoops(ArrayRef<unsigned> which,
                                             ArrayRef<int64_t> sizes,
                                             ArrayRef<int64_t> loopSizes) {
  SmallVector<LoopSteps, 2> cut;
  for (unsigned loop : which)
    if (sizes[loop] < loopSizes[loop])
      cut.push_back({loop, sizes[loop]});
  return cut;
}

void BlockCosts::choose() {
  Sizes reduction = loopSizes;
  for (const LoopSteps &block : tile.blocks)
    reduction[block.loop] = block.size;
  SmallVector<Sizes> reductionCuts = {reduction};
  auto countSteps = [&](const Sizes &sizes) {
    int64_t steps = 1;
    for (unsigned loop : reductions)
      steps *= sizes[loop];
    return steps;
  };
  if (canBlock && (tile.packed || tile.sumsLanes || !tile.blocks.empty()))
    for (Sizes &cut : getCuts(reductions, loopSizes))
      if (int64_t steps = countSteps(cut);
          steps >= TileProblem::kLeastBlock && steps < countSteps(reduction))
        reductionCuts.push_back(std::move(cut));
  bool isCut = reduction != loopSizes;
  Blocks best{loopSizes, reduction, isCut && !tile.packed};
  double bestCost = getCost(best) - kLeastBlockGain * getMultiplyAddCycles();
  for (const Sizes &rows : getCuts(rowLoops, loopSizes))
    for (const Sizes &steps : reductionCuts)
      for (bool outside : {false, true}) {
        // One block has no outside, and what is read in place no inside.
        if (steps == loopSizes ? outside : !outside && !tile.packed)
          continue;
        Blocks blocks{rows, steps, outside};
        if (double cost = getCost(blocks); cost < bestCost) {
          bestCost = cost;
          best = blocks;
        }
      }
  tile.rowBlocks = getCutLoops(rowLoops, best.rows, loopSizes);
  tile.blocks = getCutLoops(reductions, best.reduction, loopSizes);
  tile.blocksOutside = best.outside;
}

void mlir::convoy::chooseCacheBlocks(TargetAttr target,
                                     linalg::GenericOp contraction,
                                     ArrayRef<LoopStrides> strides,
                                     RegisterTile &tile, bool canBlock) {
  if (llvm::any_of(contraction.getStaticLoopRanges(), [](int64_t size) {
        return ShapedType::isDynamic(size) || size == 0;
      }))
    return;
  BlockCosts(target, contraction, strides, tile, canBlock).choose();
}
