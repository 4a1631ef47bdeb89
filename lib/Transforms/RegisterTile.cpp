//===- RegisterTile.cpp - Choice of the register tile -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/RegisterTile.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Distances of an operand of type `type` that is read at `map`'s results.
static LoopStrides getStrides(AffineMap map, RankedTensorType type) {
  LoopStrides strides(map.getNumDims(), 0);
  std::optional<int64_t> dimStride = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    SmallVector<int64_t> coefficients;
    LogicalResult flattened =
        getFlattenedAffineExpr(map.getResult(dim), map.getNumDims(),
                               map.getNumSymbols(), &coefficients);
    assert(succeeded(flattened) && "index maps of convolutions are linear");
    (void)flattened;
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
      if (coefficients[loop] == 0)
        continue;
      if (strides[loop] && dimStride)
        *strides[loop] += coefficients[loop] * *dimStride;
      else
        strides[loop] = std::nullopt;
    }
    if (!dimStride || type.isDynamicDim(dim))
      dimStride = std::nullopt;
    else
      *dimStride *= type.getDimSize(dim);
  }
  return strides;
}

SmallVector<LoopStrides>
mlir::convoy::getLoopStrides(linalg::GenericOp contraction, Im2colOp rows) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  AffineMap indexMap = rows.getIndexMap();
  // How often a reversed tap is counted from the other end does not matter to
  // distances: take one tap.
  SmallVector<AffineExpr> ones(
      indexMap.getNumSymbols(),
      getAffineConstantExpr(1, contraction.getContext()));
  indexMap = indexMap.replaceDimsAndSymbols({}, ones, indexMap.getNumDims(), 0);
  return {getStrides(indexMap.compose(maps[0]), rows.getInput().getType()),
          getStrides(maps[1], cast<RankedTensorType>(
                                  contraction.getInputs()[1].getType())),
          getStrides(maps[2], cast<RankedTensorType>(
                                  contraction.getOutputs()[0].getType()))};
}

/// How many of `size` elements to take at a time, at most `most`, so that the
/// rest is not much smaller.
static int64_t divideEvenly(int64_t size, int64_t most) {
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

namespace {
/// The cost model for one contraction.
class TileCosts {
public:
  TileCosts(TargetAttr target, int64_t elementBytes,
            ArrayRef<int64_t> loopSizes,
            ArrayRef<utils::IteratorType> iterators,
            ArrayRef<LoopStrides> strides)
      : loopSizes(loopSizes), strides(strides),
        vectorLanes(
            std::max<int64_t>(1, target.getVectorBytes() / elementBytes)),
        registers(target.getRegisters()), fixedTile(target.getTile()) {
    for (auto [size, iterator] : llvm::zip_equal(loopSizes, iterators))
      if (iterator == utils::IteratorType::reduction)
        reductionLength *= ShapedType::isDynamic(size) ? 16 : double(size);
  }

  /// Considers lanes along `laneLoop` and rows along `rowLoops`, the last of
  /// them whole if there are two.
  void consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
    int64_t laneSize = loopSizes[laneLoop];
    int64_t wholeVectors = llvm::divideCeil(laneSize, vectorLanes);
    for (int64_t vectors = 1; vectors <= std::min<int64_t>(wholeVectors, 4);
         ++vectors) {
      if (vectors != (fixedTile.empty() ? divideEvenly(wholeVectors, vectors)
                                        : std::min(fixedTile[1], wholeVectors)))
        continue;
      RegisterTile tile{
          laneLoop, std::min(laneSize, vectors * vectorLanes), vectorLanes, {}};
      if (!addRows(tile, rowLoops, vectors))
        continue;
      double cost = getCost(tile, vectors);
      if (rowLoops.size() > 1)
        cost *= kSecondRowLoop;
      if (cost < bestCost) {
        bestCost = cost;
        best = tile;
      }
    }
  }

  RegisterTile getBest() const { return best; }

private:
  /// Adds as many rows as registers hold, or as the target wants; returns
  /// whether `rowLoops` make up such a tile.
  bool addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
               int64_t vectors) const {
    if (!fixedTile.empty()) {
      for (unsigned loop : rowLoops)
        tile.rows.push_back({loop, std::min(loopSizes[loop], fixedTile[0])});
      return rowLoops.size() <= 1;
    }
    int64_t maxRows = std::max<int64_t>(1, (registers - vectors - 1) / vectors);
    for (unsigned loop : llvm::reverse(rowLoops)) {
      // All loops but the first are whole.
      if (loop != rowLoops.front() && loopSizes[loop] > maxRows)
        return false;
      tile.rows.push_back({loop, divideEvenly(loopSizes[loop], maxRows)});
      maxRows /= tile.rows.back().size;
    }
    return true;
  }

  /// Loads of one row of `vectors` vectors at this distance between lanes.
  double getRowLoads(std::optional<int64_t> stride, int64_t vectors) const {
    if (stride == 0)
      return 1;
    return stride == 1 ? vectors : 1.5 * vectors * vectorLanes;
  }

  double getCost(const RegisterTile &tile, int64_t vectors) const {
    double loads = 0, rows = 1;
    for (const LoopStrides &factor : strides.take_front(2)) {
      double factorRows = 1;
      for (const RegisterTile::Rows &row : tile.rows)
        factorRows *= factor[row.loop] != 0 ? row.size : 1;
      loads += getRowLoads(factor[tile.laneLoop], vectors) * factorRows;
    }
    for (const RegisterTile::Rows &row : tile.rows)
      rows *= row.size;
    double multiplyAdds = vectors * rows;
    double step = 0.5 * std::max(multiplyAdds, loads) + 0.05 * loads + 1;
    double update = 2 * getRowLoads(strides[2][tile.laneLoop], vectors) * rows /
                    reductionLength;
    // Lanes that the last vector of the loop leaves empty are lost.
    double used = double(loopSizes[tile.laneLoop]) /
                  llvm::alignTo(loopSizes[tile.laneLoop], vectorLanes);
    return (step + update) / (multiplyAdds * vectorLanes * used);
  }

  /// Rows along two loops lie further apart and share fewer cache lines: on
  /// ResNet's layers, tiles of equal cost ran 10 to 50 % longer with them.
  static constexpr double kSecondRowLoop = 1.1;

  ArrayRef<int64_t> loopSizes;
  ArrayRef<LoopStrides> strides;
  int64_t vectorLanes, registers;
  ArrayRef<int64_t> fixedTile;
  double reductionLength = 1;
  double bestCost = std::numeric_limits<double>::infinity();
  RegisterTile best;
};
} // namespace

RegisterTile mlir::convoy::chooseRegisterTile(
    TargetAttr target, int64_t elementBytes, ArrayRef<int64_t> loopSizes,
    ArrayRef<utils::IteratorType> iterators, ArrayRef<LoopStrides> strides) {
  TileCosts costs(target, elementBytes, loopSizes, iterators, strides);
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (iterators[loop] == utils::IteratorType::parallel && size > 0)
      loops.push_back(loop);
  for (unsigned laneLoop : loops) {
    costs.consider(laneLoop, {});
    for (unsigned rowLoop : loops) {
      if (rowLoop == laneLoop)
        continue;
      costs.consider(laneLoop, rowLoop);
      for (unsigned wholeLoop : loops)
        if (wholeLoop != laneLoop && wholeLoop != rowLoop)
          costs.consider(laneLoop, {rowLoop, wholeLoop});
    }
  }
  return costs.getBest();
}
