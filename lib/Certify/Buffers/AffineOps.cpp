//===- AffineOps.cpp - Loops and accesses of affine -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

/// The results of `map`, one by one.
static SmallVector<Value> apply(AffineMap map, ValueRange operands,
                                Location loc, OpBuilder &builder) {
  return llvm::map_to_vector(
      llvm::seq(map.getNumResults()), [&](unsigned number) -> Value {
        return affine::AffineApplyOp::create(builder, loc,
                                             map.getSubMap({number}), operands);
      });
}

/// The greatest of the results of `map`, which a loop begins at.
static Value getLowerBound(AffineMap map, ValueRange operands, Location loc,
                           OpBuilder &builder) {
  if (map.getNumResults() == 1)
    return apply(map, operands, loc, builder).front();
  return affine::AffineMaxOp::create(builder, loc, map, operands);
}

/// The least of them, which a loop ends before.
static Value getUpperBound(AffineMap map, ValueRange operands, Location loc,
                           OpBuilder &builder) {
  if (map.getNumResults() == 1)
    return apply(map, operands, loc, builder).front();
  return affine::AffineMinOp::create(builder, loc, map, operands);
}

/// Moves the ops of `from` to the block `to`, which has as many arguments and
/// may end with an op of its own: they yield as scf does.
static void moveBody(Block &from, Block &to) {
  Operation *yield = from.getTerminator();
  if (!to.empty() && to.back().hasTrait<OpTrait::IsTerminator>())
    to.back().erase();
  bool isParallel = isa<scf::ParallelOp>(to.getParentOp());
  OpBuilder builder(yield);
  if (isParallel)
    scf::ReduceOp::create(builder, yield->getLoc());
  else
    scf::YieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
  to.getOperations().splice(to.end(), from.getOperations());
  for (auto [before, after] :
       llvm::zip_equal(from.getArguments(), to.getArguments()))
    before.replaceAllUsesWith(after);
}

static void lowerFor(affine::AffineForOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  Value lower = getLowerBound(op.getLowerBoundMap(), op.getLowerBoundOperands(),
                              loc, builder);
  Value upper = getUpperBound(op.getUpperBoundMap(), op.getUpperBoundOperands(),
                              loc, builder);
  Value step =
      arith::ConstantIndexOp::create(builder, loc, op.getStep().getSExtValue());
  auto loop =
      scf::ForOp::create(builder, loc, lower, upper, step, op.getInits());
  moveBody(*op.getBody(), *loop.getBody());
  op->replaceAllUsesWith(loop);
  op->erase();
}

static void lowerParallel(affine::AffineParallelOp op, OpBuilder &builder) {
  if (op.getNumResults() > 0)
    return;
  Location loc = op.getLoc();
  SmallVector<Value> lowers, uppers, steps;
  for (auto [dim, step] : llvm::enumerate(op.getSteps())) {
    lowers.push_back(getLowerBound(op.getLowerBoundMap(dim),
                                   op.getLowerBoundsOperands(), loc, builder));
    uppers.push_back(getUpperBound(op.getUpperBoundMap(dim),
                                   op.getUpperBoundsOperands(), loc, builder));
    steps.push_back(arith::ConstantIndexOp::create(builder, loc, step));
  }
  auto loop = scf::ParallelOp::create(builder, loc, lowers, uppers, steps);
  moveBody(*op.getBody(), *loop.getBody());
  op->erase();
}

static void lowerIf(affine::AffineIfOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  IntegerSet set = op.getIntegerSet();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  for (auto [expr, isEquality] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    auto map = AffineMap::get(set.getNumDims(), set.getNumSymbols(), expr);
    Value holds = arith::CmpIOp::create(
        builder, loc,
        isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge,
        apply(map, op.getOperands(), loc, builder).front(), zero);
    all = arith::AndIOp::create(builder, loc, all, holds);
  }
  bool hasElse = op.hasElse();
  auto branch =
      scf::IfOp::create(builder, loc, op.getResultTypes(), all, true, hasElse);
  moveBody(*op.getThenBlock(), *branch.thenBlock());
  if (hasElse)
    moveBody(*op.getElseBlock(), *branch.elseBlock());
  op->replaceAllUsesWith(branch);
  op->erase();
}

void certify::lowerAffineOps(FunctionOpInterface function) {
  function->walk<WalkOrder::PostOrder>([](Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto getIndices = [&](auto access) {
      return apply(access.getAffineMap(), access.getMapOperands(), loc,
                   builder);
    };
    auto replace = [&](Operation *other) {
      op->replaceAllUsesWith(other);
      op->erase();
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](affine::AffineForOp op) { lowerFor(op, builder); })
        .Case([&](affine::AffineParallelOp op) { lowerParallel(op, builder); })
        .Case([&](affine::AffineIfOp op) { lowerIf(op, builder); })
        .Case([&](affine::AffineLoadOp op) {
          replace(memref::LoadOp::create(builder, loc, op.getMemRef(),
                                         getIndices(op)));
        })
        .Case([&](affine::AffineStoreOp op) {
          replace(memref::StoreOp::create(builder, loc, op.getValueToStore(),
                                          op.getMemRef(), getIndices(op)));
        })
        .Case([&](affine::AffineVectorLoadOp op) {
          replace(vector::LoadOp::create(builder, loc, op.getVectorType(),
                                         op.getMemRef(), getIndices(op)));
        })
        .Case([&](affine::AffineVectorStoreOp op) {
          replace(vector::StoreOp::create(builder, loc, op.getValueToStore(),
                                          op.getMemRef(), getIndices(op)));
        });
  });
}
