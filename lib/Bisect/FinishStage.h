//===- FinishStage.h - Kernels of a stage between passes --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_BISECT_FINISHSTAGE_H
#define CONVOY_LIB_BISECT_FINISHSTAGE_H

#include "convoy/Driver/Compile.h"

namespace mlir::convoy {

/// The launches of all functions of `stage`, which are on buffers; none where
/// it has no such functions.
SmallVector<KernelInterface> findLaunches(ModuleOp stage);

/// Compiles `stage`, what some pass has left, for the device that comes first
/// to it: the CPU; the simulator for kernels of GPUs; Vulkan or ROCm, once they
/// are in their target's own dialect. Stages that have nothing but kernels are
/// launched as `launches` say. Errors go to the context's handlers.
FailureOr<CompiledModule> finishStage(ModuleOp stage,
                                      ArrayRef<KernelInterface> launches,
                                      const CompileOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_LIB_BISECT_FINISHSTAGE_H
