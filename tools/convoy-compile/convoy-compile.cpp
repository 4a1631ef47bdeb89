//===- convoy-compile.cpp - Convolutions to objects -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "CompileProgress.h"
#include "Output.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
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
    if (!calibrate(*module, options.calibrations, error)) {
      emitError(UnknownLoc::get(context)) << error;
      return nullptr;
    }
    return succeeded(importModule(*module, configure)) ? std::move(module)
                                                       : nullptr;
  }
  std::optional<std::vector<std::string>> symbols;
  std::optional<std::vector<::convoy::Problem>> problems =
      readProblems(options.input, options.problemFlags, error);
  if (problems)
    symbols = chooseKernelSymbols(*problems, options.name, error);
  if (!symbols) {
    emitError(UnknownLoc::get(context)) << error;
    return nullptr;
  }
  for (auto [symbol, problem] : llvm::zip_equal(*symbols, *problems))
    kernelProblems.try_emplace(symbol, problem);
  return buildNamedModule(context, *problems, *symbols);
}

/// Lowers `module`. The output is empty where nothing lowered is asked for.
static FailureOr<Compiled> makeCPUKernels(ModuleOp module,
                                          const Options &options,
                                          const CompileOptions &lowering,
                                          CompileProgress &progress) {
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(options.cpu, [&] { return module.emitError(); });
  if (failed(machine) || failed(lowerForCPU(module, lowering)))
    return failure();
  progress.startEmission();
  Compiled compiled{"", getKernelInterfaces(module), {}, {}};
  if (!compiled.kernels.empty() &&
      failed(emitCPUKernels(module, **machine, options, compiled)))
    return failure();
  return compiled;
}

/// The same for Vulkan.
static FailureOr<Compiled> makeVulkanKernels(ModuleOp module,
                                             const Options &options,
                                             CompileOptions lowering,
                                             CompileProgress &progress) {
  lowering.vulkan = *options.vulkan;
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForVulkan(module, lowering);
  if (failed(kernels))
    return failure();
  progress.startEmission();
  Compiled compiled{"", *kernels, {}, {}};
  if (options.emission == Emission::MLIR || compiled.kernels.empty())
    return compiled;
  FailureOr<std::string> output = emitSPIRVKernels(module, options);
  if (failed(output))
    return failure();
  compiled.output = *output;
  return compiled;
}

/// The same for AMD's GPUs.
static FailureOr<Compiled> makeRocmKernels(ModuleOp module,
                                           const Options &options,
                                           CompileOptions lowering,
                                           CompileProgress &progress) {
  lowering.chip = options.chip;
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForRocm(module, lowering);
  if (failed(kernels))
    return failure();
  progress.startEmission();
  Compiled compiled{"", *kernels, {}, {}};
  if (!compiled.kernels.empty() &&
      failed(emitRocmKernels(module, options, compiled)))
    return failure();
  return compiled;
}

static FailureOr<Compiled> makeKernels(ModuleOp module, const Options &options,
                                       const CompileOptions &lowering,
                                       CompileProgress &progress) {
  switch (options.target) {
  case Target::CPU:
    return makeCPUKernels(module, options, lowering, progress);
  case Target::Rocm:
    return makeRocmKernels(module, options, lowering, progress);
  case Target::Vulkan:
    return makeVulkanKernels(module, options, lowering, progress);
  }
  llvm_unreachable("all are named");
}

/// Errors are reported to the context's handlers. `configure` is called with
/// each pass manager before it runs.
static LogicalResult compile(MLIRContext *context, const Options &options,
                             const ConfigurePasses &configure,
                             const CertifiedChanges &changes) {
  auto emitErrorHere = [&] { return emitError(UnknownLoc::get(context)); };
  if (options.target == Target::CPU)
    if (std::optional<std::string> reason = checkCPU(context, options.cpu))
      return emitErrorHere() << *reason;
  KernelProblems problems;
  OwningOpRef<ModuleOp> module =
      makeModule(context, options, configure, problems);
  if (!module)
    return failure();

  std::string imported;
  llvm::raw_string_ostream(imported) << *module << '\n';
  bool isMLIR = options.emission == Emission::MLIR;
  bool isLowered = !isMLIR || !options.header.empty() ||
                   !options.manifest.empty() || options.certify;
  if (!isLowered)
    return writeOutputs(context, OutputFile{options.output, imported});
  CompileOptions lowering = getCompileOptions(options, options.threads);
  CompileProgress progress(problems);
  lowering.configure = [&](PassManager &pm) {
    progress.addTo(pm);
    return configure(pm);
  };
  FailureOr<Compiled> compiled =
      makeKernels(*module, options, lowering, progress);
  eraseProgress();
  if (failed(compiled))
    return failure();
  if (compiled->kernels.empty())
    return emitErrorHere() << "expected a public function to compile, but "
                           << options.input << " has none";
  SmallVector<OutputFile> files = {
      {options.output, isMLIR ? imported : compiled->output}};
  std::string output = files.front().text;
  llvm::append_range(
      files, makeInterfaces(*compiled, problems, output, options, changes));
  return writeOutputs(context, files);
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
  if (failed(compile(&context, options, configure, changes)))
    return fail(errors.getError(), changes.getFailureCode());
  return 0;
}
