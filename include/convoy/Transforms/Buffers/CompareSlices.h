//===- CompareSlices.h - Slices of the same elements ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_BUFFERS_COMPARESLICES_H
#define CONVOY_TRANSFORMS_BUFFERS_COMPARESLICES_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::convoy {

/// Registers how ops on slices of tensors tell that another has the same
/// elements: as MLIR does, but at once where the offsets, sizes and strides are
/// the same values, or constants that differ. Bufferization asks of all pairs,
/// and MLIR solves a system of constraints for each number of both, which was a
/// quarter of the time to compile a small kernel. What is registered first is
/// taken: call it before mlir::registerAllDialects.
void registerSliceComparison(DialectRegistry &registry);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_BUFFERS_COMPARESLICES_H
