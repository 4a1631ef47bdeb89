//===- ConvParts.cpp - Convolutions computed in parts -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvParts.h"

#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/OpTile.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `op` computes each element of its result by itself, and reads none
/// of what was there.
static bool computesElements(linalg::LinalgOp op) {
  if (!isFusable(op) || !op.hasPureTensorSemantics() ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() > 0)
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getMatchingIndexingMap(init).isIdentity() &&
         !op.payloadUsesValueFromOperand(init);
}

/// What gives the init of `op` for it alone; null where there is none.
static linalg::LinalgOp findStart(ConvOp op) {
  Value init = op.getInit();
  auto start = init.getDefiningOp<linalg::LinalgOp>();
  bool isOwn = start && init.hasOneUse() && start->getBlock() == op->getBlock();
  return isOwn && computesElements(start) ? start : linalg::LinalgOp();
}

/// What alone reads the result of `op`, element by element; null where there is
/// none.
static linalg::LinalgOp findFinisher(ConvOp op) {
  Value sums = op.getResult();
  if (!sums.hasOneUse())
    return {};
  OpOperand &use = *sums.use_begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  bool isFinisher = user && user->getBlock() == op->getBlock() &&
                    isElementwise(user) && computesElements(user) &&
                    user.isDpsInput(&use) &&
                    user.getMatchingIndexingMap(&use).isIdentity();
  return isFinisher ? linalg::LinalgOp(user) : linalg::LinalgOp();
}

ConvParts::ConvParts(RewriterBase &rewriter, ConvOp op, bool isFinished)
    : rewriter(rewriter), op(op), start(findStart(op)) {
  if (isFinished)
    finisher = findFinisher(op);
  if (finisher)
    sumsNumber = op->use_begin()->getOperandNumber();
}

Value ConvParts::getDestination() {
  if (finisher)
    return finisher.getDpsInits()[0];
  return start ? start.getDpsInits()[0] : op.getInit();
}

Value ConvParts::computeElements(linalg::LinalgOp other, const TensorSlice &box,
                                 Value init, Value sums) {
  SmallVector<TileOperand> operands = {
      {other.getDpsInitOperand(0)->getOperandNumber(), init}};
  if (sums)
    operands.push_back({sumsNumber, sums});
  return createTile(rewriter, other, box.getOffsets(), box.getSizes(), operands)
      ->getResult(0);
}

Value ConvParts::compute(const TensorSlice &box,
                         function_ref<Value(Value init)> convolve) {
  Value destination = box.extract();
  Value init = destination;
  // The sums get a tensor of their own: the finisher may have the same
  // destination as the start, which must not look like a conflict.
  if (finisher)
    init = start ? Value(tensor::EmptyOp::create(
                       rewriter, op.getLoc(), box.getSizes(),
                       getElementTypeOrSelf(op.getInit())))
                 : box.of(op.getInit()).extract();
  if (start)
    init = computeElements(start, box, init);
  Value sums = convolve(init);
  return finisher ? computeElements(finisher, box, destination, sums) : sums;
}

void ConvParts::replaceBy(Value result) {
  Operation *root = getRoot();
  rewriter.replaceOp(root, result);
  for (Operation *whole : {op.getOperation(), start.getOperation()})
    if (whole && whole != root && isOpTriviallyDead(whole))
      rewriter.eraseOp(whole);
}
