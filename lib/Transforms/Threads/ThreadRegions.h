//===- ThreadRegions.h - What threads run without waiting -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_THREADS_THREADREGIONS_H
#define CONVOY_LIB_TRANSFORMS_THREADS_THREADREGIONS_H

#include "mlir/IR/Block.h"

namespace mlir::convoy {

/// Marks the loops on tensors in `block`, a function's only one. Foralls in one
/// region write disjoint parts of one tensor, and read no more of what the
/// region writes than the slice that an iteration writes itself.
void markThreadRegions(Block &block);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_THREADS_THREADREGIONS_H
