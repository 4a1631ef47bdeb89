//===- Passes.h - Parts for threads -----------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_THREADS_PASSES_H
#define CONVOY_TRANSFORMS_THREADS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::convoy {

/// The most threads that a kernel is compiled for.
constexpr int kMaxThreads = 1024;

#define GEN_PASS_DECL
#include "convoy/Transforms/Threads/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "convoy/Transforms/Threads/Passes.h.inc"

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_THREADS_PASSES_H
