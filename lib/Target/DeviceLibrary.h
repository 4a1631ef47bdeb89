//===- DeviceLibrary.h - ROCm's functions for kernels -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TARGET_DEVICELIBRARY_H
#define CONVOY_LIB_TARGET_DEVICELIBRARY_H

#include "convoy/Support/RocmChip.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::convoy {

/// Links into `module`, the translation of `kernels` for `chip`, the functions
/// of ROCm's device library that it calls: those of mathematics that LLVM
/// cannot expand. Kernels without such calls need no library. Errors are
/// reported where the function is called from.
LogicalResult linkDeviceLibrary(gpu::GPUModuleOp kernels, llvm::Module &module,
                                const ::convoy::RocmChip &chip);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TARGET_DEVICELIBRARY_H
