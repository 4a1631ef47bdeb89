//===- Passes.h - Samples and their gradients -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SAMPLING_PASSES_H
#define CONVOY_TRANSFORMS_SAMPLING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::convoy {

#define GEN_PASS_DECL
#include "convoy/Transforms/Sampling/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "convoy/Transforms/Sampling/Passes.h.inc"

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_SAMPLING_PASSES_H
