//===- BufferUse.cpp - Results that are written to buffers ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferUse.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The tensor whose memory `copy` reads, or null.
static Value getCopied(memref::CopyOp copy) {
  auto source = copy.getSource().getDefiningOp<bufferization::ToBufferOp>();
  return source && source.getReadOnly() ? source.getTensor() : Value();
}

FailureOr<BufferUse> BufferUse::find(BlockArgument buffer,
                                     FirstObstacle &obstacle) {
  BufferUse use;
  Operation *copying = nullptr, *writing = nullptr;
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
      return obstacle.undecided(user,
                                "a use of a buffer whose meaning is not known");
    if (copy)
      copying = user;
    if (write)
      writing = user;
  }
  for (Operation *user : buffer.getUsers()) {
    bool isRead = isa<bufferization::ToTensorOp>(user);
    if (copying && (isRead || user == writing) &&
        user->isBeforeInBlock(copying))
      return obstacle.undecided(user, "a buffer that is used before the copy");
    if (writing && isRead && writing->isBeforeInBlock(user))
      return obstacle.undecided(user, "a tensor read from a buffer after it "
                                      "was written");
  }
  return use;
}
