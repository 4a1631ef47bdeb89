//===- ElementEmitter.cpp - Elements as instructions ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

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

Value mlir::convoy::emitBody(OpBuilder &builder, linalg::GenericOp op,
                             ValueRange arguments) {
  Block *body = op.getBody();
  IRMapping mapping;
  mapping.map(body->getArguments(), arguments);
  VectorType vector;
  for (Value argument : arguments)
    if (auto type = dyn_cast<VectorType>(argument.getType()))
      vector = type;
  Location loc = op.getLoc();
  auto lookup = [&](Value value) -> Value {
    Attribute constant;
    if (!mapping.contains(value) && matchPattern(value, m_Constant(&constant)))
      mapping.map(value, arith::ConstantOp::create(builder, loc,
                                                   cast<TypedAttr>(constant)));
    Value mapped = mapping.lookup(value);
    if (vector && !isa<VectorType>(mapped.getType()))
      mapped = vector::BroadcastOp::create(
          builder, loc, vector.clone(mapped.getType()), mapped);
    return mapped;
  };
  for (Operation &inner : body->without_terminator()) {
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
  return lookup(body->getTerminator()->getOperand(0));
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
  return memref::LoadOp::create(builder, loc,
                                getBuffer(element.base, element.address),
                                emitAddress(builder, loc, element, guard));
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
    OpBuilder &builder, Location loc, const Element &element,
    function_ref<Value(const Element &)> emitPart) {
  Value sum = emitPart(element.parts.back());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  OpBuilder::InsertionGuard restore(builder);
  scf::ForOp outermost;
  for (auto [dim, size] : element.loops) {
    Value bound = space.materializeSize(builder, loc, size);
    auto loop = scf::ForOp::create(builder, loc, zero, bound, one, sum);
    if (outermost)
      scf::YieldOp::create(builder, loc, loop.getResults());
    else
      outermost = loop;
    space.setValue(dim, loop.getInductionVar());
    sum = loop.getRegionIterArg(0);
    builder.setInsertionPointToStart(loop.getBody());
  }
  SmallVector<Value> arguments;
  for (const Element &part : ArrayRef(element.parts).drop_back())
    arguments.push_back(emitPart(part));
  arguments.push_back(sum);
  scf::YieldOp::create(builder, loc, emitBody(builder, element.op, arguments));
  return outermost.getResult(0);
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
  case Element::Kind::Computed: {
    SmallVector<Value> arguments =
        llvm::map_to_vector(element.parts, [&](const Element &part) {
          return emit(builder, loc, part, guard);
        });
    return emitBody(builder, element.op, arguments);
  }
  case Element::Kind::Reduced:
    return emitReduced(builder, loc, element, [&](const Element &part) {
      return emit(builder, loc, part, guard);
    });
  }
  llvm_unreachable("unknown kind of element");
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
    return true;
  case Element::Kind::Load:
    return space.isContiguous(element.address, dim, width) ||
           !element.address.isFunctionOfDim(position);
  case Element::Kind::Guarded:
    return areVectors() && llvm::none_of(element.inside, [&](auto condition) {
             return condition.first.isFunctionOfDim(position);
           });
  case Element::Kind::Computed:
  case Element::Kind::Reduced:
    return areVectors();
  }
  llvm_unreachable("unknown kind of element");
}

/// Emits the elements one by one.
Value ElementEmitter::emitEach(OpBuilder &builder, Location loc,
                               const Element &element, AffineExpr dim,
                               int64_t width, Value guard) {
  Value first = space.getValue(dim);
  SmallVector<Value> values;
  for (int64_t lane = 0; lane < width; ++lane) {
    Value index = first;
    if (lane > 0)
      index = arith::AddIOp::create(
          builder, loc, first,
          arith::ConstantIndexOp::create(builder, loc, lane));
    space.setValue(dim, index);
    values.push_back(emit(builder, loc, element, guard));
  }
  space.setValue(dim, first);
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({width}, element.type), values);
}

SmallVector<Value> ElementEmitter::loadVectors(OpBuilder &builder, Location loc,
                                               const Element &element,
                                               int64_t width, int64_t count,
                                               Value guard) {
  Value all = vector::LoadOp::create(
      builder, loc, VectorType::get({width * count}, element.type),
      getBuffer(element.base, element.address),
      emitAddress(builder, loc, element, guard));
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
        emitReduced(builder, loc, element, [&](const Element &part) {
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
    for (const Element &part : element.parts)
      for (auto [vector, list] :
           llvm::zip_equal(emitPart(part, guard), arguments))
        list.push_back(vector);
    return llvm::map_to_vector(arguments, [&](const auto &list) {
      return splat(emitBody(builder, element.op, list));
    });
  }
  case Element::Kind::Reduced:
    return reduceVectors(builder, loc, element, dim, width, count, guard);
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
