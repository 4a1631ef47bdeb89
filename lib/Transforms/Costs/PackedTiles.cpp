//===- PackedTiles.cpp - Register tiles of packed factors -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileCosts.h"

#include "convoy/Transforms/KernelABI/PackedArguments.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

std::optional<unsigned> TileCosts::getPackedFactor(unsigned laneLoop) const {
  std::optional<unsigned> factor = getFactorOf(laneLoop);
  if (factor)
    for (auto [loop, size] : llvm::enumerate(loopSizes))
      if (strides[*factor][loop] != 0 && ShapedType::isDynamic(size))
        return std::nullopt;
  return factor;
}

SmallVector<unsigned> TileCosts::getReductions(unsigned factor) const {
  SmallVector<unsigned> reductions;
  for (AffineExpr loop : maps[factor].getResults())
    if (unsigned position = cast<AffineDimExpr>(loop).getPosition();
        iterators[position] == utils::IteratorType::reduction)
      reductions.push_back(position);
  return reductions;
}

std::optional<TileCosts::Lanes>
TileCosts::getOuterLanes(const Lanes &lanes, unsigned outer,
                         unsigned factor) const {
  if (outer + 1 != lanes.loop || strides[2][lanes.loop] != 1 ||
      strides[2][outer] != lanes.size || loopSizes[outer] <= 1 ||
      getFactorOf(outer) != factor)
    return std::nullopt;
  int64_t bytes = getElementBytes(factors[factor]);
  for (unsigned loop : getReductions(factor))
    bytes *= loopSizes[loop];
  if (canBlock)
    bytes = std::min(bytes, kLeastBlock * getElementBytes(factors[factor]));
  Lanes best = lanes;
  best.used = 0;
  for (int64_t steps = 1; steps <= std::min(loopSizes[outer], packedBytes);
       ++steps) {
    int64_t size = steps * lanes.size;
    if (steps > 1 && size * bytes > packedBytes)
      break;
    int64_t whole = loopSizes[outer] / steps, rest = loopSizes[outer] % steps;
    int64_t vectors = whole * llvm::divideCeil(size, vectorLanes) +
                      llvm::divideCeil(rest * lanes.size, vectorLanes);
    double used =
        double(loopSizes[outer] * lanes.size) / double(vectors * vectorLanes);
    // A rest is code of its own, and compiled for longer than it runs.
    bool avoidsRest =
        rest != 0 && best.outer && loopSizes[outer] % best.outer->size == 0;
    if (used > best.used || (used == best.used && !avoidsRest))
      best = {lanes.loop, size, used, RegisterTile::Rows{outer, steps}};
  }
  return best;
}

bool TileCosts::addBlocks(RegisterTile &tile, const Lanes &lanes) const {
  unsigned factor = *getFactorOf(lanes.loop);
  int64_t budget = packedBytes / getElementBytes(factors[factor]) /
                   (lanes.outer ? lanes.size : tile.lanes);
  for (const RegisterTile::Rows &rows : tile.rows)
    if (strides[factor][rows.loop] != 0)
      budget /= rows.size;
  if (canBlock && strides[2][lanes.loop] == 1)
    budget = std::min(budget, kMostBlock);
  for (unsigned loop : llvm::reverse(getReductions(factor))) {
    int64_t size = std::min(loopSizes[loop], std::max<int64_t>(1, budget));
    while (loopSizes[loop] % size != 0)
      --size;
    if (size < loopSizes[loop]) {
      tile.blocks.insert(tile.blocks.begin(), {loop, size});
      budget = 1;
    } else {
      budget /= size;
    }
  }
  return canBlock || tile.blocks.empty();
}

double TileCosts::getPackCost(unsigned laneLoop, unsigned factor) const {
  double sharing = 1;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (strides[2][loop] != 0 && strides[factor][loop] == 0)
      sharing *= estimateSize(size);
  return getPackCycles(target, factors[factor], strides[factor], laneLoop) /
         sharing;
}

bool TileCosts::isSlowInPlace(const RegisterTile &tile, unsigned factor) const {
  int64_t bytes = getElementBytes(factors[factor]);
  double steps = 1, span = double(bytes * tile.lanes);
  for (unsigned loop : getReductions(factor)) {
    double size = estimateSize(loopSizes[loop]);
    for (const RegisterTile::Rows &block : tile.blocks)
      if (block.loop == loop)
        size = double(block.size);
    steps *= size;
    span += (size - 1) * double(strides[factor][loop].value_or(0) * bytes);
  }
  // A line for each step stays for the next rows if steps are few. Blocks make
  // them few, unless sums are stored one by one.
  if (strides[factor][tile.laneLoop] == 0 &&
      (strides[2][tile.laneLoop] == 1 ||
       steps * double(kLineBytes) <= double(target.getL1Bytes())))
    return false;
  return std::min(steps, span / kPageBytes) > kPages;
}

void TileCosts::addNearBlocks(RegisterTile &tile) const {
  std::optional<unsigned> factor = getFactorOf(tile.laneLoop);
  if (!factor || !isSlowInPlace(tile, *factor) ||
      llvm::any_of(loopSizes, ShapedType::isDynamic))
    return;
  // Each row of the other factor would come from a line of its own.
  const LoopStrides &other = strides[1 - *factor];
  SmallVector<unsigned> terms = getReductions(1 - *factor);
  unsigned innermost = *llvm::max_element(terms, [&](unsigned a, unsigned b) {
    return loopSizes[a] < loopSizes[b];
  });
  if (other[innermost] != 1 &&
      llvm::any_of(tile.rows, [&](const RegisterTile::Rows &rows) {
        return other[rows.loop] != 1;
      }))
    return;
  int64_t inside = 1;
  SmallVector<unsigned> reductions = getReductions(*factor);
  for (unsigned loop : reductions)
    inside *= loopSizes[loop];
  SmallVector<RegisterTile::Rows, 2> outer;
  for (unsigned loop : reductions) {
    inside /= loopSizes[loop];
    for (int64_t size : getDivisors(loopSizes[loop])) {
      if (size == loopSizes[loop] || size * inside < kLeastNearBlock)
        continue;
      tile.blocks = outer;
      tile.blocks.push_back({loop, size});
      if (!isSlowInPlace(tile, *factor))
        return;
    }
    if (loopSizes[loop] > 1)
      outer.push_back({loop, 1});
  }
  tile.blocks.clear();
}
