//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BISECT_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_BISECT_COMMANDLINE_H

#include "convoy/Bisect/Bisect.h"
#include "convoy/Driver/ToolOptions.h"

#include <string>

namespace mlir::convoy {

/// The command line, checked.
struct Options : InputOptions {
  BisectOptions bisect;
  std::string target; ///< whose passes they are
  /// What numbers arguments hold: those of problems that have them, or of an IR
  /// file's only function.
  std::vector<ArgumentRange> ranges;
  bool printsPipeline = false;
  bool shrinks = true;
  unsigned shrinkSeconds = 60; ///< no longer than this
  std::string json;            ///< where to write a report, or empty
  std::string folder;          ///< where to write IR, or empty
  /// The options beside INPUT that say which passes run, as they are pasted.
  std::string passOptions;
  std::string program; ///< as it was called, without its folder
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BISECT_COMMANDLINE_H
