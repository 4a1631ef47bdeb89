//===- BufferStates.cpp - What buffers hold ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferStates.h"
#include "BufferRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

RankedTensorType certify::getTensorType(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

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

FailureOr<Value> BufferStates::readView(Value memref, OpBuilder &builder) {
  Operation *op = memref.getDefiningOp();
  if (!op || !BufferRoots::isView(op))
    return states[memref];
  FailureOr<Value> source = read(op->getOperand(0), builder);
  if (failed(source))
    return failure();
  Location loc = op->getLoc();
  RankedTensorType type = getTensorType(memref);
  if (source->getType() == type && isa<memref::CastOp>(op))
    return source;
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
      .Default([&](Operation *) {
        return tensor::CastOp::create(builder, loc, type, *source);
      });
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
    return write(source,
                 tensor.getType() == type ? tensor
                                          : Value(tensor::CastOp::create(
                                                builder, loc, type, tensor)),
                 builder);
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
