//===- MemoryOps.h - Ops on memory as ops on tensors ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_MEMORYOPS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_MEMORYOPS_H

#include "BufferAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::convoy::certify {

/// Makes blocks of ops again, on tensors: loops and branches carry the tensors
/// of the buffers that they write.
class MemoryOps : public BufferAccesses {
public:
  using BufferAccesses::BufferAccesses;

  LogicalResult rewriteBlock(Block &from, OpBuilder &builder);

private:
  LogicalResult rewriteOp(Operation *op, OpBuilder &builder);
  /// What makes and frees buffers.
  LogicalResult rewriteBuffer(Operation *op, OpBuilder &builder);
  /// Loops, branches and scopes.
  LogicalResult rewriteRegions(Operation *op, OpBuilder &builder);
  LogicalResult rewriteFor(scf::ForOp op, OpBuilder &builder);
  LogicalResult rewriteIf(scf::IfOp op, OpBuilder &builder);
  LogicalResult rewriteForall(scf::ForallOp op, OpBuilder &builder);
  LogicalResult rewriteScope(memref::AllocaScopeOp op, OpBuilder &builder);
  /// Dimension `dim` of `op`, whose iterations write nothing but buffers, and
  /// those behind it, as loops whose iterations run in turn.
  LogicalResult rewriteParallel(LoopLikeOpInterface op, unsigned dim,
                                OpBuilder &builder);
  /// The buffers that `op` writes, to `written`, and what these hold, to
  /// `inits`.
  LogicalResult findStates(Operation *op, SmallVectorImpl<Value> &written,
                           SmallVectorImpl<Value> &inits);
  using RewriteBody =
      function_ref<LogicalResult(OpBuilder &, SmallVectorImpl<Value> &)>;
  /// Fills the body of `loop`, which carries what `written` hold behind its own
  /// values; `rewrite` makes its ops and finds what it yields of its own.
  LogicalResult rewriteBody(scf::ForOp loop, ArrayRef<Value> written,
                            RewriteBody rewrite);
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_MEMORYOPS_H
