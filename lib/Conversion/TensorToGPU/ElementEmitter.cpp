//===- ElementEmitter.cpp - Elements as instructions ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::convoy;

Value mlir::convoy::emitConditions(OpBuilder &builder, Location loc,
                                   const IndexSpace &space,
                                   const Element &element) {
  Value all;
  for (auto [expr, size] : element.inside)
    all = space.emitIsInside(builder, loc, expr, size, all);
  return all;
}

/// What a buffer holds of `value`, an element or a vector of them.
static Value toMemory(OpBuilder &builder, Location loc, Value value) {
  Type stored = getStoredType(getElementTypeOrSelf(value.getType()));
  if (stored == getElementTypeOrSelf(value.getType()))
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    stored = vector.clone(stored);
  return arith::ExtUIOp::create(builder, loc, stored, value);
}

/// The element, or vector of elements, of which a buffer holds `stored`.
static Value fromMemory(OpBuilder &builder, Location loc, Value stored,
                        Type element) {
  if (getElementTypeOrSelf(stored.getType()) == element)
    return stored;
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(stored.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored,
                               zero);
}

SmallVector<Value> ElementEmitter::emitBody(OpBuilder &builder,
                                            const Element &element,
                                            ValueRange arguments, Value guard) {
  linalg::GenericOp op = element.getGeneric();
  Location loc = op.getLoc();
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments(), arguments);
  llvm::SmallDenseMap<Value, const Element *> gathered;
  for (auto [value, part] : llvm::zip_equal(
           element.captured,
           ArrayRef(element.parts).take_back(element.captured.size()))) {
    if (part.kind == Element::Kind::Gathered)
      gathered[value] = &part;
    else
      mapping.map(value, emit(builder, loc, part, guard));
  }
  VectorType vector;
  for (Value argument : arguments)
    if (auto type = dyn_cast<VectorType>(argument.getType()))
      vector = type;
  auto lookup = [&](Value value) -> Value {
    Value mapped = mapping.lookup(value);
    if (vector && !isa<VectorType>(mapped.getType()))
      mapped = vector::BroadcastOp::create(
          builder, loc, vector.clone(mapped.getType()), mapped);
    return mapped;
  };
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumResults() > 0 && mapping.contains(inner.getResult(0)))
      continue;
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      const Element &part = *gathered.at(extract);
      for (auto [dim, index] :
           llvm::zip_equal(part.place, extract.getIndices()))
        space.setValue(dim, mapping.lookup(index));
      mapping.map(extract.getResult(),
                  emit(builder, loc, part.parts.front(), guard));
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), lookup);
    SmallVector<Type> types(inner.getResultTypes());
    if (vector)
      for (Type &type : types)
        type = vector.clone(type);
    Operation *copy = builder.create(loc, inner.getName().getIdentifier(),
                                     operands, types, inner.getAttrs());
    mapping.map(inner.getResults(), copy->getResults());
  }
  return llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                             lookup);
}

Value ElementEmitter::emitScalar(Location loc, const Element &element) {
  if (Value known = scalars.lookup(element.base))
    return known;
  Value value = space.getKernel().emitAtStart([&](OpBuilder &builder) -> Value {
    SmallVector<Value> operands =
        llvm::map_to_vector(element.parts, [&](const Element &part) {
          return emit(builder, loc, part);
        });
    if (isa<tensor::ExtractOp>(element.op))
      return operands.front();
    Operation *copy =
        builder.create(loc, element.op->getName().getIdentifier(), operands,
                       SmallVector<Type>(element.op->getResultTypes()),
                       element.op->getAttrs());
    return copy->getResult(element.result);
  });
  scalars[element.base] = value;
  return value;
}

Value ElementEmitter::emitAddress(OpBuilder &builder, Location loc,
                                  const Element &element, Value guard) {
  Value address = space.materialize(builder, loc, element.address);
  if (!guard)
    return address;
  return arith::SelectOp::create(
      builder, loc, guard, address,
      arith::ConstantIndexOp::create(builder, loc, 0));
}

Value ElementEmitter::emitLoad(OpBuilder &builder, Location loc,
                               const Element &element, Value guard) {
  Value stored = memref::LoadOp::create(
      builder, loc, getBuffer(element.base, element.address),
      emitAddress(builder, loc, element, guard));
  return fromMemory(builder, loc, stored, element.type);
}

void ElementEmitter::store(OpBuilder &builder, Location loc, Value value,
                           Value buffer, AffineExpr address) {
  Value stored = toMemory(builder, loc, value);
  Value place = space.materialize(builder, loc, address);
  if (isa<VectorType>(stored.getType()))
    vector::StoreOp::create(builder, loc, stored, buffer, place);
  else
    memref::StoreOp::create(builder, loc, stored, buffer, place);
}

Value ElementEmitter::emitGuarded(OpBuilder &builder, Location loc,
                                  const Element &element, Value guard) {
  Value holds = emitConditions(builder, loc, space, element);
  Value both = emitAnd(builder, loc, guard, holds);
  Value inside = emit(builder, loc, element.parts[0], both);
  Value outside = emit(builder, loc, element.parts[1], guard);
  return arith::SelectOp::create(builder, loc, holds, inside, outside);
}

Value ElementEmitter::emitReduced(
    OpBuilder &builder, Location loc, const Element &element, Value guard,
    function_ref<Value(const Element &)> emitPart) {
  linalg::GenericOp op = element.getGeneric();
  ArrayRef<Element> operands =
      ArrayRef(element.parts).take_front(op->getNumOperands());
  ArrayRef<Element> inputs = operands.take_front(op.getNumDpsInputs());
  // The body may read all that it writes.
  SmallVector<Value> sums =
      llvm::map_to_vector(operands.take_back(op.getNumDpsInits()), emitPart);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  OpBuilder::InsertionGuard restore(builder);
  scf::ForOp outermost;
  for (auto [dim, size] : element.loops) {
    Value bound = space.materializeSize(builder, loc, size);
    auto loop = scf::ForOp::create(builder, loc, zero, bound, one, sums);
    if (outermost)
      scf::YieldOp::create(builder, loc, loop.getResults());
    else
      outermost = loop;
    space.setValue(dim, loop.getInductionVar());
    sums.assign(loop.getRegionIterArgs().begin(),
                loop.getRegionIterArgs().end());
    builder.setInsertionPointToStart(loop.getBody());
  }
  SmallVector<Value> arguments = llvm::map_to_vector(inputs, emitPart);
  llvm::append_range(arguments, sums);
  scf::YieldOp::create(builder, loc,
                       emitBody(builder, element, arguments, guard));
  return outermost.getResult(element.result);
}

Value ElementEmitter::emit(OpBuilder &builder, Location loc,
                           const Element &element, Value guard) {
  switch (element.kind) {
  case Element::Kind::Load:
    return emitLoad(builder, loc, element, guard);
  case Element::Kind::Given:
    return given;
  case Element::Kind::Constant:
    return arith::ConstantOp::create(builder, loc, element.constant);
  case Element::Kind::Guarded:
    return emitGuarded(builder, loc, element, guard);
  case Element::Kind::Index:
    return space.materialize(builder, loc, element.address);
  case Element::Kind::Scalar:
    return emitScalar(loc, element);
  case Element::Kind::Computed: {
    SmallVector<Value> arguments =
        llvm::map_to_vector(element.getOperands(), [&](const Element &part) {
          return emit(builder, loc, part, guard);
        });
    return emitBody(builder, element, arguments, guard)[element.result];
  }
  case Element::Kind::Reduced:
    return emitReduced(builder, loc, element, guard, [&](const Element &part) {
      return emit(builder, loc, part, guard);
    });
  case Element::Kind::Gathered:
    break;
  }
  llvm_unreachable("unknown kind of element");
}

/// Whether the body of `op` computes with indices, of which there are no
/// vectors.
static bool computesIndices(linalg::GenericOp op) {
  return llvm::any_of(*op.getBody(), [](Operation &inner) {
    return llvm::any_of(inner.getOperandTypes(),
                        [](Type type) { return type.isIndex(); });
  });
}

bool ElementEmitter::isVector(const Element &element, AffineExpr dim,
                              int64_t width) const {
  auto areVectors = [&] {
    return llvm::all_of(element.parts, [&](const Element &part) {
      return isVector(part, dim, width);
    });
  };
  unsigned position = cast<AffineDimExpr>(dim).getPosition();
  switch (element.kind) {
  case Element::Kind::Given:
  case Element::Kind::Constant:
  case Element::Kind::Scalar:
    return true;
  case Element::Kind::Gathered:
    return false;
  case Element::Kind::Index:
    return !element.address.isFunctionOfDim(position);
  case Element::Kind::Load:
    return space.isContiguous(element.address, dim, width) ||
           !element.address.isFunctionOfDim(position);
  case Element::Kind::Guarded:
    return areVectors() && llvm::none_of(element.inside, [&](auto condition) {
             return condition.first.isFunctionOfDim(position);
           });
  case Element::Kind::Computed:
  case Element::Kind::Reduced:
    return areVectors() && !computesIndices(element.getGeneric());
  }
  llvm_unreachable("unknown kind of element");
}

/// Emits the elements one by one.
Value ElementEmitter::emitEach(OpBuilder &builder, Location loc,
                               const Element &element, AffineExpr dim,
                               int64_t width, Value guard) {
  Value first = space.getValue(dim), all = given;
  SmallVector<Value> values;
  for (int64_t lane = 0; lane < width; ++lane) {
    // A vector that was given holds the same lanes.
    if (all && isa<VectorType>(all.getType()))
      given = vector::ExtractOp::create(builder, loc, all, lane);
    Value index = first;
    if (lane > 0)
      index = arith::AddIOp::create(
          builder, loc, first,
          arith::ConstantIndexOp::create(builder, loc, lane));
    space.setValue(dim, index);
    values.push_back(emit(builder, loc, element, guard));
  }
  space.setValue(dim, first);
  given = all;
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({width}, element.type), values);
}

SmallVector<Value> ElementEmitter::loadVectors(OpBuilder &builder, Location loc,
                                               const Element &element,
                                               int64_t width, int64_t count,
                                               Value guard) {
  Value stored = vector::LoadOp::create(
      builder, loc,
      VectorType::get({width * count}, getStoredType(element.type)),
      getBuffer(element.base, element.address),
      emitAddress(builder, loc, element, guard));
  Value all = fromMemory(builder, loc, stored, element.type);
  if (count == 1)
    return {all};
  SmallVector<Value> vectors;
  for (int64_t number = 0; number < count; ++number)
    vectors.push_back(vector::ExtractStridedSliceOp::create(
        builder, loc, all, /*offsets=*/{number * width}, /*sizes=*/{width},
        /*strides=*/{1}));
  return vectors;
}

SmallVector<Value> ElementEmitter::reduceVectors(OpBuilder &builder,
                                                 Location loc,
                                                 const Element &element,
                                                 AffineExpr dim, int64_t width,
                                                 int64_t count, Value guard) {
  SmallVector<Value> vectors;
  Value first = space.getValue(dim);
  for (int64_t number = 0; number < count; ++number) {
    space.setValue(
        dim, builder.createOrFold<arith::AddIOp>(
                 loc, first,
                 arith::ConstantIndexOp::create(builder, loc, number * width)));
    vectors.push_back(
        emitReduced(builder, loc, element, guard, [&](const Element &part) {
          return emitVector(builder, loc, part, dim, width, guard);
        }));
  }
  space.setValue(dim, first);
  return vectors;
}

SmallVector<Value> ElementEmitter::emitVectors(OpBuilder &builder, Location loc,
                                               const Element &element,
                                               AffineExpr dim, int64_t width,
                                               int64_t count, Value guard) {
  auto type = VectorType::get({width}, element.type);
  auto splat = [&](Value value) -> Value {
    return isa<VectorType>(value.getType())
               ? value
               : vector::BroadcastOp::create(builder, loc, type, value)
                     .getResult();
  };
  auto emitPart = [&](const Element &part, Value guard) {
    return emitVectors(builder, loc, part, dim, width, count, guard);
  };
  switch (element.kind) {
  case Element::Kind::Given:
    return SmallVector<Value>(count, splat(given));
  case Element::Kind::Constant:
    return SmallVector<Value>(
        count, arith::ConstantOp::create(
                   builder, loc,
                   DenseElementsAttr::get(type, Attribute(element.constant))));
  case Element::Kind::Index:
  case Element::Kind::Scalar:
    return SmallVector<Value>(count, splat(emit(builder, loc, element, guard)));
  case Element::Kind::Load:
    if (!element.address.isFunctionOfDim(
            cast<AffineDimExpr>(dim).getPosition()))
      return SmallVector<Value>(count,
                                splat(emitLoad(builder, loc, element, guard)));
    return loadVectors(builder, loc, element, width, count, guard);
  case Element::Kind::Guarded: {
    Value holds = emitConditions(builder, loc, space, element);
    Value both = emitAnd(builder, loc, guard, holds);
    SmallVector<Value> vectors;
    for (auto [inside, outside] :
         llvm::zip_equal(emitPart(element.parts[0], both),
                         emitPart(element.parts[1], guard)))
      vectors.push_back(
          arith::SelectOp::create(builder, loc, holds, inside, outside));
    return vectors;
  }
  case Element::Kind::Computed: {
    SmallVector<SmallVector<Value>> arguments(count);
    for (const Element &part : element.getOperands())
      for (auto [vector, list] :
           llvm::zip_equal(emitPart(part, guard), arguments))
        list.push_back(vector);
    return llvm::map_to_vector(arguments, [&](const auto &list) {
      return splat(emitBody(builder, element, list, guard)[element.result]);
    });
  }
  case Element::Kind::Reduced:
    return reduceVectors(builder, loc, element, dim, width, count, guard);
  case Element::Kind::Gathered:
    break;
  }
  llvm_unreachable("unknown kind of element");
}

Value ElementEmitter::emitVector(OpBuilder &builder, Location loc,
                                 const Element &element, AffineExpr dim,
                                 int64_t width, Value guard) {
  if (!isVector(element, dim, width))
    return emitEach(builder, loc, element, dim, width, guard);
  return emitVectors(builder, loc, element, dim, width, /*count=*/1, guard)
      .front();
}
