//===- convoy-compile.cpp - Convolutions to objects -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "CompileProgress.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/KernelFiles.h"
#include "convoy/Driver/KernelSymbols.h"
#include "convoy/Driver/StartTool.h"
#include "convoy/Target/CPUTarget.h"

#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;

using ::convoy::ExitCode;
using ConfigurePasses = std::function<LogicalResult(PassManager &)>;

/// The module of the input: an IR file's, or one with a kernel for each
/// problem, which are put into `kernelProblems`.
static OwningOpRef<ModuleOp> makeModule(MLIRContext *context,
                                        const Options &options,
                                        const ConfigurePasses &configure,
                                        KernelProblems &kernelProblems) {
  std::string error;
  if (options.isFile()) {
    OwningOpRef<ModuleOp> module = readModule(context, options.input);
    if (!module)
      return nullptr;
    if (!declareRanges(*module, options.ranges, error)) {
      emitError(UnknownLoc::get(context)) << error;
      return nullptr;
    }
    return succeeded(importModule(*module, configure)) ? std::move(module)
                                                       : nullptr;
  }
  std::optional<std::vector<std::string>> symbols;
  std::optional<std::vector<::convoy::AnyProblem>> problems =
      readAnyProblems(options.input, options.problemFlags, error);
  if (problems && checkProblemRanges(context, *problems, options.ranges, error))
    symbols = chooseKernelSymbols(*problems, options.name, error);
  if (!symbols) {
    emitError(UnknownLoc::get(context)) << error;
    return nullptr;
  }
  for (auto [symbol, problem] : llvm::zip_equal(*symbols, *problems))
    kernelProblems.try_emplace(symbol, problem);
  OwningOpRef<ModuleOp> module = buildNamedModule(context, *problems, *symbols);
  for (auto function : module->getOps<func::FuncOp>())
    if (!declareOwnRanges(function, options.ranges, error)) {
      emitError(UnknownLoc::get(context)) << error;
      return nullptr;
    }
  return module;
}

/// Errors are reported to the context's handlers. `configure` is called with
/// each pass manager before it runs.
static LogicalResult compile(MLIRContext *context, const Options &options,
                             const ConfigurePasses &configure,
                             CertifiedChanges &changes) {
  auto emitErrorHere = [&] { return emitError(UnknownLoc::get(context)); };
  if (options.target == Target::CPU)
    if (std::optional<std::string> reason = checkCPU(options.cpu))
      return emitErrorHere() << *reason;
  KernelProblems problems;
  OwningOpRef<ModuleOp> module =
      makeModule(context, options, configure, problems);
  if (!module)
    return failure();

  CompileOptions lowering = getCompileOptions(options, options.threads);
  lowering.chip = options.chip;
  lowering.vulkan = *options.vulkan;
  // Proofs begin with the sums that are asked for.
  if (failed(applyPrecision(*module, lowering)))
    return failure();
  CompileProgress progress(problems);
  lowering.configure = [&](PassManager &pm) {
    progress.addTo(pm);
    return configure(pm);
  };
  FailureOr<SmallVector<OutputFile>> files =
      makeKernelFiles(*module, problems, options.input, options, lowering,
                      changes, [&] { progress.startEmission(); });
  eraseProgress();
  return failed(files) ? failure() : writeOutputs(context, *files);
}

/// Prints one line; returns the exit code.
static int fail(StringRef sentence, ExitCode code = ExitCode::BadInput) {
  llvm::errs() << "convoy-compile: " << sentence << '\n';
  return int(code);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-compile");
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return fail(error);
  if (!options.vulkan) {
    ::convoy::Device device;
    ::convoy::Status status = ::convoy::Device::open("vulkan", device);
    if (!status.ok())
      return fail(status.text, ExitCode(status.code));
    options.vulkan = device.vulkanProfile();
  }
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  FirstErrorHandler errors(&context);
  CertifiedChanges changes;
  auto configure = [&](PassManager &pm) {
    if (options.certify)
      certifyEachPass(pm, {/*folder=*/"", /*stopWhereUndecided=*/true},
                      changes);
    return success();
  };
  if (failed(compile(&context, options, configure, changes))) {
    // Of a list it says which of its problems is meant.
    bool isList = StringRef(options.input).starts_with("@");
    return fail((isList ? errors.getProblem() : "") + errors.getError(),
                changes.getFailureCode());
  }
  return 0;
}
