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

/// Runs kernel `name` of `object`.
static IdentityResult runKernelOf(MLIRContext *context, StringRef object,
                                  ArrayRef<KernelInterface> kernels,
                                  StringRef name, const CheckedConv &conv) {
  FirstErrorHandler errors(context);
  IdentityResult result;
  FailureOr<CPUModule> functions = CPUModule::loadObject(
      llvm::MemoryBuffer::getMemBufferCopy(object), llvm::to_vector(kernels),
      [&] { return emitError(UnknownLoc::get(context)); });
  if (failed(functions)) {
    result.error = errors.getError();
    return result;
  }
  CompiledModule compiled(std::move(*functions));
  ::convoy::Device device;
  ::convoy::Status status = openTarget("cpu", device);
  LoadedModule loaded(compiled, device);
  if (status.ok())
    status = loaded.load();
  if (!status.ok()) {
    result.error = status.text;
    return result;
  }
  CheckOptions options;
  // A copy of a process has one thread.
  options.threads = 1;
  return runIdentityTest(conv, LoadedKernel{loaded, compiled.getKernel(name)},
                         generateArguments(conv, options), options)[0];
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
static std::optional<IdentityTest> plan(StringRef name,
                                        const KernelProblems &problems,
                                        CheckedConv &conv,
                                        std::string &reason) {
  auto known = problems.find(name);
  const auto *problem = known == problems.end()
                            ? nullptr
                            : std::get_if<::convoy::Problem>(&known->second);
  if (!problem || !problem->dynamic.empty()) {
    reason = "runs on integers say nothing of kernels other than those of a "
             "convolution's text without dynamic sizes";
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
        plan(kernel.name, problems, conv, reason);
    if (!test)
      return stop(ExitCode::Undecided, reason);
    std::optional<ChildOutcome> outcome = runInChild(
        MostSeconds,
        [&](TextSender &sender) {
          IdentityResult ran =
              runKernelOf(context, object, kernels, kernel.name, conv);
          sender.send(ran.error);
          sender.send(ran.fault);
        },
        error);
    if (outcome && outcome->texts.size() == 2) {
      error = outcome->texts[0];
      if (const std::string &fault = outcome->texts[1]; !fault.empty())
        return stop(ExitCode::WrongNumbers, fault);
    } else if (outcome) {
      std::string crash =
          "a run on random integers " +
          (outcome->crash.empty() ? "ended the program" : outcome->crash);
      if (!outcome->timedOut)
        return stop(ExitCode::WrongNumbers, crash);
      error = crash;
    }
    if (!error.empty())
      return stop(ExitCode::Undecided, error);
    result.kernels.emplace_back(kernel.name, *test);
  }
  return result;
}
