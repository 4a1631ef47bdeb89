//===- SharedSums.cpp - Sums that work-items add up together ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedSums.h"

#include "IndexSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::convoy;

SharedSums::SharedSums(KernelBuilder &kernel, int64_t items, int64_t sharers,
                       int64_t idle)
    : kernel(kernel), items(items), sharers(sharers), idle(idle),
      item(kernel.getItem(gpu::Dimension::x, items)) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value count = arith::ConstantIndexOp::create(builder, loc, sharers);
  number = builder.createOrFold<arith::DivUIOp>(loc, item, count);
  sharer = builder.createOrFold<arith::RemUIOp>(loc, item, count);
  if (idle == 0)
    return;
  Value last = arith::ConstantIndexOp::create(builder, loc,
                                              (items - idle) / sharers - 1);
  number = arith::MinUIOp::create(builder, loc, number, last);
}

Value SharedSums::emitIsBelow(int64_t bound) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, sharer,
      arith::ConstantIndexOp::create(builder, loc, bound));
}

Value SharedSums::emitAddress(Value item, int64_t vector) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  // Vectors of work-items next to each other lie side by side.
  Value place = builder.createOrFold<arith::AddIOp>(
      loc, item, arith::ConstantIndexOp::create(builder, loc, vector * items));
  return scale(builder, loc, place, kVectorLanes);
}

SmallVector<Value>
SharedSums::emitInits(TypeRange types,
                      function_ref<SmallVector<Value>()> emit) {
  if (sharers == 1)
    return emit();
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  auto branch = scf::IfOp::create(builder, loc, types, emitIsBelow(1),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(builder, loc, type,
                                              builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, zeros);
  return SmallVector<Value>(branch.getResults());
}

/// Adds two vectors, or numbers.
static Value emitSum(OpBuilder &builder, Location loc, Value left,
                     Value right) {
  if (isa<FloatType>(getElementTypeOrSelf(left.getType())))
    return arith::AddFOp::create(builder, loc, left, right);
  return arith::AddIOp::create(builder, loc, left, right);
}

void SharedSums::emitGift(Value buffer, int64_t half,
                          const SmallVector<Value> &sums) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value isPast =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, sharer,
                            arith::ConstantIndexOp::create(builder, loc, half));
  Value gives =
      arith::AndIOp::create(builder, loc, isPast, emitIsBelow(2 * half));
  auto branch = scf::IfOp::create(builder, loc, gives);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (auto [vector, sum] : llvm::enumerate(sums))
    vector::StoreOp::create(builder, loc, sum, buffer,
                            emitAddress(item, int64_t(vector)));
}

SmallVector<Value> SharedSums::emitTotals(SmallVector<Value> sums) {
  if (sharers == 1)
    return sums;
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  auto type = cast<VectorType>(sums.front().getType());
  Value buffer = kernel.addWorkgroupBuffer(
      type.getElementType(), items * int64_t(sums.size()) * kVectorLanes);
  // Half of those that are left give theirs to the other half. Nobody writes
  // where another one has read.
  for (int64_t half = sharers / 2; half > 0; half /= 2) {
    emitGift(buffer, half, sums);
    gpu::BarrierOp::create(builder, loc);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(sums)),
                                    emitIsBelow(half), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, sums);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value giver = builder.createOrFold<arith::AddIOp>(
        loc, item, arith::ConstantIndexOp::create(builder, loc, half));
    SmallVector<Value> totals;
    for (auto [vector, sum] : llvm::enumerate(sums))
      totals.push_back(
          emitSum(builder, loc, sum,
                  vector::LoadOp::create(builder, loc, type, buffer,
                                         emitAddress(giver, int64_t(vector)))));
    scf::YieldOp::create(builder, loc, totals);
    sums = SmallVector<Value>(branch.getResults());
  }
  return sums;
}

void SharedSums::emitForOwner(function_ref<void()> emit) {
  if (sharers == 1 && idle == 0)
    return emit();
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value isOwner;
  if (sharers > 1)
    isOwner = emitIsBelow(1);
  if (idle > 0)
    isOwner = emitAnd(
        builder, loc, isOwner,
        arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, item,
            arith::ConstantIndexOp::create(builder, loc, items - idle)));
  auto branch = scf::IfOp::create(builder, loc, isOwner);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emit();
}
