//===- RunProblems.cpp - Runs problems --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::Layout;
using ::convoy::Problem;

namespace {
/// Compiles problems a batch at a time and runs each.
class ProblemRunner {
public:
  ProblemRunner(Compiler &compiler, const Options &options, Report &report)
      : compiler(compiler), options(options), report(report),
        batchSize(options.allLayouts ? 32 : 1) {}

  void add(const Problem &problem) {
    batch.push_back(problem);
    if (batch.size() == batchSize)
      flush();
  }
  void flush();

private:
  void compileAndRun(ArrayRef<Problem> problems);
  void run(const Problem &problem, const CPUModule &module,
           const KernelInterface &kernel, double compileSeconds);
  CheckResult runOnInputs(const CheckedConv &conv, const CPUModule &module,
                          const KernelInterface &kernel);
  void addFailure(const Problem &problem, const std::string &error,
                  ExitCode code = ExitCode::BadInput);

  Compiler &compiler;
  const Options &options;
  Report &report;
  size_t batchSize;
  std::vector<Problem> batch;
  int64_t nextCase = 0;
};
} // namespace

void ProblemRunner::addFailure(const Problem &problem, const std::string &error,
                               ExitCode code) {
  CaseResult result;
  result.errorCode = code;
  result.name = ::convoy::toString(problem);
  result.target = "cpu";
  result.isChecked = options.check;
  result.result.error = error;
  report.add(result);
}

/// Runs on the user's values.
CheckResult ProblemRunner::runOnInputs(const CheckedConv &conv,
                                       const CPUModule &module,
                                       const KernelInterface &kernel) {
  CheckResult result;
  std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
  std::vector<HostArray> arguments, results;
  if (!inputs)
    return result;
  if (!options.inputs.empty()) {
    if (!arrangeArguments(kernel, &conv, std::move(*inputs), {}, arguments,
                          result.error))
      return result;
  } else {
    arguments = generateArguments(conv, getCheckOptions(options));
    for (auto [array, argument] : llvm::zip_equal(arguments, kernel.arguments))
      array.shape = cast<RankedTensorType>(argument.type).getShape().vec();
  }
  bool isExact =
      options.inputs.empty() && options.data == ::convoy::DataKind::Int;
  result = checkKernel(conv, LoadedKernel(module, kernel), arguments,
                       getCheckOptions(options), isExact, &results);
  writeOutputs(options, results, report);
  return result;
}

void ProblemRunner::run(const Problem &problem, const CPUModule &module,
                        const KernelInterface &kernel, double compileSeconds) {
  CaseResult result;
  result.name = ::convoy::toString(problem);
  result.target = "cpu";
  result.multiplyAdds = problem.shape.multiplyAdds();
  result.compileSeconds = compileSeconds;
  result.isChecked = options.check;
  result.result = runOnInputs(describeProblem(problem), module, kernel);
  report.add(result);
}

void ProblemRunner::compileAndRun(ArrayRef<Problem> problems) {
  OwningOpRef<ModuleOp> module = buildModule(
      compiler.getContext(), problems, "conv" + std::to_string(nextCase) + "_");
  auto start = std::chrono::steady_clock::now();
  FailureOr<CPUModule> compiled =
      compiler.compile(*module, "conv" + std::to_string(nextCase));
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (failed(compiled) && problems.size() > 1) {
    // One of them is at fault: the others still run.
    for (const Problem &problem : problems)
      compileAndRun(problem);
    return;
  }
  nextCase += problems.size();
  if (failed(compiled))
    return addFailure(problems.front(),
                      "cannot compile: " + compiler.getErrors().getError(),
                      compiler.getFailureCode());
  for (auto [problem, kernel] :
       llvm::zip_equal(problems, compiled->getKernels()))
    run(problem, *compiled, kernel, time.count() / double(problems.size()));
}

void ProblemRunner::flush() {
  std::vector<Problem> fitting;
  for (const Problem &problem : batch) {
    if (auto shortage = checkMemoryFor(describeProblem(problem), options.check))
      addFailure(problem, *shortage);
    else
      fitting.push_back(problem);
  }
  batch.clear();
  if (!fitting.empty())
    compileAndRun(fitting);
}

/// Calls `function` with `problem` in every permutation of its layouts.
static void forEachLayout(const Problem &problem,
                          function_ref<void(const Problem &)> function) {
  Problem permuted = problem;
  for (const std::string &input :
       ::convoy::permutations(problem.layouts.input.letters()))
    for (const std::string &filter :
         ::convoy::permutations(problem.layouts.filter.letters()))
      for (const std::string &output :
           ::convoy::permutations(problem.layouts.output.letters())) {
        permuted.layouts = {Layout::fromLetters(input),
                            Layout::fromLetters(filter),
                            Layout::fromLetters(output)};
        function(permuted);
      }
}

void mlir::convoy::runProblems(Compiler &compiler, const Options &options,
                               const std::vector<Problem> &problems,
                               Report &report) {
  bool hasValues = !options.inputs.empty() || !options.outputs.empty();
  if (hasValues && (problems.size() != 1 || options.allLayouts))
    return report.addError("expected one problem with '--input' or "
                           "'--output', but got more",
                           ExitCode::BadInput);
  ProblemRunner runner(compiler, options, report);
  for (const Problem &problem : problems) {
    if (options.allLayouts)
      forEachLayout(problem, [&](const Problem &one) { runner.add(one); });
    else
      runner.add(problem);
  }
  runner.flush();
}
