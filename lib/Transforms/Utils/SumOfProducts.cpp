//===- SumOfProducts.cpp - What a contraction computes ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "convoy/Transforms/Utils/PairProducts.h"

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

/// Whether `a` and `b` are the first two arguments of `body`, in any order,
/// widened or not.
static bool areFactors(Value a, Value b, Block *body) {
  BlockArgument first = getArgument(a, body), second = getArgument(b, body);
  return first && second && first.getArgNumber() + second.getArgNumber() == 1;
}

/// What `op`, which has two inputs, adds to its init; null where it does
/// something else.
static Operation *getTerm(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return nullptr;
  Block *body = op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return nullptr;
  unsigned term = add->getOperand(0) == body->getArgument(2) ? 1 : 0;
  return add->getOperand(1 - term) == body->getArgument(2)
             ? add->getOperand(term).getDefiningOp()
             : nullptr;
}

bool mlir::convoy::isSumOfPairs(linalg::LinalgOp op) {
  auto add = dyn_cast_or_null<arith::AddIOp>(getTerm(op));
  std::optional<PairProduct> words = add ? matchPairProduct(add) : std::nullopt;
  return words && areFactors(words->a, words->b, op.getBlock());
}

bool mlir::convoy::isSumOfProducts(linalg::LinalgOp op) {
  Operation *term = getTerm(op);
  bool isProduct =
      isa_and_nonnull<arith::MulFOp, arith::MulIOp>(term) &&
      areFactors(term->getOperand(0), term->getOperand(1), op.getBlock());
  return isProduct || isSumOfPairs(op);
}
