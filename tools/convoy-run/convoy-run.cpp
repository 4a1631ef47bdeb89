//===- convoy-run.cpp - Compile, run and compare ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Report.h"
#include "Runner.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/Runtime/Device.h"
#include "convoy/Target/CPUTarget.h"

#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;

/// The targets that this machine has; the others are reported.
static std::vector<OpenTarget> openTargets(const Options &options,
                                           Report &report) {
  std::vector<OpenTarget> targets;
  for (const std::string &name : options.targets) {
    OpenTarget target;
    target.name = name;
    ::convoy::Status status = openTarget(name, options.cpu, target.device);
    if (status.ok()) {
      report.addDevice(name, target.device.description());
      targets.push_back(std::move(target));
    } else {
      report.addError(status.text, ExitCode(status.code));
    }
  }
  return targets;
}

static void runAll(const Options &options, Report &report) {
  std::optional<std::vector<::convoy::AnyProblem>> problems;
  if (!options.isFile()) {
    std::string error;
    problems = readAnyProblems(options.input, options.problemFlags, error);
    if (!problems)
      return report.addError(error, ExitCode::BadInput);
  }
  Compiler compiler(options);
  if (std::optional<std::string> error = checkCPU(options.cpu))
    return report.addError(*error, ExitCode::BadInput);
  std::vector<OpenTarget> targets = openTargets(options, report);
  if (options.isFile())
    return runFile(compiler, options, targets, report);
  if (!targets.empty())
    runProblems(compiler, options, targets, *problems, report);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-run");
  Options options;
  Report report(options);
  std::string error;
  if (!parseCommandLine(argc, argv, options, error)) {
    report.addError(error, ExitCode::BadInput);
    return int(ExitCode::BadInput);
  }
  runAll(options, report);
  return int(report.finish());
}
