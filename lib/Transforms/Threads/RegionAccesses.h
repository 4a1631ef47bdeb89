//===- RegionAccesses.h - What threads touch without waiting ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_THREADS_REGIONACCESSES_H
#define CONVOY_LIB_TRANSFORMS_THREADS_REGIONACCESSES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// The outermost `scf.forall` in `loops`, which are such loops or have nothing
/// else in them, in their order.
SmallVector<scf::ForallOp> getForalls(ArrayRef<Operation *> loops);

/// Checks that threads can run `loops`, which are on buffers and have a
/// #convoy.thread_region in common, without waiting for each other: no loop
/// writes what another touches, and what a loop touches of a buffer that it
/// writes is the same whenever it runs. Buffers of a function's arguments are
/// taken for different ones.
LogicalResult verifyThreadRegion(ArrayRef<Operation *> loops);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_THREADS_REGIONACCESSES_H
