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

#include <cmath>
#include <map>
#include <string>

namespace mlir::convoy {

using ::convoy::ExitCode;

/// One case on one target.
struct CaseResult {
  std::string name; ///< a problem's text, or FILE:FUNCTION
  /// The words by which the command line says the same.
  std::vector<std::string> words;
  std::string target;
  double multiplyAdds = 0; ///< 0 where unknown
  double compileSeconds = 0;
  CheckResult result;
  /// What was recorded, by the names of the traces, in their order.
  std::vector<std::pair<std::string, ::convoy::HostArray>> traces;
  bool isChecked = false; ///< whether numbers were to be compared

  /// Whether they were: not after other faults.
  bool wasCompared() const {
    return isChecked && result.error.empty() &&
           (result.faults.empty() || result.report.elements > 0);
  }
  bool isSuspicious() const {
    return wasCompared() &&
           result.report.verdict() == ::convoy::Verdict::Suspicious;
  }
};

/// What the comparison found, as docs/Numerics.md describes it.
llvm::json::Object toJSON(const ::convoy::CompareReport &report);
/// JSON has no infinities and no NaN: null.
llvm::json::Value toJSON(double number);

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
  /// What the device of `target` is called, which JSON says.
  void addDevice(const std::string &target, const std::string &description) {
    devices[target] = description;
  }
  /// Says which case is at hand: a terminal shows it where no lines of cases
  /// are printed. A name is a new case's unless it is the last one's and
  /// results of that are to come: a case is compiled for several targets, then
  /// run.
  void start(const std::string &name);
  void add(const CaseResult &result);
  /// A sentence on standard error that holds for all, with its exit code.
  void addError(const std::string &sentence, ExitCode code);
  /// Prints the summaries, writes the JSON; returns the exit code.
  ExitCode finish();

private:
  struct Summary {
    int64_t cases = 0, passed = 0, certified = 0;
    int64_t identities = 0; ///< that ran on drawn integers
    /// The base-2 logarithm of the worst one's probability to miss something.
    double missedExponent = -INFINITY;
    int64_t vacuous = 0;
    std::map<::convoy::Verdict, int64_t> verdicts;
    double worstRatio = 0;
    bool isChecked = false;
    /// Where a page is written: the errors of all cases, and where they are in
    /// the worst.
    ::convoy::ErrorHistogram histogram;
    ::convoy::ErrorMap worstMap;
    std::string worstCase;
    double surveyedRatio = 0; ///< of the worst

    int64_t countOf(::convoy::Verdict verdict) const {
      auto found = verdicts.find(verdict);
      return found == verdicts.end() ? 0 : found->second;
    }
  };

  /// Where what people read goes: nowhere beside JSON.
  llvm::raw_ostream &getStream() const;
  /// Whether numbers are as they should be; only suspicious where that is
  /// allowed.
  bool accepts(const CaseResult &result) const;
  bool passed(const CaseResult &result) const;
  StringRef getStatus(const CaseResult &result) const;
  void printCase(const CaseResult &result);
  void printNotes(const CaseResult &result);
  void printTraces(const CaseResult &result);
  void addJSON(const CaseResult &result);
  /// Adds what is drawn of the errors of `result`.
  void addSurvey(const CaseResult &result, Summary &summary);
  /// What `--json` writes. Takes the cases.
  llvm::json::Object takeDocument();
  void writeJSON(const llvm::json::Object &document);
  /// Writes the page of `--report`.
  void writePage(llvm::json::Object document);

  const Options &options;
  Progress progress;
  size_t numCases = 0, numTargets = 1;
  size_t numStarted = 0; ///< cases, with the one at hand
  std::string current;   ///< the name of the case at hand
  size_t numResults = 0; ///< of that case
  std::map<std::string, Summary> summaries;
  std::map<std::string, std::string> devices; ///< "" where they have no name
  llvm::json::Array cases;
  ExitCode exitCode = ExitCode::Ok;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_RUN_REPORT_H
