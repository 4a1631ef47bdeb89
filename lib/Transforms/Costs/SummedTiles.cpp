//===- SummedTiles.cpp - Register tiles with summed lanes -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileCosts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

int64_t TileCosts::getSummedLanes(int64_t size) const {
  int64_t most = kMostSummedVectors;
  if (!fixedTile.empty())
    most = std::min(most, fixedTile[1]);
  if (size <= most * vectorLanes)
    return size;
  // Equal parts that fill their vectors; else whole vectors, and a rest.
  double least =
      kMostUnequalVectors * double(llvm::divideCeil(size, vectorLanes));
  for (int64_t lanes = most * vectorLanes; lanes > vectorLanes / 2; --lanes)
    if (size % lanes == 0 &&
        double(size / lanes * llvm::divideCeil(lanes, vectorLanes)) <= least)
      return lanes;
  int64_t best = vectorLanes;
  for (int64_t lanes = 2 * vectorLanes; lanes <= most * vectorLanes;
       lanes += vectorLanes)
    if (size % lanes <= size % best)
      best = lanes;
  return best;
}

double TileCosts::countSourceLines(unsigned factor) const {
  double lines = double(target.getVectorBytes()) / kLineBytes;
  for (int64_t size : loopSizes)
    lines /= estimateSize(size);
  return lines * double(getSource(factors[factor]).getType().getNumElements());
}

double TileCosts::getFarCost(unsigned factor, unsigned laneLoop) const {
  TypedValue<RankedTensorType> source = getSource(factors[factor]);
  if (!isBeyondL2(target, source))
    return 0;
  // How many elements follow each other from step to step.
  double run = estimateSize(loopSizes[laneLoop]);
  for (unsigned loop : llvm::reverse(getReductions(factor)))
    if (strides[factor][loop] == int64_t(run))
      run *= estimateSize(loopSizes[loop]);
  double bytes = double(getElementBytes(factors[factor]));
  double cycles = run * bytes < double(kPrefetchedPages * kPageBytes)
                      ? kFarLineCycles
                      : kPrefetchedLineCycles;
  return cycles * countSourceLines(factor);
}

double TileCosts::getNearCycles(const RegisterTile &tile) const {
  double streams = 0, bytes = 0;
  for (unsigned factor : {0, 1}) {
    double rows = 1, steps = 1;
    for (const RegisterTile::Rows &row : tile.rows)
      if (strides[factor][row.loop].value_or(vectorLanes) >= vectorLanes)
        rows *= double(row.size);
    for (unsigned loop : getReductions(factor))
      steps *= estimateSize(loopSizes[loop]);
    streams += rows;
    bytes += rows * steps * double(getElementBytes(factors[factor]));
  }
  if (bytes <= double(target.getL1Bytes()))
    return 0;
  if (tile.terms)
    streams *= double(tile.terms->size);
  return streams * double(llvm::divideCeil(tile.lanes, vectorLanes)) *
         (streams <= kMostStreams ? kNearVectorCycles : kSlowVectorCycles);
}

double TileCosts::countReads(const RegisterTile &tile, unsigned factor) const {
  double reads = 1;
  int64_t terms = tile.terms ? tile.terms->size : 1;
  for (const RegisterTile::Rows &row : tile.rows) {
    std::optional<int64_t> stride = strides[factor][row.loop];
    if (stride == 0)
      continue;
    reads *= double(row.size);
    // Rows read at one term what others read at the next.
    if (tile.terms && stride == strides[factor][tile.terms->loop])
      reads += double(std::exchange(terms, 1) - 1) * reads / double(row.size);
  }
  return reads * double(tile.terms && strides[factor][tile.terms->loop] == 0
                            ? 1
                            : terms);
}

double TileCosts::getSummedCost(const RegisterTile &tile) const {
  double vectors = double(llvm::divideCeil(tile.lanes, vectorLanes));
  double terms = tile.terms ? double(tile.terms->size) : 1;
  double loads = 0, rows = 1, steps = 1 / (double(tile.lanes) * terms);
  for (unsigned factor : {0, 1})
    // Elements between lanes are read and left out.
    loads += vectors *
             double(2 * strides[factor][tile.laneLoop].value_or(1) - 1) *
             countReads(tile, factor) * kUnalignedLoads;
  for (const RegisterTile::Rows &row : tile.rows)
    rows *= row.size;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (iterators[loop] == utils::IteratorType::reduction)
      steps *= estimateSize(size);
  double multiplyAdds = vectors * rows * terms;
  double step =
      std::max({0.5 * std::max(multiplyAdds, loads) + 0.05 * loads + 1,
                kLatency * vectors * terms, getNearCycles(tile)});
  for (unsigned factor : {0, 1})
    step += multiplyAdds * getFarCost(factor, tile.laneLoop);
  double update = rows * (kSumCycles + kScatteredCycles) / std::max(1.0, steps);
  return (step + update) / (rows * terms * double(tile.lanes));
}

std::optional<int64_t> TileCosts::getDistance(unsigned factor,
                                              unsigned laneLoop) const {
  AffineMap map = maps[factor];
  if (auto rows = factors[factor].getDefiningOp<Im2colOp>())
    map = getIndexMapOfOneTap(rows).compose(map);
  ArrayRef<int64_t> shape = getSource(factors[factor]).getType().getShape();
  unsigned dim = shape.size() - 1;
  while (dim > 0 && shape[dim] == 1)
    --dim;
  if (!map.getResult(dim).isFunctionOfDim(laneLoop))
    return std::nullopt;
  return strides[factor][laneLoop];
}

void TileCosts::considerSummed(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
  std::optional<int64_t> first = getDistance(0, laneLoop),
                         second = getDistance(1, laneLoop);
  if (!first || !second || std::min(*first, *second) != 1 ||
      std::max(*first, *second) > kMostApart)
    return;
  RegisterTile tile;
  tile.laneLoop = laneLoop;
  tile.lanes = getSummedLanes(loopSizes[laneLoop]);
  tile.vectorLanes = vectorLanes;
  tile.sumsLanes = true;
  if (!addRows(tile, rowLoops, registers - kOtherRegisters))
    return;
  considerSummed(tile);
  // What terms share stays in registers, too.
  double sums = 1;
  for (const RegisterTile::Rows &row : tile.rows)
    sums *= double(row.size);
  if (sums + countReads(tile, 0) + 2 > double(registers))
    return;
  for (const RegisterTile::Rows &row : tile.rows)
    for (unsigned loop = 0; loop < loopSizes.size(); ++loop)
      if (loop != laneLoop && loopSizes[loop] > 1 &&
          iterators[loop] == utils::IteratorType::reduction &&
          strides[0][row.loop].value_or(0) != 0 &&
          strides[0][loop] == strides[0][row.loop])
        considerTerms(tile, loop);
}

void TileCosts::considerTerms(RegisterTile tile, unsigned loop) {
  for (int64_t terms = kMostTerms; terms > 1; --terms)
    if (loopSizes[loop] % terms == 0) {
      tile.terms = RegisterTile::Rows{loop, terms};
      considerSummed(tile);
    }
}

void TileCosts::considerSummed(RegisterTile &tile) {
  tile.cost = getSummedCost(tile);
  keepIfBest(tile);
}
