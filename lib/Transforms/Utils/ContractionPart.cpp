//===- ContractionPart.cpp - Contractions part by part ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/ContractionPart.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::convoy;

/// The iterations of `contraction` from `offsets` on, `sizes` of them, with
/// that part of the rows alone, adding to what `getInit` gives.
static FailureOr<linalg::GenericOp>
createPart(RewriterBase &rewriter, linalg::GenericOp contraction,
           ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
           function_ref<Value(linalg::GenericOp)> getInit) {
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(*contraction)
          .getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tile))
    return contraction.emitOpError("has no tile");
  auto part = cast<linalg::GenericOp>(tile->tiledOps.front());
  rewriter.setInsertionPoint(part);
  Value init = getInit(part);
  rewriter.modifyOpInPlace(part,
                           [&] { part.getOutputsMutable().assign(init); });
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
  return part;
}

FailureOr<Value> mlir::convoy::computePart(RewriterBase &rewriter,
                                           linalg::GenericOp contraction,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes,
                                           Value start) {
  Location loc = contraction.getLoc();
  FailureOr<linalg::GenericOp> part = createPart(
      rewriter, contraction, offsets, sizes,
      [&](linalg::GenericOp op) -> Value {
        Value empty = tensor::EmptyOp::create(
            rewriter, loc,
            tensor::getMixedSizes(rewriter, loc, op.getOutputs()[0]),
            getElementTypeOrSelf(op.getResult(0).getType()));
        return linalg::FillOp::create(rewriter, loc, start, empty).getResult(0);
      });
  if (failed(part))
    return failure();
  return part->getResult(0);
}

FailureOr<SmallVector<linalg::GenericOp>>
mlir::convoy::cutReduction(RewriterBase &rewriter,
                           linalg::GenericOp contraction, unsigned loop,
                           int64_t size) {
  rewriter.setInsertionPoint(contraction);
  SmallVector<OpFoldResult> offsets, sizes;
  for (const Range &range :
       cast<TilingInterface>(*contraction).getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  int64_t all = contraction.getStaticLoopRanges()[loop];
  SmallVector<linalg::GenericOp> parts;
  Value sums = contraction.getOutputs()[0];
  for (auto [first, steps] :
       {std::pair{int64_t(0), size}, std::pair{size, all - size}}) {
    offsets[loop] = rewriter.getIndexAttr(first);
    sizes[loop] = rewriter.getIndexAttr(steps);
    FailureOr<linalg::GenericOp> part =
        createPart(rewriter, contraction, offsets, sizes,
                   [&](linalg::GenericOp) { return sums; });
    if (failed(part))
      return failure();
    sums = part->getResult(0);
    parts.push_back(*part);
  }
  rewriter.replaceOp(contraction, sums);
  return parts;
}
