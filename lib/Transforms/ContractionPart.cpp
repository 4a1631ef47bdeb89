//===- ContractionPart.cpp - Contractions part by part ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPart.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::convoy;

FailureOr<Value> mlir::convoy::computePart(RewriterBase &rewriter,
                                           linalg::GenericOp contraction,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes,
                                           Value start) {
  Location loc = contraction.getLoc();
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(*contraction)
          .getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tile))
    return contraction.emitOpError("has no tile");
  auto part = cast<linalg::GenericOp>(tile->tiledOps.front());
  rewriter.setInsertionPoint(part);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, part.getOutputs()[0]),
      getElementTypeOrSelf(part.getResult(0).getType()));
  Value filled =
      linalg::FillOp::create(rewriter, loc, start, empty).getResult(0);
  rewriter.modifyOpInPlace(part,
                           [&] { part.getOutputsMutable().assign(filled); });
  for (Operation *op : tile->generatedSlices) {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    // Of what the contraction adds to.
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
      continue;
    }
    if (!slice.getSource().getDefiningOp<Im2colOp>())
      continue;
    rewriter.setInsertionPoint(slice);
    FailureOr<TilingResult> rows = tensor::replaceExtractSliceWithTiledProducer(
        rewriter, slice, cast<OpResult>(slice.getSource()));
    if (failed(rows))
      return slice.emitOpError("has no rows");
    rewriter.replaceOp(slice, rows->tiledValues);
  }
  rewriter.setInsertionPointAfter(part);
  return part.getResult(0);
}
