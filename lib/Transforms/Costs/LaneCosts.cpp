//===- LaneCosts.cpp - Costs of lanes along results -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneCosts.h"

#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Utils/Divisibility.h"
#include "convoy/Transforms/Utils/WordViews.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

double LaneCosts::countRows(const RegisterTile &tile,
                            const LoopStrides &factor) const {
  double rows = 1;
  for (const LoopSteps &row : tile.rows)
    rows *= factor[row.loop] != 0 ? row.size : 1;
  return rows;
}

/// Whether `factor` is read from a padded copy, whose rows begin in more sets
/// of the L1 cache than a few.
static bool isPadded(Value factor) {
  if (auto rows = factor.getDefiningOp<Im2colOp>())
    factor = rows.getInput();
  if (std::optional<WordView> words = matchWordView(factor))
    factor = words->getElements();
  while (auto slice = factor.getDefiningOp<tensor::ExtractSliceOp>())
    factor = slice.getSource();
  return factor.getDefiningOp<tensor::PadOp>() != nullptr;
}

double LaneCosts::countConflicts(const RegisterTile &tile,
                                 unsigned factor) const {
  const LoopStrides &strides = problem.strides[factor];
  SmallVector<unsigned> reductions = problem.getReductions(factor);
  if (strides[tile.laneLoop] != 0 || reductions.empty() ||
      isPadded(problem.factors[factor]))
    return 0;
  CoreTraits core = problem.target.getCore();
  int64_t bytes = getElementBytes(problem.factors[factor]);
  int64_t elements =
      strides[reductions.back()].value_or(core.lineBytes / bytes) *
      (tile.terms ? tile.terms->size : 1);
  double again = 1 - double(elements * bytes) / double(core.lineBytes);
  if (again <= 0)
    return 0;
  SmallVector<int64_t> starts = {0};
  for (const LoopSteps &row : tile.rows) {
    if (!strides[row.loop])
      return 0;
    if (strides[row.loop] == 0)
      continue;
    size_t count = starts.size();
    for (int64_t step = 1; step < row.size; ++step)
      for (size_t start = 0; start < count; ++start)
        starts.push_back(starts[start] + step * *strides[row.loop] * bytes);
  }
  if (int64_t(starts.size()) <= getMostRowsInSets())
    return 0;
  llvm::SmallDenseSet<int64_t> lines;
  llvm::SmallDenseMap<int64_t, int64_t> linesOfSet;
  for (int64_t start : starts)
    if (lines.insert(llvm::divideFloorSigned(start, core.lineBytes)).second)
      ++linesOfSet[llvm::mod(start, core.criticalStride) / core.lineBytes];
  int64_t conflicts = 0;
  for (auto [set, count] : linesOfSet)
    if (count > getMostRowsInSets())
      conflicts += count;
  return double(conflicts) * again;
}

double LaneCosts::getPackCost(unsigned laneLoop, unsigned factor) const {
  double sharing = 1;
  for (auto [loop, size] : llvm::enumerate(problem.loopSizes))
    if (problem.strides[2][loop] != 0 && problem.strides[factor][loop] == 0)
      sharing *= estimateSize(size);
  return getPackCycles(problem.target, problem.factors[factor],
                       problem.strides[factor], laneLoop) /
         sharing;
}

bool LaneCosts::isSlowInPlace(const RegisterTile &tile, unsigned factor) const {
  CoreTraits core = problem.target.getCore();
  int64_t bytes = getElementBytes(problem.factors[factor]);
  double steps = 1, span = double(bytes * tile.lanes);
  for (unsigned loop : problem.getReductions(factor)) {
    double size = estimateSize(problem.loopSizes[loop]);
    for (const LoopSteps &block : tile.blocks)
      if (block.loop == loop)
        size = double(block.size);
    steps *= size;
    span +=
        (size - 1) * double(problem.strides[factor][loop].value_or(0) * bytes);
  }
  // A line for each step stays for the next rows if steps are few. Blocks make
  // them few, unless sums are stored one by one.
  if (problem.strides[factor][tile.laneLoop] == 0 &&
      (problem.strides[2][tile.laneLoop] == 1 ||
       steps * double(core.lineBytes) <= double(problem.target.getL1Bytes())))
    return false;
  return std::min(steps, span / double(core.pageBytes)) >
         double(core.tlbEntries);
}

double LaneCosts::getRunCost(const RegisterTile &tile) const {
  auto rows = problem.factors[0].getDefiningOp<Im2colOp>();
  if (!rows || !isBeyondCaches(problem.target, rows.getInput().getType()) ||
      !llvm::is_contained(
          ::convoy::spatialLetters(rows.getLayout().getSpatialRank()),
          rows.getLayout().getInput().back()))
    return 0;
  int64_t run = 1;
  double times = 1;
  for (auto [loop, stride] : llvm::enumerate(problem.strides[0])) {
    bool isSummed = problem.iterators[loop] != utils::IteratorType::parallel;
    // A row that is summed over is read from its start to its end.
    if (isSummed && stride && *stride != 0 && std::abs(*stride) <= kMostApart &&
        problem.loopSizes[loop] > problem.vectorLanes)
      return 0;
    if (stride == 1 && !isSummed)
      run = tile.getStep(loop);
    else if (stride == 0 && !isSummed)
      times *=
          estimateSize(problem.loopSizes[loop]) / double(tile.getStep(loop));
  }
  int64_t lines = llvm::divideCeil(run * getElementBytes(problem.factors[0]),
                                   problem.target.getCore().lineBytes);
  double cycles =
      (kAwaitedLineCycles + kPrefetchedLineCycles * double(lines - 1)) /
          double(lines) +
      kNearVectorCycles * std::max(0.0, times - 1);
  return cycles * problem.countSourceLines(0);
}

/// The rows of a tile along the innermost of their loops, which matrices hold.
static int64_t getInnermostRows(const RegisterTile &tile) {
  LoopSteps innermost = {0, 1};
  for (const LoopSteps &row : tile.rows)
    if (row.size > 1 && row.loop >= innermost.loop)
      innermost = row;
  return innermost.size;
}

int64_t LaneCosts::countMatrices(const RegisterTile &tile) const {
  int64_t rows = 1, innermost = getInnermostRows(tile);
  for (const LoopSteps &row : tile.rows)
    rows *= row.size;
  return rows / innermost * llvm::divideCeil(innermost, ::convoy::kTileRows);
}

double LaneCosts::getMatrixStep(const RegisterTile &tile,
                                int64_t vectors) const {
  double rows =
      double(divideEvenly(getInnermostRows(tile), ::convoy::kTileRows));
  double products = double(countMatrices(tile) * vectors) *
                    std::max(rows, kLeastMatrixCycles);
  // What all terms of the lanes take may not fit the L1 cache, from which rows
  // would read it again.
  unsigned factor = *problem.getFactorOf(tile.laneLoop);
  double columns = double(vectors * tile.terms->size), steps = 1;
  for (unsigned loop : problem.getReductions(factor))
    steps *= estimateSize(problem.loopSizes[loop]);
  double bytes = double(vectors * problem.target.getVectorBytes()) * steps;
  double near = 2 * bytes > double(problem.target.getL1Bytes())
                    ? columns * kNearVectorCycles
                    : 0;
  return std::max(products, near) + kStepOverhead;
}

double LaneCosts::getCost(const RegisterTile &tile, int64_t vectors) const {
  double loads = 0, rows = 1, terms = tile.terms ? double(tile.terms->size) : 1;
  // Words of matrices have twice as many bits as sums.
  int64_t vectorsOfWords = problem.words ? problem.words->bits / 32 : 1;
  for (unsigned factor : {0, 1}) {
    std::optional<int64_t> stride = problem.strides[factor][tile.laneLoop];
    if (tile.packed && stride != 0)
      stride = 1;
    // Where no lanes are, terms are a vector.
    loads += getRowLoads(stride, vectors * vectorsOfWords) *
             (stride == 0 ? countRows(tile, problem.strides[factor])
                          : problem.countReads(tile, factor));
  }
  for (const LoopSteps &row : tile.rows)
    rows *= row.size;
  double multiplyAdds = vectors * rows * terms;
  double products = multiplyAdds * problem.countProducts(tile);
  // Each step waits for the sums of the one before.
  CoreTraits core = problem.target.getCore();
  double step =
      tile.matrices
          ? getMatrixStep(tile, vectors)
          : std::max(core.getVectorOpCycles() * std::max(products, loads),
                     double(core.fmaLatency) * terms) +
                kLoadOverhead * loads + kStepOverhead;
  for (unsigned factor : {0, 1})
    step += kNearVectorCycles * countConflicts(tile, factor);
  if (tile.packed)
    step += multiplyAdds *
            getPackCost(tile.laneLoop, *problem.getFactorOf(tile.laneLoop));
  for (unsigned factor : {0, 1})
    if ((!tile.packed || problem.getFactorOf(tile.laneLoop) != factor) &&
        isSlowInPlace(tile, factor))
      step *= kSlowInPlace;
  // Steps between two updates of the result.
  double length = 1;
  for (auto [loop, size] : llvm::enumerate(problem.loopSizes))
    if (problem.iterators[loop] == utils::IteratorType::reduction)
      length *= estimateSize(size);
  for (const LoopSteps &block : tile.blocks)
    length *= double(block.size) / double(problem.loopSizes[block.loop]);
  double update =
      multiplyAdds / length *
      (problem.strides[2][tile.laneLoop] == 1
           ? (tile.matrices                        ? kMatrixUpdateCycles
              : tile.packed || tile.blocks.empty() ? kUpdateCycles
                                                   : kNearUpdateCycles)
           : getScatteredCycles(problem.target, problem.result,
                                problem.strides[2][tile.laneLoop]) *
                 double(problem.vectorLanes));
  return (step + update) / (multiplyAdds * problem.vectorLanes);
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

double LaneCosts::getCostWithRests(const RegisterTile &tile,
                                   int64_t wholeVectors,
                                   int64_t vectors) const {
  SmallVector<std::pair<RegisterTile, double>, 4> parts = {{tile, 1}};
  for (auto [i, row] : llvm::enumerate(tile.rows)) {
    SmallVector<std::pair<RegisterTile, double>, 4> cut;
    for (auto [size, share] : getParts(problem.loopSizes[row.loop], row.size))
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
