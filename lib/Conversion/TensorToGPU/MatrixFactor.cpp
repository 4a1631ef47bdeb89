//===- MatrixFactor.cpp - A factor for matrix instructions ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixFactor.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Bytes of the longest reads of every GPU.
static constexpr int64_t kLongBytes = 16;

MatrixFactor::MatrixFactor(KernelBuilder &kernel, TileGeometry &geometry,
                           ElementEmitter &emitter, const TileSide &side,
                           const Element &element, Type shared,
                           const ::convoy::MatrixStage &stage, int64_t items,
                           int64_t buffers)
    : kernel(kernel), geometry(geometry), emitter(emitter), side(side),
      element(element), shared(shared), stage(stage), items(items),
      unitTerms(std::min(stage.vectorTerms, kVectorLanes)), buffers(buffers) {
  chooseReading();
  if (stage.vectorTerms == kVectorLanes)
    chooseLongReads();
  shareUnits();
  buffer = kernel.addWorkgroupBuffer(shared, buffers * side.volume *
                                                 stage.lineElements);
}

void MatrixFactor::setBuffer(OpBuilder &builder, Value step) {
  if (buffers == 1)
    return;
  Location loc = kernel.getLoc();
  Value number = builder.createOrFold<arith::RemUIOp>(
      loc, step, arith::ConstantIndexOp::create(builder, loc, buffers));
  first = scale(builder, loc, number, side.volume * stage.lineElements);
}

void MatrixFactor::chooseReading() {
  unsigned fastest = geometry.getTerms().front();
  for (int64_t width = stage.vectorTerms; width > 1; width /= 2)
    if (geometry.isWhole(fastest) && geometry.getSize(fastest) % width == 0 &&
        emitter.isVector(element, geometry.getDim(fastest), width)) {
      reading = Reading::AlongTerms;
      unitTerms = width;
      return;
    }
  if (geometry.isUniform(side) &&
      emitter.isVector(element, geometry.getDim(side.loops.front()),
                       kVectorLanes))
    reading = Reading::AlongSide;
}

bool MatrixFactor::canRead(int64_t vectors) const {
  int64_t width = vectors * kVectorLanes;
  unsigned fastest = geometry.getTerms().front();
  if (reading == Reading::AlongTerms)
    return geometry.isWhole(fastest) &&
           geometry.getSize(fastest) % width == 0 &&
           emitter.isVector(element, geometry.getDim(fastest), width);
  return reading == Reading::AlongSide && geometry.isUniform(side, vectors) &&
         emitter.isVector(element, geometry.getDim(side.loops.front()), width);
}

void MatrixFactor::chooseLongReads() {
  int64_t bytes = kVectorLanes * getElementBits(shared) / 8;
  for (int64_t vectors = kLongBytes / bytes; vectors > 1; vectors /= 2)
    if (unitTerms == kVectorLanes && canRead(vectors) &&
        countUnits() / vectors >= items) {
      longReads = vectors;
      if (reading == Reading::AlongTerms)
        unitTerms = vectors * kVectorLanes;
      return;
    }
}

void MatrixFactor::shareUnits() {
  while (reading != Reading::AlongTerms && 2 * countUnits() <= items &&
         unitTerms / 2 >= stage.leastTerms)
    unitTerms /= 2;
}

int64_t MatrixFactor::getUnitLines() const {
  return reading == Reading::AlongSide ? longReads * kVectorLanes : 1;
}

int64_t MatrixFactor::countUnits() const {
  return side.volume / getUnitLines() * (stage.terms / unitTerms);
}

static Value add(OpBuilder &builder, Location loc, Value value,
                 int64_t number) {
  return builder.createOrFold<arith::AddIOp>(
      loc, value, arith::ConstantIndexOp::create(builder, loc, number));
}

MatrixFactor::Unit MatrixFactor::emitUnit(OpBuilder &builder, Value item,
                                          int64_t first) {
  Location loc = kernel.getLoc();
  Unit unit;
  Value number = add(builder, loc, item, first);
  if (first + items > countUnits())
    unit.exists = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, number,
        arith::ConstantIndexOp::create(builder, loc, countUnits()));
  // Work-items next to each other read side by side, unless each reads vectors
  // along lines: then they write side by side.
  bool areLinesFast = reading == Reading::Single;
  Value fast = arith::ConstantIndexOp::create(
      builder, loc,
      areLinesFast ? side.volume / getUnitLines() : stage.terms / unitTerms);
  Value digit = builder.createOrFold<arith::RemUIOp>(loc, number, fast);
  Value rest = builder.createOrFold<arith::DivUIOp>(loc, number, fast);
  unit.line = areLinesFast ? digit : rest;
  unit.term = scale(builder, loc, areLinesFast ? rest : digit, unitTerms);
  return unit;
}

SmallVector<Value> MatrixFactor::emitElements(OpBuilder &builder,
                                              const Unit &unit, Value term,
                                              AffineExpr dim, int64_t width) {
  Location loc = kernel.getLoc();
  Value isTerm = geometry.emitIsTerm(builder, loc);
  if (stage.terms > geometry.getNumTerms())
    isTerm = emitAnd(
        builder, loc, isTerm,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, term,
                              arith::ConstantIndexOp::create(
                                  builder, loc, geometry.getNumTerms())));
  Value guard = geometry.emitIsInside(builder, loc, side);
  guard = emitAnd(builder, loc, guard, isTerm);
  guard = emitAnd(builder, loc, guard, unit.exists);
  SmallVector<Value> values;
  if (!dim)
    values = {emitter.emit(builder, loc, element, guard)};
  else if (longReads > 1)
    values = emitter.emitVectors(builder, loc, element, dim, width, longReads,
                                 guard);
  else
    values = {emitter.emitVector(builder, loc, element, dim, width, guard)};
  if (!isTerm)
    return values;
  // Lines outside of the tile touch no result but their own; a term outside
  // meets every line, and adds nothing only where both factors are zero.
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(values.front().getType()));
  for (Value &value : values)
    value = arith::SelectOp::create(builder, loc, isTerm, value, zero);
  return values;
}

void MatrixFactor::readUnit(OpBuilder &builder, const Unit &unit,
                            SmallVectorImpl<Value> &values) {
  Location loc = kernel.getLoc();
  auto place = [&](Value term) {
    geometry.setTerm(builder, loc, term);
    if (reading == Reading::AlongSide)
      geometry.setElement(builder, loc, side,
                          scale(builder, loc, unit.line, longReads), 0);
    else
      geometry.setLine(builder, loc, side, unit.line);
  };
  if (reading == Reading::AlongTerms) {
    place(unit.term);
    values.append(emitElements(builder, unit, unit.term,
                               geometry.getDim(geometry.getTerms().front()),
                               unitTerms / longReads));
    return;
  }
  AffineExpr dim = reading == Reading::AlongSide
                       ? geometry.getDim(side.loops.front())
                       : AffineExpr();
  for (int64_t next = 0; next < unitTerms; ++next) {
    Value term = add(builder, loc, unit.term, next);
    place(term);
    values.append(emitElements(builder, unit, term, dim, kVectorLanes));
  }
}

void MatrixFactor::emitStore(OpBuilder &builder, Value line, Value term,
                             Value vector) {
  Location loc = kernel.getLoc();
  Type type = cast<VectorType>(vector.getType()).clone(shared);
  Value bits = builder.createOrFold<arith::BitcastOp>(loc, type, vector);
  vector::StoreOp::create(builder, loc, bits, buffer,
                          emitAddress(builder, line, term));
}

void MatrixFactor::writeUnit(OpBuilder &builder, const Unit &unit,
                             ArrayRef<Value> &values) {
  Location loc = kernel.getLoc();
  int64_t terms = reading == Reading::AlongTerms ? 1 : unitTerms;
  ArrayRef<Value> own = values.take_front(terms * longReads);
  values = values.drop_front(own.size());
  if (reading == Reading::AlongTerms) {
    for (auto [number, vector] : llvm::enumerate(own))
      emitStore(builder, unit.line,
                add(builder, loc, unit.term, number * (unitTerms / longReads)),
                vector);
    return;
  }
  auto type = VectorType::get({unitTerms}, element.type);
  if (reading == Reading::Single)
    return emitStore(builder, unit.line, unit.term,
                     vector::FromElementsOp::create(builder, loc, type, own));
  // Vectors along lines become lines.
  Value first = scale(builder, loc, unit.line, getUnitLines());
  for (int64_t member = 0; member < getUnitLines(); ++member) {
    SmallVector<Value> elements;
    for (int64_t term = 0; term < unitTerms; ++term)
      elements.push_back(vector::ExtractOp::create(
          builder, loc, own[term * longReads + member / kVectorLanes],
          member % kVectorLanes));
    emitStore(builder, add(builder, loc, first, member), unit.term,
              vector::FromElementsOp::create(builder, loc, type, elements));
  }
}

SmallVector<Value> MatrixFactor::emitRead(OpBuilder &builder, Value item) {
  SmallVector<Value> values;
  for (int64_t first = 0; first < countUnits(); first += items)
    readUnit(builder, emitUnit(builder, item, first), values);
  return values;
}

void MatrixFactor::emitWrite(OpBuilder &builder, Value item,
                             ArrayRef<Value> values) {
  for (int64_t first = 0; first < countUnits(); first += items) {
    OpBuilder::InsertionGuard restore(builder);
    Unit unit = emitUnit(builder, item, first);
    if (unit.exists) {
      auto guard = scf::IfOp::create(builder, kernel.getLoc(), unit.exists);
      builder.setInsertionPointToStart(guard.thenBlock());
    }
    writeUnit(builder, unit, values);
  }
}

Value MatrixFactor::emitAddress(OpBuilder &builder, Value line, Value term) {
  Location loc = kernel.getLoc();
  Value address = builder.createOrFold<arith::AddIOp>(
      loc, scale(builder, loc, line, stage.lineElements), term);
  return first ? builder.createOrFold<arith::AddIOp>(loc, address, first)
               : address;
}

Value MatrixFactor::emitMatrix(OpBuilder &builder, Value address, int64_t lines,
                               int64_t terms, gpu::MMAMatrixType type,
                               bool areColumns) {
  Location loc = kernel.getLoc();
  Value first = add(builder, loc, address, lines * stage.lineElements + terms);
  return gpu::SubgroupMmaLoadMatrixOp::create(
      builder, loc, type, buffer, ValueRange{first},
      builder.getIndexAttr(stage.lineElements),
      areColumns ? builder.getUnitAttr() : UnitAttr());
}

Value MatrixFactor::emitLoad(OpBuilder &builder, Value address, int64_t lines,
                             int64_t terms) {
  Location loc = kernel.getLoc();
  auto type = VectorType::get({stage.vectorTerms}, shared);
  Value whole;
  for (int64_t term = 0; term < stage.readTerms; term += stage.vectorTerms) {
    Value part = vector::LoadOp::create(
        builder, loc, type, buffer,
        add(builder, loc, address, lines * stage.lineElements + terms + term));
    if (!whole) {
      whole = part;
      continue;
    }
    auto both =
        llvm::to_vector(llvm::seq<int64_t>(0, term + stage.vectorTerms));
    whole = vector::ShuffleOp::create(builder, loc, whole, part, both);
  }
  return whole;
}

SetVector<Operation *> mlir::convoy::getUsersOfLoads(Operation *start) {
  SetVector<Operation *> users;
  for (Operation *op = start->getNextNode(); op; op = op->getNextNode())
    if (isa<memref::LoadOp, vector::LoadOp>(op))
      getForwardSlice(op, &users);
  return topologicalSort(users);
}
