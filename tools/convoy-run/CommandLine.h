//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_RUN_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_RUN_COMMANDLINE_H

#include "convoy/Driver/ToolOptions.h"
#include "convoy/Runtime/Generate.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// The command line, checked.
struct Options : CommonOptions {
  std::vector<std::string> targets;

  /// For Vulkan; without a value, the device says what it is.
  std::optional<::convoy::VulkanProfile> vulkan;

  bool check = false, certify = false;
  bool deep = false; ///< whether kernels run on drawn integers
  bool suspiciousFails = false;
  bool unchecked = false;    ///< accesses of simulated kernels
  bool pairwiseSums = false; ///< of simulated matrix instructions
  /// Generated inputs: a case for each.
  std::vector<::convoy::DataKind> dataKinds;
  uint64_t seed = 0;
  unsigned runs = 1;
  /// Of the kernels; those with the others have to give the bits of the first.
  std::vector<int> threadCounts;
  unsigned repeat = 1;      ///< runs that have to give the same bits
  int referenceThreads = 0; ///< 0: one for each processor
  bool allLayouts = false;

  std::vector<std::string> inputs, outputs;
  std::string function;
  /// Values to record: names of traces, or all.
  std::vector<std::string> traces;
  std::string traceDir;
  /// Whether values are recorded.
  bool recordsTraces() const { return !traces.empty() || !traceDir.empty(); }
  /// Dynamic sizes of an IR file's function: of one case each.
  std::vector<std::vector<int64_t>> sizes;
  /// The cases of one kernel on one target.
  size_t countRuns() const {
    return std::max<size_t>(1, sizes.size()) * dataKinds.size();
  }

  bool quiet = false;
  std::string json, report, keep;
  /// Whether JSON has standard output to itself.
  bool printsJSON() const { return json == "-"; }
  std::vector<std::string> printAfter;
  bool printAfterAll = false;
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_RUN_COMMANDLINE_H
