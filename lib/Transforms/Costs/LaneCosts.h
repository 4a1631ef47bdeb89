//===- LaneCosts.h - Costs of lanes along results ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_LANECOSTS_H
#define CONVOY_LIB_TRANSFORMS_COSTS_LANECOSTS_H

#include "TileProblem.h"

namespace mlir::convoy {

/// The cost model of tiles whose lanes run along a loop of the result.
class LaneCosts {
public:
  explicit LaneCosts(const TileProblem &problem) : problem(problem) {}

  /// Cycles for a lane of one multiply-add, in the mean over `wholeVectors`
  /// vectors, so many at a time, and all rows, whose remainders have smaller
  /// tiles.
  double getCostWithRests(const RegisterTile &tile, int64_t wholeVectors,
                          int64_t vectors) const;
  /// Cycles in which rows of pixels that are read in place come from beyond all
  /// caches, for each multiply-add of vectors: the first line of what a tile
  /// takes of a row is waited for, those after it are prefetched. For further
  /// rows of the other factor they come again, from the L2 cache.
  double getRunCost(const RegisterTile &tile) const;
  /// The most rows whose lines stay in the L1 cache from step to step wherever
  /// they begin: as many as a set has lines.
  int64_t getMostRowsInSets() const {
    return std::max<int64_t>(1, problem.target.getL1Bytes() /
                                    problem.target.getCore().criticalStride);
  }
  /// Whether what a tile reads of `factor` comes slowly when it is read in
  /// place.
  bool isSlowInPlace(const RegisterTile &tile, unsigned factor) const;

  /// How many matrices the rows of `tile` make up.
  int64_t countMatrices(const RegisterTile &tile) const;

private:
  /// Cycles for a step of `tile` that multiplies matrices by `vectors` others.
  double getMatrixStep(const RegisterTile &tile, int64_t vectors) const;
  /// Cycles for a lane of one multiply-add of a tile of `vectors` vectors.
  double getCost(const RegisterTile &tile, int64_t vectors) const;
  /// Cycles for packing one vector, divided by how many rows share it.
  double getPackCost(unsigned laneLoop, unsigned factor) const;
  /// Loads of one row of `vectors` vectors at this distance between lanes.
  double getRowLoads(std::optional<int64_t> stride, int64_t vectors) const {
    if (stride == 0)
      return 1;
    return stride == 1 ? vectors
                       : kElementLoads * vectors * problem.vectorLanes;
  }
  /// How many rows of `factor` a tile reads.
  double countRows(const RegisterTile &tile, const LoopStrides &factor) const;
  /// How many lines a step reads from the L2 cache though it read from them in
  /// the step before: those of rows of `factor` more of which share a set of
  /// the L1 cache than a set has lines.
  double countConflicts(const RegisterTile &tile, unsigned factor) const;

  /// Loads of a vector that an element takes which is put into its vector by
  /// itself.
  static constexpr double kElementLoads = 1.5;

  const TileProblem &problem;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_LANECOSTS_H
