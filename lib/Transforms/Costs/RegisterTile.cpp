//===- RegisterTile.cpp - Tiles that stay in registers ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/RegisterTile.h"

#include "LaneTiles.h"
#include "SummedTiles.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

int64_t RegisterTile::getStep(unsigned loop) const {
  if (outerLanes && outerLanes->loop == loop)
    return outerLanes->size;
  if (laneLoop == loop)
    return lanes;
  if (terms && terms->loop == loop)
    return terms->size;
  for (const LoopSteps &row : rows)
    if (row.loop == loop)
      return row.size;
  return 1;
}

SmallVector<unsigned> RegisterTile::getLaneLoops() const {
  SmallVector<unsigned> loops = {laneLoop};
  if (outerLanes)
    loops.insert(loops.begin(), outerLanes->loop);
  return loops;
}

bool mlir::convoy::canMask(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(),
                      [](Value operand) {
                        Type type = getElementTypeOrSelf(operand);
                        return type.isIntOrFloat() &&
                               getElementBits(type) >= 32;
                      }) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &scalar) { return isPure(&scalar); });
}

/// Calls `consider` with each choice of at most two of `loops`, and not
/// `laneLoop`, for rows.
static void
forEachRows(ArrayRef<unsigned> loops, unsigned laneLoop,
            function_ref<void(ArrayRef<unsigned> rowLoops)> consider) {
  consider({});
  for (unsigned rowLoop : loops) {
    if (rowLoop == laneLoop)
      continue;
    consider(rowLoop);
    for (unsigned wholeLoop : loops)
      if (wholeLoop != laneLoop && wholeLoop != rowLoop)
        consider({rowLoop, wholeLoop});
  }
}

RegisterTile mlir::convoy::chooseRegisterTile(TargetAttr target,
                                              linalg::GenericOp contraction,
                                              ArrayRef<LoopStrides> strides,
                                              bool canBlock) {
  TileProblem problem(target, contraction, strides, canBlock);
  TileChoice choice;
  LaneTiles laneTiles(problem, choice);
  SummedTiles summedTiles(problem, choice);
  SmallVector<unsigned> loops, summed;
  bool canSum = isSumOfProducts(contraction) &&
                llvm::isPowerOf2_64(target.getVectorLanes(
                    getElementTypeOrSelf(contraction.getResult(0))));
  for (auto [loop, size] : llvm::enumerate(contraction.getStaticLoopRanges())) {
    if (contraction.getIteratorTypesArray()[loop] ==
        utils::IteratorType::parallel) {
      if (size > 0)
        loops.push_back(loop);
    } else if (canSum && size > 1) {
      summed.push_back(loop);
    }
  }
  for (unsigned laneLoop : loops)
    forEachRows(loops, laneLoop, [&](ArrayRef<unsigned> rowLoops) {
      laneTiles.consider(laneLoop, rowLoops);
    });
  for (unsigned laneLoop : summed)
    forEachRows(loops, laneLoop, [&](ArrayRef<unsigned> rowLoops) {
      summedTiles.consider(laneLoop, rowLoops);
    });
  RegisterTile tile = choice.getBest();
  tile.masked = target.hasMasks() && canMask(contraction);
  return tile;
}
