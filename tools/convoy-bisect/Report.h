//===- Report.h - What was found, for people and programs -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BISECT_REPORT_H
#define CONVOY_TOOLS_CONVOY_BISECT_REPORT_H

#include "CommandLine.h"

#include "convoy/Support/ExitCode.h"

#include "llvm/Support/JSON.h"

namespace mlir::convoy {

/// What came of one input.
struct Finding {
  std::string input; ///< as it can be pasted
  BisectResult result;
  /// A file's IR as small as the fault allows; empty for problems, and where
  /// nothing smaller was found.
  std::string smallest;
};

/// What the tool ends with that has found out no more than this.
::convoy::ExitCode getExitCode(BisectResult::Kind kind);

/// Prints what was found in a few lines, and the lines that the pass changed.
void printFinding(const Finding &finding, const Options &options);

llvm::json::Object toJSON(const Finding &finding, const Options &options);

/// Writes the IR before and after the pass into the folder of `options`, as
/// `STEM.before.mlir` and `STEM.after.mlir`; false, with one sentence in
/// `error`, where that fails.
bool writeSides(const Finding &finding, const Options &options, StringRef stem,
                std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BISECT_REPORT_H
