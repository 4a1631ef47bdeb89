//===- UnreadOps.h - Ops that are not read on tensors -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_UNREADOPS_H
#define CONVOY_LIB_CERTIFY_UNREADOPS_H

#include "Buffers/BufferRoots.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

bool isOfVectors(Operation *op);
bool hasSeveralBlocks(Operation *op);

/// The first op of `function` that `predicate` holds for, or null.
Operation *findOp(FunctionOpInterface function,
                  function_ref<bool(Operation *)> predicate);

/// The first op of `function`, whose memory was rewritten, that is not read on
/// tensors, or null; itself where its arguments are not what they were.
Operation *findUnreadOp(FunctionOpInterface function);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_UNREADOPS_H
