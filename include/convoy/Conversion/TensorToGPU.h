//===- TensorToGPU.h - Ops on tensors to kernels and launches ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_TENSORTOGPU_H
#define CONVOY_CONVERSION_TENSORTOGPU_H

#include "llvm/ADT/StringRef.h"

namespace mlir::convoy {

/// Name of the `gpu.module` that `convoy-outline-kernels` puts kernels into.
constexpr llvm::StringLiteral kKernelModuleName = "kernels";

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_TENSORTOGPU_H
