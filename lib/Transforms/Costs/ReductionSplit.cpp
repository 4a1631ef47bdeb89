//===- ReductionSplit.cpp - Parts of sums for a GPU -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LargeTiles.h"

#include "convoy/Transforms/Costs/WorkgroupCosts.h"
#include "convoy/Transforms/Utils/AssumedSize.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

/// Workgroups for each compute unit that parts of a reduction should make, so
/// that the last ones to run leave few units idle.
static constexpr double kGroupsOfUnit = 2;
/// Terms that a part of a reduction should have; half as many are enough where
/// no loop is divided so.
static constexpr int64_t kLeastTerms = 256;

/// What it costs, in multiply-adds, to write a partial sum and to read it: as
/// long as memory takes, since nothing is computed meanwhile.
static constexpr double kPartialSumCost = 64;
/// What a split has to save of the time: it takes a launch and memory, and how
/// long the last workgroups leave units idle is only estimated.
static constexpr double kLeastSplitGain = 0.25;

double mlir::convoy::getBusyPart(TargetAttr target, double groups) {
  if (target.getComputeUnits() == 0)
    return std::min(1.0, groups / getEnoughGroups(target));
  // Rounds of one workgroup a unit.
  double rounds = groups / double(target.getComputeUnits());
  return rounds / std::max(kGroupsOfUnit, std::ceil(rounds));
}

namespace {
/// Chooses the parts of one reduction.
class SplitSearch {
public:
  SplitSearch(TargetAttr target, linalg::GenericOp contraction,
              ArrayRef<LoopStrides> strides, int64_t mostTerms)
      : target(target), contraction(contraction), strides(strides),
        sizes(contraction.getStaticLoopRanges()), mostTerms(mostTerms) {
    for (unsigned loop = contraction.getNumParallelLoops(); loop < sizes.size();
         ++loop)
      terms *= ShapedType::isDynamic(sizes[loop]) ? kAssumedSize : sizes[loop];
  }

  std::optional<ReductionSplit> search();

private:
  /// The fewest parts that make enough workgroups of large tiles, else the most
  /// there can be.
  ReductionSplit getFewestParts();
  /// The parts with the least estimate, of those that keep enough terms, or one
  /// where they save little of what the `whole` takes.
  ReductionSplit getFastestParts(const TileEstimate &whole);
  /// Calls `visit` with splits of one loop each, the most parts first, or with
  /// those that also divide all loops around it into single steps.
  void forEachSplit(bool withOuter,
                    function_ref<void(const ReductionSplit &)> visit);

  TargetAttr target;
  linalg::GenericOp contraction;
  ArrayRef<LoopStrides> strides;
  SmallVector<int64_t> sizes; ///< of the contraction's loops
  int64_t mostTerms, terms = 1;
};
} // namespace

void SplitSearch::forEachSplit(
    bool withOuter, function_ref<void(const ReductionSplit &)> visit) {
  ReductionSplit outer = {SmallVector<int64_t>(sizes.size(), 1), 1};
  for (unsigned loop = contraction.getNumParallelLoops(); loop < sizes.size();
       ++loop) {
    if (ShapedType::isDynamic(sizes[loop]))
      continue;
    SmallVector<int64_t> divisors = getDivisors(sizes[loop]);
    for (int64_t parts : llvm::reverse(divisors)) {
      if (parts == 1)
        continue;
      ReductionSplit split = outer;
      split.counts[loop] = parts;
      split.parts *= parts;
      visit(split);
    }
    if (!withOuter)
      continue;
    outer.counts[loop] = sizes[loop];
    outer.parts *= sizes[loop];
  }
}

ReductionSplit SplitSearch::getFewestParts() {
  double groups = countLargeTiles(target, contraction, strides);
  double waves = target.getComputeUnits() != 0 ? kGroupsOfUnit : 1;
  double wanted = std::min(waves * getEnoughGroups(target) / groups,
                           double(terms) / double(kLeastTerms));
  bool isTooLong = terms > mostTerms;
  if (isTooLong)
    wanted = std::max(wanted, double(terms) / double(mostTerms));
  ReductionSplit best;
  auto consider = [&](const ReductionSplit &split) {
    if (double(split.parts) > 2 * wanted && !isTooLong)
      return;
    bool isEnough = double(split.parts) >= wanted;
    bool wasEnough = double(best.parts) >= wanted;
    if (wasEnough ? isEnough && split.parts < best.parts
                  : split.parts > best.parts)
      best = split;
  };
  forEachSplit(/*withOuter=*/false, consider);
  if (double(best.parts) < wanted)
    forEachSplit(/*withOuter=*/true, consider);
  return best;
}

ReductionSplit SplitSearch::getFastestParts(const TileEstimate &whole) {
  auto getTime = [&](const TileEstimate &tile) {
    return double(terms) * tile.cost / getBusyPart(target, tile.groups);
  };
  ReductionSplit best;
  double least = (1 - kLeastSplitGain) * getTime(whole);
  auto consider = [&](const ReductionSplit &split) {
    double sums = kPartialSumCost * double(split.parts);
    if (2 * terms / split.parts < kLeastTerms || sums >= least)
      return;
    std::optional<TileEstimate> part =
        estimateParts(target, contraction, strides, split.counts);
    if (!part || getTime(*part) + sums >= least)
      return;
    least = getTime(*part) + sums;
    best = split;
  };
  // Elements of parts of several loops may be read one by one.
  forEachSplit(/*withOuter=*/false, consider);
  return best;
}

std::optional<ReductionSplit> SplitSearch::search() {
  ReductionSplit split;
  std::optional<TileEstimate> whole;
  if (target.getComputeUnits() != 0 && terms <= mostTerms)
    whole = estimateParts(target, contraction, strides, split.counts);
  // Without tiles, elements are work-items of their own.
  if (!whole)
    split = getFewestParts();
  else if (whole->groups < kGroupsOfUnit * getEnoughGroups(target))
    split = getFastestParts(*whole);
  return split.parts > 1 ? std::optional(split) : std::nullopt;
}

std::optional<ReductionSplit> mlir::convoy::chooseReductionSplit(
    TargetAttr target, linalg::GenericOp contraction,
    ArrayRef<LoopStrides> strides, int64_t mostTerms) {
  if (llvm::is_contained(contraction.getStaticLoopRanges(), 0))
    return std::nullopt;
  return SplitSearch(target, contraction, strides, mostTerms).search();
}
