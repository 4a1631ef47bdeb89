//===- Report.h - Prints what was found -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_RUN_REPORT_H
#define CONVOY_TOOLS_CONVOY_RUN_REPORT_H

#include "CommandLine.h"

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Progress.h"
#include "convoy/Support/ExitCode.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <string>

namespace mlir::convoy {

using ::convoy::ExitCode;

/// One case on one target.
struct CaseResult {
  std::string name; ///< a problem's text, or FILE:FUNCTION
  std::string target;
  double multiplyAdds = 0; ///< 0 where unknown
  double compileSeconds = 0;
  CheckResult result;
  bool isChecked = false; ///< whether numbers were compared
};

/// Prints a line for each case as it comes, a summary for each target, and
/// collects the JSON.
class Report {
public:
  explicit Report(const Options &options) : options(options) {}

  /// Says how many cases are to come, each with a result for each target.
  void expect(size_t cases, size_t targets) {
    numCases = cases;
    numTargets = std::max<size_t>(1, targets);
  }
  /// Says which case is at hand: a terminal shows it where no lines of cases
  /// are printed.
  void start(const std::string &name);
  void add(const CaseResult &result);
  /// A sentence on standard error that holds for all, with its exit code.
  void addError(const std::string &sentence, ExitCode code);
  /// Prints the summaries, writes the JSON; returns the exit code.
  ExitCode finish();

private:
  struct Summary {
    int64_t cases = 0, passed = 0, certified = 0;
    double worstRatio = 0;
    bool isChecked = false;
  };

  /// Where what people read goes: nowhere beside JSON.
  llvm::raw_ostream &getStream() const;
  void printCase(const CaseResult &result);
  void printFaults(const CaseResult &result);
  void addJSON(const CaseResult &result);
  void writeJSON();

  const Options &options;
  Progress progress;
  size_t numCases = 0, numTargets = 1, numResults = 0;
  std::map<std::string, Summary> summaries;
  llvm::json::Array cases;
  ExitCode exitCode = ExitCode::Ok;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_RUN_REPORT_H
