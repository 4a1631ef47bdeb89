//===- TestObject.cpp - Objects on random integers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/TestObject.h"

#include "convoy/Driver/ChildProcess.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;

/// Runs kernel `name` of `object`; returns what is wrong, or "".
static std::string runKernelOf(MLIRContext *context, StringRef object,
                               ArrayRef<KernelInterface> kernels,
                               StringRef name, const CheckedConv &conv) {
  FirstErrorHandler errors(context);
  FailureOr<CPUModule> functions = CPUModule::loadObject(
      llvm::MemoryBuffer::getMemBufferCopy(object), llvm::to_vector(kernels),
      [&] { return emitError(UnknownLoc::get(context)); });
  if (failed(functions))
    return errors.getError();
  CompiledModule compiled(std::move(*functions));
  ::convoy::Device device;
  ::convoy::Status status = openTarget("cpu", device);
  LoadedModule loaded(compiled, device);
  if (status.ok())
    status = loaded.load();
  if (!status.ok())
    return status.text;
  CheckOptions options;
  // A copy of a process has one thread.
  options.threads = 1;
  IdentityResult result =
      runIdentityTest(conv, LoadedKernel{loaded, compiled.getKernel(name)},
                      generateArguments(conv, options), options)[0];
  return result.error.empty() ? result.fault : result.error;
}

/// The kernels that pack arguments of others.
static llvm::StringSet<> getPackers(ArrayRef<KernelInterface> kernels) {
  llvm::StringSet<> packers;
  for (const KernelInterface &kernel : kernels)
    for (const KernelArgument &argument : kernel.arguments)
      if (!argument.packer.empty())
        packers.insert(argument.packer);
  return packers;
}

/// What runs can tell of kernel `name`, which is compiled of `problems`.
static std::optional<IdentityTest>
plan(StringRef name, const KernelInterface &kernel,
     const KernelProblems &problems, CheckedConv &conv, std::string &reason) {
  auto known = problems.find(name);
  const auto *problem = known == problems.end()
                            ? nullptr
                            : std::get_if<::convoy::Problem>(&known->second);
  if (!problem || !problem->dynamic.empty()) {
    reason = "runs on integers say nothing of kernels other than those of a "
             "convolution's text without dynamic sizes";
    return std::nullopt;
  }
  if (usesWinograd(kernel)) {
    reason = "runs on integers say nothing of Winograd's algorithm, whose sums "
             "are not exact";
    return std::nullopt;
  }
  conv = describeProblem(*problem);
  return planIdentityTest(conv, reason);
}

ObjectTest mlir::convoy::testObject(MLIRContext *context, StringRef object,
                                    ArrayRef<KernelInterface> kernels,
                                    const KernelProblems &problems) {
  // Large layers take seconds.
  constexpr unsigned MostSeconds = 600;
  ObjectTest result;
  llvm::StringSet<> packers = getPackers(kernels);
  for (const KernelInterface &kernel : kernels) {
    if (packers.contains(kernel.name))
      continue;
    CheckedConv conv;
    std::string reason, error;
    auto stop = [&](ExitCode code, const std::string &text) {
      result.code = code;
      result.reason = "'" + kernel.name + "': " + text;
      return result;
    };
    std::optional<IdentityTest> test =
        plan(kernel.name, kernel, problems, conv, reason);
    if (!test)
      return stop(ExitCode::Undecided, reason);
    std::optional<ChildOutcome> outcome = runInChild(
        MostSeconds,
        [&](TextSender &sender) {
          sender.send(runKernelOf(context, object, kernels, kernel.name, conv));
        },
        error);
    if (!outcome)
      return stop(ExitCode::Undecided, error);
    if (!outcome->crash.empty())
      return stop(ExitCode::WrongNumbers,
                  "a run on random integers " + outcome->crash);
    if (const std::string &wrong = outcome->texts.front(); !wrong.empty())
      return stop(ExitCode::WrongNumbers, wrong);
    result.kernels.emplace_back(kernel.name, *test);
  }
  return result;
}
