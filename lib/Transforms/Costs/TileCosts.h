//===- TileCosts.h - Cost model of register tiles ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_TILECOSTS_H
#define CONVOY_LIB_TRANSFORMS_COSTS_TILECOSTS_H

#include "convoy/Transforms/Costs/RegisterTile.h"

namespace mlir::convoy {

/// The size of a loop for estimates.
inline double estimateSize(int64_t size) {
  return ShapedType::isDynamic(size) ? 16 : double(size);
}

/// The tensor that `factor`, an im2col or not, is read from.
inline TypedValue<RankedTensorType> getSource(Value factor) {
  if (auto rows = factor.getDefiningOp<Im2colOp>())
    factor = rows.getInput();
  return cast<TypedValue<RankedTensorType>>(factor);
}

/// Whether `tensor` is known to be too large for the L2 cache.
inline bool isBeyondL2(TargetAttr target, TypedValue<RankedTensorType> tensor) {
  return tensor.getType().hasStaticShape() &&
         tensor.getType().getNumElements() * getElementBytes(tensor) >
             target.getL2Bytes();
}

/// The cost model for one contraction.
class TileCosts {
public:
  TileCosts(TargetAttr target, linalg::GenericOp contraction,
            ArrayRef<LoopStrides> strides, bool canBlock);

  /// Considers lanes along `laneLoop` and rows along `rowLoops`, the last of
  /// them whole if there are two.
  void consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops);
  /// Considers lanes along `laneLoop`, which is summed over, and rows along
  /// `rowLoops` in the same way.
  void considerSummed(unsigned laneLoop, ArrayRef<unsigned> rowLoops);

  RegisterTile getBest() const { return best; }

private:
  /// What lanes run over: `size` elements, and how much of their vectors these
  /// fill.
  struct Lanes {
    unsigned loop;
    int64_t size;
    double used;
    std::optional<RegisterTile::Rows> outer;
  };

  void consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops, bool packed);

  void keepIfBest(const RegisterTile &tile);

  /// Whether one factor alone runs along `loop`, and which.
  std::optional<unsigned> getFactorOf(unsigned loop) const {
    if ((strides[0][loop] != 0) == (strides[1][loop] != 0))
      return std::nullopt;
    return strides[0][loop] != 0 ? 0 : 1;
  }
  /// The factor that packing copies, if lanes along `laneLoop` can be packed:
  /// one factor alone runs along it, and along no other loop of dynamic size.
  std::optional<unsigned> getPackedFactor(unsigned laneLoop) const;
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
  /// Adds at most `maxRows` rows, or as many as the target wants; returns
  /// whether `rowLoops` make up such a tile.
  bool addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
               int64_t maxRows) const;
  /// Cycles in which a vector of `factor` comes from beyond the L2 cache, lanes
  /// being summed along `laneLoop`, divided by how many multiply-adds share it.
  double getFarCost(unsigned factor, unsigned laneLoop) const;
  /// How many cache lines the source of `factor`, of static size, has for each
  /// multiply-add of vectors.
  double countSourceLines(unsigned factor) const;
  /// Cycles in which rows of pixels that are read in place come from beyond all
  /// caches, for each multiply-add of vectors: the first line of what a tile
  /// takes of a row is waited for, those after it are prefetched. For further
  /// rows of the other factor they come again, from the L2 cache.
  double getRunCost(const RegisterTile &tile) const;
  /// Cycles for the vectors of a step that lie in lines of their own, unless
  /// they stay in the L1 cache.
  double getNearCycles(const RegisterTile &tile) const;
  void considerSummed(RegisterTile &tile);
  /// Considers `tile` with several terms of `loop` in a step.
  void considerTerms(RegisterTile tile, unsigned loop);
  /// How many vectors' worth of rows of `factor` a step reads where lanes are
  /// summed.
  double countReads(const RegisterTile &tile, unsigned factor) const;
  /// How many lanes along a loop of `size` elements that is summed over to take
  /// at a time.
  int64_t getSummedLanes(int64_t size) const;
  /// Cycles for a lane of one multiply-add where lanes are summed.
  double getSummedCost(const RegisterTile &tile) const;

  /// Steps of the reduction that run over `factor`, in its order.
  SmallVector<unsigned> getReductions(unsigned factor) const;
  /// Cycles for packing one vector, divided by how many rows share it.
  double getPackCost(unsigned laneLoop, unsigned factor) const;
  /// Whether what a tile reads of `factor` comes slowly when it is read in
  /// place.
  bool isSlowInPlace(const RegisterTile &tile, unsigned factor) const;
  /// Loads of one row of `vectors` vectors at this distance between lanes.
  double getRowLoads(std::optional<int64_t> stride, int64_t vectors) const {
    if (stride == 0)
      return 1;
    return stride == 1 ? vectors : 1.5 * vectors * vectorLanes;
  }
  /// How many elements of `factor` apart lanes along `laneLoop` lie, in its
  /// innermost dimension; nothing where they lie in another.
  std::optional<int64_t> getDistance(unsigned factor, unsigned laneLoop) const;
  /// How many rows of `factor` a tile reads.
  double countRows(const RegisterTile &tile, const LoopStrides &factor) const;
  /// Cycles for a lane of one multiply-add.
  double getCost(const RegisterTile &tile, int64_t vectors) const;
  /// The same in the mean over all `wholeVectors` vectors and all rows, whose
  /// rests have smaller tiles.
  double getCostWithRests(const RegisterTile &tile, int64_t wholeVectors,
                          int64_t vectors) const;

  /// Rows along two loops lie further apart and share fewer cache lines: on
  /// ResNet's layers, tiles of equal cost ran 10 to 50 % longer with them.
  static constexpr double kSecondRowLoop = 1.1;
  /// How much longer a step takes that reads vectors in place from more pages
  /// than the TLB's first level has entries for; where they lie pages apart, no
  /// hardware prefetches them either. On ResNet's layers 10 to 100 %.
  static constexpr double kSlowInPlace = 1.3;
  static constexpr int64_t kPages = 64;
  /// The least steps of a reduction between partial sums that are stored: what
  /// storing them costs is then lost in the multiply-adds.
  static constexpr int64_t kLeastBlock = 256;
  /// The same where that saves packing.
  static constexpr int64_t kLeastNearBlock = 96;
  /// Cycles for a vector of the sums between such blocks, which are short and
  /// many.
  static constexpr double kNearUpdateCycles = 12;
  /// The most, unless elements of the result are stored one by one: what the
  /// other factor's steps touch, each a line in one of few sets where they lie
  /// a power of two apart, is then still in the cache for the next tile.
  static constexpr int64_t kMostBlock = 768;

  /// Vectors of lanes that are summed, unrolled: more would be much code.
  static constexpr int64_t kMostSummedVectors = 4;
  /// The most terms in one step: more save few loads.
  static constexpr int64_t kMostTerms = 4;
  /// How many more vectors than needed equal parts of a loop may take, so that
  /// there is no rest, which has loops of its own.
  static constexpr double kMostUnequalVectors = 1.1;
  /// Registers for vectors of factors beside those of sums.
  static constexpr int64_t kOtherRegisters = 6;
  /// Rows of pixels start anywhere in a cache line, so that most of their
  /// vectors lie in two.
  static constexpr double kUnalignedLoads = 1.5;
  /// Cycles for a vector from the L2 cache that is read in place, if few enough
  /// rows are to be prefetched, and else.
  static constexpr double kNearVectorCycles = 1.2, kSlowVectorCycles = 2.6,
                          kMostStreams = 16;
  /// Cycles for a line from beyond the L2 cache that is read in place: where
  /// lines follow each other for pages, so that they are prefetched, and else.
  static constexpr double kPrefetchedLineCycles = 3, kFarLineCycles = 20;
  static constexpr int64_t kPrefetchedPages = 16;
  /// Cycles from one multiply-add to the next that adds to its sum.
  static constexpr double kLatency = 4;

  SmallVector<int64_t> loopSizes;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineMap> maps;
  SmallVector<Value> factors;
  ArrayRef<LoopStrides> strides;
  TargetAttr target;
  int64_t vectorLanes;
  Value result;
  int64_t registers;
  int64_t packedBytes; ///< the most that is packed at a time
  ArrayRef<int64_t> fixedTile;
  bool canBlock;
  RegisterTile best;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_TILECOSTS_H
