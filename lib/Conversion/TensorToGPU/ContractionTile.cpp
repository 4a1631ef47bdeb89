//===- ContractionTile.cpp - What a workgroup reads and writes --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;

/// Where `insert` puts the element at `index` of its source.
SmallVector<AffineExpr>
ContractionTile::insertIndex(tensor::ParallelInsertSliceOp insert,
                             ArrayRef<AffineExpr> index) {
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<AffineExpr> target;
  for (auto [dim, offset] : llvm::enumerate(insert.getMixedOffsets())) {
    target.push_back(space.express(offset));
    if (!dropped[dim]) {
      target.back() = target.back() + index.front();
      index = index.drop_front();
    }
  }
  return target;
}

LogicalResult ContractionTile::resolve() {
  FailureOr<Element> known =
      resolveBody(space, loops.contraction, /*loops=*/{});
  if (failed(known))
    return failure();
  body = std::move(*known);
  auto resolveValue = [&](Value tensor, ArrayRef<AffineExpr> index,
                          std::optional<Element> &element, Value given = {}) {
    FailureOr<Element> resolved = resolveElement(space, tensor, index, given);
    if (succeeded(resolved))
      element = *resolved;
    return LogicalResult(resolved);
  };
  SmallVector<AffineExpr> addresses;
  for (unsigned number : {0, 1}) {
    SmallVector<AffineExpr> index;
    AffineMap map = loops.contraction.getIndexingMapsArray()[number];
    for (AffineExpr expr : map.getResults())
      index.push_back(expr.replaceDims(geometry.getDims()));
    if (failed(resolveValue(loops.contraction.getInputs()[number], index,
                            factors[number])))
      return failure();
    appendAddresses(*factors[number], addresses);
  }
  geometry.orderTerms(addresses);
  if (failed(resolveValue(loops.getInit(), geometry.getResultIndex(), init)) ||
      failed(resolveValue(loops.getResult(), geometry.getResultIndex(), result,
                          loops.getSum())))
    return failure();
  SmallVector<AffineExpr> index(geometry.getResultIndex());
  if (loops.tiles)
    index = insertIndex(loops.insert, index);
  if (loops.parts)
    index = insertIndex(loops.partInsert, index);
  target = getTargetAddress(space, store, index);
  for (int64_t size : geometry.getGrid().sizes)
    if (size > kMostGroups)
      return loops.contraction.emitOpError()
             << "expected at most " << kMostGroups
             << " workgroups along a dimension, but got " << size;
  return success();
}

Value ContractionTile::getBuffer(KernelBuilder &kernel, Value base,
                                 AffineExpr address) const {
  // What was there before is read where it is written.
  return base == store.target && address == target ? kernel.getOutput()
                                                   : kernel.getInput(base);
}

Value ContractionTile::emitIsInside(KernelBuilder &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value row = geometry.emitIsInside(builder, loc, geometry.getRows());
  Value lane = geometry.emitIsInside(builder, loc, geometry.getLanes());
  return emitAnd(builder, loc, row, lane);
}

Value ContractionTile::emitInside(KernelBuilder &kernel, Type type,
                                  function_ref<Value()> emit) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value isInside = emitIsInside(kernel);
  if (!isInside || hasConstantInit())
    return emit();
  OpBuilder::InsertionGuard restore(builder);
  auto branch =
      scf::IfOp::create(builder, loc, type, isInside, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  scf::YieldOp::create(builder, loc, zero);
  return branch.getResult(0);
}

Value ContractionTile::emitInit(KernelBuilder &kernel, ElementEmitter &emitter,
                                int64_t count, Place place) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  AffineExpr dim = geometry.getDim(geometry.getLanes().loops.front());
  auto type = VectorType::get({count}, init->type);
  if (hasConstantInit() ||
      (count == kVectorLanes && geometry.isUniform(geometry.getLanes()))) {
    place(0);
    return emitInside(kernel, type, [&] {
      return emitter.emitVector(builder, loc, *init, dim, count);
    });
  }
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < count; ++lane) {
    place(lane);
    lanes.push_back(emitInside(
        kernel, init->type, [&] { return emitter.emit(builder, loc, *init); }));
  }
  return vector::FromElementsOp::create(builder, loc, type, lanes);
}

void ContractionTile::emitResult(KernelBuilder &kernel, ElementEmitter &emitter,
                                 Value sums, Place place) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  AffineExpr dim = geometry.getDim(geometry.getLanes().loops.front());
  int64_t count = cast<VectorType>(sums.getType()).getNumElements();
  auto guarded = [&](function_ref<void()> emit) {
    OpBuilder::InsertionGuard restore(builder);
    if (Value isInside = emitIsInside(kernel)) {
      auto guard = scf::IfOp::create(builder, loc, isInside);
      builder.setInsertionPointToStart(guard.thenBlock());
    }
    emit();
  };
  if (count == kVectorLanes && geometry.isUniform(geometry.getLanes()) &&
      space.isContiguous(target, dim, count)) {
    place(0);
    emitter.setGiven(sums);
    return guarded([&] {
      emitter.store(builder, loc,
                    emitter.emitVector(builder, loc, *result, dim, count),
                    kernel.getOutput(), target);
    });
  }
  for (int64_t lane = 0; lane < count; ++lane) {
    place(lane);
    emitter.setGiven(vector::ExtractOp::create(builder, loc, sums, lane));
    guarded([&] {
      emitter.store(builder, loc, emitter.emit(builder, loc, *result),
                    kernel.getOutput(), target);
    });
  }
}
