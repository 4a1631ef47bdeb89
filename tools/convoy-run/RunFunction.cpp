//===- RunFunction.cpp - Runs a function of an IR file ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionRunner.h"

#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Memory.h"
#include "convoy/Driver/ProblemInputs.h"
#include "convoy/Driver/RunKernel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <memory>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

bool FunctionRunner::import(func::FuncOp given) {
  functionName = given.getSymName().str();
  module = cast<ModuleOp>(given->getParentOp()).clone();
  keepFunction(*module, functionName);
  std::string stem =
      problem ? functionName : llvm::sys::path::stem(source).str();
  stem += ".import";
  compiler.getErrors().clear();
  bool isImported = succeeded(importModule(
      *module, [&](PassManager &pm) { return compiler.configure(pm, stem); }));
  if (!isImported)
    return fail(compiler.getErrors().getError(), compiler.getFailureCode());
  function = module->lookupSymbol<func::FuncOp>(functionName);
  // What is expected depends on the type of sums.
  return succeeded(applyPrecision(*module, options)) ||
         fail(compiler.getErrors().getError(), compiler.getFailureCode());
}

bool FunctionRunner::fillShapes(const ::convoy::Problem &conv,
                                ArrayRef<int64_t> sizes, Case &fileCase) {
  std::string error;
  fileCase.problem = conv;
  if (!sizes.empty())
    fileCase.problem = withSizes(conv, sizes, error);
  if (!fileCase.problem)
    return fail(source + ": " + error);
  CheckedConv described = describeProblem(*fileCase.problem);
  fileCase.shapes = described.shapes;
  fileCase.shapes.pop_back(); // the result's
  if (auto shortage = checkMemoryFor(described, options.check))
    return fail(source + ": " + *shortage);
  return true;
}

bool FunctionRunner::fillShapes(ArrayRef<int64_t> sizes, Case &fileCase) {
  if (problem)
    if (const auto *conv = std::get_if<::convoy::Problem>(problem))
      return fillShapes(*conv, sizes, fileCase);
  size_t expected = mlir::convoy::fillShapes(function, sizes, fileCase.shapes);
  if (sizes.empty() && expected > 0)
    return fail(source + ": expected '--input' or '--sizes' for the " +
                std::to_string(expected) + " dynamic sizes of '" +
                functionName + "'");
  return expected == sizes.size() ||
         fail(source + ": expected " + std::to_string(expected) +
              " dynamic sizes of '" + functionName + "', but got " +
              std::to_string(sizes.size()));
}

std::string FunctionRunner::getCaseName(ArrayRef<int64_t> sizes,
                                        ::convoy::DataKind data) {
  std::string name = problem ? source : source + ":" + given.getSymName().str();
  if (!sizes.empty()) {
    name += ' ';
    name += getSizesOption(sizes);
  }
  return name + getDataWord(options, data);
}

void FunctionRunner::addCase(Case fileCase, ArrayRef<int64_t> sizes,
                             ::convoy::DataKind data) {
  fileCase.name = getCaseName(sizes, data);
  fileCase.data = data;
  if (problem)
    for (StringRef word : llvm::split(source, ' '))
      fileCase.words.push_back(word.str());
  else
    fileCase.words = {source, "--function=" + functionName};
  if (!sizes.empty())
    fileCase.words.push_back(getSizesOption(sizes));
  if (std::string word = getDataWord(options, data); !word.empty())
    fileCase.words.push_back(StringRef(word).ltrim().str());
  cases.push_back(std::move(fileCase));
}

bool FunctionRunner::makeCases() {
  if (!options.inputs.empty()) {
    std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
    if (!inputs)
      return false;
    Case fileCase;
    for (const HostArray &input : *inputs)
      fileCase.shapes.push_back(input.shape);
    fileCase.inputs = std::move(*inputs);
    if (!analyze(fileCase))
      return false;
    addCase(std::move(fileCase), {}, options.dataKinds.front());
    return true;
  }
  std::vector<std::vector<int64_t>> allSizes = options.sizes;
  if (allSizes.empty())
    allSizes.emplace_back();
  for (const std::vector<int64_t> &sizes : allSizes) {
    Case fileCase;
    if (!fillShapes(sizes, fileCase) || !analyze(fileCase))
      return false;
    for (::convoy::DataKind data : options.dataKinds)
      addCase(fileCase, sizes, data);
  }
  return true;
}

bool FunctionRunner::analyze(Case &fileCase) {
  fileCase.resultShapes.resize(function.getNumResults());
  // Inputs that do not fit are reported when the kernel's arguments are known.
  if (!fitShapes(function, fileCase.shapes))
    return true;
  compiler.getErrors().clear();
  FailureOr<SpecializedFunction> specialized =
      SpecializedFunction::create(function, fileCase.shapes);
  if (failed(specialized))
    return fail(compiler.getErrors().getError());
  for (auto [number, shape] : llvm::enumerate(fileCase.resultShapes))
    if (isa<RankedTensorType>(function.getResultTypes()[number]))
      shape = specialized->getResultShape(number);
  std::string mismatch;
  fileCase.conv = matchConvolution(specialized->get(), mismatch);
  bool isSpecial =
      llvm::is_contained(options.dataKinds, ::convoy::DataKind::Special);
  if (!fileCase.conv && !problem && isSpecial && options.inputs.empty())
    return fail(source +
                ": '--data=special' is for functions that are one "
                "convolution, which '" +
                functionName + "' is not: " + mismatch);
  if (fileCase.conv)
    if (auto shortage = checkMemoryFor(*fileCase.conv, options.check))
      return fail(source + ": " + *shortage);
  return true;
}

CheckOptions FunctionRunner::getOptions(const Case &fileCase) {
  CheckOptions check = getCheckOptions(options, fileCase.data);
  noteDeclaredRanges(function, check);
  return check;
}

std::optional<std::vector<HostArray>>
FunctionRunner::generate(const Case &fileCase, std::string &error) {
  if (fileCase.problem) {
    std::vector<HostArray> arguments = generateArguments(
        describeProblem(*fileCase.problem), getOptions(fileCase));
    arguments.pop_back(); // the result
    return arguments;
  }
  if (problem)
    return generateProblemInputs(*problem, function, fileCase.data,
                                 options.seed, error);
  return generateInputs(function, fileCase.shapes, getOptions(fileCase), error);
}

bool FunctionRunner::keepRanges(const CheckOptions &check,
                                std::vector<HostArray> &inputs) {
  std::string error;
  return keepDeclaredRanges(function, inputs, check, error) ||
         fail(source + ": " + error);
}

bool FunctionRunner::prepareArguments(const KernelInterface &kernel,
                                      const Case &fileCase,
                                      std::vector<HostArray> &arguments) {
  CheckOptions check = getOptions(fileCase);
  if (fileCase.inputs.empty() && fileCase.conv) {
    arguments = generateArguments(*fileCase.conv, check);
    ArgumentShapes shapes = fileCase.shapes;
    shapes.push_back(*fileCase.resultShapes[0]);
    for (auto [array, shape] : llvm::zip_equal(arguments, shapes))
      array.shape = shape;
    return keepRanges(check, arguments);
  }
  std::string error;
  std::optional<std::vector<HostArray>> inputs = fileCase.inputs;
  if (inputs->empty() && options.inputs.empty())
    inputs = generate(fileCase, error);
  if (!inputs)
    return fail(source + ": " + error);
  if (!keepRanges(check, *inputs))
    return false;
  return arrangeArguments(kernel, fileCase.conv ? &*fileCase.conv : nullptr,
                          std::move(*inputs), fileCase.resultShapes, arguments,
                          error) ||
         fail(source + ": " + error);
}

/// Runs `kernels` without a look at numbers.
static std::vector<CheckResult>
runKernels(ArrayRef<LoadedKernel> kernels,
           const std::vector<HostArray> &arguments, int runs) {
  std::vector<CheckResult> results;
  for (const LoadedKernel &kernel : kernels)
    results.push_back(runUncompared(kernel, arguments, runs));
  return results;
}

/// Says of those of `results` that are right so far that no drawn integers can
/// tell more.
static void refuseIdentityTest(std::vector<CheckResult> &results) {
  for (CheckResult &result : results) {
    if (!result.error.empty() || !result.faults.empty())
      continue;
    result.errorCode = ExitCode::Undecided;
    result.error = "runs on integers say nothing of functions other than one "
                   "convolution of their arguments";
  }
}

/// Whether convolutions of `function` sum in types that it did not name before
/// policies were applied.
static bool sumsInNarrowTypes(func::FuncOp function) {
  return function
      .walk([](ConvolutionOpInterface op) {
        return op.getNumerics().getPolicy() == Policy::Low
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void FunctionRunner::compare(ArrayRef<LoadedKernel> kernels,
                             const std::vector<HostArray> &arguments,
                             const CheckOptions &checkOptions,
                             std::vector<CheckResult> &results) {
  FunctionReference reference(sumsInNarrowTypes(function) ? function : given,
                              checkOptions.hasRandomSigns());
  for (auto [kernel, chosen, result] :
       llvm::zip_equal(kernels, algorithms, results)) {
    if (!result.error.empty() || !result.faults.empty())
      continue;
    TargetMath target = {result.arithmetic, isVulkan(kernel.getTarget())};
    std::optional<FunctionReference> ofAlgorithms;
    if (chosen)
      ofAlgorithms.emplace(chosen->lookupSymbol<func::FuncOp>(functionName),
                           checkOptions.hasRandomSigns(),
                           /*followsAlgorithms=*/true);
    auto report = (ofAlgorithms ? *ofAlgorithms : reference)
                      .compare(arguments, result.results, target,
                               !options.report.empty());
    // What was compared with the convolution alone says more where it is right.
    bool isCompared = result.report.elements > 0;
    if (isCompared && (report.passed() || !report.refusal.empty()))
      continue;
    result.report = report;
    result.error = report.refusal.empty() ? ""
                                          : "cannot check '" + functionName +
                                                "': " + report.refusal;
  }
}

std::vector<CheckResult>
FunctionRunner::check(ArrayRef<LoadedKernel> kernels, const Case &fileCase,
                      const std::vector<HostArray> &arguments) {
  // Above, the reference of convolutions takes a small part of the time.
  constexpr double MostInterpretedTerms = 1 << 24;
  const CheckedConv *conv = fileCase.conv ? &*fileCase.conv : nullptr;
  CheckOptions checkOptions = getOptions(fileCase);
  std::vector<CheckResult> results =
      conv ? checkKernels(*conv, kernels, arguments, checkOptions)
           : runKernels(kernels, arguments, int(options.runs));
  if (options.deep && !conv)
    refuseIdentityTest(results);
  // The interpreter does not know where targets multiply padding by infinities.
  bool isInterpreted =
      !conv || (conv->shape.multiplyAdds() <= MostInterpretedTerms &&
                fileCase.data != ::convoy::DataKind::Special);
  if (options.check && isInterpreted)
    compare(kernels, arguments, checkOptions, results);
  if (problem && checkOptions.isExact())
    compareTargets(kernels, results);
  repeat(arguments, results);
  return results;
}

void FunctionRunner::repeat(const std::vector<HostArray> &arguments,
                            std::vector<CheckResult> &results) {
  auto getPlace = [](size_t number, const HostArray &array, int64_t position) {
    return getResultPlace(number, position, array.shape).text;
  };
  for (auto [modules, result] : llvm::zip_equal(compiled, results)) {
    std::vector<LoadedKernel> repeated;
    for (const std::unique_ptr<TargetModule> &module : modules)
      repeated.push_back(
          {module->loaded, module->compiled.getKernel(functionName)});
    repeatKernels(options, getPlace, repeated, arguments, result);
  }
}

CaseResult FunctionRunner::makeResult(const Case &fileCase,
                                      const OpenTarget &target) {
  CaseResult result;
  result.name = fileCase.name;
  result.words = fileCase.words;
  result.target = target.name;
  result.isChecked = options.check;
  return result;
}

/// How many results of `kernel` are no traced values; these come first.
static size_t countOwnResults(const KernelInterface &kernel) {
  return llvm::count_if(kernel.arguments, [](const KernelArgument &argument) {
    return argument.isWritten && !argument.isTraced;
  });
}

::convoy::NamedArrays FunctionRunner::takeTraces(const KernelInterface &kernel,
                                                 CheckResult &result) {
  ::convoy::NamedArrays traces;
  if (!options.recordsTraces() || !result.error.empty())
    return traces;
  auto written = llvm::make_filter_range(
      kernel.arguments, [](const KernelArgument &a) { return a.isWritten; });
  for (auto [argument, value] : llvm::zip_equal(written, result.results))
    if (argument.isTraced)
      traces.emplace_back(argument.name, std::move(value));
  return traces;
}

void FunctionRunner::runCase(const Case &fileCase) {
  report.start(fileCase.name);
  for (const auto &[target, failure] : failures) {
    CaseResult result = makeResult(fileCase, *target);
    result.result.errorCode = failure.code;
    result.result.error = failure.error;
    report.add(result);
  }
  if (kernels.empty())
    return;
  std::vector<HostArray> arguments;
  const LoadedKernel &first = kernels.front();
  if (!checkOutputs(options, countOwnResults(first.interface), report) ||
      !prepareArguments(first.module.getCompiled().getUnpacked(first.interface),
                        fileCase, arguments))
    return;
  std::vector<CheckResult> results = check(kernels, fileCase, arguments);
  ::convoy::NamedArrays recorded;
  for (auto [modules, kernel, checked] :
       llvm::zip_equal(compiled, kernels, results)) {
    const TargetModule *module = modules.front().get();
    StringRef target = module->target.name;
    if (checked.error.empty())
      writeOutputs(options, target,
                   ArrayRef(checked.results)
                       .take_front(countOwnResults(kernel.interface)),
                   report);
    CaseResult result = makeResult(fileCase, module->target);
    result.traces = takeTraces(kernel.interface, checked);
    if (!options.traceDir.empty())
      for (const auto &[name, value] : result.traces)
        recorded.emplace_back(getNameOnTarget(options, target, name), value);
    result.compileSeconds = module->compileSeconds;
    if (fileCase.conv)
      result.multiplyAdds = fileCase.conv->shape.multiplyAdds();
    else if (fileCase.problem)
      result.multiplyAdds = fileCase.problem->shape.multiplyAdds();
    result.result = std::move(checked);
    report.add(result);
  }
  if (!options.traceDir.empty())
    writeTraces(options, recorded, report);
}

void FunctionRunner::compile() {
  for (const OpenTarget &target : targets) {
    report.start(cases.front().name);
    LoadFailure failure;
    ThreadModules made = compileForThreads(
        compiler, options, target,
        [&] { return OwningOpRef<ModuleOp>(module->clone()); }, functionName,
        failure);
    if (made.empty()) {
      failures.emplace_back(&target, std::move(failure));
      continue;
    }
    const TargetModule &first = *made.front();
    kernels.push_back({first.loaded, first.compiled.getKernel(functionName)});
    algorithms.push_back(compiler.chooseAlgorithms(target, *module));
    compiled.push_back(std::move(made));
  }
}

void FunctionRunner::run(func::FuncOp function) {
  given = function;
  report.start(getCaseName(options.sizes.empty() ? std::vector<int64_t>()
                                                 : options.sizes.front(),
                           options.dataKinds.front()));
  if (!import(given) || !makeCases())
    return;
  compile();
  for (const Case &fileCase : cases)
    runCase(fileCase);
}
