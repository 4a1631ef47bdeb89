//===- KernelCheck.h - Kernels and what devices offer -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_GPUKERNELS_KERNELCHECK_H
#define CONVOY_LIB_TRANSFORMS_GPUKERNELS_KERNELCHECK_H

#include "convoy/Dialect/Convoy/IR/KernelSignature.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

#include <array>
#include <optional>
#include <string>

namespace mlir::convoy {

/// Bits of an element in memory, or nothing for a type that is not stored.
std::optional<int64_t> getStoredBits(Type element);

/// The bytes of a buffer of static size.
std::optional<int64_t> getBufferBytes(MemRefType type);

/// What a device offers one workgroup.
struct WorkgroupLimits {
  std::string device; ///< as in `profile lavapipe`
  int64_t items;
  std::array<int64_t, 3> size;
  int64_t bytes; ///< of its memory
};

/// Calls `check` for the kernels in `op`, up to the first that fails.
LogicalResult
checkEachKernel(Operation *op,
                function_ref<LogicalResult(gpu::GPUFuncOp kernel)> check);

/// Compares one kernel with what a device offers. Each fault is one error.
class KernelCheck {
public:
  KernelCheck(gpu::GPUFuncOp kernel, const WorkgroupLimits &offered)
      : kernel(kernel), offered(offered) {}

protected:
  /// Begins an error, what the kernel has and the device lacks.
  InFlightDiagnostic fail();
  LogicalResult checkSize();
  LogicalResult checkWorkgroupMemory();
  /// Checks that a barrier is reached by all work-items of a group or by none:
  /// Vulkan's valid usage has barriers in uniform control flow alone.
  LogicalResult checkBarriers();
  TypeRange getBuffers() { return getBufferTypes(kernel.getArgumentTypes()); }
  /// Checks that argument `number` is a buffer of one dimension.
  LogicalResult checkIsFlat(unsigned number);
  /// The types of all that the kernel computes with.
  llvm::SetVector<Type> getValueTypes();

  gpu::GPUFuncOp kernel;
  WorkgroupLimits offered;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_GPUKERNELS_KERNELCHECK_H
