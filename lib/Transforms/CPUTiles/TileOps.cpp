//===- TileOps.cpp - Ops that compute register tiles ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

#include "TileMatrices.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether the lanes of `op`, which `shape` sums, can be: in a vector of
/// factors, zeros stand for lanes that it has not.
static bool canSumLanes(linalg::LinalgOp op, const TileShape &shape) {
  unsigned loop = shape.getLaneDim(), rank = shape.getRank();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (loop >= op.getNumLoops() || !isSumOfProducts(op) ||
      op.getNumParallelLoops() != rank ||
      maps.back() !=
          AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
              .getMajorSubMap(rank))
    return false;
  return llvm::isPowerOf2_64(shape.getVectorLanes()) &&
         llvm::all_of(ArrayRef(maps).drop_back(),
                      [&](AffineMap map) { return shape.canRead(map, loop); });
}

bool mlir::convoy::isTile(Operation *op) {
  std::optional<TileShape> shape = TileShape::find(op);
  if (!shape)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0 ||
      type.getNumElements() > RegisterTile::kMostElements)
    return false;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (shape->sumsLanes())
    return canSumLanes(linalgOp, *shape);
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  if (!maps.back().isProjectedPermutation())
    return false;
  if (hasMatrices(op))
    return TileMatrices::find(linalgOp).has_value();
  unsigned loop = shape->getLaneLoop(maps.back());
  return llvm::all_of(ArrayRef(maps).drop_back(),
                      [&](AffineMap map) { return shape->canRead(map, loop); });
}

bool mlir::convoy::hasFewTerms(linalg::LinalgOp op) {
  if (hasMatrices(op))
    return true;
  int64_t steps = 1;
  bool hasTerms = TileShape::get(op).sumsLanes();
  for (auto [size, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    bool isSum = iterator == utils::IteratorType::reduction;
    if (isSum && ShapedType::isDynamic(size))
      return false;
    hasTerms |= isSum && size != 1;
    if (ShapedType::isStatic(size) && size > 0)
      steps = std::min(steps * size, RegisterTile::kMostElements + 1);
  }
  return !hasTerms || steps <= RegisterTile::kMostElements;
}
