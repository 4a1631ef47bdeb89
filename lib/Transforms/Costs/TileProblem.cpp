//===- TileProblem.cpp - What tiles are chosen for --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileProblem.h"

#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Divisibility.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

/// Registers for a tile: one less where products are formed by an instruction
/// that does not add them.
static int64_t countRegisters(TargetAttr target,
                              const std::optional<WordParts> &words) {
  return target.getRegisters() - (words && !addsProducts(*words, target));
}

TileProblem::TileProblem(TargetAttr target, linalg::GenericOp contraction,
                         ArrayRef<LoopStrides> strides, bool canBlock)
    : loopSizes(contraction.getStaticLoopRanges()),
      iterators(contraction.getIteratorTypesArray()),
      maps(contraction.getIndexingMapsArray()),
      factors(contraction.getInputs()), strides(strides), target(target),
      vectorLanes(target.getVectorLanes(
          getElementTypeOrSelf(contraction.getResult(0)))),
      result(contraction.getResult(0)), words(getWordParts(contraction)),
      registers(countRegisters(target, words)), fixedTile(target.getTile()),
      canBlock(canBlock) {
  if (linalg::LinalgOp root = getRoot(contraction); root != contraction)
    epilogue = root;
}

SmallVector<unsigned> TileProblem::getReductions(unsigned factor) const {
  SmallVector<unsigned> reductions;
  for (AffineExpr loop : maps[factor].getResults())
    if (unsigned position = cast<AffineDimExpr>(loop).getPosition();
        iterators[position] == utils::IteratorType::reduction)
      reductions.push_back(position);
  return reductions;
}

double TileProblem::countSourceLines(unsigned factor) const {
  double lines =
      double(target.getVectorBytes()) / double(target.getCore().lineBytes);
  for (int64_t size : loopSizes)
    lines /= estimateSize(size);
  return lines * double(getSourceType(factors[factor]).getNumElements());
}

/// How many of the sums of `i` of `count` steps `step`, and of `j` of
/// `otherCount` steps `otherStep`, differ. Steps that are not known may be the
/// same.
static int64_t countSums(int64_t count, std::optional<int64_t> step,
                         int64_t otherCount, std::optional<int64_t> otherStep) {
  if (step.has_value() != otherStep.has_value())
    return count * otherCount;
  llvm::SmallDenseSet<int64_t> sums;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < otherCount; ++j)
      sums.insert(i * step.value_or(1) + j * otherStep.value_or(1));
  return int64_t(sums.size());
}

double TileProblem::countReads(const RegisterTile &tile,
                               unsigned factor) const {
  LoopSteps terms = tile.terms.value_or(LoopSteps{0, 1});
  std::optional<int64_t> termStride = strides[factor][terms.loop];
  // Whether terms multiply the rows that are read.
  bool areApart = tile.terms && termStride != 0;
  double reads = 1;
  for (const LoopSteps &row : tile.rows) {
    std::optional<int64_t> stride = strides[factor][row.loop];
    if (stride == 0)
      continue;
    int64_t sums = row.size;
    if (areApart) {
      int64_t shared = countSums(row.size, stride, terms.size, termStride);
      if (shared < row.size * terms.size) {
        sums = shared;
        areApart = false;
      }
    }
    reads *= double(sums);
  }
  return areApart ? reads * double(terms.size) : reads;
}

double TileProblem::countProducts(const RegisterTile &tile) const {
  if (words && !findDotInstruction(*words, target, target.getVectorBytes()))
    return kPartProducts * double(words->count());
  if (!words || !words->areOfMatrices())
    return 1;
  if (!multipliesMatrices(tile))
    return kHalvedWords;
  // The words of each two rows are put side by side. A row that has no other
  // one takes as long as two.
  double rows = 1, vectors = double(llvm::divideCeil(tile.lanes, vectorLanes));
  for (const LoopSteps &row : tile.rows)
    if (strides[*getFactorOf(tile.laneLoop)][row.loop] == 0)
      rows *= double(row.size);
  return 2 * std::ceil(rows / 2) / rows * (1 + 0.5 / vectors);
}

bool TileProblem::isInnermost(unsigned factor, unsigned loop) const {
  AffineExpr expr = getAffineDimExpr(loop, target.getContext());
  auto rows = factors[factor].getDefiningOp<Im2colOp>();
  if (!rows)
    return maps[factor].getResults().back() == expr;
  std::optional<unsigned> dim = maps[factor].getResultPosition(expr);
  Im2colLayoutAttr layout = rows.getLayout();
  return dim && layout.getRowsLetters()[*dim] == layout.getInput().back();
}

const ::convoy::CPUDotInstruction *
TileProblem::findTileInstruction(unsigned factor) const {
  if (!words)
    return nullptr;
  WordParts parts = *words;
  if (factor == 1)
    std::swap(parts.aUnsigned, parts.bUnsigned);
  return mlir::convoy::findTileInstruction(parts, target);
}

bool TileProblem::hasLoopForRows(unsigned laneLoop) const {
  return llvm::any_of(llvm::seq(loopSizes.size()), [&](size_t loop) {
    return loop != laneLoop && loopSizes[loop] > 1 &&
           iterators[loop] == utils::IteratorType::parallel;
  });
}

bool TileProblem::addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
                          int64_t maxRows) const {
  if (!fixedTile.empty()) {
    int64_t rows = 1;
    for (unsigned loop : rowLoops) {
      tile.rows.push_back({loop, std::min(loopSizes[loop], fixedTile[0])});
      rows *= tile.rows.back().size;
    }
    // One row is what was asked for, or all that there is.
    bool hasRows = rows > 1 || fixedTile[0] == 1;
    return rowLoops.size() <= 1 && (hasRows || !hasLoopForRows(tile.laneLoop));
  }
  maxRows = std::max<int64_t>(1, maxRows);
  for (unsigned loop : llvm::reverse(rowLoops)) {
    // All loops but the first are whole.
    if (loop != rowLoops.front() && loopSizes[loop] > maxRows)
      return false;
    int64_t size = divideEvenly(loopSizes[loop], maxRows);
    if (multipliesMatrices(tile) && size > 1)
      size = std::min({size + size % 2, maxRows, loopSizes[loop]});
    tile.rows.push_back({loop, size});
    maxRows /= size;
  }
  return true;
}

/// Whether `tile` differs from `other` in the loop of its rows alone, which is
/// further inside, so that its rows lie nearer to each other.
static bool isNearer(const RegisterTile &tile, const RegisterTile &other) {
  return tile.laneLoop == other.laneLoop && tile.lanes == other.lanes &&
         tile.packed == other.packed && tile.rows.size() == 1 &&
         other.rows.size() == 1 && tile.rows[0].size == other.rows[0].size &&
         tile.rows[0].loop > other.rows[0].loop;
}

void TileChoice::consider(const RegisterTile &tile) {
  if (!tile.canBeVectors())
    return;
  if (tile.cost < best.cost || (tile.cost == best.cost && isNearer(tile, best)))
    best = tile;
  if (keepsAll)
    all.push_back(tile);
}

SmallVector<RegisterTile> TileChoice::getRanked() const {
  SmallVector<RegisterTile> ranked(all.begin(), all.end());
  llvm::stable_sort(ranked, [](const RegisterTile &a, const RegisterTile &b) {
    return a.cost < b.cost;
  });
  ranked.insert(ranked.begin(), best);
  SmallVector<RegisterTile> distinct;
  for (RegisterTile &tile : ranked) {
    // One with one row of a loop is that without the loop, which is here, too.
    bool isAlike = llvm::any_of(
        tile.rows, [](const LoopSteps &rows) { return rows.size == 1; });
    if (distinct.empty() || !(isAlike || llvm::is_contained(distinct, tile)))
      distinct.push_back(std::move(tile));
  }
  return distinct;
}
