//===- Worker.h - Tries cases in a process of its own -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_WORKER_H
#define CONVOY_TOOLS_CONVOY_FUZZ_WORKER_H

#include "FuzzCase.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {

/// Changes a problem's module before it is compiled: tests put faults into
/// kernels that way.
using ModuleHook = void (*)(ModuleOp module, const ::convoy::Problem &problem);

/// Reads requests from standard input and writes outcomes to standard output,
/// each a JSON object in a line, until there are no more. A request holds a
/// case, in "do" what is to be done: "open" its target, "tile" it or "run" it,
/// and in "survey" whether the errors of all elements are wanted. Returns the
/// program's exit code.
int serveCases(ModuleHook hook);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_WORKER_H
