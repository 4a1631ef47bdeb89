//===- RunFile.cpp - Runs a function of an IR file --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Driver/RunKernel.h"

#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

namespace {
class FileRunner {
public:
  FileRunner(Compiler &compiler, const Options &options, Report &report)
      : compiler(compiler), options(options), report(report) {}

  void run(bool hasDevice);

private:
  void fail(const std::string &sentence) {
    report.addError(sentence, BadInput);
  }
  bool load();
  bool findFunction();
  bool prepareArguments(const KernelInterface &kernel);
  void runKernelOf(const CPUModule &compiled, const KernelInterface &kernel);

  Compiler &compiler;
  const Options &options;
  Report &report;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::string functionName;
  std::optional<CheckedConv> conv;
  std::string mismatch; ///< why there is no `conv`
  std::vector<HostArray> arguments;
  double compileSeconds = 0;
};
} // namespace

bool FileRunner::load() {
  std::string stem = llvm::sys::path::stem(options.input).str() + ".import";
  module =
      importModule(compiler.getContext(), options.input, [&](PassManager &pm) {
        return compiler.configure(pm, stem);
      });
  if (!module)
    fail(compiler.getErrors().getError());
  return bool(module);
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
    fail(options.input + ": expected a public function '" + options.function +
         "', but got " + (names.empty() ? "none" : names));
  else
    fail(options.input +
         ": expected one public function or '--function', but "
         "got " +
         (names.empty() ? "none" : names));
  return false;
}

bool FileRunner::prepareArguments(const KernelInterface &kernel) {
  std::optional<std::vector<HostArray>> inputs = readInputs(options, report);
  if (!inputs)
    return false;
  std::string error;
  if (inputs->empty() && conv) {
    arguments = generateArguments(*conv, getCheckOptions(options));
    for (auto [array, argument] : llvm::zip_equal(arguments, kernel.arguments))
      array.shape = cast<RankedTensorType>(argument.type).getShape().vec();
    return true;
  }
  if (arrangeArguments(kernel, conv ? &*conv : nullptr, std::move(*inputs),
                       arguments, error))
    return true;
  fail(options.input + ": " + error);
  return false;
}

void FileRunner::runKernelOf(const CPUModule &compiled,
                             const KernelInterface &kernel) {
  void *address = compiled.lookup(kernel.name);
  std::vector<HostArray> results;
  CaseResult result;
  result.name = options.input + ":" + functionName;
  result.target = "cpu";
  result.compileSeconds = compileSeconds;
  result.isChecked = options.check;
  int64_t workspaceBytes = kernel.workspaceBytes.value_or(0);
  if (conv) {
    bool isExact =
        options.inputs.empty() && options.data == ::convoy::DataKind::Int;
    result.multiplyAdds = conv->shape.multiplyAdds();
    result.result =
        checkKernel(*conv, kernel, address, workspaceBytes, arguments,
                    getCheckOptions(options), isExact, &results);
  } else {
    KernelOutcome outcome = runKernel(kernel, address, workspaceBytes,
                                      arguments, int(options.runs));
    result.result.error = outcome.error;
    result.result.faults = outcome.faults;
    result.result.seconds = outcome.seconds;
    results = std::move(outcome.results);
  }
  if (result.result.error.empty())
    writeOutputs(options, results, report);
  report.add(result);
}

void FileRunner::run(bool hasDevice) {
  if (!load() || !findFunction())
    return;
  conv = matchConvolution(function, mismatch);
  if (options.check && !conv)
    return fail(options.input + ": cannot check '" + functionName +
                "': " + mismatch);
  if (!hasDevice)
    return;
  if (conv)
    if (auto shortage = checkMemoryFor(*conv, options.check))
      return fail(options.input + ": " + *shortage);
  auto start = std::chrono::steady_clock::now();
  FailureOr<CPUModule> compiled = compiler.compile(*module, functionName);
  compileSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (failed(compiled))
    return fail(compiler.getErrors().getError());
  for (const KernelInterface &kernel : compiled->getKernels())
    if (kernel.name == functionName && prepareArguments(kernel))
      runKernelOf(*compiled, kernel);
}

void mlir::convoy::runFile(Compiler &compiler, const Options &options,
                           bool hasDevice, Report &report) {
  FileRunner(compiler, options, report).run(hasDevice);
}
