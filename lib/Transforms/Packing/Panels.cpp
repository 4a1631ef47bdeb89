//===- Panels.cpp - Panels of a factor --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Packing/Panels.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// The factor of `contraction` that alone runs along `laneLoops`.
static OpOperand *getLaneFactor(linalg::GenericOp contraction,
                                ArrayRef<unsigned> laneLoops) {
  OpOperand *first = contraction.getDpsInputOperand(0);
  return contraction.getMatchingIndexingMap(first).isFunctionOfDim(
             laneLoops.back())
             ? first
             : contraction.getDpsInputOperand(1);
}

/// The loops of `contraction` that run over a factor read at `map`, in the
/// order of a packed copy: parallel ones, reductions, the lanes.
static SmallVector<AffineExpr> getPackedLoops(linalg::GenericOp contraction,
                                              AffineMap map,
                                              ArrayRef<unsigned> laneLoops) {
  SmallVector<utils::IteratorType> iterators =
      contraction.getIteratorTypesArray();
  auto rank = [&](AffineExpr loop) -> int64_t {
    unsigned position = cast<AffineDimExpr>(loop).getPosition();
    if (auto *it = llvm::find(laneLoops, position); it != laneLoops.end())
      return 2 + (it - laneLoops.begin());
    return iterators[position] == utils::IteratorType::reduction ? 1 : 0;
  };
  SmallVector<AffineExpr> loops(map.getResults());
  llvm::stable_sort(
      loops, [&](AffineExpr a, AffineExpr b) { return rank(a) < rank(b); });
  return loops;
}

bool mlir::convoy::isInPanelOrder(linalg::GenericOp contraction,
                                  ArrayRef<unsigned> laneLoops) {
  AffineMap map =
      contraction.getMatchingIndexingMap(getLaneFactor(contraction, laneLoops));
  return map.getResults() ==
         ArrayRef(getPackedLoops(contraction, map, laneLoops));
}

void mlir::convoy::packIntoPanels(RewriterBase &rewriter,
                                  linalg::GenericOp contraction,
                                  ArrayRef<unsigned> laneLoops) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  OpOperand *factor = getLaneFactor(contraction, laneLoops);
  AffineMap &map = maps[factor->getOperandNumber()];
  SmallVector<AffineExpr> loops = getPackedLoops(contraction, map, laneLoops);

  MLIRContext *context = contraction.getContext();
  unsigned rank = loops.size();
  Location loc = contraction.getLoc();
  rewriter.setInsertionPoint(contraction);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, factor->get());
  SmallVector<OpFoldResult> packedSizes(rank);
  SmallVector<AffineExpr> source(rank);
  for (auto [dim, loop] : llvm::enumerate(map.getResults())) {
    unsigned packedDim = llvm::find(loops, loop) - loops.begin();
    packedSizes[packedDim] = sizes[dim];
    source[dim] = getAffineDimExpr(packedDim, context);
  }
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, packedSizes,
                              getElementTypeOrSelf(factor->get().getType()));
  linalg::GenericOp copy =
      createCopy(rewriter, loc, factor->get(),
                 AffineMap::get(rank, 0, source, context), empty);
  copy->setAttr(kPackedAttrName, rewriter.getUnitAttr());
  map = AffineMap::get(map.getNumDims(), 0, loops, context);
  rewriter.modifyOpInPlace(contraction, [&] {
    factor->set(copy.getResult(0));
    contraction.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

OpOperand *mlir::convoy::getPackedFactor(linalg::GenericOp contraction) {
  for (OpOperand *factor : contraction.getDpsInputOperands())
    if (isPackedPanel(factor->get().getDefiningOp()))
      return factor;
  return nullptr;
}
