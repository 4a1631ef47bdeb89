//===- Fuzzer.h - Draws, tries and shrinks cases ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_FUZZER_H
#define CONVOY_TOOLS_CONVOY_FUZZ_FUZZER_H

#include "CaseRunner.h"
#include "DrawCase.h"
#include "Edges.h"

#include "convoy/Driver/Progress.h"
#include "convoy/Runtime/CompareReport.h"
#include "convoy/Support/ExitCode.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>

namespace mlir::convoy {

struct FuzzOptions {
  std::vector<std::string> targets;
  uint64_t seed = 0;
  /// The number of cases, or 0, and that of the first one.
  uint64_t cases = 0, first = 0;
  /// After so many seconds no case is begun; 0: without a limit.
  double seconds = 0;
  /// What one case may take.
  int caseSeconds = 60;
  unsigned jobs = 1;
  /// The most cases that are tried to make a finding small.
  int shrinkTries = 500;
  /// Seconds after which it is not made smaller.
  int shrinkSeconds = 300;
  /// The folder that findings are written to as tests, or empty.
  std::string testFolder;
  bool listEdges = false;
  /// The file of the JSON, - or empty.
  std::string json;
  /// Rows and vectors of register tiles on CPUs, or empty.
  SmallVector<int64_t, 2> tile;
  /// The file of the page, or empty, and what it shows as the command.
  std::string report;
  std::vector<std::string> commandLine;
  ::convoy::DrawOptions draw;
  /// Runs serveCases.
  std::string workerCommand;

  /// Whether JSON is all that is printed.
  bool printsJSON() const { return json == "-"; }
};

constexpr ::convoy::Verdict kVerdicts[] = {
    ::convoy::Verdict::Exact, ::convoy::Verdict::Explained,
    ::convoy::Verdict::Suspicious, ::convoy::Verdict::Wrong};

/// What was found, and in which case.
struct Finding {
  uint64_t number = 0;
  ::convoy::FuzzCase drawn, smallest;
  Outcome outcome;
};

/// What became of the cases on one target.
struct TargetCounts {
  int64_t runs = 0, passed = 0, refused = 0, findings = 0;
  std::map<std::string, int64_t> verdicts;
  ::convoy::ErrorHistogram errors; ///< where there is a page to show them
};

/// Draws cases by their numbers and tries them on all targets.
class Fuzzer {
public:
  explicit Fuzzer(const FuzzOptions &options) : options(options) {}

  /// Prints findings as they come, then a summary.
  ::convoy::ExitCode run();

private:
  void work();
  bool takeCase(uint64_t &number);
  /// Opens all targets; what is not there is said.
  ::convoy::ExitCode openTargets();
  /// Draws case `number`; where the compiler fails at that, reports it and
  /// returns nothing.
  std::optional<::convoy::FuzzCase> draw(uint64_t number, CaseRunner &runner);
  void count(const ::convoy::FuzzCase &fuzzCase, const Outcome &outcome);
  /// Whether to make a finding small; of many alike the first ones.
  bool takesTime(const ::convoy::FuzzCase &fuzzCase, const Outcome &outcome);
  /// Makes the case small and prints it. `tryCase` tries another.
  template <typename Try>
  void report(uint64_t number, const ::convoy::FuzzCase &drawn,
              const Outcome &outcome, Try tryCase);
  void print(const Finding &finding);
  void printSummary();
  /// What `--json` and `--report` show.
  llvm::json::Object makeDocument();
  void writeJSON(const llvm::json::Object &document);
  void writePage(llvm::json::Object document);
  /// Where text goes that is not for a terminal alone.
  llvm::raw_ostream &getStream() const {
    return options.printsJSON() ? llvm::nulls() : llvm::outs();
  }
  void addError(const std::string &sentence);
  double secondsSinceStart() const;

  const FuzzOptions &options;
  std::atomic<uint64_t> next = 0; ///< behind the first
  std::chrono::steady_clock::time_point start;
  Progress progress;
  std::mutex mutex; ///< of what follows
  ::convoy::EdgeCounts edges;
  std::map<std::string, TargetCounts> counts;
  std::map<std::string, int64_t> refusals;
  std::vector<Finding> findings;
  int64_t numRuns = 0, numMore = 0;
  std::set<std::string> known; ///< findings' commands
  /// How many findings of each kind and target were made small.
  std::map<std::string, int> numShrunk;
  double nextReport = 0; ///< in seconds since `start`
  ::convoy::ExitCode exitCode = ::convoy::ExitCode::Ok;
};

/// A lit test that runs the finding's command.
std::string makeTest(const Finding &finding, uint64_t seed);
/// The name of its file.
std::string getTestName(const Finding &finding);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_FUZZER_H
