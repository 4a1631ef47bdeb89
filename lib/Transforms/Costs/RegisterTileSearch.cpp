//===- RegisterTileSearch.cpp - Choice of a register tile -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/RegisterTileSearch.h"

#include "LaneTiles.h"
#include "SummedTiles.h"

#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

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

/// Shows `choice` all tiles for `contraction`.
static void considerAll(TargetAttr target, linalg::GenericOp contraction,
                        ArrayRef<LoopStrides> strides, bool canBlock,
                        TileChoice &choice) {
  TileProblem problem(target, contraction, strides, canBlock);
  bool canSum =
      isSumOfProducts(contraction) && llvm::isPowerOf2_64(problem.vectorLanes);
  LaneTiles laneTiles(problem, choice);
  SummedTiles summedTiles(problem, choice);
  SmallVector<unsigned> loops, summed;
  for (auto [loop, size] : llvm::enumerate(problem.loopSizes)) {
    if (problem.iterators[loop] == utils::IteratorType::parallel) {
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
}

RegisterTile mlir::convoy::chooseRegisterTile(TargetAttr target,
                                              linalg::GenericOp contraction,
                                              ArrayRef<LoopStrides> strides,
                                              bool canBlock) {
  TileChoice choice;
  considerAll(target, contraction, strides, canBlock, choice);
  return choice.getBest();
}

SmallVector<RegisterTile>
mlir::convoy::rankRegisterTiles(TargetAttr target,
                                linalg::GenericOp contraction,
                                ArrayRef<LoopStrides> strides, bool canBlock) {
  TileChoice choice(/*keepsAll=*/true);
  considerAll(target, contraction, strides, canBlock, choice);
  return choice.getRanked();
}
