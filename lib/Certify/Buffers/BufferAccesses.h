//===- BufferAccesses.h - Ops on buffers as ops on tensors ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_BUFFERACCESSES_H
#define CONVOY_LIB_CERTIFY_BUFFERS_BUFFERACCESSES_H

#include "BufferStates.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy::certify {

/// Makes ops again that allocate, read and write buffers, on the tensors that
/// these hold.
class BufferAccesses : public BufferStates {
public:
  using BufferStates::BufferStates;

  LogicalResult rewriteAllocation(Operation *op, ValueRange dynamicSizes,
                                  OpBuilder &builder);
  /// What `op` reads of its only buffer, in the place of `memref`.
  LogicalResult rewriteRead(Operation *op, Value memref, OpBuilder &builder);
  LogicalResult rewriteTransfer(vector::TransferWriteOp op, OpBuilder &builder);
  LogicalResult rewriteLoad(vector::LoadOp op, OpBuilder &builder);
  LogicalResult rewriteStore(vector::StoreOp op, OpBuilder &builder);
  LogicalResult rewriteLoad(vector::MaskedLoadOp op, OpBuilder &builder);
  LogicalResult rewriteStore(vector::MaskedStoreOp op, OpBuilder &builder);
  LogicalResult rewriteCopy(memref::CopyOp op, OpBuilder &builder);
  /// Lets `op` write `tensor` to all of `memref`, which must be as large.
  LogicalResult overwrite(Operation *op, Value memref, Value tensor,
                          OpBuilder &builder);
  LogicalResult rewriteStore(memref::StoreOp op, OpBuilder &builder);
  LogicalResult rewriteLinalg(linalg::LinalgOp op, OpBuilder &builder);
  LogicalResult rewriteDim(memref::DimOp op, OpBuilder &builder);
  LogicalResult rewriteClone(bufferization::CloneOp op, OpBuilder &builder);
  LogicalResult rewriteDealloc(bufferization::DeallocOp op);
  /// Lets `op` free `memref`, which nothing uses from there on.
  LogicalResult free(Operation *op, Value memref);

private:
  /// What `op` reads at `indices` of `memref`: a vector of which lanes outside
  /// have any values, and those that `mask`, if it is given, leaves out are
  /// `padding`.
  LogicalResult readVector(Operation *op, Value memref, ValueRange indices,
                           Value padding, Value mask, OpBuilder &builder);
  /// Writes the lanes of `vector` that `mask`, if it is given, takes.
  LogicalResult writeVector(Operation *op, Value vector, Value memref,
                            ValueRange indices, Value mask, OpBuilder &builder);
  /// `op` with `operands` and results of `types`.
  Operation *cloneWith(Operation *op, TypeRange types, ValueRange operands,
                       OpBuilder &builder);
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_BUFFERACCESSES_H
