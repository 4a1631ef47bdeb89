//===- StageFiles.h - What each stage of compiling leaves -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_STAGEFILES_H
#define CONVOY_DRIVER_STAGEFILES_H

#include "convoy/Driver/Compile.h"

#include <string>

namespace mlir::convoy {

/// Makes `pm` write the IR to `stem.NN-PASS.mlir` after each pass that changed
/// it, and before the first. `number`, which outlives `pm`, counts the files:
/// pass managers that go on with a module share it. Files that cannot be
/// written are errors at the module.
void writeStages(PassManager &pm, std::string stem, int &number);

/// Writes `module`, which is in LLVM's dialect, as `stem.ll`, `.s` and `.o`.
LogicalResult writeMachineFiles(ModuleOp module, const CompileOptions &options,
                                const std::string &stem);

/// One sentence where `pass` is no pass of the pipelines for CPUs.
std::optional<std::string> checkPassName(StringRef pass);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_STAGEFILES_H
