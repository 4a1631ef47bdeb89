//===- BufferStates.h - What buffers hold -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_BUFFERSTATES_H
#define CONVOY_LIB_CERTIFY_BUFFERS_BUFFERSTATES_H

#include "IndexRanges.h"
#include "Obstacle.h"
#include "StandIns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::convoy::certify {

/// The tensor that each buffer of a function holds while its ops are made
/// again on tensors, one after the other.
class BufferStates {
public:
  explicit BufferStates(FirstObstacle &obstacle) : obstacle(obstacle) {}

  /// By the buffer that it is: see BufferRoots.
  llvm::MapVector<Value, Value> states;
  /// What stands in the place of values that are no memory.
  IRMapping mapping;

  /// What `memref` holds.
  FailureOr<Value> read(Value memref, OpBuilder &builder);
  /// Lets `memref` hold `tensor`.
  LogicalResult write(Value memref, Value tensor, OpBuilder &builder);

  Value map(Value value) { return mapping.lookupOrDefault(value); }
  SmallVector<Value> map(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return map(value); });
  }
  SmallVector<OpFoldResult> map(ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult value) {
      auto known = dyn_cast<Value>(value);
      return known ? OpFoldResult(map(known)) : value;
    });
  }

protected:
  /// `tensor` as one of `type`.
  static Value castTensor(OpBuilder &builder, Location loc, Value tensor,
                          Type type);
  LogicalResult undecided(Operation *op, const Twine &reason) {
    return obstacle.undecided(op, reason);
  }

private:
  FailureOr<Value> readView(Value memref, OpBuilder &builder);

  FailureOr<Value> readStrided(memref::ReinterpretCastOp op,
                               OpBuilder &builder);
  LogicalResult writeStrided(memref::ReinterpretCastOp op, Value part,
                             OpBuilder &builder);

  FirstObstacle &obstacle;
  IndexRanges ranges;
  /// What a view of what a buffer held is, where that was asked last.
  DenseMap<std::pair<Value, Value>, Value> views;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_BUFFERSTATES_H
