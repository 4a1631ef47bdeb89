//===- BufferStates.cpp - What buffers hold ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferStates.h"
#include "BufferRoots.h"
#include "StridedParts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

FailureOr<Value> BufferStates::read(Value memref, OpBuilder &builder) {
  Value root = BufferRoots::find(memref);
  if (!states.contains(root))
    return obstacle.undecided(root.getParentRegion()->getParentOp(),
                              "a buffer that comes from somewhere unknown");
  Value &known = views[{BufferRoots::strip(memref), states[root]}];
  if (known && known.getParentBlock() == builder.getInsertionBlock())
    return known;
  FailureOr<Value> view = readView(BufferRoots::strip(memref), builder);
  if (succeeded(view))
    views[{BufferRoots::strip(memref), states[root]}] = *view;
  return view;
}

Value BufferStates::castTensor(OpBuilder &builder, Location loc, Value tensor,
                               Type type) {
  return tensor.getType() == type
             ? tensor
             : tensor::CastOp::create(builder, loc, type, tensor).getResult();
}

FailureOr<Value> BufferStates::readView(Value memref, OpBuilder &builder) {
  Operation *op = memref.getDefiningOp();
  if (!op || !BufferRoots::isView(op))
    return states[memref];
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return readStrided(cast, builder);
  if (isa<memref::ExtractStridedMetadataOp>(op))
    return obstacle.undecided(op, "a use of the memory of a buffer");
  FailureOr<Value> source = read(op->getOperand(0), builder);
  if (failed(source))
    return failure();
  Location loc = op->getLoc();
  RankedTensorType type = getTensorType(memref);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](memref::SubViewOp view) {
        return tensor::ExtractSliceOp::create(
            builder, loc, type, *source, map(view.getMixedOffsets()),
            map(view.getMixedSizes()), map(view.getMixedStrides()));
      })
      .Case([&](memref::CollapseShapeOp view) {
        return tensor::CollapseShapeOp::create(builder, loc, type, *source,
                                               view.getReassociationIndices());
      })
      .Case([&](memref::ExpandShapeOp view) {
        return tensor::ExpandShapeOp::create(builder, loc, type, *source,
                                             view.getReassociationIndices(),
                                             map(view.getMixedOutputShape()));
      })
      .Default(
          [&](Operation *) { return castTensor(builder, loc, *source, type); });
}

FailureOr<Value> BufferStates::readStrided(memref::ReinterpretCastOp op,
                                           OpBuilder &builder) {
  FailureOr<StridedPart> part = StridedPart::find(op, ranges, obstacle);
  if (failed(part))
    return failure();
  return part->read(states[part->getBuffer()], mapping, builder);
}

LogicalResult BufferStates::writeStrided(memref::ReinterpretCastOp op,
                                         Value part, OpBuilder &builder) {
  FailureOr<StridedPart> place = StridedPart::find(op, ranges, obstacle);
  if (failed(place))
    return failure();
  Value buffer = place->getBuffer();
  Value whole = states.lookup(buffer);
  Value changed = whole ? place->write(whole, part, mapping, builder) : Value();
  if (!changed)
    return obstacle.undecided(op,
                              "a write to a reshaped buffer of dynamic size");
  return write(buffer, changed, builder);
}

LogicalResult BufferStates::write(Value memref, Value tensor,
                                  OpBuilder &builder) {
  memref = BufferRoots::strip(memref);
  Operation *op = memref.getDefiningOp();
  bool isView = op && BufferRoots::isView(op);
  if (!isView) {
    if (!states.contains(memref) || BufferRoots::isReadOnly(memref))
      return obstacle.undecided(memref.getParentRegion()->getParentOp(),
                                "a buffer that must not be written");
    states[memref] = tensor;
    return success();
  }
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return writeStrided(cast, tensor, builder);
  if (isa<memref::ExtractStridedMetadataOp>(op))
    return obstacle.undecided(op, "a use of the memory of a buffer");
  Value source = op->getOperand(0);
  Location loc = op->getLoc();
  RankedTensorType type = getTensorType(source);
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    FailureOr<Value> whole = read(source, builder);
    if (failed(whole))
      return failure();
    return write(source,
                 tensor::InsertSliceOp::create(
                     builder, loc, tensor, *whole, map(view.getMixedOffsets()),
                     map(view.getMixedSizes()), map(view.getMixedStrides())),
                 builder);
  }
  if (isa<memref::CastOp>(op))
    return write(source, castTensor(builder, loc, tensor, type), builder);
  if (!type.hasStaticShape())
    return obstacle.undecided(op,
                              "a write to a reshaped buffer of dynamic size");
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return write(source,
                 tensor::ExpandShapeOp::create(builder, loc, type, tensor,
                                               view.getReassociationIndices()),
                 builder);
  return write(source,
               tensor::CollapseShapeOp::create(
                   builder, loc, type, tensor,
                   cast<memref::ExpandShapeOp>(op).getReassociationIndices()),
               builder);
}
