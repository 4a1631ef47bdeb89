//===- RandomSums.cpp - Sums whose terms have random signs ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSums.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `padding` is a number that is 0.
static bool isZero(Value padding) {
  return padding && (matchPattern(padding, m_Zero()) ||
                     matchPattern(padding, m_AnyZeroFloat()));
}

/// What `op` moves, each element to one place at most and zeros beside them, or
/// gives another sign or type; null where it does more than that.
static Value getMoved(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return isZero(pad.getConstantPaddingValue()) ? pad.getSource() : Value();
  if (auto pad = dyn_cast<tosa::PadOp>(op))
    return isZero(pad.getPadConst()) ? pad.getInput1() : Value();
  return isa<arith::ExtFOp, arith::NegFOp, arith::TruncFOp, tensor::CastOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, linalg::TransposeOp, tosa::ReshapeOp,
             tosa::ReverseOp, tosa::SliceOp, tosa::TransposeOp, TraceOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// The argument whose elements `value` has, each once at most, or null.
static BlockArgument findMoved(Value value) {
  while (Operation *op = value.getDefiningOp())
    if (!(value = getMoved(op)))
      return {};
  return cast<BlockArgument>(value);
}

/// Whether what `value` is made of has `argument` in it.
static bool dependsOn(Value value, BlockArgument argument) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i)
    if (Operation *op = values[i].getDefiningOp())
      op->walk([&](Operation *nested) {
        values.insert(nested->operand_begin(), nested->operand_end());
      });
  return values.contains(argument);
}

/// Whether `operand` has elements of an argument that is `drawn`, on which
/// nothing else that its op reads depends.
static bool isIndependent(OpOperand &operand, ArrayRef<bool> drawn) {
  BlockArgument argument = findMoved(operand.get());
  return argument && drawn[argument.getArgNumber()] &&
         llvm::none_of(
             operand.getOwner()->getOpOperands(), [&](OpOperand &other) {
               return &other != &operand && dependsOn(other.get(), argument);
             });
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

/// Whether `dim` alone of the dimensions `reduced` says what `index` is, which
/// is another one for each number of it, as in 2 * o + 3 * k for k.
static bool isSettledBy(AffineExpr index, unsigned dim,
                        ArrayRef<unsigned> reduced, AffineMap map) {
  SmallVector<int64_t> factors;
  if (failed(getFlattenedAffineExpr(index, map.getNumDims(),
                                    map.getNumSymbols(), &factors)))
    return false;
  // What divides has dimensions of its own.
  bool isLinear = factors.size() == map.getNumInputs() + 1;
  return isLinear && llvm::all_of(reduced, [&](unsigned other) {
           return (factors[other] != 0) == (other == dim);
         });
}

/// Whether each sum of `op` takes another element of `operand` for each term.
static bool readsEachOnce(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return llvm::all_of(reduced, [&](unsigned dim) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      return isSettledBy(index, dim, reduced, map);
    });
  });
}

static bool isRandomSum(Operation *op, ArrayRef<bool> drawn) {
  if (isa<ConvolutionOpInterface, tosa::Conv2DOp, tosa::Conv3DOp,
          tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp>(op))
    return isIndependent(op->getOpOperand(0), drawn) ||
           isIndependent(op->getOpOperand(1), drawn);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp &&
         llvm::any_of(linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
           return isIndependent(*operand, drawn) &&
                  readsEachOnce(linalgOp, *operand) &&
                  addsProductOf(linalgOp,
                                linalgOp.getMatchingBlockArgument(operand));
         });
}

llvm::SmallPtrSet<Operation *, 8>
mlir::convoy::findRandomSums(func::FuncOp function, ArrayRef<bool> drawn) {
  llvm::SmallPtrSet<Operation *, 8> sums;
  // Those in loops may read an argument several times.
  for (Operation &op : function.front())
    if (isRandomSum(&op, drawn))
      sums.insert(&op);
  return sums;
}
