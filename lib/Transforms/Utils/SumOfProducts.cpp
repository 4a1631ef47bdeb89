//===- SumOfProducts.cpp - What a contraction computes ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::convoy;

/// The argument of `body` that `value` is, or is widened from.
static BlockArgument getArgument(Value value, Block *body) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return {};
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == body ? argument : BlockArgument();
}

bool mlir::convoy::isSumOfProducts(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return false;
  Block *body = op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  unsigned product = add->getOperand(0) == body->getArgument(2) ? 1 : 0;
  Operation *multiply = add->getOperand(product).getDefiningOp();
  if (add->getOperand(1 - product) != body->getArgument(2) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
    return false;
  BlockArgument first = getArgument(multiply->getOperand(0), body),
                second = getArgument(multiply->getOperand(1), body);
  return first && second && first.getArgNumber() + second.getArgNumber() == 1;
}
