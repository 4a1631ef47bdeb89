//===- ScatterKernel.h - Sums at computed places ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_SCATTERKERNEL_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_SCATTERKERNEL_H

#include "KernelBuilder.h"

namespace mlir::convoy {

/// Writes the kernel `name` that computes `op` into `target`: each work-item
/// goes through all samples of an image and adds to some pixels of a channel,
/// which no other one touches. Returns `target` as the launch leaves it.
FailureOr<Value> buildScatterKernel(OpBuilder &host, gpu::GPUModuleOp module,
                                    StringRef name, ScatterAddOp op,
                                    Value target);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_SCATTERKERNEL_H
