//===- LLVMSteps.h - Steps down to LLVM that pipelines share ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_PIPELINES_LLVMSTEPS_H
#define CONVOY_LIB_PIPELINES_LLVMSTEPS_H

#include "mlir/Pass/PassManager.h"

namespace mlir::convoy {

/// Computes with floats of 16 bits in f32 and converts them by instructions
/// that every CPU has, so that LLVM calls no library. With `hasF16`, the CPU
/// converts f16 itself.
void addNarrowFloats(OpPassManager &pm, bool hasF16);

struct LLVMDialectOptions {
  /// Functions take a buffer as one pointer, not as all that describes it.
  bool barePointers = false;
  bool openMP = false; ///< there are ops of OpenMP
};

/// Loops, vectors and arithmetic on buffers to LLVM's dialect.
void addLLVMDialect(OpPassManager &pm, const LLVMDialectOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_LIB_PIPELINES_LLVMSTEPS_H
