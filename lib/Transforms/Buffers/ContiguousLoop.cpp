//===- ContiguousLoop.cpp - Loops over neighbours in memory -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContiguousLoop.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;

/// Loops of fewer iterations than this are not worth a vector.
constexpr int64_t kLeastVectorLoop = 8;

/// The index of the innermost dimension that `map` goes through, of which loops
/// have `sizes`: those of one element do not count.
static AffineExpr getInnermostIndex(AffineMap map, ArrayRef<int64_t> sizes) {
  for (AffineExpr index : llvm::reverse(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop || sizes[loop.getPosition()] != 1)
      return index;
  }
  return getAffineConstantExpr(0, map.getContext());
}

/// Whether all that `op` reads and writes along `loop`, of loops of `sizes`,
/// lies side by side.
static bool isContiguousAlong(linalg::GenericOp op, AffineDimExpr loop,
                              ArrayRef<int64_t> sizes) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (op.getMatchingBlockArgument(&operand).use_empty())
      return true;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return !map.isFunctionOfDim(loop.getPosition()) ||
           getInnermostIndex(map, sizes) == loop;
  });
}

/// Whether a loop of `size` is worth a vector.
static bool isLongEnough(int64_t size) {
  return ShapedType::isDynamic(size) || size >= kLeastVectorLoop;
}

std::optional<unsigned> mlir::convoy::findContiguousLoop(linalg::GenericOp op) {
  unsigned innermost = op.getNumLoops() - 1;
  if (!linalg::isReductionIterator(op.getIteratorTypesArray()[innermost]))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto loop = dyn_cast<AffineDimExpr>(getInnermostIndex(result, sizes));
  if (!loop)
    return std::nullopt;
  return isLongEnough(sizes[loop.getPosition()]) &&
                 isContiguousAlong(op, loop, sizes)
             ? std::optional(loop.getPosition())
             : std::nullopt;
}

std::optional<unsigned> mlir::convoy::findContiguousSum(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(operand).use_empty())
      continue;
    auto loop = dyn_cast<AffineDimExpr>(
        getInnermostIndex(op.getMatchingIndexingMap(operand), sizes));
    if (loop &&
        linalg::isReductionIterator(
            op.getIteratorTypesArray()[loop.getPosition()]) &&
        isLongEnough(sizes[loop.getPosition()]) &&
        isContiguousAlong(op, loop, sizes))
      return loop.getPosition();
  }
  return std::nullopt;
}
