//===- SummedTiles.h - Tiles with lanes that are summed ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_SUMMEDTILES_H
#define CONVOY_LIB_TRANSFORMS_COSTS_SUMMEDTILES_H

#include "TileProblem.h"

namespace mlir::convoy {

/// Tiles whose lanes run along a loop that is summed over.
class SummedTiles {
public:
  SummedTiles(const TileProblem &problem, TileChoice &choice)
      : problem(problem), choice(choice) {}

  /// Considers lanes along `laneLoop`, which is summed over, and rows along
  /// `rowLoops`, the last of them whole if there are two.
  void consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops);

private:
  /// Considers `tile`, whose cost is not known yet.
  void consider(RegisterTile &tile);
  /// Considers `tile` with several terms of `loop` in a step.
  void considerTerms(RegisterTile tile, unsigned loop);
  /// How many lanes along a loop of `size` elements that is summed over to take
  /// at a time.
  int64_t getLanes(int64_t size) const;
  /// How many elements of `factor` apart lanes along `laneLoop` lie, in its
  /// innermost dimension; nothing where they lie in another.
  std::optional<int64_t> getDistance(unsigned factor, unsigned laneLoop) const;
  /// Cycles in which a vector of `factor` comes from beyond the L2 cache, lanes
  /// being summed along `laneLoop`, divided by how many multiply-adds share it.
  double getFarCost(unsigned factor, unsigned laneLoop) const;
  /// Cycles for the vectors of a step that lie in lines of their own, unless
  /// they stay in the L1 cache.
  double getNearCycles(const RegisterTile &tile) const;
  /// Cycles for a lane of one multiply-add where lanes are summed.
  double getCost(const RegisterTile &tile) const;

  /// Vectors of lanes that are summed, unrolled: more would be much code.
  static constexpr int64_t kMostSummedVectors = 4;
  /// The most terms in one step: more save few loads.
  static constexpr int64_t kMostStepTerms = 4;
  /// How many more vectors than needed equal parts of a loop may take, so that
  /// there is no rest, which has loops of its own.
  static constexpr double kMostUnequalVectors = 1.1;
  /// Registers for vectors of factors beside those of sums.
  static constexpr int64_t kOtherRegisters = 6;
  /// Rows of pixels start anywhere in a cache line, so that most of their
  /// vectors lie in two.
  static constexpr double kUnalignedLoads = 1.5;
  /// How many pages follow each other where lines are prefetched.
  static constexpr double kPrefetchedPages = 16;

  const TileProblem &problem;
  TileChoice &choice;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_SUMMEDTILES_H
