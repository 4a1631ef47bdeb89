//===- LaneTiles.h - Tiles with lanes along results -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_LANETILES_H
#define CONVOY_LIB_TRANSFORMS_COSTS_LANETILES_H

#include "LaneCosts.h"

namespace mlir::convoy {

/// Tiles whose lanes run along a loop of the result, the factor that they run
/// along being read in place or packed.
class LaneTiles {
public:
  LaneTiles(const TileProblem &problem, TileChoice &choice)
      : problem(problem), costs(problem), choice(choice) {}

  /// Considers lanes along `laneLoop` and rows along `rowLoops`, the last of
  /// them whole if there are two.
  void consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops);

private:
  /// What lanes run over: `size` elements, and how much of their vectors these
  /// fill.
  struct Lanes {
    unsigned loop;
    int64_t size;
    double used;
    std::optional<LoopSteps> outer;
  };

  void consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops, bool packed);
  void consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops, bool packed,
                std::optional<LoopSteps> terms, bool matrices = false);
  /// Considers `tile` along `lanes` with at most `mostRows` rows.
  void considerRows(RegisterTile tile, const Lanes &lanes,
                    ArrayRef<unsigned> rowLoops, int64_t mostRows);
  /// The terms that the factor without lanes along `laneLoop` has in a vector
  /// any element of which multiplies another.
  std::optional<LoopSteps> getIndexedTerms(unsigned laneLoop) const;
  /// The terms of a step that multiplies matrices of words with rows along
  /// `rowLoops` and lanes along `laneLoop`, if the target can: those of a row
  /// lie side by side.
  std::optional<LoopSteps> getMatrixTerms(unsigned laneLoop,
                                          ArrayRef<unsigned> rowLoops,
                                          bool packed) const;
  /// The terms of a step at which rows along `rowLoops` share what they read,
  /// where both factors have lanes along `laneLoop`: pixels that lie in the
  /// windows of several rows.
  std::optional<LoopSteps> getSharedTerms(unsigned laneLoop,
                                          ArrayRef<unsigned> rowLoops) const;
  /// The most rows of `vectors` vectors along `rowLoops` for which there are
  /// registers.
  int64_t getMostRows(const RegisterTile &tile, int64_t vectors,
                      ArrayRef<unsigned> rowLoops) const;
  /// The most bytes that are packed at a time.
  int64_t getPackedBytes() const { return problem.target.getL2Bytes() / 4; }
  /// The factor that packing copies, if lanes along `laneLoop` can be packed:
  /// one factor alone runs along it, and along no other loop of dynamic size.
  std::optional<unsigned> getPackableFactor(unsigned laneLoop) const;
  /// `lanes` of a packed factor going on from step to step of `outer`, if they
  /// do in the result.
  std::optional<Lanes> getOuterLanes(const Lanes &lanes, unsigned outer,
                                     unsigned factor) const;
  /// Chooses how many steps of the reduction to pack at a time; returns whether
  /// that fits the cache.
  bool addBlocks(RegisterTile &tile, const Lanes &lanes) const;
  /// Cuts the reduction of a tile that is read in place so that its vectors do
  /// not come slowly, if long enough parts do.
  void addNearBlocks(RegisterTile &tile) const;

  /// Rows along two loops lie further apart and share fewer cache lines: on
  /// ResNet's layers, tiles of equal cost ran 10 to 50 % longer with them.
  static constexpr double kSecondRowLoop = 1.1;
  /// The least steps of a reduction between partial sums that are stored: what
  /// storing them costs is then lost in the multiply-adds.
  static constexpr int64_t kLeastPackedBlock = 256;
  /// The most, unless elements of the result are stored one by one: what the
  /// other factor's steps touch, each a line in one of few sets where they lie
  /// a power of two apart, is then still in the cache for the next tile.
  static constexpr int64_t kMostBlock = 768;

  /// Registers for vectors that are read before they are needed: with fewer,
  /// LLVM's schedules for cores of ARM spill sums.
  static constexpr int64_t kReadAhead = 3;

  /// The most terms that are unrolled so that rows share what they read: all
  /// taps of usual windows.
  static constexpr int64_t kMostSharedTerms = 11;

  const TileProblem &problem;
  LaneCosts costs;
  TileChoice &choice;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_LANETILES_H
