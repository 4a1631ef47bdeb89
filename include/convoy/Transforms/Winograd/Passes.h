//===- Passes.h - Winograd's algorithm --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_WINOGRAD_PASSES_H
#define CONVOY_TRANSFORMS_WINOGRAD_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::convoy {

#define GEN_PASS_DECL
#include "convoy/Transforms/Winograd/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "convoy/Transforms/Winograd/Passes.h.inc"

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_WINOGRAD_PASSES_H
