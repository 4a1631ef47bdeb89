//===- FactorReader.cpp - Reads of a factor's elements ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorReader.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;

/// Vectors that are read at once where that is worth it, and the widest
/// elements that they may have: 32 bytes are what a read can take as integers.
static constexpr int64_t kLong = 2;
static constexpr unsigned kMostLongBits = 32;

/// Whether groups can be read by `count` vectors side by side.
bool FactorReader::canRead(Reading way, int64_t count) const {
  int64_t width = count * kVectorLanes;
  if (way == Reading::AlongSide)
    return geometry.isUniform(side, count) &&
           emitter.isVector(element, geometry.getDim(side.loops.front()),
                            width);
  unsigned fastest = geometry.getTerms().front();
  return geometry.isWhole(fastest) && geometry.getSize(fastest) % width == 0 &&
         emitter.isVector(element, geometry.getDim(fastest), width);
}

void FactorReader::chooseReading(int64_t itemGroups) {
  for (Reading way : {Reading::AlongSide, Reading::AlongTerms}) {
    if (!canRead(way, 1))
      continue;
    reading = way;
    bool isLong = itemGroups > 0 &&
                  getElementBits(element.type) <= kMostLongBits &&
                  (way == Reading::AlongTerms || itemGroups % kLong == 0);
    if (isLong && canRead(way, kLong))
      vectors = kLong;
    return;
  }
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
  auto read = [&](AffineExpr dim) {
    return emitter.emitVectors(builder, loc, element, dim, kVectorLanes,
                               vectors, emitGuard(builder));
  };
  if (reading == Reading::AlongSide) {
    geometry.setElement(builder, loc, side, group, 0);
    return read(geometry.getDim(side.loops.front()));
  }
  auto type = VectorType::get({kVectorLanes}, element.type);
  if (reading == Reading::Single) {
    SmallVector<Value> members;
    for (int64_t member = 0; member < kVectorLanes; ++member) {
      geometry.setElement(builder, loc, side, group, member);
      members.push_back(
          emitter.emit(builder, loc, element, emitGuard(builder)));
    }
    return {vector::FromElementsOp::create(builder, loc, type, members)};
  }
  SmallVector<SmallVector<Value>> members;
  for (int64_t member = 0; member < kVectorLanes; ++member) {
    geometry.setElement(builder, loc, side, group, member);
    members.push_back(read(geometry.getDim(geometry.getTerms().front())));
  }
  // Vectors along terms become groups of members.
  SmallVector<Value> groups;
  for (int64_t term = 0; term < getTermsAtOnce(); ++term) {
    SmallVector<Value> parts =
        llvm::map_to_vector(members, [&](const auto &member) {
          return vector::ExtractOp::create(builder, loc,
                                           member[term / kVectorLanes],
                                           term % kVectorLanes)
              .getResult();
        });
    groups.push_back(vector::FromElementsOp::create(builder, loc, type, parts));
  }
  return groups;
}
