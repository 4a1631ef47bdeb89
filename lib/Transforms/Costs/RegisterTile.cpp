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

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

RegisterTile RegisterTile::get(RegisterTileAttr plan,
                               linalg::GenericOp contraction) {
  RegisterTile tile;
  tile.laneLoop = plan.getLanes().loop;
  tile.lanes = plan.getLanes().size;
  tile.sumsLanes = contraction.getIteratorTypesArray()[tile.laneLoop] ==
                   utils::IteratorType::reduction;
  tile.vectorLanes = plan.getVectorLanes();
  tile.masked = plan.getMasked();
  tile.rows.assign(plan.getRows().begin(), plan.getRows().end());
  tile.terms = plan.getTerms();
  tile.packed = plan.getPacked();
  tile.outerLanes = plan.getOuterLanes();
  tile.blocks.assign(plan.getBlocks().begin(), plan.getBlocks().end());
  tile.blocksOutside = plan.getBlocksOutside();
  tile.rowBlocks.assign(plan.getRowBlocks().begin(), plan.getRowBlocks().end());
  if (FloatAttr cycles = plan.getCycles())
    tile.cost = cycles.getValueAsDouble();
  return tile;
}

RegisterTileAttr RegisterTile::toAttr(MLIRContext *context) const {
  FloatAttr cycles;
  if (std::isfinite(cost))
    cycles = Builder(context).getF64FloatAttr(cost);
  return RegisterTileAttr::get(context, LoopSteps{laneLoop, lanes}, vectorLanes,
                               masked, rows, terms, packed, outerLanes, blocks,
                               blocksOutside && !blocks.empty(), rowBlocks,
                               cycles);
}

bool RegisterTile::canBeVectors() const {
  double elements = double(lanes) * (terms ? double(terms->size) : 1);
  for (const LoopSteps &row : rows)
    elements *= double(row.size);
  return elements <= kMostElements && vectorLanes <= kMostUnrolled;
}

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
