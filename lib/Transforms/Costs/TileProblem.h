//===- TileProblem.h - What tiles are chosen for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_TILEPROBLEM_H
#define CONVOY_LIB_TRANSFORMS_COSTS_TILEPROBLEM_H

#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/AssumedSize.h"
#include "convoy/Transforms/Utils/LoopStrides.h"
#include "convoy/Transforms/Utils/WordProducts.h"

namespace mlir::convoy {

/// A contraction, the target that it is tiled for, and what cost models ask of
/// both.
struct TileProblem {
  TileProblem(TargetAttr target, linalg::GenericOp contraction,
              ArrayRef<LoopStrides> strides, bool canBlock);

  /// Whether one factor alone runs along `loop`, and which.
  std::optional<unsigned> getFactorOf(unsigned loop) const {
    if ((strides[0][loop] != 0) == (strides[1][loop] != 0))
      return std::nullopt;
    return strides[0][loop] != 0 ? 0 : 1;
  }
  /// Steps of the reduction that run over `factor`, in its order.
  SmallVector<unsigned> getReductions(unsigned factor) const;
  /// How many cache lines the source of `factor`, of static size, has for each
  /// multiply-add of vectors.
  double countSourceLines(unsigned factor) const;
  /// How many rows of `factor` a step of `tile` reads for all its terms, those
  /// that one row reads at one term and another at the next counted once.
  double countReads(const RegisterTile &tile, unsigned factor) const;
  /// Adds to `tile` at most `maxRows` rows, or as many as the target wants;
  /// returns whether `rowLoops` make up such a tile.
  bool addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
               int64_t maxRows) const;
  /// Whether a vector of `tile` and two of its rows multiply words as matrices:
  /// one factor alone has lanes, and the rows share them.
  bool multipliesMatrices(const RegisterTile &tile) const {
    return words && words->areOfMatrices() && !tile.sumsLanes &&
           getFactorOf(tile.laneLoop);
  }
  /// Whether `loop` runs along the last dimension of what `factor` is read
  /// from.
  bool isInnermost(unsigned factor, unsigned loop) const;
  /// The instruction that multiplies tiles of words of `factor` by those of the
  /// other one, or null.
  const ::convoy::CPUDotInstruction *findTileInstruction(unsigned factor) const;
  /// How many instructions that multiply `tile` takes for each of its vectors,
  /// rows and terms.
  double countProducts(const RegisterTile &tile) const;
  /// Whether rows may run along a loop beside `laneLoop`.
  bool hasLoopForRows(unsigned laneLoop) const;

  /// The least steps of a reduction between partial sums that are stored where
  /// that saves packing or lines from beyond the cache.
  static constexpr int64_t kLeastBlock = 96;

  SmallVector<int64_t> loopSizes;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineMap> maps;
  SmallVector<Value> factors;
  ArrayRef<LoopStrides> strides;
  TargetAttr target;
  int64_t vectorLanes;
  Value result;
  linalg::LinalgOp epilogue;      ///< null if the contraction is the root
  std::optional<WordParts> words; ///< that the factors hold, if any
  int64_t registers; ///< less one for products that are no multiply-adds
  ArrayRef<int64_t> fixedTile; ///< what users of the target asked for, or empty
  bool canBlock; ///< whether partial sums may be stored in the result
};

/// The best of the tiles that it is shown, and all of them if told to.
class TileChoice {
public:
  explicit TileChoice(bool keepsAll = false) : keepsAll(keepsAll) {}

  void consider(const RegisterTile &tile);
  const RegisterTile &getBest() const { return best; }
  /// All that were kept, the best first and then by their costs.
  SmallVector<RegisterTile> getRanked() const;

private:
  bool keepsAll;
  RegisterTile best;
  SmallVector<RegisterTile, 0> all;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_TILEPROBLEM_H
