//===- convoy-bench.cpp - Times kernels beside other libraries --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "HTMLOutput.h"
#include "JSONOutput.h"
#include "Runner.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/Runtime/FileIO.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CaseResult;

/// Prints one line; returns the exit code of bad input.
static int fail(const std::string &sentence) {
  llvm::errs() << "convoy-bench: " << sentence << '\n';
  return 1;
}

/// 1 where something could not be timed, before 2 where numbers are wrong.
static int getExitCode(const std::vector<CaseResult> &results) {
  int code = 0;
  for (const CaseResult &result : results) {
    if (result.error.empty())
      continue;
    int one = result.isWrong ? 2 : 1;
    code = code == 0 ? one : std::min(code, one);
  }
  return code;
}

static int writeResults(const Options &options, const Runner &runner) {
  const std::vector<CaseResult> &results = runner.getResults();
  llvm::json::Object document;
  if (!options.json.empty() || !options.report.empty())
    document = makeDocument(results, options);
  std::string json;
  if (!options.json.empty())
    json = llvm::formatv("{0:2}\n",
                         llvm::json::Value(llvm::json::Object(document)));
  if (options.json == "-")
    llvm::outs() << json;
  else
    llvm::outs() << ::convoy::printTables(results, runner.getTitles());
  llvm::outs().flush();
  std::string error;
  if (!options.json.empty() && options.json != "-" &&
      !::convoy::writeFile(options.json,
                           std::as_bytes(std::span(json.data(), json.size())),
                           error))
    return fail(error);
  if (!options.report.empty() &&
      !writePage(std::move(document), options, runner.getTitles(), error))
    return fail(error);
  for (const CaseResult &result : results)
    if (!result.error.empty())
      fail(::convoy::toString(result.problem) + ": " + result.error);
  return getExitCode(results);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-bench");
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return fail(error);
  std::optional<std::vector<::convoy::AnyProblem>> problems =
      readAnyProblems(options.input, options.problemFlags, error);
  if (!problems || !checkProblems(*problems, options, error))
    return fail(error);
  // Threads of our kernels sleep before the next contestant's turn, too.
  setenv("KMP_BLOCKTIME", "2", /*overwrite=*/0);
  Runner runner(options);
  if (::convoy::Status status = runner.openTarget(); !status.ok()) {
    fail(status.text);
    return status.code;
  }
  if (!runner.checkRanges(*problems, error))
    return fail(error);
  runner.run(*problems);
  return writeResults(options, runner);
}
