//===- LaneTiles.cpp - Tiles with lanes along results -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneTiles.h"

#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/KernelABI/PrepackedArguments.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::convoy;

std::optional<unsigned> LaneTiles::getPackableFactor(unsigned laneLoop) const {
  std::optional<unsigned> factor = problem.getFactorOf(laneLoop);
  if (factor)
    for (auto [loop, size] : llvm::enumerate(problem.loopSizes))
      if (problem.strides[*factor][loop] != 0 && ShapedType::isDynamic(size))
        return std::nullopt;
  return factor;
}

std::optional<LaneTiles::Lanes>
LaneTiles::getOuterLanes(const Lanes &lanes, unsigned outer,
                         unsigned factor) const {
  if (outer + 1 != lanes.loop ||
      (problem.epilogue && !isOneLoopWithNext(problem.epilogue, outer)) ||
      !isOneLoopOfResults(problem.result.getDefiningOp<linalg::LinalgOp>(),
                          outer) ||
      problem.strides[2][lanes.loop] != 1 ||
      problem.strides[2][outer] != lanes.size ||
      problem.loopSizes[outer] <= 1 || problem.getFactorOf(outer) != factor)
    return std::nullopt;
  int64_t bytes = getElementBytes(problem.factors[factor]);
  for (unsigned loop : problem.getReductions(factor))
    bytes *= problem.loopSizes[loop];
  if (problem.canBlock)
    bytes = std::min(bytes, kLeastPackedBlock *
                                getElementBytes(problem.factors[factor]));
  Lanes best = lanes;
  best.used = 0;
  for (int64_t steps = 1;
       steps <= std::min(problem.loopSizes[outer], getPackedBytes()); ++steps) {
    int64_t size = steps * lanes.size;
    if (steps > 1 && size * bytes > getPackedBytes())
      break;
    int64_t whole = problem.loopSizes[outer] / steps,
            rest = problem.loopSizes[outer] % steps;
    int64_t vectors = whole * llvm::divideCeil(size, problem.vectorLanes) +
                      llvm::divideCeil(rest * lanes.size, problem.vectorLanes);
    double used = double(problem.loopSizes[outer] * lanes.size) /
                  double(vectors * problem.vectorLanes);
    // A rest is code of its own, and compiled for longer than it runs.
    bool avoidsRest = rest != 0 && best.outer &&
                      problem.loopSizes[outer] % best.outer->size == 0;
    if (used > best.used || (used == best.used && !avoidsRest))
      best = {lanes.loop, size, used, LoopSteps{outer, steps}};
  }
  return best;
}

bool LaneTiles::addBlocks(RegisterTile &tile, const Lanes &lanes) const {
  unsigned factor = *problem.getFactorOf(lanes.loop);
  int64_t budget = getPackedBytes() / getElementBytes(problem.factors[factor]) /
                   (lanes.outer ? lanes.size : tile.lanes);
  for (const LoopSteps &rows : tile.rows)
    if (problem.strides[factor][rows.loop] != 0)
      budget /= rows.size;
  if (problem.canBlock && problem.strides[2][lanes.loop] == 1 && !tile.matrices)
    budget = std::min(budget, kMostBlock);
  SmallVector<unsigned> reductions = problem.getReductions(factor);
  for (unsigned loop : llvm::reverse(reductions)) {
    int64_t size =
        std::min(problem.loopSizes[loop], std::max<int64_t>(1, budget));
    while (problem.loopSizes[loop] % size != 0)
      --size;
    if (size < problem.loopSizes[loop]) {
      tile.blocks.insert(tile.blocks.begin(), {loop, size});
      budget = 1;
    } else {
      budget /= size;
    }
  }
  return problem.canBlock || tile.blocks.empty();
}

void LaneTiles::addNearBlocks(RegisterTile &tile) const {
  std::optional<unsigned> factor = problem.getFactorOf(tile.laneLoop);
  if (!factor || !costs.isSlowInPlace(tile, *factor) ||
      llvm::any_of(problem.loopSizes, ShapedType::isDynamic))
    return;
  // Each row of the other factor would come from a line of its own.
  const LoopStrides &other = problem.strides[1 - *factor];
  SmallVector<unsigned> terms = problem.getReductions(1 - *factor);
  unsigned innermost = *llvm::max_element(terms, [&](unsigned a, unsigned b) {
    return problem.loopSizes[a] < problem.loopSizes[b];
  });
  if (other[innermost] != 1 &&
      llvm::any_of(tile.rows, [&](const LoopSteps &rows) {
        return other[rows.loop] != 1;
      }))
    return;
  int64_t inside = 1;
  SmallVector<unsigned> reductions = problem.getReductions(*factor);
  for (unsigned loop : reductions)
    inside *= problem.loopSizes[loop];
  SmallVector<LoopSteps, 2> outer;
  for (unsigned loop : reductions) {
    inside /= problem.loopSizes[loop];
    for (int64_t size : getDivisors(problem.loopSizes[loop])) {
      if (size == problem.loopSizes[loop] ||
          size * inside < TileProblem::kLeastBlock)
        continue;
      tile.blocks = outer;
      tile.blocks.push_back({loop, size});
      if (!costs.isSlowInPlace(tile, *factor))
        return;
    }
    if (problem.loopSizes[loop] > 1)
      outer.push_back({loop, 1});
  }
  tile.blocks.clear();
}

void LaneTiles::consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
  int64_t size = problem.loopSizes[laneLoop];
  Lanes lanes{laneLoop, size,
              double(size) / llvm::alignTo(size, problem.vectorLanes),
              std::nullopt};
  std::optional<unsigned> factor = getPackableFactor(laneLoop);
  // Of equal tiles the first is taken: what is packed already comes in order.
  bool isPackedFirst = factor && getPrepackedArgument(problem.factors[*factor]);
  if (isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  consider(lanes, rowLoops, /*packed=*/false);
  if (!factor)
    return;
  if (!isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  if (llvm::any_of(rowLoops, [&](unsigned loop) {
        return problem.strides[*factor][loop] != 0;
      }))
    return;
  for (unsigned outer = 0; outer < problem.loopSizes.size(); ++outer)
    if (std::optional<Lanes> longer = getOuterLanes(lanes, outer, *factor))
      consider(*longer, rowLoops, /*packed=*/true);
}

std::optional<LoopSteps> LaneTiles::getIndexedTerms(unsigned laneLoop) const {
  std::optional<unsigned> factor = problem.getFactorOf(laneLoop);
  int64_t bytes =
      problem.words ? problem.words->bits / 8 : getElementBytes(problem.result);
  int64_t terms = problem.target.getCore().indexedBytes / bytes;
  auto isAsWide = [&](Value value) { return getElementBytes(value) == bytes; };
  if (!factor || terms < 2 || bytes < 4 ||
      !llvm::all_of(problem.factors, isAsWide))
    return std::nullopt;
  for (unsigned loop : problem.getReductions(1 - *factor)) {
    int64_t size = problem.loopSizes[loop];
    if (problem.strides[1 - *factor][loop] == 1 && ShapedType::isStatic(size) &&
        size >= terms && size % terms == 0)
      return LoopSteps{loop, terms};
  }
  return std::nullopt;
}

/// Whether `loop` runs over the taps of a window that slides over the first
/// factor.
static bool isTap(const TileProblem &problem, unsigned loop) {
  auto rows = problem.factors[0].getDefiningOp<Im2colOp>();
  std::optional<unsigned> dim = problem.maps[0].getResultPosition(
      getAffineDimExpr(loop, problem.target.getContext()));
  return rows && dim && rows.getLayout().isWindow(*dim) &&
         rows.getLayout().getRowsLetters()[*dim] != 'c';
}

std::optional<LoopSteps> LaneTiles::getMatrixTerms(unsigned laneLoop,
                                                   ArrayRef<unsigned> rowLoops,
                                                   bool packed) const {
  std::optional<unsigned> factor = problem.getFactorOf(laneLoop);
  if (!factor || rowLoops.empty() ||
      (!packed && (problem.strides[*factor][laneLoop] != 1 ||
                   !problem.isInnermost(*factor, laneLoop))))
    return std::nullopt;
  unsigned other = 1 - *factor;
  if (!problem.findTileInstruction(other) ||
      !llvm::all_of(rowLoops, [&](unsigned loop) {
        return problem.getFactorOf(loop) == other;
      }))
    return std::nullopt;
  for (unsigned loop : problem.getReductions(other)) {
    int64_t size = problem.loopSizes[loop];
    if (problem.strides[other][loop] != 1 ||
        !problem.isInnermost(other, loop) ||
        problem.strides[*factor][loop] == 0 || ShapedType::isDynamic(size) ||
        isTap(problem, loop))
      continue;
    SmallVector<int64_t> divisors = getDivisors(size);
    const int64_t *terms = llvm::find_if(divisors, [](int64_t divisor) {
      return divisor <= ::convoy::kTileWords;
    });
    if (terms != divisors.end() && *terms > 1)
      return LoopSteps{loop, *terms};
  }
  return std::nullopt;
}

/// Whether some of `count` steps `step` and of `otherCount` steps `otherStep`
/// go equally far.
static bool meet(int64_t count, std::optional<int64_t> step, int64_t otherCount,
                 std::optional<int64_t> otherStep) {
  if (!step || !otherStep || step == 0 || otherStep == 0)
    return false;
  int64_t common = std::gcd(*step, *otherStep);
  return std::abs(*otherStep) / common < count &&
         std::abs(*step) / common < otherCount;
}

std::optional<LoopSteps>
LaneTiles::getSharedTerms(unsigned laneLoop,
                          ArrayRef<unsigned> rowLoops) const {
  const LoopStrides &strides = problem.strides[0];
  if (strides[laneLoop] != 1 || problem.strides[1][laneLoop] != 1)
    return std::nullopt;
  for (unsigned row : rowLoops)
    for (unsigned loop : problem.getReductions(0)) {
      int64_t size = problem.loopSizes[loop], rows = problem.loopSizes[row];
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(rows))
        continue;
      SmallVector<int64_t> divisors = getDivisors(size);
      const int64_t *terms = llvm::find_if(divisors, [](int64_t divisor) {
        return divisor <= kMostSharedTerms;
      });
      if (terms != divisors.end() &&
          meet(rows, strides[row], *terms, strides[loop]))
        return LoopSteps{loop, *terms};
    }
  return std::nullopt;
}

int64_t LaneTiles::getMostRows(const RegisterTile &tile, int64_t vectors,
                               ArrayRef<unsigned> rowLoops) const {
  // A tile of rows meets one of columns for each vector, and the sums of each
  // have one of their own.
  if (tile.matrices)
    return ::convoy::kTileRows * ((::convoy::kTiles - vectors) / (vectors + 1));
  // Rows come in pairs, which meet two columns of each vector at a time.
  if (problem.multipliesMatrices(tile)) {
    int64_t registers = problem.registers - kReadAhead;
    int64_t rows = tile.terms ? registers / (vectors + 1)
                              : (registers - 2 * vectors) / vectors;
    return rows / 2 * 2;
  }
  // Rows share one element, or each has a vector of terms beside its sums.
  if (!tile.terms)
    return (problem.registers - vectors - 1) / vectors;
  if (problem.getFactorOf(tile.laneLoop))
    return (problem.registers - kReadAhead - vectors) / (vectors + 1);
  // A vector of one factor is read for some terms of some rows, which have as
  // many of the other, while the next one is read.
  int64_t others = 1;
  for (unsigned loop : rowLoops)
    others = std::max(others, problem.loopSizes[loop]);
  return (problem.registers - 2) / vectors - std::min(others, tile.terms->size);
}

void LaneTiles::consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops,
                         bool packed) {
  consider(lanes, rowLoops, packed, std::nullopt);
  if (std::optional<LoopSteps> terms = getIndexedTerms(lanes.loop))
    consider(lanes, rowLoops, packed, terms);
  if (std::optional<LoopSteps> terms = getSharedTerms(lanes.loop, rowLoops))
    consider(lanes, rowLoops, packed, terms);
  if (std::optional<LoopSteps> terms =
          getMatrixTerms(lanes.loop, rowLoops, packed))
    consider(lanes, rowLoops, packed, terms, /*matrices=*/true);
}

void LaneTiles::consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops,
                         bool packed, std::optional<LoopSteps> terms,
                         bool matrices) {
  int64_t wholeVectors = llvm::divideCeil(lanes.size, problem.vectorLanes);
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(wholeVectors, 4);
       ++vectors) {
    if (vectors != (problem.fixedTile.empty()
                        ? divideEvenly(wholeVectors, vectors)
                        : std::min(problem.fixedTile[1], wholeVectors)))
      continue;
    RegisterTile tile;
    tile.laneLoop = lanes.loop;
    tile.lanes = std::min(lanes.size, vectors * problem.vectorLanes);
    tile.vectorLanes = problem.vectorLanes;
    tile.packed = packed;
    tile.outerLanes = lanes.outer;
    tile.terms = terms;
    tile.matrices = matrices;
    int64_t mostRows = getMostRows(tile, vectors, rowLoops);
    if (mostRows == 0)
      continue;
    considerRows(tile, lanes, rowLoops, mostRows);
    int64_t fewer = costs.getMostRowsInSets();
    if (fewer < mostRows)
      considerRows(tile, lanes, rowLoops, fewer);
  }
}

static bool isOneStep(const LoopSteps &steps) { return steps.size == 1; }

void LaneTiles::considerRows(RegisterTile tile, const Lanes &lanes,
                             ArrayRef<unsigned> rowLoops, int64_t mostRows) {
  if (!problem.addRows(tile, rowLoops, mostRows) ||
      (tile.matrices &&
       (costs.countMatrices(tile) * ::convoy::kTileRows > mostRows ||
        (rowLoops.size() > 1 && llvm::any_of(tile.rows, isOneStep)))) ||
      (tile.packed && !addBlocks(tile, lanes)) ||
      llvm::any_of(tile.blocks, [&](const LoopSteps &block) {
        return tile.terms && tile.terms->loop == block.loop &&
               block.size % tile.terms->size != 0;
      }))
    return;
  if (!tile.packed && problem.canBlock)
    addNearBlocks(tile);
  tile.cost = costs.getCostWithRests(
      tile, llvm::divideCeil(lanes.size, problem.vectorLanes),
      llvm::divideCeil(tile.lanes, problem.vectorLanes));
  if (rowLoops.size() > 1 && !tile.matrices)
    tile.cost *= kSecondRowLoop;
  if (!tile.packed || problem.getFactorOf(lanes.loop) != 0)
    tile.cost += costs.getRunCost(tile) / double(problem.vectorLanes);
  tile.cost /= lanes.used;
  choice.consider(tile);
}
