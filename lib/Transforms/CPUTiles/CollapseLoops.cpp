//===- CollapseLoops.cpp - Two loops of a tile as one -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollapseLoops.h"

#include "convoy/Transforms/Utils/Contractions.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// `op` with its loops collapsed, its result expanded again for its users.
static FailureOr<linalg::LinalgOp>
collapseOne(RewriterBase &rewriter, linalg::LinalgOp op, int64_t dim) {
  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(op)) {
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return failure();
    op = *generic;
    rewriter.setInsertionPoint(op);
  }
  ReassociationIndices loops = {dim, dim + 1};
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, loops, rewriter);
  if (failed(collapsed))
    return failure();
  rewriter.replaceOp(op, collapsed->results);
  return collapsed->collapsedOp;
}

/// Lets sizes of the result of `op` be read of its init.
static void readSizesOfInit(RewriterBase &rewriter, linalg::LinalgOp op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto size = dyn_cast<tensor::DimOp>(user))
      rewriter.modifyOpInPlace(
          size, [&] { size.getSourceMutable().set(op.getDpsInits()[0]); });
}

FailureOr<linalg::LinalgOp> mlir::convoy::collapseLoops(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        int64_t dim) {
  if (!isOneLoopWithNext(op, dim))
    return failure();
  FailureOr<linalg::LinalgOp> collapsed = collapseOne(rewriter, op, dim);
  if (failed(collapsed))
    return failure();
  AffineMap result =
      collapsed->getIndexingMapMatchingResult((*collapsed)->getResult(0));
  for (OpOperand &operand : (*collapsed)->getOpOperands()) {
    auto reshape = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    if (!reshape || collapsed->getMatchingIndexingMap(&operand) != result)
      continue;
    auto producer = reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
    if (producer)
      readSizesOfInit(rewriter, producer);
    if (!producer || !producer->hasOneUse() ||
        !isOneLoopWithNext(producer, dim) ||
        producer.getIndexingMapMatchingResult(producer->getResult(0))
                .getNumResults() != producer.getNumParallelLoops())
      continue;
    FailureOr<linalg::LinalgOp> inner = collapseLoops(rewriter, producer, dim);
    if (failed(inner))
      return failure();
    rewriter.replaceOp(reshape, (*inner)->getResult(0));
  }
  return *collapsed;
}
