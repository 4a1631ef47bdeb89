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

struct LLVMDialectOptions {
  /// Functions take a buffer as one pointer, not as all that describes it.
  bool barePointers = false;
  bool openMP = false; ///< there are ops of OpenMP
};

/// Loops, vectors and arithmetic on buffers to LLVM's dialect.
void addLLVMDialect(OpPassManager &pm, const LLVMDialectOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_LIB_PIPELINES_LLVMSTEPS_H
