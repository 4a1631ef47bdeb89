//===- convoy-run.cpp - Compile, run, compare with the reference --*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Report.h"
#include "Runner.h"

#include "convoy/Runtime/Device.h"
#include "convoy/Runtime/FileIO.h"

#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;

/// The problems that the input stands for, or nothing after an error.
static std::optional<std::vector<::convoy::Problem>>
readProblems(const Options &options, Report &report) {
  std::string error;
  std::optional<std::vector<::convoy::Problem>> problems;
  StringRef input = options.input;
  if (input.consume_front("@")) {
    std::optional<std::vector<std::byte>> bytes =
        ::convoy::readFile(input.str(), error);
    if (bytes) {
      problems = ::convoy::parseProblemFile(
          {reinterpret_cast<const char *>(bytes->data()), bytes->size()},
          options.problemFlags, error);
      if (!problems)
        error = input.str() + ": " + error;
    }
  } else {
    problems =
        ::convoy::parseProblems(input.str(), options.problemFlags, error);
  }
  if (!problems)
    report.addError(error, BadInput);
  return problems;
}

/// The targets that this machine has; the others are reported.
static bool openTargets(const Options &options, Report &report) {
  bool hasCPU = false;
  for (const std::string &target : options.targets) {
    ::convoy::Device device;
    ::convoy::Status status = ::convoy::Device::open(target, device);
    if (!status.ok())
      report.addError(status.text, ExitCode(status.code));
    hasCPU |= status.ok();
  }
  return hasCPU;
}

static void runAll(const Options &options, Report &report) {
  std::optional<std::vector<::convoy::Problem>> problems;
  if (!options.isFile()) {
    problems = readProblems(options, report);
    if (!problems)
      return;
  }
  Compiler compiler(options);
  if (std::optional<std::string> error = compiler.checkCPU())
    return report.addError(*error, BadInput);
  bool hasCPU = openTargets(options, report);
  if (options.isFile())
    return runFile(compiler, options, hasCPU, report);
  if (hasCPU)
    runProblems(compiler, options, *problems, report);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  Report report(options);
  std::string error;
  if (!parseCommandLine(argc, argv, options, error)) {
    report.addError(error, BadInput);
    return BadInput;
  }
  runAll(options, report);
  return report.finish();
}
