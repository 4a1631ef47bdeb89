//===- RandomSums.cpp - Sums whose terms have random signs ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSums.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `value` is an argument that is `drawn`, and that its one user alone
/// reads.
static bool isReadOnce(Value value, ArrayRef<bool> drawn) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && drawn[argument.getArgNumber()] && value.hasOneUse();
}

/// Whether `op` adds to its result the product of element `argument` of its
/// body and something else.
static bool addsProductOf(linalg::LinalgOp op, BlockArgument argument) {
  auto getUser = [](Value value) {
    return value.hasOneUse() ? *value.user_begin() : nullptr;
  };
  Operation *user = getUser(argument);
  if (auto widening = dyn_cast_or_null<arith::ExtFOp>(user))
    user = getUser(widening);
  auto product = dyn_cast_or_null<arith::MulFOp>(user);
  auto sum = product ? dyn_cast_or_null<arith::AddFOp>(getUser(product))
                     : arith::AddFOp();
  if (!sum || !llvm::is_contained(op.getBlock()->getTerminator()->getOperands(),
                                  sum.getResult()))
    return false;
  return llvm::any_of(op.getRegionOutputArgs(), [&](BlockArgument init) {
    return llvm::is_contained(sum->getOperands(), init);
  });
}

/// Whether each sum of `op` takes another element of `operand` for each term.
static bool readsEachOnce(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return map.isProjectedPermutation() &&
         llvm::all_of(reduced,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

static bool isRandomSum(Operation *op, ArrayRef<bool> drawn) {
  if (isa<ConvolutionOpInterface, tosa::Conv2DOp, tosa::Conv3DOp,
          tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp>(op))
    return isReadOnce(op->getOperand(0), drawn) ||
           isReadOnce(op->getOperand(1), drawn);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp &&
         llvm::any_of(linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
           return isReadOnce(operand->get(), drawn) &&
                  readsEachOnce(linalgOp, *operand) &&
                  addsProductOf(linalgOp,
                                linalgOp.getMatchingBlockArgument(operand));
         });
}

llvm::SmallPtrSet<Operation *, 8>
mlir::convoy::findRandomSums(func::FuncOp function, ArrayRef<bool> drawn) {
  llvm::SmallPtrSet<Operation *, 8> sums;
  // Those in loops read an argument several times.
  for (Operation &op : function.front())
    if (isRandomSum(&op, drawn))
      sums.insert(&op);
  return sums;
}
