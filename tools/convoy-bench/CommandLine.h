//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_BENCH_COMMANDLINE_H

#include "Measure.h"

#include "convoy/Driver/ToolOptions.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// The command line, checked.
struct Options : CommonOptions {
  /// Where our kernels run: cpu, or vulkan, which may name one of several.
  std::string target;
  bool isForCPU() const { return target == "cpu"; }
  std::vector<std::string> peers;
  /// Starts the program that times peers which are no libraries; or empty.
  std::string worker;
  int workerTimeout = 0; ///< seconds
  /// Words of `--layouts`; empty: each problem's own.
  std::vector<std::string> layouts;
  std::vector<int> threadCounts;
  ::convoy::MeasureOptions measure;
  /// Whether the device's clock tells the time, not the host's.
  bool isDeviceTimed() const;
  /// Bytes of operands and results that runs on a device go through in turn, so
  /// that its caches hold none of them; 0: one set of each.
  int64_t rotatedBytes = 0;
  /// How many register tiles are timed for each problem.
  int candidates = 1;
  std::string json, report;
  bool quiet = false;
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

/// Checks that the options go with `problems`. Where they do not, returns false
/// and puts one sentence into `error`.
bool checkProblems(const std::vector<::convoy::AnyProblem> &problems,
                   const Options &options, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_COMMANDLINE_H
