//===- MatrixKernel.h - Tiles by matrix instructions ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXKERNEL_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXKERNEL_H

#include "ContractionTile.h"

namespace mlir::convoy {

/// Writes the kernel `name` of `tile`, which has a matrix instruction: each
/// wave of a workgroup sums fragments of 16 x 16 elements by it, and its lanes
/// hold them as the instruction has it. For each step of the reduction the
/// work-items of a group load both factors of the next, compute, wait for each
/// other, then put what they loaded into the memory that they share, in the
/// place of the last, and wait again. Where a tile has two buffers they put it
/// into the other one, and wait only behind that. Returns the store's target as
/// the launch leaves it.
FailureOr<Value> buildMatrixKernel(ContractionTile &tile, OpBuilder &host,
                                   gpu::GPUModuleOp module, StringRef name);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXKERNEL_H
