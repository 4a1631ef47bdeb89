//===- BisectMain.h - Names the pass that is at fault -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BISECT_BISECTMAIN_H
#define CONVOY_TOOLS_CONVOY_BISECT_BISECTMAIN_H

namespace mlir::convoy {

/// The program with all passes of MLIR and of Convoy; returns its exit code.
/// Passes that were registered before it is called may stand in pipelines, too.
int runBisectMain(int argc, char **argv);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BISECT_BISECTMAIN_H
