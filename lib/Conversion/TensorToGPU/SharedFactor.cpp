//===- SharedFactor.cpp - A factor in the memory of a workgroup -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedFactor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// How many reads a work-item has in flight to fill a step. Each may have
/// conditions, which take a pair of scalar registers on AMD's gfx9 chips.
static constexpr int64_t kUnrolledReads = 16;

SharedFactor::SharedFactor(KernelBuilder &kernel, TileGeometry &geometry,
                           ElementEmitter &emitter, const TileSide &side,
                           const Element &element, int64_t items)
    : kernel(kernel), geometry(geometry), side(side), element(element),
      items(items), reader(kernel, geometry, emitter, side, element) {
  int64_t halves = geometry.getNumSteps() > 1 ? 2 : 1;
  buffer = kernel.addWorkgroupBuffer(
      element.type, halves * geometry.getNumTerms() * side.volume);
}

Value SharedFactor::emitAddress(OpBuilder &builder, Value half, Value term,
                                Value group) {
  Location loc = kernel.getLoc();
  auto scale = [&](Value value, int64_t factor) {
    return builder.createOrFold<arith::MulIOp>(
        loc, value, arith::ConstantIndexOp::create(builder, loc, factor));
  };
  Value address = scale(group, kVectorLanes);
  address = builder.createOrFold<arith::AddIOp>(loc, address,
                                                scale(term, side.volume));
  return builder.createOrFold<arith::AddIOp>(
      loc, address, scale(half, geometry.getNumTerms() * side.volume));
}

void SharedFactor::emitStore(OpBuilder &builder, Value half, Value term,
                             Value group, Value vector) {
  vector::StoreOp::create(builder, kernel.getLoc(), vector, buffer,
                          emitAddress(builder, half, term, group));
}

Value SharedFactor::emitLoad(OpBuilder &builder, Value half, Value term,
                             Value group) {
  return vector::LoadOp::create(
      builder, kernel.getLoc(), VectorType::get({kVectorLanes}, element.type),
      buffer, emitAddress(builder, half, term, group));
}

void SharedFactor::fillGroup(OpBuilder &builder, Value half, Value term,
                             Value group) {
  Location loc = kernel.getLoc();
  geometry.setTerm(builder, loc, term);
  for (auto [number, vector] :
       llvm::enumerate(reader.emitRead(builder, group))) {
    Value nextTerm = builder.createOrFold<arith::AddIOp>(
        loc, term, arith::ConstantIndexOp::create(builder, loc, number));
    emitStore(builder, half, nextTerm, group, vector);
  }
}

void SharedFactor::emitFill(OpBuilder &builder, Value item, Value half) {
  Location loc = kernel.getLoc();
  int64_t termsEach = reader.getTermsAtOnce();
  bool isAlongTerms = termsEach > 1;
  int64_t terms = geometry.getNumTerms() / termsEach;
  int64_t count = terms * side.getGroups();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto fillFrom = [&](Value first, bool mayEnd) {
    OpBuilder::InsertionGuard restore(builder);
    Value number = builder.createOrFold<arith::AddIOp>(loc, item, first);
    if (mayEnd) {
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, number, constant(count));
      auto guard = scf::IfOp::create(builder, loc, exists);
      builder.setInsertionPointToStart(guard.thenBlock());
    }
    // Work-items next to each other read side by side.
    int64_t fast = isAlongTerms ? terms : side.getGroups();
    Value digit =
        builder.createOrFold<arith::RemUIOp>(loc, number, constant(fast));
    Value rest =
        builder.createOrFold<arith::DivUIOp>(loc, number, constant(fast));
    Value term = isAlongTerms ? digit : rest;
    Value group = isAlongTerms ? rest : digit;
    term = builder.createOrFold<arith::MulIOp>(loc, term, constant(termsEach));
    fillGroup(builder, half, term, group);
  };
  if (llvm::divideCeil(count, items) * reader.getNumReads() <= kUnrolledReads) {
    for (int64_t first = 0; first < count; first += items)
      fillFrom(constant(first), first + items > count);
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(count),
                                 constant(items));
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(loop.getBody());
  fillFrom(loop.getInductionVar(), count % items != 0);
}
