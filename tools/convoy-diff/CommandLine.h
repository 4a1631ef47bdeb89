//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_DIFF_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_DIFF_COMMANDLINE_H

#include "convoy/Driver/ArgumentRanges.h"
#include "convoy/Pipelines/Options.h"
#include "convoy/Runtime/Generate.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// What one side is: a file on a target, or recorded values.
struct SideOptions {
  std::string label;
  std::string file;   ///< its IR
  std::string target; ///< as in `cpu:haswell`
  std::string values; ///< their folder or archive, where there is no target
  /// Rows and vectors of register tiles, or empty.
  SmallVector<int64_t> tile;
  /// How convolutions sum that have no policy but normal.
  LoweringOptions lowering;

  /// Whether the ranges of the whole function decide that.
  bool needsRanges() const {
    return lowering.precision == "low" || lowering.targetError > 0;
  }
};

/// The command line, checked.
struct Options {
  SideOptions sides[2];
  std::string function;
  std::vector<std::string> traces; ///< names of layers, or all
  std::vector<std::string> inputs;
  /// What numbers arguments of both functions hold.
  std::vector<ArgumentRange> ranges;
  std::vector<int64_t> sizes;
  ::convoy::DataKind data = ::convoy::DataKind::Normal;
  uint64_t seed = 0;
  /// Whether a suspicious layer fails.
  bool suspiciousFails = false;
  std::string json;
  std::string report; ///< the file of the page, or empty
  /// The command line; and its words that say what is compared, on which data,
  /// but for `--trace`.
  std::vector<std::string> commandLine, caseWords;
  /// Whether JSON has standard output to itself.
  bool printsJSON() const { return json == "-"; }
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_DIFF_COMMANDLINE_H
