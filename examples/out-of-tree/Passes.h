//===- Passes.h - Passes of an own project ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_EXAMPLES_OUT_OF_TREE_PASSES_H
#define CONVOY_EXAMPLES_OUT_OF_TREE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace example {

#define GEN_PASS_DECL
#include "Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"

} // namespace example

#endif // CONVOY_EXAMPLES_OUT_OF_TREE_PASSES_H
