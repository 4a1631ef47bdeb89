//===- BufferMeaning.cpp - Results that are written to buffers --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The tensor whose memory `copy` reads, or null.
static Value getCopied(memref::CopyOp copy) {
  auto source = copy.getSource().getDefiningOp<bufferization::ToBufferOp>();
  return source && source.getReadOnly() ? source.getTensor() : Value();
}

FailureOr<BufferUse> Denoter::getBufferUse(BlockArgument buffer) {
  BufferUse use;
  Operation *copying = nullptr;
  for (Operation *user : buffer.getUsers()) {
    auto copy = dyn_cast<memref::CopyOp>(user);
    if (copy && copy.getTarget() == buffer && !use.start)
      use.start = getCopied(copy);
    auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    bool isFirstWrite = write && write.getDest() == buffer && !use.written;
    if (isFirstWrite)
      use.written = write.getSource();
    bool isKnown = isFirstWrite || (copy && use.start && !copying) ||
                   isa<bufferization::ToTensorOp, memref::DimOp>(user);
    if (!isKnown || user->getBlock() != buffer.getOwner())
      return undecided(user, "a use of a buffer whose meaning is not known");
    if (copy)
      copying = user;
  }
  for (Operation *user : buffer.getUsers())
    if (copying && isa<bufferization::ToTensorOp>(user) &&
        user->isBeforeInBlock(copying))
      return undecided(user, "a tensor read from a buffer before the copy");
  return use;
}

FailureOr<Pieces> Denoter::readBuffer(bufferization::ToTensorOp op,
                                      ArrayRef<LinearExpr> at,
                                      const System &context) {
  auto buffer = dyn_cast<BlockArgument>(op.getBuffer());
  if (!buffer || !isa<FunctionOpInterface>(buffer.getOwner()->getParentOp()))
    return undecided(op, "a tensor in a buffer that is no argument");
  FailureOr<BufferUse> use = getBufferUse(buffer);
  if (failed(use))
    return failure();
  if (use->start)
    return readAt(use->start, at, context);
  return Pieces{{{}, {}, makeUndefined(getElementTypeOrSelf(op.getType()))}};
}

FailureOr<Size> Denoter::getBufferSize(BlockArgument buffer, int64_t dim) {
  FailureOr<BufferUse> use = getBufferUse(buffer);
  if (failed(use))
    return failure();
  if (use->start)
    return getSize(use->start, dim);
  auto type = cast<ShapedType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return Size{type.getDimSize(dim)};
  return Size{getSymbol(buffer, dim)};
}

LogicalResult Denoter::assumeBufferSizes(BlockArgument buffer, Value result,
                                         Denoter &other) {
  auto type = cast<ShapedType>(buffer.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<LinearExpr> size = other.getSingleSize(result, dim);
    if (failed(size))
      return failure();
    arguments.sizes.addEqual(getSymbol(buffer, dim), *size);
  }
  return success();
}
