//===- RegisterTile.cpp - Choice of the register tile -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/RegisterTile.h"

#include "TileCosts.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/KernelABI/PackedArguments.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// How many of `size` elements to take at a time, at most `most`, so that the
/// rest is not much smaller.
static int64_t divideEvenly(int64_t size, int64_t most) {
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

/// Whether a tensor of this type is known to be too large for all caches: the
/// last level holds some times what a core's own does.
static bool isBeyondCaches(TargetAttr target, RankedTensorType type) {
  return type.hasStaticShape() &&
         type.getNumElements() *
                 llvm::divideCeil(getElementBits(type.getElementType()), 8) >
             8 * target.getL2Bytes();
}

double mlir::convoy::getScatteredCycles(TargetAttr target, Value result,
                                        std::optional<int64_t> stride) {
  auto type = cast<RankedTensorType>(result.getType());
  int64_t elementBytes = getElementBytes(result);
  int64_t bytes = stride.value_or(0) * elementBytes;
  if (bytes < kLineBytes || !isBeyondCaches(target, type))
    return kScatteredCycles;
  return bytes < kPageBytes ? 2 * kScatteredCycles : 4 * kScatteredCycles;
}

int64_t RegisterTile::getStep(unsigned loop) const {
  if (outerLanes && outerLanes->loop == loop)
    return outerLanes->size;
  if (laneLoop == loop)
    return lanes;
  if (terms && terms->loop == loop)
    return terms->size;
  for (const Rows &row : rows)
    if (row.loop == loop)
      return row.size;
  return 1;
}

SmallVector<unsigned> RegisterTile::getLaneLoops() const {
  SmallVector<unsigned> loops = {laneLoop};
  if (outerLanes)
    loops.insert(loops.begin(), outerLanes->loop);
  return loops;
}

/// Cycles until a line comes from beyond the L2 cache, many being asked for at
/// a time.
static constexpr double kLineCycles = 8;

double mlir::convoy::getPackCycles(TargetAttr target, Value factor,
                                   const LoopStrides &strides,
                                   unsigned laneLoop) {
  if (getPackedArgument(factor))
    return 0;
  int64_t bytes = getElementBytes(factor);
  std::optional<int64_t> stride = strides[laneLoop];
  double cycles = 1.5 * double(target.getVectorBytes()) / double(bytes);
  if (stride == 1)
    cycles = 2;
  else if (stride && *stride <= 4)
    cycles = 4;
  else if (llvm::is_contained(strides, 1))
    cycles = 6;
  // What does not stay in the cache is waited for: nothing is computed while it
  // is copied.
  if (isBeyondL2(target, getSource(factor)))
    cycles += kLineCycles * double(target.getVectorBytes()) / kLineBytes;
  return cycles;
}

TileCosts::TileCosts(TargetAttr target, linalg::GenericOp contraction,
                     ArrayRef<LoopStrides> strides, bool canBlock)
    : loopSizes(contraction.getStaticLoopRanges()),
      iterators(contraction.getIteratorTypesArray()),
      maps(contraction.getIndexingMapsArray()),
      factors(contraction.getInputs()), strides(strides), target(target),
      vectorLanes(target.getVectorLanes(
          getElementTypeOrSelf(contraction.getResult(0)))),
      result(contraction.getResult(0)), registers(target.getRegisters()),
      packedBytes(target.getL2Bytes() / 4), fixedTile(target.getTile()),
      canBlock(canBlock) {}

void TileCosts::consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
  int64_t size = loopSizes[laneLoop];
  Lanes lanes{laneLoop, size, double(size) / llvm::alignTo(size, vectorLanes),
              std::nullopt};
  std::optional<unsigned> factor = getPackedFactor(laneLoop);
  // Of equal tiles the first is taken: what is packed already comes in order.
  bool isPackedFirst = factor && getPackedArgument(factors[*factor]);
  if (isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  consider(lanes, rowLoops, /*packed=*/false);
  if (!factor)
    return;
  if (!isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  if (llvm::any_of(rowLoops,
                   [&](unsigned loop) { return strides[*factor][loop] != 0; }))
    return;
  for (unsigned outer = 0; outer < loopSizes.size(); ++outer)
    if (std::optional<Lanes> longer = getOuterLanes(lanes, outer, *factor))
      consider(*longer, rowLoops, /*packed=*/true);
}

/// Whether `tile` differs from `other` in the loop of its rows alone, which is
/// further inside, so that its rows lie nearer to each other.
static bool isNearer(const RegisterTile &tile, const RegisterTile &other) {
  return tile.laneLoop == other.laneLoop && tile.lanes == other.lanes &&
         tile.packed == other.packed && tile.rows.size() == 1 &&
         other.rows.size() == 1 && tile.rows[0].size == other.rows[0].size &&
         tile.rows[0].loop > other.rows[0].loop;
}

void TileCosts::consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops,
                         bool packed) {
  int64_t wholeVectors = llvm::divideCeil(lanes.size, vectorLanes);
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(wholeVectors, 4);
       ++vectors) {
    if (vectors != (fixedTile.empty() ? divideEvenly(wholeVectors, vectors)
                                      : std::min(fixedTile[1], wholeVectors)))
      continue;
    RegisterTile tile;
    tile.laneLoop = lanes.loop;
    tile.lanes = std::min(lanes.size, vectors * vectorLanes);
    tile.vectorLanes = vectorLanes;
    tile.packed = packed;
    tile.outerLanes = lanes.outer;
    if (!addRows(tile, rowLoops, (registers - vectors - 1) / vectors) ||
        (packed && !addBlocks(tile, lanes)))
      continue;
    if (!packed && canBlock)
      addNearBlocks(tile);
    tile.cost = getCostWithRests(tile, wholeVectors, vectors);
    if (rowLoops.size() > 1)
      tile.cost *= kSecondRowLoop;
    if (!packed || getFactorOf(lanes.loop) != 0)
      tile.cost += getRunCost(tile) / double(vectorLanes);
    tile.cost /= lanes.used;
    keepIfBest(tile);
  }
}

void TileCosts::keepIfBest(const RegisterTile &tile) {
  if (tile.cost < best.cost || (tile.cost == best.cost && isNearer(tile, best)))
    best = tile;
}

//===----------------------------------------------------------------------===//
// Rows and costs
//===----------------------------------------------------------------------===//

bool TileCosts::addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
                        int64_t maxRows) const {
  if (!fixedTile.empty()) {
    for (unsigned loop : rowLoops)
      tile.rows.push_back({loop, std::min(loopSizes[loop], fixedTile[0])});
    return rowLoops.size() <= 1;
  }
  maxRows = std::max<int64_t>(1, maxRows);
  for (unsigned loop : llvm::reverse(rowLoops)) {
    // All loops but the first are whole.
    if (loop != rowLoops.front() && loopSizes[loop] > maxRows)
      return false;
    tile.rows.push_back({loop, divideEvenly(loopSizes[loop], maxRows)});
    maxRows /= tile.rows.back().size;
  }
  return true;
}

double TileCosts::countRows(const RegisterTile &tile,
                            const LoopStrides &factor) const {
  double rows = 1;
  for (const RegisterTile::Rows &row : tile.rows)
    rows *= factor[row.loop] != 0 ? row.size : 1;
  return rows;
}

double TileCosts::getRunCost(const RegisterTile &tile) const {
  auto rows = factors[0].getDefiningOp<Im2colOp>();
  if (!rows || !isBeyondCaches(target, rows.getInput().getType()) ||
      !llvm::is_contained(
          ::convoy::spatialLetters(rows.getLayout().getSpatialRank()),
          rows.getLayout().getInput().back()))
    return 0;
  int64_t run = 1;
  double times = 1;
  for (auto [loop, stride] : llvm::enumerate(strides[0])) {
    bool isSummed = iterators[loop] != utils::IteratorType::parallel;
    // A row that is summed over is read from its start to its end.
    if (isSummed && stride && *stride != 0 && std::abs(*stride) <= kMostApart &&
        loopSizes[loop] > vectorLanes)
      return 0;
    if (stride == 1 && !isSummed)
      run = tile.getStep(loop);
    else if (stride == 0 && !isSummed)
      times *= estimateSize(loopSizes[loop]) / double(tile.getStep(loop));
  }
  int64_t lines =
      llvm::divideCeil(run * getElementBytes(factors[0]), kLineBytes);
  double cycles = (kFarLineCycles + kPrefetchedLineCycles * double(lines - 1)) /
                      double(lines) +
                  kNearVectorCycles * std::max(0.0, times - 1);
  return cycles * countSourceLines(0);
}

double TileCosts::getCost(const RegisterTile &tile, int64_t vectors) const {
  double loads = 0, rows = 1;
  for (const LoopStrides &factor : strides.take_front(2)) {
    std::optional<int64_t> stride = factor[tile.laneLoop];
    if (tile.packed && stride != 0)
      stride = 1;
    loads += getRowLoads(stride, vectors) * countRows(tile, factor);
  }
  for (const RegisterTile::Rows &row : tile.rows)
    rows *= row.size;
  double multiplyAdds = vectors * rows;
  // Each step waits for the sums of the one before.
  double step = std::max(0.5 * std::max(multiplyAdds, loads), kLatency) +
                0.05 * loads + 1;
  if (tile.packed)
    step +=
        multiplyAdds * getPackCost(tile.laneLoop, *getFactorOf(tile.laneLoop));
  for (unsigned factor : {0, 1})
    if ((!tile.packed || getFactorOf(tile.laneLoop) != factor) &&
        isSlowInPlace(tile, factor))
      step *= kSlowInPlace;
  // Steps between two updates of the result.
  double length = 1;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (iterators[loop] == utils::IteratorType::reduction)
      length *= estimateSize(size);
  for (const RegisterTile::Rows &block : tile.blocks)
    length *= double(block.size) / double(loopSizes[block.loop]);
  double update =
      multiplyAdds / length *
      (strides[2][tile.laneLoop] == 1
           ? (tile.packed || tile.blocks.empty() ? 2 : kNearUpdateCycles)
           : getScatteredCycles(target, result, strides[2][tile.laneLoop]) *
                 double(vectorLanes));
  return (step + update) / (multiplyAdds * vectorLanes);
}

/// How `size` steps fall into parts of `part`, and what is left: the sizes, and
/// how much of all there is of each.
static SmallVector<std::pair<int64_t, double>, 2> getParts(int64_t size,
                                                           int64_t part) {
  if (ShapedType::isDynamic(size))
    return {{part, 1}};
  int64_t rest = size % part;
  SmallVector<std::pair<int64_t, double>, 2> parts;
  if (rest < size)
    parts.emplace_back(part, double(size - rest) / double(size));
  if (rest > 0)
    parts.emplace_back(rest, double(rest) / double(size));
  return parts;
}

double TileCosts::getCostWithRests(const RegisterTile &tile,
                                   int64_t wholeVectors,
                                   int64_t vectors) const {
  SmallVector<std::pair<RegisterTile, double>, 4> parts = {{tile, 1}};
  for (auto [i, row] : llvm::enumerate(tile.rows)) {
    SmallVector<std::pair<RegisterTile, double>, 4> cut;
    for (auto [size, share] : getParts(loopSizes[row.loop], row.size))
      for (const auto &[part, partShare] : parts) {
        cut.emplace_back(part, partShare * share);
        cut.back().first.rows[i].size = size;
      }
    parts = std::move(cut);
  }
  double cost = 0;
  for (auto [size, share] : getParts(wholeVectors, vectors))
    for (const auto &[part, partShare] : parts)
      cost += share * partShare * getCost(part, size);
  return cost;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Calls `consider` with each choice of at most two of `loops`, and not
/// `laneLoop`, for rows.
static void
forEachRows(ArrayRef<unsigned> loops, unsigned laneLoop,
            function_ref<void(ArrayRef<unsigned> rowLoops)> consider) {
  consider({});
  for (unsigned rowLoop : loops) {
    if (rowLoop == laneLoop)
      continue;
    consider(rowLoop);
    for (unsigned wholeLoop : loops)
      if (wholeLoop != laneLoop && wholeLoop != rowLoop)
        consider({rowLoop, wholeLoop});
  }
}

bool mlir::convoy::canMask(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(),
                      [](Value operand) {
                        Type type = getElementTypeOrSelf(operand);
                        return type.isIntOrFloat() &&
                               getElementBits(type) >= 32;
                      }) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &scalar) { return isPure(&scalar); });
}

RegisterTile mlir::convoy::chooseRegisterTile(TargetAttr target,
                                              linalg::GenericOp contraction,
                                              ArrayRef<LoopStrides> strides,
                                              bool canBlock) {
  TileCosts costs(target, contraction, strides, canBlock);
  SmallVector<unsigned> loops, summed;
  bool canSum = isSumOfProducts(contraction) &&
                llvm::isPowerOf2_64(target.getVectorLanes(
                    getElementTypeOrSelf(contraction.getResult(0))));
  for (auto [loop, size] : llvm::enumerate(contraction.getStaticLoopRanges())) {
    if (contraction.getIteratorTypesArray()[loop] ==
        utils::IteratorType::parallel) {
      if (size > 0)
        loops.push_back(loop);
    } else if (canSum && size > 1) {
      summed.push_back(loop);
    }
  }
  for (unsigned laneLoop : loops)
    forEachRows(loops, laneLoop, [&](ArrayRef<unsigned> rowLoops) {
      costs.consider(laneLoop, rowLoops);
    });
  for (unsigned laneLoop : summed)
    forEachRows(loops, laneLoop, [&](ArrayRef<unsigned> rowLoops) {
      costs.considerSummed(laneLoop, rowLoops);
    });
  RegisterTile tile = costs.getBest();
  tile.masked = target.hasMasks() && canMask(contraction);
  return tile;
}
