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

#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;

/// The targets that this machine has; the others are reported.
static bool openTargets(const Options &options, Report &report) {
  bool hasCPU = false;
  for (const std::string &target : options.targets) {
    ::convoy::Device device;
    ::convoy::Status status = ::convoy::Device::open(target, device);
    if (!status.ok())
      report.addError(status.text, ExitCode(status.code));
    else if (target != "cpu")
      report.addError("expected --target=cpu: kernels for " + target +
                          " are not built in yet",
                      ExitCode::NoDevice);
    hasCPU |= status.ok() && target == "cpu";
  }
  return hasCPU;
}

static void runAll(const Options &options, Report &report) {
  std::optional<std::vector<::convoy::Problem>> problems;
  if (!options.isFile()) {
    std::string error;
    problems = readProblems(options.input, options.problemFlags, error);
    if (!problems)
      return report.addError(error, ExitCode::BadInput);
  }
  Compiler compiler(options);
  if (std::optional<std::string> error =
          checkCPU(compiler.getContext(), options.cpu))
    return report.addError(*error, ExitCode::BadInput);
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
    report.addError(error, ExitCode::BadInput);
    return int(ExitCode::BadInput);
  }
  runAll(options, report);
  return int(report.finish());
}
