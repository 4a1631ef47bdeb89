//===- ContractionKernel.h - One workgroup for each tile --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONKERNEL_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONKERNEL_H

#include "ElementKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// Writes the kernel `name` of the tiles of a contraction that
/// `convoy-tile-workgroups` has left in `store.source`'s op. For each step of
/// the reduction the work-items of a group put both factors into the memory
/// that they share, while they compute with those of the step before; each
/// keeps its part of the result in registers. Returns `store.target` as the
/// launch leaves it.
FailureOr<Value> buildContractionKernel(OpBuilder &host,
                                        gpu::GPUModuleOp module, StringRef name,
                                        const ElementStore &store);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONKERNEL_H
