//===- FuzzMain.h - The fuzzer's main program -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_FUZZMAIN_H
#define CONVOY_TOOLS_CONVOY_FUZZ_FUZZMAIN_H

#include "Worker.h"

namespace mlir::convoy {

/// The tool convoy-fuzz, with kernels that `hook` has changed, if not null;
/// returns the program's exit code.
int runFuzzMain(int argc, char **argv, ModuleHook hook = nullptr);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_FUZZMAIN_H
