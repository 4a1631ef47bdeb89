//===- SummedTiles.cpp - Tiles with lanes that are summed -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummedTiles.h"

#include "convoy/Transforms/Costs/VectorCosts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

int64_t SummedTiles::getLanes(int64_t size) const {
  int64_t most = kMostSummedVectors;
  if (!problem.fixedTile.empty())
    most = std::min(most, problem.fixedTile[1]);
  if (size <= most * problem.vectorLanes)
    return size;
  // Equal parts that fill their vectors; else whole vectors, and a remainder.
  double least =
      kMostUnequalVectors * double(llvm::divideCeil(size, problem.vectorLanes));
  for (int64_t lanes = most * problem.vectorLanes;
       lanes > problem.vectorLanes / 2; --lanes)
    if (size % lanes == 0 &&
        double(size / lanes * llvm::divideCeil(lanes, problem.vectorLanes)) <=
            least)
      return lanes;
  int64_t best = problem.vectorLanes;
  for (int64_t lanes = 2 * problem.vectorLanes;
       lanes <= most * problem.vectorLanes; lanes += problem.vectorLanes)
    if (size % lanes <= size % best)
      best = lanes;
  return best;
}

double SummedTiles::getFarCost(unsigned factor, unsigned laneLoop) const {
  if (!isBeyondL2(problem.target, getSourceType(problem.factors[factor])))
    return 0;
  // How many elements follow each other from step to step.
  double run = estimateSize(problem.loopSizes[laneLoop]);
  SmallVector<unsigned> reductions = problem.getReductions(factor);
  for (unsigned loop : llvm::reverse(reductions))
    if (problem.strides[factor][loop] == int64_t(run))
      run *= estimateSize(problem.loopSizes[loop]);
  double bytes = double(getElementBytes(problem.factors[factor]));
  double prefetched =
      kPrefetchedPages * double(problem.target.getCore().pageBytes);
  double cycles =
      run * bytes < prefetched ? kAwaitedLineCycles : kPrefetchedLineCycles;
  return cycles * problem.countSourceLines(factor);
}

double SummedTiles::getNearCycles(const RegisterTile &tile) const {
  double streams = 0, bytes = 0;
  for (unsigned factor : {0, 1}) {
    double rows = 1, steps = 1;
    for (const LoopSteps &row : tile.rows)
      if (problem.strides[factor][row.loop].value_or(problem.vectorLanes) >=
          problem.vectorLanes)
        rows *= double(row.size);
    for (unsigned loop : problem.getReductions(factor))
      steps *= estimateSize(problem.loopSizes[loop]);
    streams += rows;
    bytes += rows * steps * double(getElementBytes(problem.factors[factor]));
  }
  if (bytes <= double(problem.target.getL1Bytes()))
    return 0;
  if (tile.terms)
    streams *= double(tile.terms->size);
  return streams * double(llvm::divideCeil(tile.lanes, problem.vectorLanes)) *
         (streams <= double(problem.target.getCore().prefetchStreams)
              ? kNearVectorCycles
              : kSlowVectorCycles);
}

double SummedTiles::getCost(const RegisterTile &tile) const {
  double vectors = double(llvm::divideCeil(tile.lanes, problem.vectorLanes));
  double terms = tile.terms ? double(tile.terms->size) : 1;
  double loads = 0, rows = 1, steps = 1 / (double(tile.lanes) * terms);
  for (unsigned factor : {0, 1})
    // Elements between lanes are read and left out.
    loads +=
        vectors *
        double(2 * problem.strides[factor][tile.laneLoop].value_or(1) - 1) *
        problem.countReads(tile, factor) * kUnalignedLoads;
  for (const LoopSteps &row : tile.rows)
    rows *= row.size;
  for (auto [loop, size] : llvm::enumerate(problem.loopSizes))
    if (problem.iterators[loop] == utils::IteratorType::reduction)
      steps *= estimateSize(size);
  double multiplyAdds = vectors * rows * terms;
  CoreTraits core = problem.target.getCore();
  double step = std::max(
      {core.getVectorOpCycles() *
               std::max(multiplyAdds * problem.countProducts(tile), loads) +
           kLoadOverhead * loads + kStepOverhead,
       double(core.fmaLatency) * vectors * terms, getNearCycles(tile)});
  for (unsigned factor : {0, 1})
    step += multiplyAdds * getFarCost(factor, tile.laneLoop);
  double update = rows * (kSumCycles + kScatteredCycles) / std::max(1.0, steps);
  return (step + update) / (rows * terms * double(tile.lanes));
}

std::optional<int64_t> SummedTiles::getDistance(unsigned factor,
                                                unsigned laneLoop) const {
  AffineMap map = problem.maps[factor];
  if (auto rows = problem.factors[factor].getDefiningOp<Im2colOp>())
    map = getIndexMapOfOneTap(rows).compose(map);
  ArrayRef<int64_t> shape = getSourceType(problem.factors[factor]).getShape();
  unsigned dim = shape.size() - 1;
  while (dim > 0 && shape[dim] == 1)
    --dim;
  if (!map.getResult(dim).isFunctionOfDim(laneLoop))
    return std::nullopt;
  return problem.strides[factor][laneLoop];
}

void SummedTiles::consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
  std::optional<int64_t> first = getDistance(0, laneLoop),
                         second = getDistance(1, laneLoop);
  if (!first || !second || std::min(*first, *second) != 1 ||
      std::max(*first, *second) > kMostApart)
    return;
  RegisterTile tile;
  tile.laneLoop = laneLoop;
  tile.lanes = getLanes(problem.loopSizes[laneLoop]);
  tile.vectorLanes = problem.vectorLanes;
  tile.sumsLanes = true;
  if (!problem.addRows(tile, rowLoops, problem.registers - kOtherRegisters))
    return;
  consider(tile);
  // What terms share stays in problem.registers, too.
  double sums = 1;
  for (const LoopSteps &row : tile.rows)
    sums *= double(row.size);
  if (sums + problem.countReads(tile, 0) + 2 > double(problem.registers))
    return;
  for (const LoopSteps &row : tile.rows)
    for (unsigned loop = 0; loop < problem.loopSizes.size(); ++loop)
      if (loop != laneLoop && problem.loopSizes[loop] > 1 &&
          problem.iterators[loop] == utils::IteratorType::reduction &&
          problem.strides[0][row.loop].value_or(0) != 0 &&
          problem.strides[0][loop] == problem.strides[0][row.loop])
        considerTerms(tile, loop);
}

void SummedTiles::considerTerms(RegisterTile tile, unsigned loop) {
  for (int64_t terms = kMostStepTerms; terms > 1; --terms)
    if (problem.loopSizes[loop] % terms == 0) {
      tile.terms = LoopSteps{loop, terms};
      consider(tile);
    }
}

void SummedTiles::consider(RegisterTile &tile) {
  tile.cost = getCost(tile);
  choice.consider(tile);
}
