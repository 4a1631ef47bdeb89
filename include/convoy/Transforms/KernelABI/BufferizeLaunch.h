//===- BufferizeLaunch.h - From tensors to buffers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_BUFFERIZELAUNCH_H
#define CONVOY_TRANSFORMS_KERNELABI_BUFFERIZELAUNCH_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::convoy {

/// Registers how convoy.launch on tensors becomes one on buffers.
void registerLaunchBufferization(DialectRegistry &registry);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_BUFFERIZELAUNCH_H
