//===- RunProblems.cpp - Runs problems --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "convoy/Driver/CheckRepeats.h"

#include "llvm/ADT/StringExtras.h"

#include <memory>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::Layout;
using ::convoy::Problem;

namespace {
/// Compiles problems a batch at a time and runs each.
class ProblemRunner {
public:
  ProblemRunner(Compiler &compiler, const Options &options,
                ArrayRef<OpenTarget> targets, Report &report)
      : compiler(compiler), options(options), targets(targets), report(report),
        batchSize(options.allLayouts ? 32 : 1) {}

  void add(const Problem &problem) {
    batch.push_back(problem);
    if (batch.size() == batchSize)
      flush();
  }
  void flush();

private:
  /// A target's module for each number of threads, the first of which counts.
  using ThreadModules = std::vector<std::unique_ptr<TargetModule>>;
  using Modules = std::vector<ThreadModules>;

  /// The modules for `target`, or nothing and what is wrong in `failure`.
  ThreadModules compileForThreads(ArrayRef<Problem> problems,
                                  const OpenTarget &target,
                                  LoadFailure &failure);
  /// Runs kernel `number` of `modules` again, as often as it should.
  void repeat(const CheckedConv &conv, const ThreadModules &modules,
              size_t number, const std::vector<HostArray> &arguments,
              CheckResult &result);
  void compileAndRun(ArrayRef<Problem> problems);
  /// Runs kernel `number` of each of `modules`, which have `batch` kernels.
  /// Whether all devices are still there.
  bool run(const Problem &problem, const Modules &modules, size_t number,
           size_t batch);
  /// The arguments as the user gave them, or generated.
  bool makeArguments(const CheckedConv &conv, const KernelInterface &kernel,
                     std::vector<HostArray> &arguments, std::string &error);
  CaseResult makeResult(const Problem &problem, const OpenTarget &target);
  void addFailure(const Problem &problem, const OpenTarget &target,
                  const std::string &error, ExitCode code = ExitCode::BadInput);

  Compiler &compiler;
  const Options &options;
  ArrayRef<OpenTarget> targets;
  Report &report;
  size_t batchSize;
  std::vector<Problem> batch;
  int64_t nextCase = 0;
};
} // namespace

CaseResult ProblemRunner::makeResult(const Problem &problem,
                                     const OpenTarget &target) {
  CaseResult result;
  result.name = ::convoy::toString(problem);
  for (StringRef word : llvm::split(result.name, ' '))
    result.words.push_back(word.str());
  result.target = target.name;
  result.isChecked = options.check;
  return result;
}

void ProblemRunner::addFailure(const Problem &problem, const OpenTarget &target,
                               const std::string &error, ExitCode code) {
  CaseResult result = makeResult(problem, target);
  result.result.errorCode = code;
  result.result.error = error;
  report.add(result);
}

bool ProblemRunner::makeArguments(const CheckedConv &conv,
                                  const KernelInterface &kernel,
                                  std::vector<HostArray> &arguments,
                                  std::string &error) {
  if (!options.inputs.empty()) {
    std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
    return inputs && arrangeArguments(kernel, &conv, std::move(*inputs), {},
                                      arguments, error);
  }
  arguments = generateArguments(conv, getCheckOptions(options));
  for (auto [array, argument] : llvm::zip_equal(arguments, kernel.arguments))
    array.shape = cast<RankedTensorType>(argument.type).getShape().vec();
  return true;
}

bool ProblemRunner::run(const Problem &problem, const Modules &modules,
                        size_t number, size_t batch) {
  report.start(::convoy::toString(problem));
  CheckedConv conv = describeProblem(problem);
  std::vector<LoadedKernel> kernels;
  for (const ThreadModules &target : modules)
    kernels.push_back({target.front()->loaded,
                       target.front()->compiled.getKernels()[number]});
  std::vector<HostArray> arguments;
  std::vector<CheckResult> results(kernels.size());
  std::string error;
  const LoadedKernel &first = kernels.front();
  if (makeArguments(conv,
                    first.module.getCompiled().getUnpacked(first.interface),
                    arguments, error)) {
    results = checkKernels(conv, kernels, arguments, getCheckOptions(options));
    for (auto [target, result] : llvm::zip_equal(modules, results))
      repeat(conv, target, number, arguments, result);
    writeOutputs(options, results.front().results, report);
  }
  bool areThere = true;
  for (auto [target, checked] : llvm::zip_equal(modules, results)) {
    const TargetModule *module = target.front().get();
    CaseResult result = makeResult(problem, module->target);
    result.multiplyAdds = problem.shape.multiplyAdds();
    result.compileSeconds = module->compileSeconds / double(batch);
    result.result = std::move(checked);
    if (!error.empty())
      result.result.error = error;
    areThere &= result.result.error.empty() ||
                result.result.errorCode != ExitCode::NoDevice;
    report.add(result);
  }
  return areThere;
}

ProblemRunner::ThreadModules
ProblemRunner::compileForThreads(ArrayRef<Problem> problems,
                                 const OpenTarget &target,
                                 LoadFailure &failure) {
  ThreadModules modules;
  std::string prefix = "conv" + std::to_string(nextCase);
  for (int threads : options.threadCounts) {
    OwningOpRef<ModuleOp> module =
        buildModule(compiler.getContext(), problems, prefix + "_");
    auto compiled =
        compileAndLoad(compiler, target, threads, *module, prefix, failure);
    if (!compiled)
      return {};
    modules.push_back(std::move(compiled));
    // Other targets have threads of their own.
    if (target.name != "cpu")
      break;
  }
  return modules;
}

void ProblemRunner::repeat(const CheckedConv &conv,
                           const ThreadModules &modules, size_t number,
                           const std::vector<HostArray> &arguments,
                           CheckResult &result) {
  if (modules.size() == 1 && options.repeat == 1)
    return;
  std::vector<RepeatedKernel> kernels;
  for (auto [module, threads] : llvm::zip(modules, options.threadCounts))
    kernels.push_back(
        {{module->loaded, module->compiled.getKernels()[number]},
         std::to_string(threads) + (threads == 1 ? " thread" : " threads")});
  checkRepeats(conv, kernels, arguments, options.repeat, result);
}

void ProblemRunner::compileAndRun(ArrayRef<Problem> problems) {
  Modules modules;
  for (const OpenTarget &target : targets) {
    report.start(::convoy::toString(problems.front()));
    LoadFailure failure;
    ThreadModules compiled = compileForThreads(problems, target, failure);
    if (compiled.empty() && problems.size() > 1) {
      // One of them is at fault: the others still run.
      for (const Problem &problem : problems)
        compileAndRun(problem);
      return;
    }
    if (!compiled.empty())
      modules.push_back(std::move(compiled));
    else
      addFailure(problems.front(), target, failure.error, failure.code);
  }
  nextCase += problems.size();
  if (modules.empty())
    return;
  for (auto [number, problem] : llvm::enumerate(problems)) {
    if (run(problem, modules, number, problems.size()))
      continue;
    // A device that was lost is opened anew, but its modules are not.
    modules.clear();
    ArrayRef<Problem> others = problems.drop_front(number + 1);
    return others.empty() ? void() : compileAndRun(others);
  }
}

void ProblemRunner::flush() {
  std::vector<Problem> fitting;
  for (const Problem &problem : batch) {
    auto shortage = checkMemoryFor(describeProblem(problem), options.check);
    if (!shortage) {
      fitting.push_back(problem);
      continue;
    }
    report.start(::convoy::toString(problem));
    for (const OpenTarget &target : targets)
      addFailure(problem, target, *shortage);
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
                               ArrayRef<OpenTarget> targets,
                               const std::vector<Problem> &problems,
                               Report &report) {
  bool hasValues = !options.inputs.empty() || !options.outputs.empty();
  if (hasValues && (problems.size() != 1 || options.allLayouts))
    return report.addError("expected one problem with '--input' or "
                           "'--output', but got more",
                           ExitCode::BadInput);
  auto forEachCase = [&](function_ref<void(const Problem &)> function) {
    for (const Problem &problem : problems)
      if (options.allLayouts)
        forEachLayout(problem, function);
      else
        function(problem);
  };
  size_t numCases = 0;
  forEachCase([&](const Problem &) { ++numCases; });
  report.expect(numCases, targets.size());
  ProblemRunner runner(compiler, options, targets, report);
  forEachCase([&](const Problem &problem) { runner.add(problem); });
  runner.flush();
}
