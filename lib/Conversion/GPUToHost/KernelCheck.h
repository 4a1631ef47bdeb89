//===- KernelCheck.h - Kernels that the host can execute --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOHOST_KERNELCHECK_H
#define CONVOY_LIB_CONVERSION_GPUTOHOST_KERNELCHECK_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::convoy {

/// The batch that `kernel` takes after its buffers, or null.
BlockArgument getBatch(gpu::GPUFuncOp kernel);

/// Work-items that run in step; 0 where the module around `kernel` does not
/// say.
int64_t getWave(gpu::GPUFuncOp kernel);

/// Emits an error where `kernel` has a buffer or an op that the host cannot
/// execute.
LogicalResult checkKernel(gpu::GPUFuncOp kernel);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOHOST_KERNELCHECK_H
