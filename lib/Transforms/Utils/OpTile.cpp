//===- OpTile.cpp - Some iterations of an op --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/OpTile.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::convoy;

linalg::LinalgOp mlir::convoy::createTile(RewriterBase &rewriter,
                                          linalg::LinalgOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes,
                                          ArrayRef<TileOperand> operands) {
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(*op).getTiledImplementation(rewriter, offsets,
                                                        sizes);
  assert(succeeded(tile) && "linalg ops have all tiles");
  Operation *part = tile->tiledOps.front();
  rewriter.modifyOpInPlace(part, [&] {
    for (auto [number, value] : operands)
      part->setOperand(number, value);
  });
  for (Operation *slice : tile->generatedSlices)
    if (isOpTriviallyDead(slice))
      rewriter.eraseOp(slice);
  return cast<linalg::LinalgOp>(part);
}
