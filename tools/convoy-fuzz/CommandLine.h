//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_FUZZ_COMMANDLINE_H

#include "Fuzzer.h"

namespace mlir::convoy {

/// The command line, checked.
struct Options : FuzzOptions {
  /// Whether this is the process in which cases run.
  bool isWorker = false;
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_COMMANDLINE_H
