//===- OptMain.h - MLIR's optimizer with our passes -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_OPT_OPTMAIN_H
#define CONVOY_TOOLS_CONVOY_OPT_OPTMAIN_H

namespace mlir::convoy {

/// MlirOptMain with all dialects and passes of MLIR and of Convoy, and with
/// `--convoy-certify-each`; returns the program's exit code. Passes that were
/// registered before it is called have flags, too.
int runOptMain(int argc, char **argv);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_OPT_OPTMAIN_H
