//===- WorkspaceSlots.h - Buffers that take turns ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BUFFERS_WORKSPACESLOTS_H
#define CONVOY_LIB_TRANSFORMS_BUFFERS_WORKSPACESLOTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::convoy {

/// Buffers of which each is used only after the one before is no more, so that
/// they can lie at one place.
using WorkspaceSlot = SmallVector<memref::AllocOp>;

/// Bytes of the elements of `type`, dynamic sizes counted as 1.
int64_t getSlotBytes(MemRefType type);

/// Divides `allocations`, which are in `function`'s block, between slots.
SmallVector<WorkspaceSlot> assignSlots(func::FuncOp function,
                                       ArrayRef<memref::AllocOp> allocations);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BUFFERS_WORKSPACESLOTS_H
