//===- GroupTime.h - How long workgroups take at most -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_KERNELABI_GROUPTIME_H
#define CONVOY_LIB_TRANSFORMS_KERNELABI_GROUPTIME_H

#include "convoy/Support/VulkanProfile.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::convoy {

/// The part of a second for which a workgroup of `kernel`, whose size is known,
/// keeps a whole device with `limits` busy, with a margin for slow devices and
/// kernels.
GroupTime estimateGroupTime(gpu::GPUFuncOp kernel,
                            const ::convoy::VulkanLimits &limits);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_KERNELABI_GROUPTIME_H
