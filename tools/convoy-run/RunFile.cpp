//===- RunFile.cpp - Runs a function of an IR file --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Driver/Specialize.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <memory>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

namespace {
/// One run of the function.
struct FileCase {
  std::string name;
  /// The user's values; empty where data is generated.
  std::vector<HostArray> inputs;
  ArgumentShapes shapes;
  std::optional<CheckedConv> conv;
  std::string mismatch; ///< why there is no `conv`
  std::vector<std::optional<std::vector<int64_t>>> resultShapes;
};

class FileRunner {
public:
  FileRunner(Compiler &compiler, const Options &options,
             ArrayRef<OpenTarget> targets, Report &report)
      : compiler(compiler), options(options), targets(targets), report(report) {
  }

  void run();

private:
  /// Always false.
  bool fail(const std::string &sentence, ExitCode code = ExitCode::BadInput) {
    report.addError(sentence, code);
    return false;
  }
  bool load();
  bool findFunction();
  /// The cases that the options ask for.
  bool makeCases();
  /// The shapes of arguments whose dynamic sizes are `sizes`.
  bool fillShapes(ArrayRef<int64_t> sizes, ArgumentShapes &shapes);
  /// Finds out what the function computes on the shapes of `fileCase`.
  bool analyze(FileCase &fileCase);
  bool prepareArguments(const KernelInterface &kernel, const FileCase &fileCase,
                        std::vector<HostArray> &arguments);
  /// Compiles the file for all targets; those that fail are reported.
  bool compile();
  /// The results of the function on the values or the data of `fileCase`.
  std::vector<CheckResult> check(ArrayRef<LoadedKernel> kernels,
                                 const FileCase &fileCase,
                                 const std::vector<HostArray> &arguments);
  void runCase(const FileCase &fileCase);

  Compiler &compiler;
  const Options &options;
  ArrayRef<OpenTarget> targets;
  Report &report;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::string functionName;
  std::vector<FileCase> cases;
  std::vector<std::unique_ptr<TargetModule>> compiled;
  std::vector<LoadedKernel> kernels; ///< the function's, in that order
};
} // namespace

bool FileRunner::load() {
  std::string stem = llvm::sys::path::stem(options.input).str() + ".import";
  module =
      importModule(compiler.getContext(), options.input, [&](PassManager &pm) {
        return compiler.configure(pm, stem);
      });
  return module ||
         fail(compiler.getErrors().getError(), compiler.getFailureCode());
}

bool FileRunner::findFunction() {
  SmallVector<func::FuncOp> found;
  std::string names;
  for (auto candidate : module->getOps<func::FuncOp>()) {
    if (candidate.isPrivate() || candidate.isDeclaration())
      continue;
    names += (names.empty() ? "" : ", ") + candidate.getSymName().str();
    if (options.function.empty() || candidate.getSymName() == options.function)
      found.push_back(candidate);
  }
  if (found.size() == 1) {
    function = found[0];
    functionName = function.getSymName().str();
    return true;
  }
  if (!options.function.empty())
    return fail(options.input + ": expected a public function '" +
                options.function + "', but got " +
                (names.empty() ? "none" : names));
  return fail(options.input +
              ": expected one public function or '--function', but got " +
              (names.empty() ? "none" : names));
}

bool FileRunner::fillShapes(ArrayRef<int64_t> sizes, ArgumentShapes &shapes) {
  size_t expected = 0;
  for (Type type : function.getArgumentTypes()) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    shape = tensor.getShape().vec();
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size) && expected++ < sizes.size())
        size = sizes[expected - 1];
  }
  if (sizes.empty() && expected > 0)
    return fail(options.input + ": expected '--input' or '--sizes' for the " +
                std::to_string(expected) + " dynamic sizes of '" +
                functionName + "'");
  return expected == sizes.size() ||
         fail(options.input + ": expected " + std::to_string(expected) +
              " dynamic sizes of '" + functionName + "', but got " +
              std::to_string(sizes.size()));
}

bool FileRunner::makeCases() {
  std::string name = options.input + ":" + functionName;
  if (!options.inputs.empty()) {
    std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
    if (!inputs)
      return false;
    FileCase &fileCase = cases.emplace_back();
    fileCase.name = name;
    for (const HostArray &input : *inputs)
      fileCase.shapes.push_back(input.shape);
    fileCase.inputs = std::move(*inputs);
    return analyze(fileCase);
  }
  std::vector<std::vector<int64_t>> allSizes = options.sizes;
  if (allSizes.empty())
    allSizes.emplace_back();
  for (const std::vector<int64_t> &sizes : allSizes) {
    FileCase &fileCase = cases.emplace_back();
    fileCase.name = name;
    if (!sizes.empty())
      fileCase.name += " --sizes=" +
                       llvm::join(llvm::map_range(sizes,
                                                  [](int64_t size) {
                                                    return std::to_string(size);
                                                  }),
                                  ",");
    if (!fillShapes(sizes, fileCase.shapes) || !analyze(fileCase))
      return false;
  }
  return true;
}

/// Whether arguments of `function` can have these shapes.
static bool fitShapes(func::FuncOp function, const ArgumentShapes &shapes) {
  return shapes.size() == function.getNumArguments() &&
         llvm::all_of(llvm::zip(function.getArgumentTypes(), shapes),
                      [](auto pair) {
                        auto [type, shape] = pair;
                        auto tensor = dyn_cast<RankedTensorType>(type);
                        return !tensor || succeeded(verifyCompatibleShape(
                                              tensor.getShape(), shape));
                      });
}

bool FileRunner::analyze(FileCase &fileCase) {
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
  fileCase.conv = matchConvolution(specialized->get(), fileCase.mismatch);
  if (options.check && !fileCase.conv)
    return fail(options.input + ": cannot check '" + functionName +
                "': " + fileCase.mismatch);
  if (fileCase.conv)
    if (auto shortage = checkMemoryFor(*fileCase.conv, options.check))
      return fail(options.input + ": " + *shortage);
  return true;
}

bool FileRunner::prepareArguments(const KernelInterface &kernel,
                                  const FileCase &fileCase,
                                  std::vector<HostArray> &arguments) {
  if (fileCase.inputs.empty() && fileCase.conv) {
    arguments = generateArguments(*fileCase.conv, getCheckOptions(options));
    ArgumentShapes shapes = fileCase.shapes;
    shapes.push_back(*fileCase.resultShapes[0]);
    for (auto [array, shape] : llvm::zip_equal(arguments, shapes))
      array.shape = shape;
    return true;
  }
  std::string error;
  return arrangeArguments(kernel, fileCase.conv ? &*fileCase.conv : nullptr,
                          fileCase.inputs, fileCase.resultShapes, arguments,
                          error) ||
         fail(options.input + ": " + error);
}

std::vector<CheckResult>
FileRunner::check(ArrayRef<LoadedKernel> kernels, const FileCase &fileCase,
                  const std::vector<HostArray> &arguments) {
  if (fileCase.conv) {
    bool isExact =
        fileCase.inputs.empty() && options.data == ::convoy::DataKind::Int;
    return checkKernels(*fileCase.conv, kernels, arguments,
                        getCheckOptions(options), isExact);
  }
  std::vector<CheckResult> results;
  for (const LoadedKernel &kernel : kernels) {
    KernelOutcome outcome = runKernel(kernel, arguments, int(options.runs));
    findUnwritten(outcome);
    CheckResult &result = results.emplace_back();
    result.error = outcome.error;
    result.errorCode = outcome.errorCode;
    result.faults = outcome.faults;
    result.seconds = outcome.seconds;
    result.results = std::move(outcome.results);
  }
  return results;
}

void FileRunner::runCase(const FileCase &fileCase) {
  std::vector<HostArray> arguments;
  const LoadedKernel &first = kernels.front();
  if (!prepareArguments(first.module.getCompiled().getUnpacked(first.interface),
                        fileCase, arguments))
    return;
  std::vector<CheckResult> results = check(kernels, fileCase, arguments);
  if (results.front().error.empty())
    writeOutputs(options, results.front().results, report);
  for (auto [module, checked] : llvm::zip_equal(compiled, results)) {
    CaseResult result;
    result.name = fileCase.name;
    result.target = module->target.name;
    result.compileSeconds = module->compileSeconds;
    result.isChecked = options.check;
    if (fileCase.conv)
      result.multiplyAdds = fileCase.conv->shape.multiplyAdds();
    result.result = std::move(checked);
    report.add(result);
  }
}

bool FileRunner::compile() {
  for (const OpenTarget &target : targets) {
    OwningOpRef<ModuleOp> clone = module->clone();
    LoadFailure failure;
    auto made = compileAndLoad(compiler, target, *clone, functionName, failure);
    if (!made) {
      fail(failure.error, failure.code);
      continue;
    }
    kernels.push_back({made->loaded, made->compiled.getKernel(functionName)});
    compiled.push_back(std::move(made));
  }
  return !kernels.empty();
}

void FileRunner::run() {
  if (!load() || !findFunction() || !makeCases() || !compile())
    return;
  for (const FileCase &fileCase : cases)
    runCase(fileCase);
}

void mlir::convoy::runFile(Compiler &compiler, const Options &options,
                           ArrayRef<OpenTarget> targets, Report &report) {
  FileRunner(compiler, options, targets, report).run();
}
