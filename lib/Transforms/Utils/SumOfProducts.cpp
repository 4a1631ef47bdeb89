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

/// Whether `a` and `b` are the first two arguments of `body`, in any order,
/// widened or not.
static bool areFactors(Value a, Value b, Block *body) {
  BlockArgument first = getArgument(a, body), second = getArgument(b, body);
  return first && second && first.getArgNumber() + second.getArgNumber() == 1;
}

/// Whether `op` has two factors and one result.
static bool hasTwoFactors(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         op.hasPureTensorSemantics();
}

/// What makes the result of `op`; null where it is an argument.
static Operation *getLastOp(linalg::LinalgOp op) {
  return op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
}

/// What `op`, which has two factors, adds to its init; null where it does
/// something else.
static Operation *getTerm(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *add = getLastOp(op);
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return nullptr;
  unsigned term = add->getOperand(0) == body->getArgument(2) ? 1 : 0;
  return add->getOperand(1 - term) == body->getArgument(2)
             ? add->getOperand(term).getDefiningOp()
             : nullptr;
}

std::optional<WordParts> mlir::convoy::getWordParts(linalg::LinalgOp op) {
  if (!hasTwoFactors(op))
    return std::nullopt;
  Block *body = op.getBlock();
  std::optional<WordSum> words = matchWordSum(getLastOp(op));
  if (!words || words->sum != body->getArgument(2))
    return std::nullopt;
  if (words->a == body->getArgument(0) && words->b == body->getArgument(1))
    return words->parts;
  if (words->a == body->getArgument(1) && words->b == body->getArgument(0))
    return WordParts{words->parts.type, words->parts.bUnsigned,
                     words->parts.aUnsigned, words->parts.bits};
  return std::nullopt;
}

std::array<bool, 2> mlir::convoy::areFactorsUnsigned(linalg::LinalgOp op) {
  auto isUnsigned = [&](unsigned number) {
    return llvm::any_of(
        op.getBlock()->getArgument(number).getUsers(),
        [](Operation *user) { return isa<arith::ExtUIOp>(user); });
  };
  return {isUnsigned(0), isUnsigned(1)};
}

bool mlir::convoy::isSumOfProducts(linalg::LinalgOp op) {
  if (!hasTwoFactors(op))
    return false;
  Operation *term = getTerm(op);
  bool isProduct =
      isa_and_nonnull<arith::MulFOp, arith::MulIOp>(term) &&
      areFactors(term->getOperand(0), term->getOperand(1), op.getBlock());
  return isProduct || getWordParts(op);
}
