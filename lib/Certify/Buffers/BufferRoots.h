//===- BufferRoots.h - Which buffer a memref is a view of -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_BUFFERROOTS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_BUFFERROOTS_H

#include "Obstacle.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Whether `op` has to do with memrefs, itself or within its regions.
bool hasMemory(Operation *op);
/// Whether `op` itself has, in another way than to read and write results in
/// buffers of the caller as tensors.
bool isOfMemory(Operation *op);
/// Whether in each run of `block`, `op` has run, or what it stands in, before
/// `other` does, or what that stands in.
bool runsBefore(Operation *op, Operation *other, Block *block);

/// The buffers of a function: arguments, what is allocated, and tensors that
/// are read as memory. Each is memory of its own.
class BufferRoots {
public:
  /// `memref`, or what a loop around it carries in its place from the start, or
  /// what both branches leave that leave it.
  static Value strip(Value memref);
  /// The buffer that `memref` is a view of, or a value that is none.
  static Value find(Value memref);
  /// Whether both are the same part of one buffer.
  static bool areSame(Value a, Value b);
  /// Whether `op` makes a view of its first operand.
  static bool isView(Operation *op);
  /// Whether nobody may write `root`.
  static bool isReadOnly(Value root);
  /// The memrefs that `op` frees, unless a condition is not so.
  static SmallVector<Value> getFreed(bufferization::DeallocOp op);
  /// Whether `root` is memory that nothing may use behind the function.
  static bool isOnStack(Value root);
  /// The buffers from outside of `op` that it writes, itself or within its
  /// regions, in the order of the ops.
  static SmallVector<Value> findWritten(Operation *op);

  /// Fails where two elements of a buffer of `function` may be one, or where a
  /// view may have another layout than its type says.
  static LogicalResult checkLayouts(FunctionOpInterface function,
                                    FirstObstacle &obstacle);
  /// Whether it depends on strides that `type` does not say whether two of its
  /// elements are one.
  static bool hasUnknownStrides(MemRefType type);
  /// Fails where a tensor of `function` shares memory with a buffer that is
  /// written after it was made.
  static LogicalResult checkTensors(FunctionOpInterface function,
                                    FirstObstacle &obstacle);
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_BUFFERROOTS_H
