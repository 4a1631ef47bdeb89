//===- FactorReader.cpp - Reads of a factor's elements ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorReader.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;

FactorReader::Reading FactorReader::chooseReading() const {
  if (geometry.isUniform(side) &&
      emitter.isVector(element, geometry.getDim(side.loops.front()),
                       kVectorLanes))
    return Reading::AlongSide;
  unsigned fastest = geometry.getTerms().front();
  if (geometry.isWhole(fastest) &&
      geometry.getSize(fastest) % kVectorLanes == 0 &&
      emitter.isVector(element, geometry.getDim(fastest), kVectorLanes))
    return Reading::AlongTerms;
  return Reading::Single;
}

/// Whether the element and the term that were placed last exist: memory may not
/// be read elsewhere. What is read instead is not used.
Value FactorReader::emitGuard(OpBuilder &builder) {
  Value isInside = geometry.emitIsInside(builder, kernel.getLoc(), side);
  Value isTerm = geometry.emitIsTerm(builder, kernel.getLoc());
  return emitAnd(builder, kernel.getLoc(), isInside, isTerm);
}

SmallVector<Value> FactorReader::emitRead(OpBuilder &builder, Value group) {
  Location loc = kernel.getLoc();
  if (reading == Reading::AlongSide) {
    geometry.setElement(builder, loc, side, group, 0);
    return {emitter.emitVector(builder, loc, element,
                               geometry.getDim(side.loops.front()),
                               kVectorLanes, emitGuard(builder))};
  }
  SmallVector<Value> members;
  for (int64_t member = 0; member < kVectorLanes; ++member) {
    geometry.setElement(builder, loc, side, group, member);
    Value guard = emitGuard(builder);
    members.push_back(
        reading == Reading::Single
            ? emitter.emit(builder, loc, element, guard)
            : emitter.emitVector(builder, loc, element,
                                 geometry.getDim(geometry.getTerms().front()),
                                 kVectorLanes, guard));
  }
  auto type = VectorType::get({kVectorLanes}, element.type);
  if (reading == Reading::Single)
    return {vector::FromElementsOp::create(builder, loc, type, members)};
  // Vectors along terms become groups of members.
  SmallVector<Value> groups;
  for (int64_t term = 0; term < kVectorLanes; ++term) {
    SmallVector<Value> parts = llvm::map_to_vector(members, [&](Value member) {
      return vector::ExtractOp::create(builder, loc, member, term).getResult();
    });
    groups.push_back(vector::FromElementsOp::create(builder, loc, type, parts));
  }
  return groups;
}
