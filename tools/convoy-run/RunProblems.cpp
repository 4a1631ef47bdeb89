//===- RunProblems.cpp - Runs problems --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionRunner.h"

#include "convoy/Driver/KernelSymbols.h"

#include "llvm/ADT/StringExtras.h"

#include <memory>
#include <utility>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::AnyProblem;
using ::convoy::HostArray;
using ::convoy::Layout;
using ::convoy::Problem;

namespace {
/// A run of a problem's kernel.
struct ProblemRun {
  /// The problem, with the sizes that the kernel runs on.
  Problem problem;
  ::convoy::DataKind data;
  std::string name; ///< words that repeat it
};

/// A problem and what its kernel runs on.
struct ProblemCase {
  Problem problem;
  std::vector<ProblemRun> runs;
};

/// Compiles problems a batch at a time and runs each.
class ProblemRunner {
public:
  ProblemRunner(Compiler &compiler, const Options &options,
                ArrayRef<OpenTarget> targets, Report &report)
      : compiler(compiler), options(options), targets(targets), report(report),
        batchSize(options.allLayouts ? 32 : 1) {}

  void add(const Problem &problem);
  void flush();

private:
  using Modules = std::vector<ThreadModules>;

  /// The modules for `target`, or nothing and what is wrong in `failure`.
  ThreadModules compile(ArrayRef<ProblemCase> cases, const OpenTarget &target,
                        LoadFailure &failure);
  /// Runs kernel `number` of `modules` again, as often as it should.
  void repeat(const CheckedConv &conv, const ThreadModules &modules,
              size_t number, const std::vector<HostArray> &arguments,
              CheckResult &result);
  void compileAndRun(ArrayRef<ProblemCase> cases);
  /// Runs kernel `number` of each of `modules`, which have `batch` kernels.
  /// Whether all devices are still there.
  bool run(const ProblemRun &run, const Modules &modules, size_t number,
           size_t batch);
  /// The arguments as the user gave them, or generated.
  bool makeArguments(const CheckedConv &conv, const KernelInterface &kernel,
                     const CheckOptions &check,
                     std::vector<HostArray> &arguments, std::string &error);
  CaseResult makeResult(const ProblemRun &run, const OpenTarget &target);
  void addFailure(const ProblemRun &run, const OpenTarget &target,
                  const std::string &error, ExitCode code = ExitCode::BadInput);
  /// The same on all targets.
  void addFailure(const ProblemRun &run, const std::string &error);

  Compiler &compiler;
  const Options &options;
  ArrayRef<OpenTarget> targets;
  Report &report;
  size_t batchSize;
  std::vector<ProblemCase> batch;
  int64_t nextCase = 0;
};
} // namespace

CaseResult ProblemRunner::makeResult(const ProblemRun &run,
                                     const OpenTarget &target) {
  CaseResult result;
  result.name = run.name;
  for (StringRef word : llvm::split(result.name, ' '))
    result.words.push_back(word.str());
  result.target = target.name;
  result.isChecked = options.check;
  return result;
}

void ProblemRunner::addFailure(const ProblemRun &run, const OpenTarget &target,
                               const std::string &error, ExitCode code) {
  CaseResult result = makeResult(run, target);
  result.result.errorCode = code;
  result.result.error = error;
  report.add(result);
}

void ProblemRunner::addFailure(const ProblemRun &run,
                               const std::string &error) {
  report.start(run.name);
  for (const OpenTarget &target : targets)
    addFailure(run, target, error);
}

/// `kernel` as it is called for the sizes of `conv`.
static KernelInterface fixSizes(KernelInterface kernel,
                                const CheckedConv &conv) {
  for (auto [argument, shape] : llvm::zip_equal(kernel.arguments, conv.shapes))
    argument.type = cast<RankedTensorType>(argument.type).clone(shape);
  return kernel;
}

bool ProblemRunner::makeArguments(const CheckedConv &conv,
                                  const KernelInterface &kernel,
                                  const CheckOptions &check,
                                  std::vector<HostArray> &arguments,
                                  std::string &error) {
  if (!options.inputs.empty()) {
    std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
    return inputs && arrangeArguments(fixSizes(kernel, conv), &conv,
                                      std::move(*inputs), {}, arguments, error);
  }
  arguments = generateArguments(conv, check);
  return true;
}

bool ProblemRunner::run(const ProblemRun &run, const Modules &modules,
                        size_t number, size_t batch) {
  report.start(run.name);
  CheckedConv conv = describeProblem(run.problem);
  std::vector<LoadedKernel> kernels;
  for (const ThreadModules &target : modules)
    kernels.push_back({target.front()->loaded,
                       target.front()->compiled.getKernels()[number]});
  std::vector<HostArray> arguments;
  std::vector<CheckResult> results(kernels.size());
  CheckOptions check = getCheckOptions(options, run.data);
  std::string error;
  const LoadedKernel &first = kernels.front();
  if (!checkOutputs(options, 1, report))
    return true;
  if (makeArguments(conv,
                    first.module.getCompiled().getUnpacked(first.interface),
                    check, arguments, error)) {
    results = checkKernels(conv, kernels, arguments, check);
    for (auto [target, result] : llvm::zip_equal(modules, results))
      repeat(conv, target, number, arguments, result);
  } else if (error.empty()) {
    return true; // The report has it.
  }
  bool areThere = true;
  for (auto [target, checked] : llvm::zip_equal(modules, results)) {
    const TargetModule *module = target.front().get();
    CaseResult result = makeResult(run, module->target);
    result.multiplyAdds = run.problem.shape.multiplyAdds();
    result.compileSeconds = module->compileSeconds / double(batch);
    result.result = std::move(checked);
    if (!error.empty())
      result.result.error = error;
    if (result.result.error.empty())
      writeOutputs(options, module->target.name, result.result.results, report);
    areThere &= result.result.error.empty() ||
                result.result.errorCode != ExitCode::NoDevice;
    report.add(result);
  }
  return areThere;
}

ThreadModules ProblemRunner::compile(ArrayRef<ProblemCase> cases,
                                     const OpenTarget &target,
                                     LoadFailure &failure) {
  std::vector<Problem> problems;
  for (const ProblemCase &one : cases)
    problems.push_back(one.problem);
  std::string prefix = "conv" + std::to_string(nextCase);
  auto makeModule = [&] {
    return buildModule(compiler.getContext(), problems, prefix + "_");
  };
  return compileForThreads(compiler, options, target, makeModule, prefix,
                           failure);
}

void ProblemRunner::repeat(const CheckedConv &conv,
                           const ThreadModules &modules, size_t number,
                           const std::vector<HostArray> &arguments,
                           CheckResult &result) {
  std::vector<LoadedKernel> kernels;
  for (const std::unique_ptr<TargetModule> &module : modules)
    kernels.push_back({module->loaded, module->compiled.getKernels()[number]});
  auto getPlace = [&](size_t, const HostArray &, int64_t position) {
    return conv.getPlace(position).text;
  };
  repeatKernels(options, getPlace, kernels, arguments, result);
}

void ProblemRunner::compileAndRun(ArrayRef<ProblemCase> cases) {
  Modules modules;
  for (const OpenTarget &target : targets) {
    report.start(cases.front().runs.front().name);
    LoadFailure failure;
    ThreadModules compiled = compile(cases, target, failure);
    if (compiled.empty() && cases.size() > 1) {
      // One of them is at fault: the others still run.
      for (const ProblemCase &one : cases)
        compileAndRun(one);
      return;
    }
    if (!compiled.empty()) {
      modules.push_back(std::move(compiled));
      continue;
    }
    for (const ProblemRun &run : cases.front().runs)
      addFailure(run, target, failure.error, failure.code);
  }
  nextCase += cases.size();
  if (modules.empty())
    return;
  for (auto [number, one] : llvm::enumerate(cases))
    for (auto [runNumber, oneRun] : llvm::enumerate(one.runs)) {
      if (run(oneRun, modules, number, cases.size()))
        continue;
      // A device that was lost is opened anew, but its modules are not.
      modules.clear();
      std::vector<ProblemCase> others = cases.drop_front(number).vec();
      others.front().runs.erase(others.front().runs.begin(),
                                others.front().runs.begin() + runNumber + 1);
      if (others.front().runs.empty())
        others.erase(others.begin());
      return others.empty() ? void() : compileAndRun(others);
    }
}

void ProblemRunner::add(const Problem &problem) {
  ProblemCase added{problem, {}};
  auto addRuns = [&](const Problem &sized, const std::string &name) {
    auto shortage = checkMemoryFor(describeProblem(sized), options.check);
    for (::convoy::DataKind data : options.dataKinds) {
      ProblemRun run = {sized, data, name + getDataWord(options, data)};
      if (shortage)
        addFailure(run, *shortage);
      else
        added.runs.push_back(run);
    }
  };
  std::string text = ::convoy::toString(problem);
  if (options.sizes.empty())
    addRuns(problem, text);
  for (const std::vector<int64_t> &sizes : options.sizes) {
    std::string name = text + " " + getSizesOption(sizes), error;
    if (std::optional<Problem> sized = withSizes(problem, sizes, error))
      addRuns(*sized, name);
    else
      addFailure({problem, options.dataKinds.front(), name}, error);
  }
  if (added.runs.empty())
    return;
  batch.push_back(std::move(added));
  if (batch.size() == batchSize)
    flush();
}

void ProblemRunner::flush() {
  std::vector<ProblemCase> cases = std::exchange(batch, {});
  if (!cases.empty())
    compileAndRun(cases);
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

/// Checks that the options go with `problems`.
static bool checkOptions(const Options &options,
                         const std::vector<AnyProblem> &problems,
                         std::string &error) {
  bool hasValues = !options.inputs.empty() || !options.outputs.empty();
  if (hasValues &&
      (problems.size() != 1 || options.allLayouts || options.sizes.size() > 1))
    return fail(error, "expected one problem with '--input' or '--output', but "
                       "got more");
  for (const AnyProblem &problem : problems) {
    const auto *conv = std::get_if<Problem>(&problem);
    if (!options.sizes.empty() && (!conv || conv->dynamic.empty()))
      return fail(error, "expected '--dynamic' with '--sizes', but got '" +
                             toString(problem) + "'");
    if (!conv && options.allLayouts)
      return fail(error, "'--layouts' is for convolutions, but got '" +
                             toString(problem) + "'");
  }
  return true;
}

/// Runs a problem as the function that it is: one that is no convolution, or
/// whose sums the ranges of its arguments decide.
static void runAsFunction(Compiler &compiler, const Options &options,
                          ArrayRef<OpenTarget> targets,
                          const AnyProblem &problem, Report &report) {
  std::string error;
  OwningOpRef<ModuleOp> module =
      buildRangedModule(compiler.getContext(), problem,
                        getStandardName(problem).str(), options.ranges, error);
  if (!module)
    return report.addError(error, ExitCode::BadInput);
  auto function = *module->getOps<func::FuncOp>().begin();
  FunctionRunner(compiler, options, targets, report, &problem).run(function);
}

void mlir::convoy::runProblems(Compiler &compiler, const Options &options,
                               ArrayRef<OpenTarget> targets,
                               const std::vector<AnyProblem> &problems,
                               Report &report) {
  std::string error;
  if (!checkOptions(options, problems, error) ||
      !checkProblemRanges(compiler.getContext(), problems, options.ranges,
                          error))
    return report.addError(error, ExitCode::BadInput);
  auto forEachCase = [&](function_ref<void(const Problem &)> runConv,
                         function_ref<void(const AnyProblem &)> runOther) {
    for (const AnyProblem &problem : problems) {
      const auto *conv = std::get_if<Problem>(&problem);
      if (!conv)
        runOther(problem);
      else if (options.allLayouts)
        forEachLayout(*conv, runConv);
      else
        runConv(*conv);
    }
  };
  size_t numCases = 0;
  forEachCase([&](const Problem &) { ++numCases; },
              [&](const AnyProblem &) { ++numCases; });
  report.expect(numCases * options.countRuns(), targets.size());
  ProblemRunner runner(compiler, options, targets, report);
  auto runOther = [&](const AnyProblem &problem) {
    runner.flush();
    runAsFunction(compiler, options, targets, problem, report);
  };
  forEachCase(
      [&](const Problem &problem) {
        options.ranges.empty() ? runner.add(problem) : runOther(problem);
      },
      runOther);
  runner.flush();
}
