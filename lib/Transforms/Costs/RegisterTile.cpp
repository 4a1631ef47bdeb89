//===- RegisterTile.cpp - Tiles that stay in registers ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/RegisterTile.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/IR/Builders.h"

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
  tile.matrices = plan.getMatrices();
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
  return RegisterTileAttr::get(
      context, LoopSteps{laneLoop, lanes}, vectorLanes, masked, rows, terms,
      matrices, packed, outerLanes, blocks, blocksOutside && !blocks.empty(),
      rowBlocks, cycles);
}

bool RegisterTile::canBeVectors() const {
  double elements =
      double(lanes) * (terms && !matrices ? double(terms->size) : 1);
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
