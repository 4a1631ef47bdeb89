//===- Passes.h - Arguments, sizes and names of kernels ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_PASSES_H
#define CONVOY_TRANSFORMS_KERNELABI_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::convoy {

#define GEN_PASS_DECL
#include "convoy/Transforms/KernelABI/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "convoy/Transforms/KernelABI/Passes.h.inc"

/// Whether `module`, in LLVM's dialect, loads the shapes of AMX's tiles.
bool usesTiles(ModuleOp module);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_PASSES_H
